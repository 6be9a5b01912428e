package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// KeySize is the length of a key in bytes: AES-256.
const KeySize = 32

// What a value can be refused for.
var (
	// ErrKey: a key is not 32 bytes long, or was given twice.
	ErrKey = errors.New("seal: unusable key")
	// ErrSealed: the value was sealed by a key that is not among those given.
	ErrSealed = errors.New("seal: sealed by an unknown key")
	// ErrTampered: the value is not what was sealed for this place.
	ErrTampered = errors.New("seal: value was changed or belongs elsewhere")
)

// The first byte of a value tells how it is kept. Neither can begin a text in
// UTF-8, so a value that begins otherwise is plain, as it was before sealing.
const (
	sealed = 0xff // key id, nonce, ciphertext and tag follow
	plain  = 0xfe // the plain value follows, because it begins with one of these two
)

const (
	keyIDSize = 4
	nonceSize = 12
	tagSize   = 16
	headSize  = 1 + keyIDSize
)

// Sealer encrypts with AES-256-GCM under random nonces. A nil Sealer keeps
// everything as it is. One key is good for 2^32 values; change it before that.
// Safe for concurrent use.
type Sealer struct {
	first [keyIDSize]byte
	byID  map[[keyIDSize]byte]cipher.AEAD
}

// New returns a Sealer that seals with the first key and opens with each; without
// a key it returns nil, which keeps everything as it is. A key is 32 random bytes.
// The error matches [ErrKey].
func New(keys ...[]byte) (*Sealer, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	s := &Sealer{byID: make(map[[keyIDSize]byte]cipher.AEAD, len(keys))}
	for i, key := range keys {
		if len(key) != KeySize {
			return nil, fmt.Errorf("%w: number %d has %d bytes instead of %d", ErrKey, i+1, len(key), KeySize)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("%w: number %d: %w", ErrKey, i+1, err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("%w: number %d: %w", ErrKey, i+1, err)
		}
		id := keyID(key)
		if _, twice := s.byID[id]; twice {
			return nil, fmt.Errorf("%w: number %d was given before", ErrKey, i+1)
		}
		s.byID[id] = aead
		if i == 0 {
			s.first = id
		}
	}
	return s, nil
}

// keyID names a key without telling it.
func keyID(key []byte) [keyIDSize]byte {
	sum := sha256.Sum256(append([]byte("failloud key id\x00"), key...))
	return [keyIDSize]byte(sum[:])
}

// Seal returns what to keep of a value; about says where it is kept. Nil stays
// nil. The value itself is not changed, and without a key it is returned as it is.
func (s *Sealer) Seal(value []byte, about string) []byte {
	switch {
	case value == nil:
		return nil
	case s != nil:
		out := make([]byte, headSize+nonceSize, headSize+nonceSize+len(value)+tagSize)
		out[0] = sealed
		copy(out[1:], s.first[:])
		nonce := out[headSize:]
		_, _ = rand.Read(nonce) // never fails: it ends the program instead
		return s.byID[s.first].Seal(out, nonce, value, bound(out[:headSize], about))
	case marked(value):
		return append([]byte{plain}, value...)
	}
	return value
}

// Open returns the value that was kept in this place, sealed or plain. The error
// matches [ErrSealed] or [ErrTampered].
func (s *Sealer) Open(kept []byte, about string) ([]byte, error) {
	if !marked(kept) {
		return kept, nil
	}
	if kept[0] == plain {
		return kept[1:], nil
	}
	if len(kept) < headSize+nonceSize+tagSize {
		return nil, fmt.Errorf("%w: %s", ErrTampered, about)
	}
	head, nonce, text := kept[:headSize], kept[headSize:headSize+nonceSize], kept[headSize+nonceSize:]
	id := [keyIDSize]byte(head[1:])
	var aead cipher.AEAD
	if s != nil {
		aead = s.byID[id]
	}
	if aead == nil {
		return nil, fmt.Errorf("%w %x: %s", ErrSealed, id, about)
	}
	value, err := aead.Open(make([]byte, 0, len(text)), nonce, text, bound(head, about))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrTampered, about)
	}
	return value, nil
}

// marked reports whether the first byte says how the value is kept.
func marked(value []byte) bool {
	return len(value) > 0 && (value[0] == sealed || value[0] == plain)
}

// bound is the associated data of a value.
func bound(head []byte, about string) []byte {
	return append(append(make([]byte, 0, len(head)+len(about)), head...), about...)
}
