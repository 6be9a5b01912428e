package grounding_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Days are counted over the ends of months, of years and of February.
func TestDaysAreCountedAsTheCalendarDoes(t *testing.T) {
	start := time.Date(1999, 12, 25, 0, 0, 0, 0, time.UTC)
	for n := 2; n < 1000; n += 9 {
		for _, from := range []time.Time{start, start.AddDate(0, 0, 37*n)} {
			end := from.AddDate(0, 0, n)
			evidence := fmt.Sprintf(`{"start":%q,"end":%q}`, from.Format(time.DateOnly), end.Format(time.DateOnly))
			require.False(t, check(fmt.Sprintf("It took %d days.", n), evidence)[0].Finding(), evidence)
			if n > 100 {
				require.True(t, check(fmt.Sprintf("It took %d days.", n+1), evidence)[0].Finding(), evidence)
			}
		}
	}
}
