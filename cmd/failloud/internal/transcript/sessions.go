package transcript

import (
	"container/list"
	"hash/maphash"
)

// session is a run that is being put together.
type session struct {
	builder *Builder
	decoder Decoder
	keys    []string // under which it is found
	array   int      // the array it began in, whose end ends it, or 0
	named   int      // bytes of keys, and of itself
	place   *list.Element
}

// sessions are the runs that are being put together.
type sessions struct {
	open  map[string]*session
	order list.List // of *session, the one that was silent for longest in front
	held  int       // bytes of all of them, about
	key   []byte
	parts *[1 << 17]uint64 // bits by the hash of a key of which a run was handed on in part
}

// sessionSize is about what a session costs beside its events.
const sessionSize = 1 << 10

// bit is where the hash of a key is in parts.
func (s *sessions) bit(key []byte) (word int, mask uint64) {
	h := maphash.Bytes(seed, key)
	return int(h >> 6 % uint64(len(s.parts))), 1 << (h & 63)
}

// split notes that other parts of the session may come under its keys.
func (s *sessions) split(n *session) {
	if s.parts == nil {
		s.parts = new([1 << 17]uint64)
	}
	for _, key := range n.keys {
		word, mask := s.bit([]byte(key))
		s.parts[word] |= mask
	}
}

// continues reports whether a part of the run of that name was handed on. It may
// say so of another run, once in a thousand where some thousand were.
func (s *sessions) continues(format, array int, id []byte) bool {
	if s.parts == nil {
		return false
	}
	word, mask := s.bit(s.keyOf(format, array, id))
	return s.parts[word]&mask != 0
}

// keyOf is unique over formats, and over arrays where there is no id.
func (s *sessions) keyOf(format, array int, id []byte) []byte {
	if len(id) > 0 {
		array = 0
	}
	s.key = append(s.key[:0], byte(format), byte(array), byte(array>>8), byte(array>>16), byte(array>>24))
	s.key = append(s.key, id...)
	return s.key
}

// find returns the open session of that name, else nil.
func (s *sessions) find(format, array int, id []byte) *session {
	return s.open[string(s.keyOf(format, array, id))]
}

// name makes the session found under that name too.
func (s *sessions) name(n *session, format, array int, id []byte) {
	key := s.keyOf(format, array, id)
	switch old := s.open[string(key)]; {
	case old == n:
		return
	case s.open == nil:
		s.open = map[string]*session{}
	}
	n.keys = append(n.keys, string(key))
	n.named += len(key)
	s.held += len(key)
	s.open[string(key)] = n
}

func (s *sessions) add(n *session) {
	n.place = s.order.PushBack(n)
	n.named = sessionSize
	s.held += sessionSize
}

// touched moves the session to the end of the order and counts what it has
// grown by.
func (s *sessions) touched(n *session, before int) {
	s.held += n.builder.held - before
	s.order.MoveToBack(n.place)
}

// oldest returns the session that was silent for longest, else nil.
func (s *sessions) oldest() *session {
	if e := s.order.Front(); e != nil {
		return e.Value.(*session)
	}
	return nil
}

func (s *sessions) remove(n *session) {
	s.held -= n.builder.held + n.named
	s.order.Remove(n.place)
	for _, key := range n.keys {
		if s.open[key] == n {
			delete(s.open, key)
		}
	}
}
