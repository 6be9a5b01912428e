package canonjson

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

// Scheme is the version of the canonical form and of the fingerprint. It is
// part of every fingerprint, so that a changed rule never matches an old one.
const Scheme = "failloud/1"

// Sum is a fingerprint.
type Sum [sha256.Size]byte

// String returns the sum in lower-case hexadecimal.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// Fingerprint hashes the parts. Each part is preceded by its length, so that
// no two lists of parts share a fingerprint. With a secret it is HMAC-SHA-256:
// arguments have little entropy, and a bare hash of an amount can be guessed.
// A nil secret gives SHA-256.
func Fingerprint(secret []byte, parts ...string) Sum {
	var h hash.Hash
	if len(secret) > 0 {
		h = hmac.New(sha256.New, secret)
	} else {
		h = sha256.New()
	}
	write(h, Scheme)
	for _, p := range parts {
		write(h, p)
	}
	var s Sum
	h.Sum(s[:0])
	return s
}

func write(h hash.Hash, part string) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(part)))
	_, _ = h.Write(n[:]) // a hash never fails
	_, _ = io.WriteString(h, part)
}
