package audit

import (
	"strings"

	"github.com/failloud/failloud/guard"
)

// recorded enters what there is to say about a run whose answer cannot be judged:
// what was decided when it ended, if failloud itself recorded it, else nothing.
func (r *replay) recorded(row *Row) {
	row.Decision = DecisionNone
	t := r.transcript
	if !t.Record || t.Decision == "" {
		if row.Partial = t.Partial; t.Partial {
			row.Findings = append(row.Findings, Finding{
				Kind: string(guard.KindUnchecked), Step: guard.StepSources, Line: t.FinalLine, Asks: DecisionAnswer,
				What: "only a part of the run is known, so the answer cannot be judged by it",
			})
		}
		return
	}
	row.Recorded = true
	row.Decision = DecisionRefuse
	switch t.Decision {
	case guard.Answer.String():
		row.Decision = DecisionAnswer
	case guard.Disclose.String(), guard.Defer.String():
		row.Decision = DecisionDisclose
	}
	for _, line := range t.Findings {
		if f, decides := recordedFinding(line); decides {
			f.Asks = row.Decision
			row.Findings = append(row.Findings, f)
		}
	}
}

// recordedKinds are the main kind of finding of each step of the guard, which
// is all that a record tells.
var recordedKinds = [...]guard.Kind{
	guard.StepWaiting: guard.KindWaiting, guard.StepRequired: guard.KindRequired, guard.StepEvidence: guard.KindNoEvidence,
	guard.StepHidden: guard.KindHidden, guard.StepClaims: guard.KindClaim, guard.StepSources: guard.KindUnsupported,
}

// recordedFinding reads what [guard.Finding.String] writes; decides is whether
// a step of the guard is behind it.
func recordedFinding(line string) (f Finding, decides bool) {
	rest, found := strings.CutPrefix(line, "step ")
	number, what, cut := strings.Cut(rest, ": ")
	if !found || !cut || len(number) != 1 || number[0] < '1' || int(number[0]-'0') >= len(recordedKinds) {
		return f, false
	}
	f.Step = int(number[0] - '0')
	f.Kind, f.What = string(recordedKinds[f.Step]), what
	return f, true
}
