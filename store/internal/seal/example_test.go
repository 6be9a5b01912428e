package seal_test

import (
	"bytes"
	"fmt"

	"github.com/failloud/failloud/store/internal/seal"
)

func Example() {
	s, err := seal.New(bytes.Repeat([]byte{7}, seal.KeySize))
	if err != nil {
		fmt.Println(err)
		return
	}
	kept := s.Seal([]byte(`{"amount":100}`), "calls/args/1")
	value, err := s.Open(kept, "calls/args/1")
	fmt.Println(string(value), err)
	_, err = s.Open(kept, "calls/args/2")
	fmt.Println(err)
	// Output:
	// {"amount":100} <nil>
	// seal: value was changed or belongs elsewhere: calls/args/2
}
