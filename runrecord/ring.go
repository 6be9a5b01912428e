package runrecord

// ring is a list of calls whose oldest ones are dropped without moving the
// others. It grows until it is told to drop, and from then on writes over what
// was dropped.
type ring struct {
	slots  []held
	oldest uint32 // slot of the oldest call
	live   uint32 // calls from there on, around the end
}

func (q *ring) len() int { return int(q.live) }

// at is the call of that age, 0 for the oldest.
func (q *ring) at(i int) *held {
	i += int(q.oldest)
	if i >= len(q.slots) {
		i -= len(q.slots)
	}
	return &q.slots[i]
}

// push adds a slot for the newest call, to be filled by the caller. A ring that
// has been told to drop has one free.
func (q *ring) push() *held {
	if q.len() == len(q.slots) {
		q.slots = append(q.slots, held{})
	}
	q.live++
	return q.at(q.len() - 1)
}

// drop forgets the n oldest calls. Their slots are written over soon.
func (q *ring) drop(n int) {
	q.oldest = uint32((int(q.oldest) + n) % len(q.slots))
	q.live -= uint32(n)
}

// filter forgets the calls for which keep is false.
func (q *ring) filter(keep func(i int) bool) {
	n := 0
	for i := range q.len() {
		if keep(i) {
			if n != i {
				*q.at(n) = *q.at(i)
			}
			n++
		}
	}
	for i := n; i < q.len(); i++ {
		*q.at(i) = held{}
	}
	q.live = uint32(n)
}

// trim gives back what is reserved beyond the calls.
func (q *ring) trim() {
	if q.len() == cap(q.slots) {
		return
	}
	slots := make([]held, q.len())
	for i := range slots {
		slots[i] = *q.at(i)
	}
	*q = ring{slots: slots, live: q.live}
}
