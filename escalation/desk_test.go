package escalation_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func redact(s string) string { return strings.ReplaceAll(s, "hunter2", "[hidden]") }

func payment(invoice string) idempotency.Intent {
	return idempotency.Intent{
		Key: idempotency.Key{Tenant: "acme", Tool: "pay_invoice", Intent: "key:" + invoice}, Effect: fault.Write,
		Args: json.RawMessage(`{"amount":10,"password":"hunter2"}`), RunID: "run-1", Call: 7, TaskName: "invoices", Dispatch: true,
	}
}

// office is a desk on a ledger of its own.
type office struct {
	*escalation.Desk
	ledger *idempotency.Ledger
	closed []idempotency.Row
}

func newOffice(t *testing.T, cfg escalation.Config) *office {
	t.Helper()
	ledger, err := idempotency.New(idempotency.Config{Settle: -1})
	require.NoError(t, err)
	o := &office{ledger: ledger}
	cfg.Ledger = ledger
	cfg.Closed = func(_ context.Context, row idempotency.Row) { o.closed = append(o.closed, row) }
	o.Desk, err = escalation.New(cfg)
	require.NoError(t, err)
	return o
}

// doubt leaves a payment in doubt and opens its case.
func (o *office) doubt(t *testing.T, invoice string) *idempotency.Row {
	t.Helper()
	c, err := o.ledger.Claim(t.Context(), payment(invoice))
	require.NoError(t, err)
	require.Equal(t, idempotency.Execute, c.Answer)
	require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{Reason: fault.ReasonTimeout, Status: 504, Text: "no answer for hunter2"}))
	row, err := o.ledger.Row(t.Context(), c.Row.ID)
	require.NoError(t, err)
	row, err = o.ledger.Check(t.Context(), row, idempotency.CannotTell, nil, "503 for hunter2")
	require.NoError(t, err)
	row, opened, err := o.ledger.Escalate(t.Context(), row, "cannot tell", 0)
	require.NoError(t, err)
	require.True(t, opened)
	return &row
}

func TestNewNeedsALedger(t *testing.T) {
	_, err := escalation.New(escalation.Config{})
	require.ErrorContains(t, err, "Ledger")
}

func TestACaseTellsTheWholeStory(t *testing.T) {
	o := newOffice(t, escalation.Config{Redact: redact})
	row := o.doubt(t, "4711")
	c, err := o.Show(t.Context(), row.CaseID())
	require.NoError(t, err)
	require.Equal(t, escalation.Open, c.Status)
	require.Equal(t, "acme", c.Tenant)
	require.Equal(t, "invoices", c.Task)
	require.EqualValues(t, 7, c.Call)
	require.Equal(t, "4711", c.BusinessKey)
	require.Equal(t, row.RemoteKey(), c.RemoteKey)
	require.Equal(t, `{"amount":10,"password":"[hidden]"}`, c.Args)
	require.Equal(t, "no answer for [hidden]", c.Attempts[0].Error)
	require.Equal(t, 504, c.Attempts[0].Status)
	require.Equal(t, c.RemoteKey, c.Attempts[0].RemoteKey)
	require.False(t, c.Attempts[0].End.Before(c.Attempts[0].Start))
	require.Equal(t, idempotency.CannotTell, c.Checks[0].Answer)
	require.Equal(t, "503 for [hidden]", c.Checks[0].Error)
	raw, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "hunter2")
}

func TestWithoutARedactorTextsAreWithheld(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	c, err := o.Show(t.Context(), o.doubt(t, "4711").CaseID())
	require.NoError(t, err)
	raw, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "hunter2")
	require.Empty(t, c.Args)
}

func TestListShowsOpenCasesOnly(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	var ids []string
	for _, invoice := range []string{"1", "2", "3"} {
		ids = append(ids, o.doubt(t, invoice).CaseID())
	}
	done, err := o.ledger.Claim(t.Context(), payment("4"))
	require.NoError(t, err)
	require.NoError(t, done.Succeed(t.Context(), nil, 0))

	var seen []string
	for f := (escalation.Filter{Limit: 2}); ; {
		page, err := o.List(t.Context(), f)
		require.NoError(t, err)
		for _, c := range page {
			seen = append(seen, c.ID)
			f.After = c.ID
		}
		if len(page) < 2 {
			break
		}
	}
	require.ElementsMatch(t, ids, seen)
	c, err := o.Show(t.Context(), ids[0])
	require.NoError(t, err)
	_, err = o.Resolve(t.Context(), c.Decide(idempotency.GiveUp, "maria"))
	require.NoError(t, err)
	left, err := o.List(t.Context(), escalation.Filter{Tenant: "acme", Tool: "pay_invoice", RunID: "run-1"})
	require.NoError(t, err)
	require.Len(t, left, 2)
	none, err := o.List(t.Context(), escalation.Filter{Tenant: "globex"})
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestADecidedCaseStaysVisible(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	row := o.doubt(t, "4711")
	c, err := o.Show(t.Context(), row.CaseID())
	require.NoError(t, err)
	d := c.Decide(idempotency.RunAgain, "maria")
	d.Note = "the bank has no trace of it"
	after, err := o.Resolve(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, escalation.Decided, after.Status)
	require.Empty(t, after.Options)
	require.Equal(t, "maria", after.Decision.Actor)
	require.Equal(t, d.Note, after.Decision.Note)
	require.Len(t, o.closed, 1)
	again, err := o.Show(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, after, again)

	// Once the work is started again, the question is no longer this one.
	_, err = o.ledger.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	_, err = o.Show(t.Context(), c.ID)
	require.ErrorIs(t, err, escalation.ErrNoCase)
}

func TestWhatADecisionIsRefusedFor(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	c, err := o.Show(t.Context(), o.doubt(t, "4711").CaseID())
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		change func(*escalation.Decision)
		want   error
	}{
		"nobody decides":       {func(d *escalation.Decision) { d.Actor = "" }, escalation.ErrDecision},
		"nothing is chosen":    {func(d *escalation.Decision) { d.Choice = 0 }, escalation.ErrDecision},
		"not bound":            {func(d *escalation.Decision) { d.Fingerprint = "" }, escalation.ErrDecision},
		"other arguments":      {func(d *escalation.Decision) { d.Fingerprint = "x" }, idempotency.ErrStale},
		"an earlier attempt":   {func(d *escalation.Decision) { d.Case = strings.TrimSuffix(d.Case, "1") + "0" }, idempotency.ErrStale},
		"no case":              {func(d *escalation.Decision) { d.Case = "nothing" }, escalation.ErrNoCase},
		"a row that is not":    {func(d *escalation.Decision) { d.Case = "0123-1" }, escalation.ErrNoCase},
		"no answer to this":    {func(d *escalation.Decision) { d.Choice = idempotency.Approve }, idempotency.ErrNoCase},
		"a result that is not": {func(d *escalation.Decision) { d.Result = []byte(`{`) }, escalation.ErrDecision},
		"edited to nothing":    {func(d *escalation.Decision) { d.Choice = idempotency.ApproveEdited }, escalation.ErrDecision},
	} {
		t.Run(name, func(t *testing.T) {
			d := c.Decide(idempotency.WentThrough, "maria")
			tc.change(&d)
			_, err := o.Resolve(t.Context(), d)
			require.ErrorIs(t, err, tc.want)
		})
	}
	require.Empty(t, o.closed)
	d := c.Decide(idempotency.WentThrough, "maria")
	d.ID = "click-1"
	_, err = o.Resolve(t.Context(), d)
	require.NoError(t, err)
	_, err = o.Resolve(t.Context(), d)
	require.NoError(t, err, "the same click, sent twice")
	_, err = o.Resolve(t.Context(), c.Decide(idempotency.RunAgain, "joe"))
	require.ErrorIs(t, err, idempotency.ErrDecided)
}

func TestAnApprovalThatNobodyGaveIsNeitherYesNorNo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, escalation.Config{Redact: redact})
		held, opened, err := o.ledger.Hold(t.Context(), payment("4711"), "over the limit for hunter2", time.Hour)
		require.NoError(t, err)
		require.True(t, opened)
		c, err := o.Show(t.Context(), held.CaseID)
		require.NoError(t, err)
		require.Equal(t, idempotency.AwaitingApproval, c.State)
		require.Equal(t, "args", c.Options[1].Needs)
		require.Equal(t, "over the limit for [hidden]", c.Reason)
		time.Sleep(2 * time.Hour)
		late, err := o.Resolve(t.Context(), c.Decide(idempotency.Approve, "maria"))
		require.ErrorIs(t, err, idempotency.ErrExpired)
		require.Equal(t, escalation.Expired, late.Status)
		require.Nil(t, late.Decision)
		require.Len(t, o.closed, 1, "whoever waits is told")
	})
}

func TestALateSuccessSettlesTheCase(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	c, err := o.ledger.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{}))
	row, err := o.ledger.Row(t.Context(), c.Row.ID)
	require.NoError(t, err)
	row, _, err = o.ledger.Escalate(t.Context(), row, "", 0)
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), nil, 0))
	shown, err := o.Show(t.Context(), row.CaseID())
	require.NoError(t, err)
	require.Equal(t, escalation.Settled, shown.Status)
	require.Empty(t, shown.Options)
}

func TestEvidenceOfAnEarlierSuccessIsShown(t *testing.T) {
	o := newOffice(t, escalation.Config{})
	old, err := o.ledger.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, old.Doubt(t.Context(), idempotency.Trouble{}))
	row, err := o.ledger.Row(t.Context(), old.Row.ID)
	require.NoError(t, err)
	_, err = o.ledger.Check(t.Context(), row, idempotency.NotDone, nil, "")
	require.NoError(t, err)
	row = *o.doubt(t, "4711")
	require.NoError(t, old.Succeed(t.Context(), nil, 0))
	c, err := o.Show(t.Context(), row.CaseID())
	require.NoError(t, err)
	require.Equal(t, escalation.Open, c.Status, "the second attempt is still in doubt")
	require.Len(t, c.LateSuccess, 1)
	require.True(t, c.PossibleDuplicate)
	require.NotEqual(t, c.Attempts[0].RemoteKey, c.Attempts[1].RemoteKey)
	for _, opt := range c.Options {
		require.NotEqual(t, idempotency.GiveUp, opt.Choice, "failed would be a lie")
		if opt.Choice == idempotency.RunAgain {
			require.Contains(t, opt.Does, "known to have succeeded")
		}
	}
	_, err = o.Resolve(t.Context(), c.Decide(idempotency.GiveUp, "maria"))
	require.ErrorIs(t, err, idempotency.ErrNoCase)
}
