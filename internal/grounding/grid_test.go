package grounding_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

func TestTablesInPlainTexts(t *testing.T) {
	const checks = "check,region,runs,failures,avg_ms\nshop,fra,2880,3,182\nshop,sin,2880,12,411\napi,fra,2880,0,64\n"
	for _, row := range []struct {
		evidence, draft string
		want            grounding.Verdict // of the last atom
	}{
		{checks, "The shop took 411 ms.", supported},
		{checks, "The shop took 0.411 s.", supported},
		{checks, "The shop took 12,411 ms.", unsupported},
		{checks, "There were 15 failures.", derived},
		{strings.ReplaceAll(checks, ",", "\t"), "The shop took 0.411 s.", supported},
		{strings.ReplaceAll(checks, ",", ";"), "The shop took 0.411 s.", supported},
		{strings.ReplaceAll(checks, ",", " | "), "The shop took 0.411 s.", supported},
		{"name,\"price, net (EUR)\",qty\nLamp,\"1,240.50\",3\n", "It costs €1,240.50.", supported},
		{"Size  Used\n468G  391G\n6.1M  1.8T", "6.1 MB of 468 GB and 1.8 TB.", supported},
		{"Size  Used\n468G  391G\n6.1M  1.8T", "391 TB.", contradicted},
		{"Dear all, the first, the second\nand 3, 4, 5\nare done.", "It is 345.", unsupported},
	} {
		got := check(row.draft, row.evidence)
		require.NotEmpty(t, got, row.draft)
		require.Equal(t, row.want, got[len(got)-1], "%s beside %s", row.draft, row.evidence)
	}
}

func TestACountBesideItsKeys(t *testing.T) {
	const pipeline = `{"tests":{"total":240,"passed":233,"skipped":4,"failed":3},"failed_tests":["a","b","c"]}`
	require.Equal(t, []grounding.Verdict{derived}, check("4 tests were skipped.", pipeline))
	require.Equal(t, []grounding.Verdict{contradicted}, check("5 tests were skipped.", pipeline))
	require.Equal(t, []grounding.Verdict{supported}, check("It is issue #512.", `{"number":512}`))
	require.Equal(t, []grounding.Verdict{contradicted}, check("It is issue #521.", `{"number":512,"files":9}`))
	require.Equal(t, []grounding.Verdict{supported}, check("A deposit of 25%.", "Parking: 35 spaces. Deposit: 25% of the hire."))
	require.True(t, check("A deposit of 35%.", "Parking: 35 spaces. Deposit: 25% of the hire.")[0].Finding())
}
