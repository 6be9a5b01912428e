package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/redact"
)

func TestARedactionThatPanicsHidesTheWholeText(t *testing.T) {
	clean, panicked := redact.By(strings.ToUpper, "abc")
	require.Equal(t, "ABC", clean)
	require.Nil(t, panicked)

	clean, panicked = redact.By(func(string) string { panic("hook") }, "my password")
	require.Equal(t, redact.Mark, clean)
	require.Equal(t, "hook", panicked)
}
