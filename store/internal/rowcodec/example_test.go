package rowcodec_test

import (
	"encoding/json"
	"fmt"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
)

func Example() {
	row := idempotency.Row{
		ID: "9f1c", Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}, State: idempotency.Running,
		Version: 1, Args: json.RawMessage(`{"amount":100}`),
	}
	c, err := rowcodec.Encode(&row, nil)
	fmt.Println(c.Tool, c.State, string(c.Args), err)
	after, err := rowcodec.Decode(c, nil)
	fmt.Println(after.Key.Intent, string(after.Args), err)
	// Output:
	// pay_invoice running {"amount":100} <nil>
	// key:4711 {"amount":100} <nil>
}
