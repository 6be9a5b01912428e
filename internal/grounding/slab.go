package grounding

// slab hands out short slices of one long one: the paths of a result hold many
// lists of a few elements.
type slab[T any] struct{ free []T }

// take is an empty slice with room for n elements. One that grows beyond them
// moves to memory of its own.
func (s *slab[T]) take(n int) []T {
	const chunk = 256 // elements
	if len(s.free) < n {
		s.free = make([]T, max(n, chunk))
	}
	taken := s.free[:0:n]
	s.free = s.free[n:]
	return taken
}
