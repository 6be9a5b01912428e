package transcript

import "container/list"

// session is a run that is being put together.
type session struct {
	format  int // index
	builder *Builder
	decoder Decoder
	keys    []string // under which it is found
	array   int      // the array that its end closes, else 0
	place   *list.Element
}

// sessions are the runs that are being put together, within bounds.
type sessions struct {
	open  map[string]*session
	order list.List // of *session, the one that was silent for longest in front
	held  int       // bytes of all of them, about
}

// key is unique over formats and arrays.
func (s *sessions) key(dst []byte, format, array int, id []byte) []byte {
	dst = append(dst, byte(format), byte(array), byte(array>>8), byte(array>>16), byte(array>>24))
	return append(dst, id...)
}

func (s *sessions) add(n *session, key string) {
	if s.open == nil {
		s.open = map[string]*session{}
	}
	n.place = s.order.PushBack(n)
	s.name(n, key)
}

// name makes the session found under one more key.
func (s *sessions) name(n *session, key string) {
	n.keys = append(n.keys, key)
	s.open[key] = n
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
	s.held -= n.builder.held
	s.order.Remove(n.place)
	for _, key := range n.keys {
		delete(s.open, key)
	}
}
