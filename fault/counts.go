package fault

import "strings"

// A load or a mailing may answer with nothing but counts: {"rows_loaded":18044,
// "rows_rejected":1960,"first_error":"line 77: bad date"}. Where all of them
// are about the work of the call, those that failed make it half done. Counts of
// a month, of a season or of a test run stand beside other figures.

var (
	countedDone = setOf(`loaded imported inserted written created updated deleted sent uploaded saved processed migrated copied synced exported indexed upserted added
		applied succeeded successful success successes stored published delivered completed ok
		thanhcong nap danap dagui gui daluu datao danhap nhap daxuly exitosos enviados correctos erfolgreich importiert reussis envoyes`)
	countedBad  = setOf(`failed failures failure rejected errors errored error invalid thatbai loi biloi tuchoi khongthanhcong errores fallidos rechazados fehlgeschlagen fehler echecs erros falhas`)
	countedRest = setOf(`total count received submitted attempted skipped ignored unchanged duplicates tong tongso boqua`)
	// countedThings are what is counted, put before or behind the word.
	countedThings = strings.Fields(`rows records items lines entries messages files documents docs emails contacts products users objects events images number num total count skipped
		sodong dong sobanghi banghi sotin sofile so soluong filas registros zeilen lignes linhas`)
)

// readCounts reports whether a decoded result is nothing but counts of the work
// of the call, of which some failed. It must tell what was done, or what went
// wrong first.
func readCounts(o object) (*finding, bool) {
	if len(o) < 2 || len(o) > maxShort {
		return nil, false
	}
	done, bad, first := false, 0, false
	for name, v := range o {
		key := unmark(name)
		n, counted := number(v)
		if _, isText := v.(string); isText {
			counted = false
		}
		switch {
		case counted && countsIn(countedBad, key):
			bad = max(bad, n)
		case counted && countsIn(countedDone, key):
			done = done || n > 0
		case counted && countsIn(countedRest, key):
		case counted && partOf(key) == clerkPart, saysNil(v):
		case strings.HasPrefix(key, "first") || strings.HasPrefix(key, "last") || strings.HasSuffix(key, "dautien") || strings.HasPrefix(key, "sample"):
			first = true
		case partOf(key) == clerkPart, partOf(key) == statePart, partOf(key) == whyPart, key == "message", key == "thongbao", key == "reasons", key == "warnings":
		default:
			return nil, false
		}
	}
	if bad == 0 || !done && !first {
		return nil, false
	}
	return &finding{shape: "counts", bare: halfDone}, true
}

// countsIn reports whether a name is one of the words, by itself or with what
// is counted: "rejected", "rows_rejected", "rejectedRows", "skipped_errors".
func countsIn(words map[string]bool, key string) bool {
	if words[key] {
		return true
	}
	for _, thing := range countedThings {
		if rest, ok := strings.CutPrefix(key, thing); ok && words[rest] {
			return true
		}
		if rest, ok := strings.CutSuffix(key, thing); ok && words[rest] {
			return true
		}
	}
	return false
}
