package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
)

// A draft that says that it has no data may still give round examples and rules of
// thumb. Nothing else passes for one.
func TestGuidanceWithoutDataMayHaveRoundExamples(t *testing.T) {
	const admits = "I couldn't retrieve the price. "
	for _, c := range []struct {
		draft string
		found bool
	}{
		{admits + "Watch levels like $40K, $50K, $60K, etc.", false},
		{admits + "Watch levels such as $40,000 or $50,000.", false},
		{admits + "Hãy theo dõi các mốc, ví dụ như 40.000 hoặc 50.000 USD.", false},
		{admits + "Watch for large moves (>5%) and wide swings ( > 10 % a day).", false},
		{admits + "It is at $50K.", true},
		{admits + "Watch levels like $43,210.", true},
		{admits + "Watch for large moves (>7.3%).", true},
		{admits + "It rose >5%.", true},
		{admits + "Would you like $500 for it?", true},
		{admits + "See orders like ORD-50000.", true},
		{"Watch levels like $40K.", true}, // hides the failure
	} {
		s := asked(t, guard.New(), "How is the price?", read("get_price"), read("search"))
		s.callWith("search", `{"q":"price tools"}`, `{"found":"get_price"}`)
		s.call("get_price", "1", failed(fault.ReasonServerError))
		v := s.final(c.draft)
		require.Equal(t, c.found, len(ofKind(v, guard.KindUnsupported)) > 0, "%s: %v", c.draft, v.Findings)
	}
}

// Where nothing failed, a round figure needs a source like any other.
func TestExamplesNeedASourceWhereNothingFailed(t *testing.T) {
	s := asked(t, guard.New(), "How is the price?", read("search"))
	s.callWith("search", `{"q":"price"}`, `{"found":"nothing"}`)
	require.NotEmpty(t, ofKind(s.final("Watch levels like $40K."), guard.KindUnsupported))
}

// Who hides one of two failures does not say that there is no data.
func TestExamplesNeedASourceWhereAFailureIsHidden(t *testing.T) {
	s := asked(t, guard.New(), "How is the price?", read("get_price"), read("list_orders"), read("search"))
	s.callWith("search", `{"q":"price tools"}`, `{"found":"get_price"}`)
	s.call("get_price", "1", failed(fault.ReasonServerError))
	s.call("list_orders", "1", failed(fault.ReasonServerError))
	v := s.final("I couldn't retrieve the price. Watch levels like $40K.")
	require.NotEmpty(t, ofKind(v, guard.KindHidden))
	require.NotEmpty(t, ofKind(v, guard.KindUnsupported))
}
