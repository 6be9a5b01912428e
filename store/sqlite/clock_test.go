package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A machine whose clock is behind goes by the newest time that it has read. To read an
// older row must not set it back, or leases that have ended would hold again.
func TestAnOldRowSetsNoClockBack(t *testing.T) {
	t.Parallel()
	path := made(t)
	setClock := func(to time.Time) { change(t, path, fmt.Sprintf(`UPDATE failloud_clock SET high = %d`, to.UnixNano())) }
	hour := time.Now().Add(time.Hour)
	setClock(hour.Add(-time.Hour / 2))
	old, err := ledger(t, open(t, path)).Claim(t.Context(), payment("4712"))
	require.NoError(t, err)
	setClock(hour)
	db := open(t, path)
	row, err := db.Load(t.Context(), old.Row.ID)
	require.NoError(t, err)
	require.WithinRange(t, row.Updated, time.Now(), hour)
	now, err := db.Engine().Now(t.Context())
	require.NoError(t, err)
	require.False(t, now.Before(hour), "%s", now)
}
