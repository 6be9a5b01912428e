package engine_test

import (
	"fmt"

	"github.com/failloud/failloud/store/internal/engine"
)

func ExampleNumbered() {
	fmt.Println(engine.Numbered("SELECT body FROM calls WHERE id = ? AND version > ?"))
	// Output: SELECT body FROM calls WHERE id = $1 AND version > $2
}
