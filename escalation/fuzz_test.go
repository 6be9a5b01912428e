package escalation_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

// The id of a case comes back from chats, links and terminals. Whatever it is, it
// names the case that was shown or none, and no store is asked about nonsense for
// long.
func FuzzCaseID(f *testing.F) {
	ledger, err := idempotency.New(idempotency.Config{Settle: -1})
	require.NoError(f, err)
	desk, err := escalation.New(escalation.Config{Ledger: ledger})
	require.NoError(f, err)
	claim, err := ledger.Claim(f.Context(), payment("4711"))
	require.NoError(f, err)
	require.NoError(f, claim.Doubt(f.Context(), idempotency.Trouble{}))
	row, _, err := ledger.Escalate(f.Context(), must(ledger.Row(f.Context(), claim.Row.ID)), "", 0)
	require.NoError(f, err)
	id := row.CaseID()
	for _, seed := range []string{
		id, strings.ToUpper(id), " " + id, id + " ", id + "0", strings.Replace(id, "-1", "-01", 1), row.ID, row.ID + "-", row.ID + "-+1",
		"-1", "-", "", row.ID + "--1", row.ID + "-99999999999999999999", "\x00-1", strings.Repeat("a", 1<<16) + "-1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		c, err := desk.Show(t.Context(), given)
		d := escalation.Decision{Case: given, Fingerprint: "of something else", Choice: idempotency.GiveUp, Actor: "ops"}
		_, decided := desk.Resolve(t.Context(), d)
		if given == id {
			require.NoError(t, err)
			require.Equal(t, id, c.ID)
			require.ErrorIs(t, decided, idempotency.ErrStale)
			return
		}
		require.ErrorIs(t, err, escalation.ErrNoCase)
		if errors.Is(decided, idempotency.ErrStale) { // another case of the same work
			epoch, ok := strings.CutPrefix(given, row.ID+"-")
			require.True(t, ok)
			n, err := strconv.ParseUint(epoch, 10, 63)
			require.NoError(t, err)
			require.Equal(t, strconv.FormatUint(n, 10), epoch, "a case has one name")
		} else {
			require.ErrorIs(t, decided, escalation.ErrNoCase)
		}
		require.Less(t, len(err.Error()), 1<<10)
		_, err = desk.List(t.Context(), escalation.Filter{After: given})
		require.NoError(t, err)
	})
}

func must(row idempotency.Row, _ error) idempotency.Row { return row }
