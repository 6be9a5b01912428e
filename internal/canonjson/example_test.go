package canonjson_test

import (
	"fmt"

	"github.com/failloud/failloud/internal/canonjson"
)

func ExampleForm_Canonicalize() {
	form, err := canonjson.New("memo")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, args := range []string{
		`{"invoice": 9007199254740993, "amount": 12.50, "memo": "thanks!"}`,
		`{"amount":12.5,"memo":"with thanks","invoice":9007199254740993}`,
	} {
		canonical, err := form.Canonicalize([]byte(args))
		fmt.Println(string(canonical), err)
	}
	// Output:
	// {"amount":12.5,"invoice":9007199254740993} <nil>
	// {"amount":12.5,"invoice":9007199254740993} <nil>
}
