package seal_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/store/internal/seal"
)

func key(b byte) []byte { return bytes.Repeat([]byte{b}, seal.KeySize) }

func sealer(t *testing.T, keys ...[]byte) *seal.Sealer {
	t.Helper()
	s, err := seal.New(keys...)
	require.NoError(t, err)
	return s
}

func TestWhatIsSealedCannotBeReadAndOpensAgain(t *testing.T) {
	t.Parallel()
	s := sealer(t, key(1))
	secret := []byte(`{"iban":"DE02120300000000202051"}`)
	kept := s.Seal(secret, "calls/args/1")
	require.NotContains(t, string(kept), "iban")
	require.NotEqual(t, kept, s.Seal(secret, "calls/args/1"), "equal values must not look equal")
	value, err := s.Open(kept, "calls/args/1")
	require.NoError(t, err)
	require.Equal(t, secret, value)
}

func TestASealedValueIsBoundToItsPlace(t *testing.T) {
	t.Parallel()
	s := sealer(t, key(1))
	kept := s.Seal([]byte("secret"), "calls/args/1")
	_, err := s.Open(kept, "calls/args/2")
	require.ErrorIs(t, err, seal.ErrTampered)
	require.NotContains(t, err.Error(), "secret")
	for i := 5; i < len(kept); i++ {
		bad := bytes.Clone(kept)
		bad[i] ^= 1
		_, err := s.Open(bad, "calls/args/1")
		require.ErrorIs(t, err, seal.ErrTampered, "byte %d", i)
	}
	_, err = s.Open(kept[:8], "calls/args/1")
	require.ErrorIs(t, err, seal.ErrTampered)
}

func TestKeysCanBeChanged(t *testing.T) {
	t.Parallel()
	old := sealer(t, key(1)).Seal([]byte("secret"), "a")
	both := sealer(t, key(2), key(1))
	value, err := both.Open(old, "a")
	require.NoError(t, err)
	require.Equal(t, "secret", string(value))
	_, err = sealer(t, key(1)).Open(both.Seal([]byte("secret"), "a"), "a")
	require.ErrorIs(t, err, seal.ErrSealed, "sealed by the new key")
	_, err = sealer(t).Open(old, "a")
	require.ErrorIs(t, err, seal.ErrSealed, "no key at all")
}

func TestPlainValuesStayReadable(t *testing.T) {
	t.Parallel()
	none := sealer(t)
	require.Nil(t, none)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SliceOf(rapid.Byte()).Draw(t, "value")
		kept := none.Seal(value, "a")
		s, err := seal.New(key(1))
		require.NoError(t, err)
		for _, with := range []*seal.Sealer{none, s} {
			opened, err := with.Open(kept, "a")
			require.NoError(t, err)
			require.True(t, bytes.Equal(value, opened))
		}
		opened, err := s.Open(s.Seal(value, "a"), "a")
		require.NoError(t, err)
		require.True(t, bytes.Equal(value, opened))
	})
	require.Nil(t, sealer(t, key(1)).Seal(nil, "a"), "nothing is nothing")
}

func TestUnusableKeysAreRefused(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][][]byte{
		"short": {key(1)[:16]}, "empty": {nil}, "twice": {key(1), key(1)}, "second is long": {key(1), append(key(2), 0)},
	} {
		_, err := seal.New(keys...)
		require.ErrorIs(t, err, seal.ErrKey, name)
	}
}

// Whatever lies in the database is opened or refused.
func FuzzOpen(f *testing.F) {
	s, err := seal.New(key(1))
	require.NoError(f, err)
	f.Add([]byte("plain"))
	f.Add([]byte{0xff})
	f.Add([]byte{0xfe})
	f.Add(s.Seal([]byte("x"), "a"))
	f.Fuzz(func(t *testing.T, kept []byte) {
		value, err := s.Open(kept, "b")
		if err == nil && len(kept) > 0 && kept[0] == 0xff {
			t.Errorf("%x opened as %x in a place it was not sealed for", kept, value)
		}
	})
}
