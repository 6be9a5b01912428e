package grounding_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// What natural answers compute: each table is one way, with its near miss.
func TestSecondOrder(t *testing.T) {
	const (
		flats   = "| Ref | Area (m2) | Rent (EUR) |\n|---|---|---|\n| F-11 | 54 | 702 |\n| F-12 | 71 | 994 |\n| F-19 | 88 | 1056 |\n"
		bank    = "date,text,amount\n2026-07-01,RENT,-980.00\n2026-07-03,SALARY,3150.00\n2026-07-08,SHOP,-142.30\n2026-07-15,POWER,-88.70\n2026-07-21,REFUND,45.00\n"
		poll    = "question,good,fair,poor,n\nwebsite,205,228,107,540\nservice,121,198,221,540\n"
		commits = "commit a1\n 2 files changed, 411 insertions(+), 12 deletions(-)\n\ncommit b2\n 1 file changed, 70 insertions(+)\n\ncommit c3\n 9 files changed, 305 insertions(+), 28 deletions(-)\n"
		flight  = `{"legs":[{"dep":"2026-08-11T19:35:00+07:00","arr":"2026-08-11T23:05:00+03:00"},{"dep":"2026-08-12T01:40:00+03:00","arr":"2026-08-12T07:25:00+01:00"}]}`
	)
	for name, rows := range map[string][]struct {
		asked, evidence, draft string
		want                   grounding.Verdict // of the last atom
	}{
		"shares": {
			{"", `{"invited":5200,"answered":1248}`, "Of 5,200 people 1,248 answered, a rate of 24 %.", derived},
			{"", `{"invited":5200,"answered":1248}`, "Of 5,200 people 1,248 answered, a rate of 42 %.", unsupported},
			{"", `{"checks":11520,"failed":16}`, "It was up 99.86 % of the time.", derived},
			{"", `{"checks":11520,"failed":16}`, "It was up 99.68 % of the time.", unsupported},
			{"", `[{"id":"AB-771","visits":1846,"orders":402},{"id":"AB-772","visits":990,"orders":31}]`, "AB-771 sells on 21.8 % of its visits.", derived},
			{"", `{"sources":{"search":0.58,"direct":0.21,"social":0.13}}`, "Search brought 58 % and social media 31 %.", unsupported},
		},
		"rates": {
			{"", flats, "F-19 costs €12.00 per m².", derived},
			{"", flats, "F-19 costs €12.50 per m².", unsupported},
			{"", flats, "F-12 có giá 14,00 EUR/m².", derived},
			{"", `{"premium":412.8,"building":310000}`, "It costs €412.80, or €34.40 a month.", derived},
			{"", `{"premium":412.8,"building":310000}`, "It costs €412.80, or €43.40 a month.", unsupported},
			{"", `{"unit":"mmol/L","value":2.1,"low":1.2,"high":3.4,"age":41}`, "It is at 2.6 mmol/L.", unsupported},
		},
		"sums of some": {
			{"", bank, "You spent 1,211.00 in total.", derived},
			{"", bank, "You spent 1,112.00 in total.", unsupported},
			{"", poll, "The website did best: 433 like it.", derived},
			{"", commits, "Altogether 786 lines were added.", derived},
			{"", commits, "Altogether 768 lines were added.", unsupported},
		},
		"the question": {
			{"What is 1250 euros in dong?", `{"rates":{"USD":1.0842,"VND":27590,"JPY":171.36}}`, "It is about 34.5 million VND.", derived},
			{"What is 1250 euros in dong?", `{"rates":{"USD":1.0842,"VND":27590,"JPY":171.36}}`, "It is about 45.3 million VND.", unsupported},
			{"I need it for 6 people", "Serves 4: 360 g pasta, 200 g tomatoes, 80 g cheese.", "Take 540 g of pasta.", derived},
			{"I need it for 6 people", "Serves 4: 360 g pasta, 200 g tomatoes, 80 g cheese.", "Take 590 g of pasta.", unsupported},
		},
		"one unit": {
			{"", "Route A: 184 km, toll EUR 12.40.\nRoute B: 212 km, no toll.", "Route B is 28 km longer.", derived},
			{"", "Route A: 184 km, toll EUR 12.40.\nRoute B: 212 km, no toll.", "Route B is 82 km longer.", unsupported},
			{"", "Route A: 184 km. Fuel: 6.2 l per 100 km.", "It needs about 11.4 litres.", derived},
			{"", "Route A: 184 km. Fuel: 6.2 l per 100 km.", "It needs about 14.1 litres.", unsupported},
		},
		"the draft": {
			{"", "Room hire is GBP 420 per day.", "The room is £420 a day, so £840 for both days.", derived},
			{"", "Room hire is GBP 420 per day.", "The room is £420 a day, so £880 for both days.", unsupported},
			{"", `{"tmax":25.3}`, "A high of 25.3 °C (78 °F).", derived},
			{"", `{"tmax":25.3}`, "A high of 25.3 °C (87 °F).", unsupported},
		},
		"times": {
			{"", flight, "The layover is 2 h 35 min.", derived},
			{"", flight, "The layover is 3 h 25 min.", unsupported},
			{"", "Open 10:00 to 17:30, last admission 45 minutes before closing.", "Last admission is at 4:45 pm.", derived},
			{"", "Open 10:00 to 17:30, last admission 45 minutes before closing.", "Last admission is at 4:50 pm.", unsupported},
			{"", "Open 6:30-21:00, last entry one hour before closing.", "The last entry is at 8 pm.", derived},
			{"", "Open 6:30-21:00, last entry half an hour before closing.", "The last entry is at 8 pm.", contradicted},
			{"", `{"half":"1:51:40","finish":"3:52:44"}`, "The second half took 2:01:04.", derived},
			{"", `{"half":"1:51:40","finish":"3:52:44"}`, "The halves took 1:51:40 and 2:01:04, a loss of 9 min 24 s.", derived},
			{"", `{"half":"1:51:40","finish":"3:52:44"}`, "The second half took 2:10:04.", contradicted},
			{"", `{"km":21.0975,"time":"1:41:58"}`, "About 4:50 per km.", derived},
			{"", `{"start":"2026-11-02T15:00:00+01:00"}`, "Lúc 21:00 giờ Việt Nam.", supported},
			{"", `{"start":"2026-11-02T15:00:00+01:00"}`, "Lúc 20:00 giờ Việt Nam.", contradicted},
		},
		"the unit of another": {
			{"", `{"km":1910,"litres":124.7}`, "It takes 124.7 litres for 1,910 km, roughly 6.5 l/100 km.", exempt},
			{"", `{"splits":{"10k":"0:47:36"}}`, "The split of 10 km.", exempt},
			{"", `{"splits":{"10k":"0:47:36"}}`, "The split of 15 km.", unsupported},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range rows {
				var x grounding.Index
				x.Add(grounding.Source{Call: 1}, row.evidence)
				x.Add(grounding.Source{Kind: grounding.Heard}, row.asked)
				got := verdicts(x.Check(row.draft, day))
				require.NotEmpty(t, got, row.draft)
				require.Equal(t, row.want, got[len(got)-1], "%s beside %s", row.draft, row.evidence)
			}
		})
	}
}

// Where so many figures could make one that a match tells nothing, a figure that
// was computed is no finding, one that is stated as it was found is.
func TestAMatchByChanceIsNoVerdict(t *testing.T) {
	const stats = `{"total":128440,"male":63310,"female":65130,"under15":29541,"over64":12844,"households":33800,"area":253.9,"schools":33,"roads":417}`
	for draft, want := range map[string]grounding.Verdict{
		"128,440 people live there. On average 3.8 live in a household.": unchecked,
		"128,440 people live there. About 10 % are over 64.":             unchecked,
		"128,440 people live there, 63,130 of them men.":                 contradicted,
		"128,440 people live there. It has 71,205 trees.":                unsupported,
	} {
		got := check(draft, stats)
		require.Equal(t, want, got[1], draft)
	}
}
