package guard_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestEmptyDraftOfACutShortRunStillSaysSomething(t *testing.T) {
	s := begin(t, guard.New(), read("a"))
	s.call("a", "1")
	s.run.Abort(fault.ReasonLoop, "a")
	v := s.final("  \n")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Equal(t, "This answer was cut short: the work was not finished because the same step was repeated without getting anywhere.", v.Text)
}

func TestFailuresThatTheRecordNoLongerHoldsStillCount(t *testing.T) {
	s, err := beginLimited(t, runrecord.Config{KeepCalls: 8}, guard.New(guard.Require("a")), read("a"))
	require.NoError(t, err)
	for i := range 40 {
		s.call("a", strconv.Itoa(i), failed(fault.ReasonTimeout))
	}
	for _, c := range s.run.Calls() {
		s.run.Finish(runrecord.Call{Tool: c.Tool, ArgsHash: c.ArgsHash, ResultHash: 1, Kind: fault.KindOK})
	}
	v := s.final("All fine.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Contains(t, v.Text, "of 4", "the count is exact though the details are gone")

	loose, err := beginLimited(t, runrecord.Config{KeepCalls: 8}, guard.New(guard.Require("a").AtLeastOnce()), read("a"))
	require.NoError(t, err)
	for i := range 40 {
		loose.call("a", "fine"+strconv.Itoa(i))
	}
	require.Equal(t, guard.Answer, loose.final("All fine.").Decision)
}

// Final is asked while a call has not come back: a sub-agent that was started
// and not waited for, a turn that was judged too early.
func TestACallInFlightIsNotOverlooked(t *testing.T) {
	start := func(s *scenario) uint32 {
		seq, err := s.run.Admit(1)
		require.NoError(t, err)
		return seq
	}
	t.Run("one may be a write", func(t *testing.T) {
		s := begin(t, guard.New(), read("get"), write("pay"))
		s.call("get", "1")
		seq := start(s)
		v := s.final("Paid.")
		require.Equal(t, guard.Defer, v.Decision)
		require.NotContains(t, v.Text, "Paid.")
		s.run.Finish(runrecord.Call{Seq: seq, Tool: s.run.Tool("pay"), ArgsHash: 1, Kind: fault.KindOK})
		require.Equal(t, guard.Answer, s.final("Paid.").Decision)
	})
	t.Run("it may be what is required", func(t *testing.T) {
		s := begin(t, guard.New(guard.Require("get")), read("get"), read("other"))
		s.call("other", "1")
		start(s)
		v := s.final("All paid.")
		require.Equal(t, guard.Defer, v.Decision)
		require.True(t, v.Unmet[0].Pending)
	})
	t.Run("only look-ups", func(t *testing.T) {
		s := begin(t, guard.New(), read("get"))
		s.call("get", "1")
		start(s)
		start(s)
		v := s.final("All paid.")
		require.Equal(t, guard.Disclose, v.Decision)
		require.Equal(t, "All paid.\n\nNote: 2 lookups were still running when this answer was written, so it is not based on them.", v.Text)
		require.Equal(t, guard.Answer, s.final("The first is paid; the other two lookups are still pending.").Decision)
	})
	t.Run("of a child", func(t *testing.T) {
		s := begin(t, guard.New(), write("pay"))
		rec, err := runrecord.NewRecorder(runrecord.Config{})
		require.NoError(t, err)
		_, child, err := rec.Start(s.ctx, runrecord.Task{}, s.run.Tools())
		require.NoError(t, err)
		_, err = child.Admit(1)
		require.NoError(t, err)
		require.Equal(t, guard.Defer, s.final("Paid.").Decision)
	})
}

func TestAChildThatWasCutShortIsTold(t *testing.T) {
	s := begin(t, guard.New(), read("get"))
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	_, child, err := rec.Start(s.ctx, runrecord.Task{Limits: runrecord.Limits{Calls: 1}}, s.run.Tools())
	require.NoError(t, err)
	s.call("get", "1")
	_, err = child.Admit(2)
	require.ErrorIs(t, err, runrecord.ErrBudget)
	child.End()
	v := s.final("All 20 orders are paid.")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Contains(t, v.Text, "cut short")
	s.run.End()
	require.Equal(t, runrecord.Disclosed, s.run.State())
}

func TestWhatTheRecordDroppedIsToldAsWhatItWas(t *testing.T) {
	s, err := beginLimited(t, runrecord.Config{KeepCalls: 4}, guard.New(), read("get_quotes"), write("pay"))
	require.NoError(t, err)
	for i := range 40 {
		s.call("get_quotes", strconv.Itoa(i), qualified(fault.Stale))
	}
	v := s.final("The price is 7.")
	require.Equal(t, guard.Disclose, v.Decision)
	require.Contains(t, v.Text, "may be outdated")
	require.NotContains(t, v.Text, "failed")

	for i := range 10 {
		s.call("pay", strconv.Itoa(i), inDoubt())
	}
	require.Equal(t, guard.Escalate, s.final("Paid.").Decision)
	for _, c := range s.run.Calls() {
		s.run.Settle(c.Seq, fault.Outcome{Kind: fault.KindOK})
	}
	v = s.final("Paid.")
	require.Equal(t, guard.Escalate, v.Decision, "those that the record dropped are still in doubt")
}

// Nobody opened a case, so nothing resumes the run when the call is settled.
func TestAnAnswerThatLeavesAfterTheDoubtWasSettledEndsTheRun(t *testing.T) {
	s := begin(t, guard.New(), write("pay"))
	seq := s.call("pay", "1", inDoubt())
	require.Equal(t, guard.Escalate, s.final("Paid.").Decision)
	s.run.End()
	require.Equal(t, runrecord.Waiting, s.run.State())
	require.True(t, s.run.Settle(seq, fault.Outcome{Kind: fault.KindOK}))
	require.Equal(t, guard.Answer, s.final("Paid.").Decision)
	require.Equal(t, runrecord.Answered, s.run.State())
}

// An agent that answers by calling a tool has its answer judged inside that
// call, which is in flight by its nature.
func TestACallThatAsksForTheVerdictDoesNotWaitForItself(t *testing.T) {
	s := begin(t, guard.New(), read("get"), write("final_answer"))
	s.call("get", "1")
	_, err := s.run.Admit(1)
	require.NoError(t, err)
	inside := context.WithValue(s.ctx, runrecord.CallKey{}, s.run)
	require.Equal(t, guard.Answer, s.guard.Final(inside, "All paid.").Decision)
	_, err = s.run.Admit(1)
	require.NoError(t, err)
	require.Equal(t, guard.Defer, s.guard.Final(inside, "All paid.").Decision, "another one has not come back")
}

// Who says that he does not know enough, or asks the reader to put it right, does
// not hide that a look-up found nothing.
func TestAnAbstentionAdmitsAFailedLookUp(t *testing.T) {
	for _, c := range []struct {
		draft  string
		reason fault.Reason
		want   guard.Decision
	}{
		{"I could not find that order.", fault.ReasonNotFound, guard.Answer},
		{"I don't have enough information about this order.", fault.ReasonNotFound, guard.Answer},
		{"I do not have sufficient data to answer this.", fault.ReasonAuth, guard.Answer},
		{"There is not enough information to say.", fault.ReasonNotFound, guard.Answer},
		{"Please provide a valid order number.", fault.ReasonNotFound, guard.Answer},
		{"Please check the order number.", fault.ReasonInvalidArgs, guard.Answer},
		{"Please provide the order number.", fault.ReasonAuth, guard.Disclose},
		{"The order is on its way.", fault.ReasonNotFound, guard.Disclose},
		{"Please provide feedback.", fault.ReasonNotFound, guard.Disclose},
		{"Tôi không đủ thông tin để trả lời.", fault.ReasonNotFound, guard.Answer},
		{"Vui lòng cung cấp mã đơn hàng.", fault.ReasonNotFound, guard.Answer},
	} {
		s := begin(t, guard.New(), read("get_order"), read("get_customer"))
		s.call("get_customer", "1")
		s.call("get_order", "1", failed(c.reason))
		require.Equal(t, c.want, s.final(c.draft).Decision, c.draft)
	}
}

// Tools of one server go by one name: "the slide tools" are all of slides/.
func TestAFailureOfAServersToolsCoversThemAll(t *testing.T) {
	s := begin(t, guard.New(), write("slides/create_deck"), write("slides/apply_theme"), write("mail/send_draft"), read("search"))
	s.call("search", "1")
	s.call("slides/create_deck", "1", failed(fault.ReasonServerError))
	s.call("slides/apply_theme", "1", failed(fault.ReasonServerError))
	const draft = "I'm encountering technical difficulties with the deck tools."
	require.Equal(t, guard.Answer, s.final(draft).Decision)
	s.call("mail/send_draft", "1", failed(fault.ReasonServerError))
	v := s.final(draft)
	require.Equal(t, guard.Disclose, v.Decision)
	require.Equal(t, []uint32{2, 3}, v.Disclosed)
}
