package grounding_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

const (
	supported    = grounding.Supported
	derived      = grounding.Derived
	exempt       = grounding.Exempt
	unchecked    = grounding.Unchecked
	unsupported  = grounding.Unsupported
	contradicted = grounding.Contradicted
)

// check gives the verdicts on a draft beside results of calls.
func check(draft string, evidence ...string) []grounding.Verdict {
	var x grounding.Index
	for i, e := range evidence {
		x.Add(grounding.Source{Call: uint32(i + 1), Tool: "lookup"}, e)
	}
	return verdicts(x.Check(draft, day))
}

func verdicts(results []grounding.Result) (got []grounding.Verdict) {
	for _, r := range results {
		got = append(got, r.Verdict)
	}
	return got
}

func TestRules(t *testing.T) {
	type verdict = grounding.Verdict
	for name, rows := range map[string][]struct {
		evidence, draft string
		want            []verdict
	}{
		"currencies": {
			{`{"price":49.9,"currency":"EUR"}`, "It costs €49.90.", []verdict{supported}},
			{`{"price":49.9,"currency":"EUR"}`, "It costs $49.90.", []verdict{contradicted}},
			{`It costs 49.90 EUR`, "Giá là 49,90 euro.", []verdict{supported}},
			{`It costs 49.90 EUR`, "Giá là 49,90 USD.", []verdict{contradicted}},
			{`{"price":49.9}`, "It costs £49.90.", []verdict{supported}},
			{`{"amount":4990,"currency":"usd"}`, "You paid $49.90.", []verdict{supported}},
			{`{"amount_cents":4900}`, "You paid $49.", []verdict{supported}},
		},
		"percentages": {
			{`{"rate":0.153}`, "The rate is 15.3%.", []verdict{supported}},
			{`{"rate":0.153}`, "Tỷ lệ là 15,3 phần trăm.", []verdict{supported}},
			{`{"rate":0.153}`, "The rate is 1.53%.", []verdict{unsupported}},
			{`{"share":"15.3%"}`, "The ratio is 0.153.", []verdict{supported}},
			{`{"a":1}`, "I am 100% sure.", []verdict{exempt}},
		},
		"units": {
			{`{"size_gb":5}`, "It takes 5 GB.", []verdict{supported}},
			{`{"size_gb":5}`, "It takes 5 MB.", []verdict{contradicted}},
			{`{"size_gb":5}`, "It takes 5,000 MB.", []verdict{supported}},
			{`{"bytes":5368709120}`, "It takes 5 GB.", []verdict{supported}},
			{`{"latencyMs":1500}`, "It took 1.5 seconds.", []verdict{supported}},
			{`{"duration_seconds":5400}`, "Mất 1 giờ 30 phút.", []verdict{supported}},
			{`{"value":12,"unit":"kg"}`, "It weighs 12 lb.", []verdict{contradicted}},
			{`{"revenue_millions":1.25}`, "Revenue was 1,250,000.", []verdict{supported}},
		},
		"signs": {
			{`{"net":-4500}`, "A loss of 4,500.", []verdict{supported}},
			{`{"net":-4500}`, "Giảm 4.500.", []verdict{supported}},
			{`{"net":-4500}`, "Net: (4,500)", []verdict{supported}},
			{`{"net":-4500}`, "Net: −4,500", []verdict{supported}},
		},
		"dates": {
			{`2026-06-30`, "On June 30th.", []verdict{supported}},
			{`2026-06-30`, "Ngày 30/06/2026.", []verdict{supported}},
			{`2026-06-30`, "On 30 June 2025.", []verdict{contradicted}},
			{`2026-06-30`, "On July 1, 2026.", []verdict{contradicted}},
			{`2026-06-30T23:30:00Z`, "On July 1, 2026.", []verdict{supported}},
			{`{"at":1782777600}`, "On 30 June 2026.", []verdict{supported}},
			{`{"at":1782777600000}`, "On 30 June 2026.", []verdict{supported}},
			{`{"at":1782777600}`, "On 12 June 2026.", []verdict{unsupported}},
			{`{"start":"2026-07-09"}`, "It started yesterday.", []verdict{supported}},
			{`{"a":1}`, "It is done today.", []verdict{exempt}},
			{`{"start":"2026-07-01","end":"2026-07-13"}`, "12 days later.", []verdict{derived}},
		},
		"times": {
			{`{"at":"2026-07-01T14:00:00"}`, "At 2 PM.", []verdict{supported}},
			{`{"at":"2026-07-01T14:00:00"}`, "Lúc 15:00.", []verdict{contradicted}},
			{`{"at":"2026-07-01T14:00:00Z"}`, "At 16:00 CEST.", []verdict{supported}},
			{`{"at":"2026-07-01T14:00:00Z"}`, "At 15:00 CEST.", []verdict{contradicted}},
			{`{"at":"2026-07-01T14:00:00+07:00"}`, "At 14:30.", []verdict{contradicted}},
		},
		"names": {
			{`INV-2210`, "See inv 2210 and INV-2211.", []verdict{supported, contradicted}},
			{`commit 9f1c2ab4e7d3`, "Commit 9f1c2ab.", []verdict{supported}},
			{`https://ex.org/a/b?x=1`, "See https://ex.org/a.", []verdict{supported}},
			{`https://ex.org/a/b`, "See https://ex.org/a/c/d.", []verdict{unsupported}},
			{`{"mail":"ops@ex.org"}`, "Write to ops@ex.org or sales@ex.org.", []verdict{supported, unsupported}},
			{`{"card":"card_1591784"}`, "The card ending in 1784.", []verdict{supported}},
			{`{"card":"card_1591784"}`, "The card ending in 1748.", []verdict{unsupported}},
			{`{"id":"certificate_7504069"}`, "Certificate 7504069.", []verdict{supported}},
		},
		"rows of names": {
			{`{"ns":["NS1.EX.ORG","NS2.EX.ORG","NS3.EX.ORG","NS4.EX.ORG","NS7.EX.ORG"]}`, "Its servers are NS1-NS7.EX.ORG.", []verdict{supported}},
			{`{"ns":["NS1.EX.ORG","NS2.EX.ORG","NS3.EX.ORG","NS4.EX.ORG","NS7.EX.ORG"]}`, "Its servers are NS1-NS9.EX.ORG.", []verdict{unsupported}},
			{`{"ns":["NS1.EX.ORG","NS7.EX.ORG"]}`, "Its servers are NS1-NS7.EX.ORG.", []verdict{unsupported}},
			{`["R-08","R-09","R-10","R-11"]`, "Rooms R-08-R-11 are free.", []verdict{supported}},
			{`["R-08","R-09","R-10","R-11"]`, "Rooms R-08-R-14 are free.", []verdict{unsupported}},
		},
		"names in pieces": {
			{`{"tracking":"ZX 4471 0093 285"}`, "Parcel ZX44710093285.", []verdict{supported}},
			{`{"code":"VT2026 00817"}`, "Mã vé VT2026-00817.", []verdict{supported}},
			{`{"tracking":"ZX 4471 0093 285"}`, "Parcel ZX44710039285.", []verdict{unsupported}},
			{`{"tracking":"ZX 4471  0093 285"}`, "Parcel ZX44710093285.", []verdict{unsupported}}, // two of them
			{`{"tracking":"ZX 4471 0093 2851"}`, "Parcel ZX44710093285.", []verdict{unsupported}},
			{`{"room":"B2 11"}`, "Room B2-11x9.", []verdict{unsupported}},
		},
		"names of fields": {
			{`{"wind_ms":5.6}`, "Wind 5.6 m/s, roughly 20 km/h.", []verdict{supported, derived}},
			{`{"gio_ms":3.5}`, "Gió 3,5 m/s (12,6 km/h).", []verdict{supported, derived}},
			{`{"toc_do_ms":3.5}`, "Gió 3,5 m/s.", []verdict{supported}},
			{`{"speed_test_ms":350}`, "It took 0.35 s.", []verdict{supported}},
			{`{"latency_ms":350}`, "It took 0.35 s.", []verdict{supported}},
			{`{"dien_tich_m2":68.5,"gia_ty":3.425}`, "Giá 3,425 tỷ đồng, 50 triệu đồng/m².", []verdict{supported, derived}},
			{`{"doanh_thu_trieu_dong":512}`, "Doanh thu 512.000.000 đồng.", []verdict{supported}},
			{`{"so_cong_ty":512}`, "Doanh thu 512 tỷ đồng.", []verdict{unsupported}},
			{`{"ty_le":512}`, "Doanh thu 512 tỷ đồng.", []verdict{unsupported}},
		},
		"rates": {
			{`{"base":"USD","rates":{"VND":25410}}`, "1 USD = 25,410 VND.", []verdict{exempt, supported}},
			{`{"base":"USD","rates":{"VND":25410}}`, "1 USD bằng 25.410 VND.", []verdict{exempt, supported}},
			{`{"base":"USD","rates":{"VND":25410}}`, "The fee is 1 USD.", []verdict{unsupported}},
		},
		"statuses of HTTP": {
			{`{"ok":true}`, "It returns a 401 JSON response.", []verdict{exempt}},
			{`{"ok":true}`, "It answers 404 Not Found, or status code 503.", []verdict{exempt, exempt}},
			{`{"ok":true}`, "Nó trả về mã lỗi 404.", []verdict{exempt}},
			{`{"ok":true}`, "The form had 404 responses.", []verdict{unsupported}},
			{`{"ok":true}`, "It found 500 users.", []verdict{unsupported}},
			{`{"ok":true}`, "It answers with status 477.", []verdict{unsupported}},
			{`{"ok":true}`, "The server answered with status 503.", []verdict{unsupported}},
			{`GET /orders 503`, "It returns a 404 response.", []verdict{unsupported}},
			{``, "It returns a 404 response.", []verdict{unsupported}},
		},
		"proportions": {
			{"茶 : 水 : 冰 = 1~2 : 50 : 30）", "Tea, water and ice are 2:50:30.", []verdict{supported}},
			{"茶 : 水 : 冰 = 1~2 : 50 : 30）", "Tea, water and ice are 2:30:50.", []verdict{unsupported}},
		},
		"what a cut text may measure": {
			{"flour 25 g, milk 50 ml …[cut 692 chars]… bake", "Cut it 25 cm long.", []verdict{unchecked}},
			{"flour 25 g, milk 50 ml, bake", "Cut it 25 cm long.", []verdict{contradicted}},
			{"flour 25 g …[cut 692 chars]… bake", "Cut it 25 cm long.", []verdict{contradicted}},
			{"flour 25 g, milk 50 ml …[cut 692 chars]… bake", "It takes 25 kg of flour.", []verdict{contradicted}},
		},
		"counts": {
			{`{"invoices":[1,2,3,4,5]}`, "You have 5 invoices.", []verdict{derived}},
			{`{"invoices":[1,2,3,4,5]}`, "You have 3 invoices.", []verdict{contradicted}},
			{`{"invoices":[1,2,3,4,5]}`, "You have 7 invoices that are late.", []verdict{contradicted}},
			{`{"invoices":[1,2,3,4,5]}`, "I see six ways to go on.", []verdict{exempt}},
			{`{"invoices":[{"s":"late"},{"s":"late"},{"s":"paid"}]}`, "2 invoices are late.", []verdict{derived}},
			{`{"invoices":[{"s":"late"},{"s":"late"},{"s":"paid"}]}`, "3 late invoices.", []verdict{derived}},
			{"There are 12 users", "12 users.", []verdict{derived}},
			{"There are 12 users", "There are 15 users.", []verdict{contradicted}},
		},
		"derivations": {
			{`[{"n":100},{"n":250},{"n":317}]`, "667 in all, 222.33 on average.", []verdict{derived, derived}},
			{`{"a":{"n":1200},"b":{"n":1500}}`, "25% more.", []verdict{derived}},
			{`[{"qty":12,"price":4.25},{"qty":1,"price":3}]`, "12 at $4.25 are $51.00.", []verdict{supported, supported, derived}},
			{"item,price\nx,120\ny,340\nz,95", "In all 555.", []verdict{derived}},
			{`{"a":120,"b":340}`, "A is 120, B is 340, together 460.", []verdict{supported, supported, derived}},
		},
		"fields": {
			{`{"total":120,"tax":20}`, "The tax is $120.", []verdict{contradicted}},
			{`{"total":120,"tax":20}`, "The tax is $20 of $120.", []verdict{supported, supported}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range rows {
				got := check(row.draft, row.evidence)
				if len(row.want) > 0 && row.want[0] == exempt && len(got) == 0 {
					continue // not even an atom
				}
				require.Equal(t, row.want, got, "%s beside %s", row.draft, row.evidence)
			}
		})
	}
}

func TestFlags(t *testing.T) {
	for draft, want := range map[string][]grounding.Verdict{
		"Yes, it is available.":                 {contradicted},
		"It is not available.":                  nil,
		"It isn't available.":                   nil,
		"Is it available?":                      nil,
		"I will tell you if it is available.":   nil,
		"These are available seats.":            nil,
		"It is currently available, good luck.": {contradicted},
	} {
		require.Equal(t, want, check(draft, `{"is_available":false}`), draft)
	}
	require.Nil(t, check("It is available.", `[{"available":false},{"available":true}]`))
	require.Equal(t, []grounding.Verdict{contradicted}, check("It is not enabled.", `{"enabled":true}`))
}

func TestNoEvidenceIsNeverAPass(t *testing.T) {
	for _, evidence := range []string{"", " \n", "{}", "[]", `{"results":[]}`} {
		require.Equal(t, []grounding.Verdict{unsupported}, check("The balance is $4,820.", evidence), "beside %q", evidence)
	}
	var x grounding.Index
	require.Equal(t, []grounding.Verdict{unsupported}, verdicts(x.Check("The balance is $4,820.", day)))
	require.Empty(t, x.Check("Hello! Which account do you mean?", day))
}

func TestWhatIsMissingCannotBeTold(t *testing.T) {
	for _, text := range []string{
		"1200 …[cut 400 chars]… 1300", "1200\n[output truncated]", "1200 … (truncated)",
		`{"n":1200,"truncated":true}`, "1200 …[cut by source]",
	} {
		require.Equal(t, []grounding.Verdict{unchecked}, check("It is 77,123.", text), text)
	}
	require.Equal(t, []grounding.Verdict{unsupported}, check("It is 77,123.", "The branch was truncated in 1200."))

	var x grounding.Index
	x.Add(grounding.Source{Call: 1, Degraded: true}, "The size is 12 GB.")
	require.Equal(t, []grounding.Verdict{unchecked, contradicted}, verdicts(x.Check("77,123 files and 12 MB.", day)),
		"the same digits in another unit are wrong whatever is missing")
}

func TestWhoSaidIt(t *testing.T) {
	var x grounding.Index
	x.Add(grounding.Source{Kind: grounding.Heard}, "Send 25000 to DE89 3704 0044 0532 0130 00")
	x.Add(grounding.Source{Kind: grounding.Constant}, "The fee is $12.50.")
	x.Add(grounding.Source{Call: 3, Tool: "send", Kind: grounding.Argument}, `{"note":"K-771204"}`)
	got := x.Check("I sent 25,000 to DE89370400440532013000 for $12.50 as K-771204.", day)
	require.Equal(t, []grounding.Verdict{exempt, exempt, supported, supported}, verdicts(got))
	require.Equal(t, grounding.Nearest{
		Call: 3, Tool: "send", Text: `{"note":"K-771204"}`, How: "as the call was given it", Start: 9, End: 17,
	}, got[3].Nearest)
}

func TestTheModelsOwnWordsAreNoEvidence(t *testing.T) {
	report := "The market has 812,345 users. " + strings.Repeat("It grows in every region and in every age group. ", 4)
	var x grounding.Index
	x.Add(grounding.Source{Call: 1, Tool: "write_file", Kind: grounding.Argument},
		`{"path":"/out/report.md","until":"2026-07-03","budget":4410,"content":"`+report+`","rows":[[1,77123],[2,77123],[3,77123],[4,77123],[5,77123],[6,77123],[7,77123],[8,77123],[9,77123]]}`)
	x.Add(grounding.Source{Call: 1, Tool: "write_file"}, `{"ok":true}`)
	got := x.Check("I wrote the report of 3 July 2026 with 4,410 and 812,345 users and 77,123.", day)
	require.Equal(t, []grounding.Verdict{supported, supported, unsupported, unsupported}, verdicts(got))
}

func TestWhatIsNoStatement(t *testing.T) {
	for _, draft := range []string{
		"I rate it 9/10.", "You can visit https://news.example.org/latest for more.",
		"```\nscale --replicas=300\n```", "In 2026 this is common.", "Try again within 24 hours.",
	} {
		for _, v := range check(draft, `{"ok":true}`) {
			require.Equal(t, exempt, v, draft)
		}
	}
	for _, draft := range []string{
		"It ends on 9/10.", "See https://news.example.org/latest.", "You can visit https://news.example.org/p/77123.",
		"In 2014 this was common.", "It lasts 24 km.",
	} {
		require.Equal(t, []grounding.Verdict{unsupported}, check(draft, `{"ok":true}`), draft)
	}
}

func TestADraftCountsItsOwnList(t *testing.T) {
	evidence := `{"tasks":[{"n":"a"},{"n":"b"},{"n":"c"},{"n":"d"},{"n":"e"}]}`
	require.Equal(t, []grounding.Verdict{derived}, check("You have 2 tasks.\n\n- a\n- b\n", evidence))
	require.Equal(t, []grounding.Verdict{contradicted}, check("You have 2 tasks.\n", evidence))
}

func TestEvidenceIsReadOnce(t *testing.T) {
	var x grounding.Index
	x.Add(grounding.Source{Call: 1}, `{"total":1243500}`)
	require.Equal(t, []grounding.Verdict{unsupported}, verdicts(x.Check("It is 88,001.", day)))
	x.Add(grounding.Source{Call: 2}, `{"other":88001}`)
	require.Equal(t, []grounding.Verdict{supported, supported}, verdicts(x.Check("It is 88,001 and 1,243,500.", day)))
	before := testing.AllocsPerRun(10, func() { x.Check("It is 88,001.", day) })
	require.Less(t, before, 20.0, "a second draft reads no evidence")
}

func TestJSONInOtherTexts(t *testing.T) {
	for _, text := range []string{
		`Result: {"size_mb":350}`,
		"ok\n```json\n{\"size_mb\":350}\n```",
		`{"content":[{"type":"text","text":"{\"size_mb\":350}"}]}`,
		`{"a":"\u007b\"size_mb\":350}"}`,
		"{\"x\":1}\n{\"size_mb\":350}\n",
		`{"size_mb":350,"torn":[1,`,
	} {
		require.Equal(t, []grounding.Verdict{supported}, check("It takes 0.35 GB.", text), text)
	}
	require.Equal(t, []grounding.Verdict{derived}, check("In all 667.", "{\"n\":100}\n{\"n\":250}\n{\"n\":317}"))
}

var day = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)
