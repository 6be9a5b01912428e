package valuehash_test

import (
	"reflect"
	"testing"

	"github.com/failloud/failloud/internal/valuehash"
)

func BenchmarkStruct(b *testing.B) {
	type query struct {
		Customer string `json:"customer"`
		Year     int    `json:"year"`
		Open     bool   `json:"open,omitempty"`
	}
	hash := valuehash.For(reflect.TypeFor[query]())
	q := query{Customer: "ACME", Year: 2026}
	b.ReportAllocs()
	for b.Loop() {
		hash(&q)
	}
}
