package escalation

import "github.com/failloud/failloud/idempotency"

// Option is one choice, with what it does.
type Option struct {
	Choice idempotency.Choice `json:"choice"`
	Does   string             `json:"does"`            // one sentence
	Needs  string             `json:"needs,omitempty"` // what the decision must bring: "args"; "result" is welcome
}

var does = map[idempotency.Choice]Option{
	idempotency.Approve:       {Does: "The call runs with exactly these arguments: when the agent asks for it again, or in the next pass of its recovery loop."},
	idempotency.ApproveEdited: {Does: "The call runs with the arguments you give instead of these: when the agent asks for it again, or in the next pass of its recovery loop.", Needs: "args"},
	idempotency.Reject:        {Does: "The call does not run. The agent is told that it was denied."},
	idempotency.WentThrough:   {Does: "It is recorded as done, with the result you give. It will not run again.", Needs: "result"},
	idempotency.RunAgain:      {Does: "You say that it did not happen. It runs again, under a new key for the service, when the agent asks for it or in the next pass of its recovery loop: choose this only when you have looked."},
	idempotency.GiveUp:        {Does: "You say that it did not happen. It is recorded as failed and will not run again."},
	idempotency.Abort:         {Does: "It will not run, and the agent's run that waits for it ends. Nothing is said about whether it happened."},
}

// options are the choices that are open for a row.
func options(row *idempotency.Row) []Option {
	var open []Option
	for _, choice := range idempotency.Choices(row.State) {
		if choice == idempotency.GiveUp && row.Happened {
			continue
		}
		o := does[choice]
		o.Choice = choice
		if choice == idempotency.RunAgain && row.Happened {
			o.Does = "An earlier attempt is known to have succeeded. " + o.Does
		}
		open = append(open, o)
	}
	return open
}
