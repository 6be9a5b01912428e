package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// manner is how a draft gives a figure: what its words say of where it comes from.
type manner uint8

// The manners. A figure without any is stated as it was found.
const (
	loosely  manner = 1 << iota // about, nearly, just under
	follows                     // so, that is, worth, =
	summed                      // in total, together
	compared                    // more than, saves, left
	averaged                    // on average
	rated                       // per night, each, /m²
	ratioed                     // times, a bare decimal
	moved                       // up, down, than: perhaps a change
)

// mannerWords are the words that tell a manner, in plain letters.
var mannerWords = func() map[string]manner {
	m := make(map[string]manner)
	for words, how := range map[string]manner{
		"about around roughly approximately nearly almost under over circa khoang gan":                     loosely,
		"so i.e. ie that's thats works worth equals makes means therefore hence tuc vay equivalent namely": follows,
		"total altogether overall combined together sum sums totals totalling adds add both tong":          summed,
		"difference gap fewer saves save saved saving change increase increased decrease decreased " +
			"rose fell dropped grew lower higher gained ahead behind giam tang kem chenh thieu thua": compared,
		"up down above below than more less under over longer shorter cheaper faster slower heavier lighter later earlier older younger further hon con left remaining": moved,
		"average averages averaged averaging mean avg": averaged,
		"per each every apiece moi":                    rated,
		"times lan ratio":                              ratioed,
	} {
		for _, w := range strings.Fields(words) {
			m[w] |= how
		}
	}
	return m
}()

// mannerPhrases are manners that take two words.
var mannerPhrases = map[string]manner{
	"trung bình": averaged, "bình quân": averaged, "tiết kiệm": compared, "tương đương": follows, "i.e.": follows,
	"tính ra": follows, "in all": summed, "tất cả": summed, "cả hai": summed, "gấp": ratioed,
}

// mannerOf reads the words around a figure, within its sentence and as far as no
// other figure stands between.
func (c *checker) mannerOf(i int) (m manner) {
	if m, ok := c.manners[i]; ok {
		return m
	}
	a := &c.atoms[i]
	const before, behind = 48, 40 // bytes that are read
	from, to := c.sentence(a.Start, a.End)
	from, to = max(from, a.Start-before), min(to, a.End+behind)
	if i > 0 {
		from = min(max(from, c.atoms[i-1].End), a.Start)
	}
	if i+1 < len(c.atoms) {
		to = max(a.End, min(to, c.atoms[i+1].Start))
	}
	m = mannerIn(c.draft[from:a.Start])
	after, _, _ := strings.Cut(c.draft[a.End:to], ", ")
	m |= mannerIn(after) &^ (loosely | follows) // those are of the next figure
	if perUnit(after) != "" && !c.statesUnit(after) {
		m |= rated
	}
	for j := i - 1; j >= 0 && c.atoms[j].End > a.Start-64; j-- {
		b := &c.atoms[j]
		if strings.ContainsAny(c.draft[b.End:a.Start], ".;:!?\n") {
			break
		}
		if b.Kind == a.Kind {
			m |= c.mannerOf(j) & (loosely | rated) // about 31 or 1,600; 13 per m² and 14
			break
		}
	}
	if c.manners == nil {
		c.manners = make(map[int]manner)
	}
	if isRatio(a) && !c.holdsRatios() {
		m |= ratioed
	}
	c.manners[i] = m
	return m
}

// mannerIn is what the words of a text say.
func mannerIn(text string) (m manner) {
	for w := range words(text) {
		m |= mannerWords[plainLetters(w)]
	}
	for phrase, how := range mannerPhrases {
		if strings.Contains(text, phrase) {
			m |= how
		}
	}
	if strings.ContainsAny(text, "=≈~→") {
		m |= follows
	}
	return m
}

// statesUnit is whether the evidence writes the unit behind a figure, "mmol/L",
// "km/h": then the figure was to come from there.
func (c *checker) statesUnit(behind string) bool {
	unit, _, _ := strings.Cut(strings.TrimLeft(behind, " *_"), " ")
	unit = strings.TrimRight(unit, ".,;:!?)*_\n")
	if strings.IndexByte(unit, '/') < 1 {
		return false
	}
	for i := range c.x.sources {
		if s := &c.x.sources[i]; s.Kind != Heard && c.search(s.text) && strings.Contains(s.text, unit) {
			return true
		}
	}
	return false
}

// isRatio is whether a figure is a bare decimal.
func isRatio(a *atom.Atom) bool {
	return a.Kind == atom.Number && a.N > 0 && a.Unit == 0 && a.Noun[1] == 0 && a.Readings[0].Step < 1
}

// holdsRatios is whether the evidence holds another bare decimal of the draft as it
// stands: then this one was to come from there too.
func (c *checker) holdsRatios() bool {
	for i := range c.atoms {
		if c.results[i].Verdict == Supported && isRatio(&c.atoms[i]) {
			return true
		}
	}
	return false
}

// sentence is the stretch of the draft around a figure that no end of a sentence
// and no new line divides.
func (c *checker) sentence(start, end int) (from, to int) {
	const longest = 400
	from, to = max(0, start-longest), min(len(c.draft), end+longest)
	before, behind := c.draft[from:start], c.draft[end:to]
	for _, stop := range [...]string{". ", "\n", "! ", "? ", "; "} {
		if i := strings.LastIndex(before, stop); i >= 0 {
			from, before = from+i+len(stop), before[i+len(stop):]
		}
		if i := strings.Index(behind, stop); i >= 0 {
			to, behind = end+i, behind[:i]
		}
	}
	return from, to
}

// perUnit is what a figure is per, by the words right behind it: "month" behind
// "€34 a month", "34 €/month" and "34 euros per month"; "" where it is per nothing.
func perUnit(behind string) string {
	touches := true // only then, a slash is "per"
	if rest := strings.TrimLeft(behind, "*_ )"); rest != behind {
		touches = behind[len(behind)-len(rest)-1] != ' '
		behind = rest
	}
	for range 4 { // a unit, a noun and an adjective may come between
		for _, per := range [...]string{"/", "per ", "a ", "an ", "each ", "every ", "mỗi ", "một "} {
			rest, ok := strings.CutPrefix(behind, per)
			if !ok || rest == "" || !wordByte(rest[0]) || per == "/" && !touches {
				continue
			}
			end := 0
			for end < len(rest) && wordByte(rest[end]) {
				end++
			}
			if per == "a " || per == "an " || per == "một " {
				if _, ok := periods[rest[:end]]; !ok {
					continue
				}
			}
			return rest[:end]
		}
		i := strings.IndexAny(behind, " /")
		if i <= 0 || strings.ContainsAny(behind[:i], ".,;:!?()\n") {
			return ""
		}
		touches = behind[i] == '/'
		behind = strings.TrimLeft(behind[i:], " ")
	}
	return ""
}

// period is a span of time that figures are given for.
type period struct {
	seconds float64
	parts   []float64 // how many of it, or of what it has parts of, make a longer one
}

// periods are the spans by their names.
var periods = func() map[string]period {
	m := make(map[string]period)
	for names, p := range map[string]period{
		"second s sec giây": {1, []float64{60, 3600, 86400}},
		"minute min phút":   {60, []float64{60, 1440}},
		"hour h hr giờ":     {3600, []float64{24}},
		"day ngày":          {86400, []float64{7, 28, 29, 30, 31, 365}},
		"week tuần":         {7 * 86400, []float64{4, 52}},
		"month tháng":       {2629746, []float64{12}},
		"quarter quý":       {7889238, []float64{4}},
		"year năm annum":    {31556952, []float64{1.0 / 12, 1.0 / 52, 1.0 / 365}},
		"night đêm":         {86400, nil},
	} {
		for _, name := range strings.Fields(names) {
			m[name] = p
		}
	}
	return m
}()
