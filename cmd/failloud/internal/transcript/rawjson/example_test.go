package rawjson_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

func ExampleReader() {
	r := rawjson.NewReader(strings.NewReader("[{\"id\": 1, \"name\": \"Ng\\u1ecdc\"},\n{\"id\": 2, \"na\n{\"id\": 3}]"), rawjson.Config{})
	for {
		item, err := r.Next()
		if bad, ok := errors.AsType[*rawjson.ValueError](err); ok {
			fmt.Println(bad)
			continue
		}
		if errors.Is(err, io.EOF) {
			break
		}
		name, ok := item.Value.Get("name").Text()
		fmt.Println(item.Line, string(item.Value.Get("id")), name, ok)
	}
	// Output:
	// 1 1 Ngọc true
	// line 2: the value ends too early
	// 3 3  false
}
