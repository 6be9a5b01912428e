package grounding_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// What stands beside a figure, in the draft and in the evidence, says what it is
// held against.
func TestWhatStandsBesideAFigure(t *testing.T) {
	for name, rows := range map[string][]struct {
		evidence, draft string
		want            grounding.Verdict // of the last atom
	}{
		"keys": {
			{`{"latency_ms":{"p99":1870}}`, "p99 is 1.87 s.", supported},
			{`{"latency_ms":{"count":1870}}`, "It is 1.87 s.", unsupported},
			{`{"price_per_m2":55000000,"currency":"VND"}`, "It is 55 triệu đồng.", supported},
			{`{"active_30d":51}`, "In the last 30 days.", exempt},
			{`{"pm25":71.3}`, "The level of PM2.5.", exempt},
		},
		"counts": {
			{`{"rooms":[{"left":4},{"left":1}]}`, "There are 4 rooms left.", derived},
			{`{"errors":[{"count":41},{"count":29}]}`, "There were 70 errors.", derived},
			{`{"errors":[{"count":41},{"count":29}]}`, "There were 80 errors.", contradicted},
			{`{"passed":1921,"failed":7}`, "27 failed.", unsupported},
			{`{"passed":1921,"unread":7}`, "9 of them are unread.", unsupported},
			{`{"items":[{"id":1},{"id":2}]}`, "You have 5 meetings.", contradicted},
			{`{"items":[{"id":1},{"id":2}]}`, "You have 5 options.", exempt},
			{`{"san_pham":["a","b"]}`, "Có 6 sản phẩm.", contradicted},
			{`{"users":60,"active":51}`, "Có 51/60 tài khoản.", supported},
			{`{"users":60,"active":51}`, "Có 52/60 tài khoản.", unsupported},
			{`{"n":60}`, "It ran on 41 machines.", unsupported},
		},
		"sums": {
			{"- Lamp: $45.90\n- Chair: $189.00\n- Mat: $24.60", "In all $259.50.", derived},
			{"Math 8.5, Art 7.0, Music 9.2", "The mean is 8.23.", derived},
			{`[{"qty":2,"unit":14.5},{"qty":3,"unit":8.25}]`, "In all $53.75.", derived},
			{`{"adult":1240000,"child":1140000}`, "The fare is 1240000; for 2 adults and a child 3,620,000.", derived},
			{`{"a":72.75,"b":10.91,"c":4.9}`, "$72.75 less $10.91 and $4.90 is $66.74.", derived},
			{`{"a":72.75,"b":10.91,"c":4.9}`, "$72.75 less $10.91 and $4.90 is $67.74.", unsupported},
			{`[{"rain_mm":42.5},{"rain_mm":88},{"rain_mm":11.5}]`, "88 cm fell.", contradicted},
		},
		"dates": {
			{`2026-02-03`, "On (03/02).", supported},
			{`2026-08-01`, "Until 1/8.", supported},
			{`Q2 2026`, "Quý 2/2026.", exempt},
			{"It takes 05:59.", "It takes 5h59m.", supported},
		},
		"names": {
			{"Release 4.12.0", "It is version 4.13.0.", contradicted},
			{"A new release", "It is version 4.13.0.", exempt},
			{`["a display of 6.","3 inches"]`, "It has 6.3 inches.", supported},
			{`["a display of 6.","3 inches"]`, "It has 6.4 inches.", unsupported},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range rows {
				got := check(row.draft, row.evidence)
				require.NotEmpty(t, got, row.draft)
				require.Equal(t, row.want, got[len(got)-1], "%s beside %s", row.draft, row.evidence)
			}
		})
	}
}

func TestACutTextHidesOnlyWhatIsOfItsKind(t *testing.T) {
	const files = "report-1.pdf 12 KB\nreport-2.pdf 14 KB\n[output truncated]"
	for _, row := range []struct {
		evidence, draft string
		want            grounding.Verdict
	}{
		{files, "It costs $771.20.", unsupported},
		{files, "It takes 771 KB.", unchecked},
		{files, "On 3 May 2026.", unsupported},
		{"Paid 2026-04-02 and …[cut 300 chars]…", "On 3 May 2026.", unchecked},
		{`{"price":12.5,"truncated":true}`, "It costs $771.20.", unchecked},
		{`{"lines":12,"truncated":true}`, "It costs $771.20.", unsupported},
		{"09:10 -> 11:20 …[cut 300 chars]…", "It takes 4h38m.", unchecked},
	} {
		require.Equal(t, []grounding.Verdict{row.want}, check(row.draft, row.evidence), "%s beside %s", row.draft, row.evidence)
	}
}

func TestWhatTheUserNamedTheDraftMayComplete(t *testing.T) {
	for question, want := range map[string]grounding.Verdict{
		"Trains on next Wednesday?": derived, "Tàu thứ tư tới?": derived, "Trains on Friday?": contradicted, "Trains?": contradicted,
	} {
		var x grounding.Index
		x.Add(grounding.Source{Call: 1}, "2025-07-22")
		x.Add(grounding.Source{Kind: grounding.Heard}, question)
		require.Equal(t, []grounding.Verdict{want}, verdicts(x.Check("On July 23, 2025.", day)), question)
	}
	var x grounding.Index
	x.Add(grounding.Source{Call: 1}, `{"count":417}`)
	x.Add(grounding.Source{Kind: grounding.Heard}, "How many converted in July?")
	require.Equal(t, []grounding.Verdict{supported, exempt}, verdicts(x.Check("417 converted in July 2026.", day)))
	require.Equal(t, []grounding.Verdict{supported, unsupported}, verdicts(x.Check("417 converted in May 2026.", day)))
}

// A draft in which nothing has a source costs about as much for each piece,
// however many there are.
func TestADraftWithoutSourcesIsBounded(t *testing.T) {
	var draft strings.Builder
	for i := range 800 {
		fmt.Fprintf(&draft, "The order OX-%d came to $%d,771.13. ", 70000+i*7, i+211)
	}
	var x grounding.Index
	for i, e := range benchEvidence(50) {
		x.Add(grounding.Source{Call: uint32(i + 1)}, e)
	}
	start := time.Now()
	for _, r := range x.Check(draft.String(), day) {
		require.True(t, r.Verdict.Finding() || r.Verdict == unchecked)
	}
	require.Less(t, time.Since(start), 5*time.Second)
}
