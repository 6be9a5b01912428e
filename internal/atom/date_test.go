package atom_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/atom"
)

func day(y int16, m, d uint8) [2]atom.Day { return [2]atom.Day{{Year: y, Month: m, Day: d}} }

func TestDatesInTheFormsOfPeopleAndPrograms(t *testing.T) {
	t.Parallel()
	june30 := day(2026, 6, 30)
	for _, c := range []struct {
		text string
		want [2]atom.Day
	}{
		{"2026-06-30", june30},
		{"2026/6/30", june30},
		{"2026.06.30", june30},
		{`{"closed":"2026-06-30"}`, june30},
		{"on 30/06/2026", june30},
		{"on 06/30/2026", june30},
		{"30.06.2026", june30},
		{"30.6.2026", june30},
		{"30-06-2026", june30},
		{"30–06–2026", june30},
		{"30/06/26", june30},
		{"30.06.26", june30},
		{"03/04/2026", [2]atom.Day{{Year: 2026, Month: 4, Day: 3}, {Year: 2026, Month: 3, Day: 4}}},
		{"03.04.2026", day(2026, 4, 3)},
		{"(03/02)", [2]atom.Day{{Month: 2, Day: 3}, {Month: 3, Day: 2}}},
		{"quý 2/2026", day(2026, 0, 0)},
		{"04/04/2026", day(2026, 4, 4)},
		{"It closed on 30 June 2026.", june30},
		{"30 Jun 2026", june30},
		{"30-Jun-2026", june30},
		{"30-JUN-2026", june30},
		{"30-Jun-26", june30},
		{"June 30, 2026", june30},
		{"June 30th, 2026", june30},
		{"Jun. 30, 2026", june30},
		{"JUNE 30 2026", june30},
		{"2026 June 30: a cat", june30},
		{"30th of June, 2026", june30},
		{"the 3rd of May", day(0, 5, 3)},
		{"May 3", day(0, 5, 3)},
		{"June 30", day(0, 6, 30)},
		{"June 2026", day(2026, 6, 0)},
		{"June '26", day(2026, 6, 0)},
		{"2026-06", day(2026, 6, 0)},
		{"06/2026", day(2026, 6, 0)},
		{"am 30. Juni 2026", june30},
		{"am 3. März", day(0, 3, 3)},
		{"le 30 juin 2026", june30},
		{"1er août 2026", day(2026, 8, 1)},
		{"30 de junio de 2026", june30},
		{"30 giugno 2026", june30},
		{"12 set 2026", day(2026, 9, 12)},
		{"décembre 2026", day(2026, 12, 0)},
		{"ngày 30 tháng 6 năm 2026", june30},
		{"Ngày 30 tháng 6", day(0, 6, 30)},
		{"ngày 30/6/2026", june30},
		{"30/6", day(0, 6, 30)},
		{"6/30", day(0, 6, 30)},
		{"ngày 3/4", [2]atom.Day{{Month: 4, Day: 3}, {Month: 3, Day: 4}}},
		{"tháng 6/2026", day(2026, 6, 0)},
		{"tháng 6 năm 2026", day(2026, 6, 0)},
		{"3 tháng mười hai năm 2026", day(2026, 12, 3)},
		{"thang 6 nam 2026", day(2026, 6, 0)},
		{"于2026年6月30日完成", june30},
		{"2026년 6월 30일", june30},
		{"6月30日", day(0, 6, 30)},
		{"29/02/2028", day(2028, 2, 29)},
		{"29 February", day(0, 2, 29)},
		{"backup 2026-06-30_full", june30},
	} {
		if a := found(c.text, atom.Date); assert.Len(t, a, 1, "%q: %v", c.text, found(c.text)) {
			assert.Equal(t, c.want, a[0].Dates, c.text)
			assert.EqualValues(t, -1, a[0].Seconds, c.text)
			assert.Equal(t, a, in(atom.Prose, c.text, []atom.Kind{atom.Date}), "%q in a draft", c.text)
		}
	}
}

func TestRangesOfDaysNameTheFirstAndTheLast(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2][2]atom.Day{
		"June 3–5, 2026":           {day(2026, 6, 3), day(2026, 6, 5)},
		"June 3 to 5, 2026":        {day(2026, 6, 3), day(2026, 6, 5)},
		"June 3rd - 5th":           {day(0, 6, 3), day(0, 6, 5)},
		"3-5 June":                 {day(0, 6, 3), day(0, 6, 5)},
		"from 3 to 5 June 2026":    {day(2026, 6, 3), day(2026, 6, 5)},
		"3 đến 5 tháng 6 năm 2026": {day(2026, 6, 3), day(2026, 6, 5)},
		"du 3 au 5 juin 2026":      {day(2026, 6, 3), day(2026, 6, 5)},
		"3 and 5 June 2026":        {day(2026, 6, 3), day(2026, 6, 5)},
		"2026-06-03/2026-06-05":    {day(2026, 6, 3), day(2026, 6, 5)},
		"03/06/2026–15/06/2026":    {{{Year: 2026, Month: 6, Day: 3}, {Year: 2026, Month: 3, Day: 6}}, day(2026, 6, 15)},
		"June 30 – July 2, 2026":   {day(0, 6, 30), day(2026, 7, 2)},
		"từ 20/6 đến 30/6":         {day(0, 6, 20), day(0, 6, 30)},
		"3. bis 5. Juni 2026":      {day(2026, 6, 3), day(2026, 6, 5)},
		"Mon 1 June, Tue 2 June.":  {day(0, 6, 1), day(0, 6, 2)},
	} {
		if a := found(text, atom.Date); assert.Len(t, a, 2, "%q: %v", text, found(text)) {
			assert.Equal(t, want, [2][2]atom.Day{a[0].Dates, a[1].Dates}, text)
		}
	}
}

func TestWhatLooksLikeADateAndIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"31/02/2026", "31/02", "30 February 2026", "2026-13-01", "29/02/2027", "00/06/2026",
		"3/4", "24/7", "8/15 tests passed", "6月", "3年6月", "scored 9/20", "1/2 cup", "scored 3/4",
		"v1.2.3", "10.0.0.1", "192.168.1.20", "1.2.2026.4", "10.1.2.26",
		"May", "we may 5 of them", "You may go", "only 3 may attend", "March on", "march 5 miles",
		"set 12 alarms", "Gen 5 drive", "sat 30", "10 ago",
		"June", "tháng 6", "6 tháng 5 ngày", "in 30 tháng",
		"order 20260630", "1,234", "12.50", "30.6", "555-0199", "2026-06-30-0042",
		"June 30.5 was", "July 4,500 units", "May 30%",
	} {
		assert.Empty(t, texts(text, atom.Date), text)
	}
}

func TestATimeBehindADayBelongsToIt(t *testing.T) {
	t.Parallel()
	const half3 = 14*3600 + 30*60
	for _, c := range []struct {
		text    string
		seconds int32
		zoned   bool
		offset  int32
	}{
		{"2026-06-30T14:30:00Z", half3, true, 0},
		{"2026-06-30T14:30:00.123456+07:00", half3, true, 7 * 3600},
		{"2026-06-30T14:30:05-0700", half3 + 5, true, -7 * 3600},
		{"2026-06-30T14:30", half3, false, 0},
		{"2026-06-30 14:30:00+00:00", half3, true, 0},
		{"20260630T143000Z", half3, true, 0},
		{"2026-06-30 14:30", half3, false, 0},
		{"2026-06-30 14:30 UTC", half3, true, 0},
		{"Tue, 30 Jun 2026 14:30:00 GMT", half3, true, 0},
		{"30 Jun 26 14:30 EST", half3, true, -5 * 3600},
		{"Tue, 30 Jun 2026 14:30:00 -0700", half3, true, -7 * 3600},
		{"Tue Jun 30 14:30:00 2026", half3, false, 0},
		{"[30/Jun/2026:14:30:00 +0000]", half3, true, 0},
		{"June 30, 2026 at 2:30 pm", half3, false, 0},
		{"June 30, 2026, 2:30 PM (UTC)", half3, true, 0},
		{"30.06.2026 um 14:30 Uhr", half3, false, 0},
		{"le 30 juin 2026 à 14h30", half3, false, 0},
		{"30/6/2026 lúc 14 giờ 30", half3, false, 0},
		{"ngày 30 tháng 6 năm 2026, 14:30", half3, false, 0},
		{"30/06/2026 - 14:30", half3, false, 0},
	} {
		if a := found(c.text, atom.Date); assert.Len(t, a, 1, "%q: %v", c.text, found(c.text)) {
			assert.Equal(t, day(2026, 6, 30), a[0].Dates, c.text)
			assert.Equal(t, c.seconds, a[0].Seconds, c.text)
			assert.Equal(t, c.zoned, a[0].Zoned, c.text)
			assert.Equal(t, c.offset, a[0].Offset, c.text)
		}
		assert.Len(t, found(c.text), 1, "%q has nothing else: %v", c.text, found(c.text))
	}
}

func TestDaysByTheirDistance(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int16{
		"today": 0, "Yesterday.": -1, "tomorrow's": 1, "heute": 0, "gestern": -1, "ieri": -1, "hoy": 0,
		"aujourd'hui": 0, "aujourd’hui": 0, "the day before yesterday": -2, "the day after tomorrow": 2,
		"hôm nay": 0, "Hôm qua": -1, "hôm kia": -2, "ngày mai": 1, "ngày mốt": 2,
		"3 days ago": -3, "2 weeks ago": -14, "1 day ago": -1, "vor 3 Tagen": -3, "hace 3 días": -3, "il y a 3 jours": -3,
		"3 giorni fa": -3, "3 ngày trước": -3, "2 tuần trước": -14, "5 ngày nữa": 5,
	} {
		a := found(text, atom.Date)
		if assert.Len(t, a, 1, "%q: %v", text, found(text)) {
			assert.Equal(t, atom.Relative{Days: want, Set: true}, a[0].Relative, text)
			assert.Zero(t, a[0].Dates, text)
		}
	}
	assert.EqualValues(t, 14*3600, only(t, "yesterday at 2 pm", atom.Date).Seconds)
	for _, text := range []string{"3 days", "in 3 days", "3 ngày trước khi", "last Monday", "hôm", "ngày nay", "après-demain", "2000 days ago"} {
		assert.Empty(t, texts(text, atom.Date), text)
	}
}

func TestADayIsFoundInWhateverFormItIsWritten(t *testing.T) {
	t.Parallel()
	forms := []string{
		"2006-01-02", "2006/01/02", "02.01.2006", "2.1.2006", "2 January 2006", "02 Jan 2006", "January 2, 2006", "Jan 2, 2006",
		"Monday, 2 January 2006", "Mon, 02 Jan 2006", "2-Jan-2006", "02-Jan-06", "2 tháng 1 năm 2006", "ngày 02/01/2006", "1/2/2006", "02/01/06", "2th of January 2006",
	}
	clocks := map[string]int32{"": 0, " 15:04": 60, " 15:04:05": 1, ", 3:04 pm": 60, " at 3:04 PM": 60, " 15:04:05 +07:00": 1, "T15:04:05Z": 1}
	around := []string{"%s", "It closed on %s.", "(%s)", "từ %s, xong", `{"at":"%s"}`}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 3_000_000_000).Draw(t, "at"), 0).UTC()
		form := rapid.SampledFrom(forms).Draw(t, "form")
		clock := rapid.SampledFrom([]string{"", " 15:04", " 15:04:05", ", 3:04 pm", " at 3:04 PM", " 15:04:05 +07:00"}).Draw(t, "clock")
		text := fmt.Sprintf(rapid.SampledFrom(around).Draw(t, "around"), at.Format(form+clock))
		a := only(t, text, atom.Date)
		want := atom.Day{Year: int16(at.Year()), Month: uint8(at.Month()), Day: uint8(at.Day())}
		if a.Dates[0] != want && a.Dates[1] != want {
			t.Fatalf("%q is read as %v", text, a.Dates)
		}
		seconds := int32(-1)
		if clock != "" {
			seconds = int32(at.Hour()*3600 + at.Minute()*60 + at.Second())
			seconds -= seconds % clocks[clock]
		}
		if a.Seconds != seconds {
			t.Fatalf("%q is read as the second %d of its day", text, a.Seconds)
		}
	})
}
