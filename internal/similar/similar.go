package similar

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// longest bounds the part of a name that is compared: the work grows with its
// square, and the name may have been made up by a model.
const longest = 64

// Names returns at most limit of the known names that are most like name, the
// most similar first and the equally similar in order of the alphabet.
func Names(name string, known iter.Seq[string], limit int) []string {
	type candidate struct {
		name string
		far  int
	}
	name = start(name)
	var near []candidate
	for k := range known {
		other := start(k)
		if far := distance(name, other); far <= allowed(name, other) {
			near = append(near, candidate{k, far})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	names := make([]string, 0, min(len(near), limit))
	for _, c := range near[:min(len(near), limit)] {
		names = append(names, c.name)
	}
	return names
}

// start is what is compared of a name.
func start(name string) string { return strings.ToLower(name[:min(len(name), longest)]) }

// allowed is how many letters may differ: a third of the longer name, rounded
// up, but less than the shorter one has.
func allowed(a, b string) int {
	long, short := max(len(a), len(b)), min(len(a), len(b))
	return min((long+2)/3, short-1)
}

// distance is how many letters have to be put in, left out or changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
