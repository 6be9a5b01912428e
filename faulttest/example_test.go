package faulttest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/failloud/failloud/faulttest"
)

// A payment whose reply is lost: the caller sees a broken connection, and the
// money has moved.
func ExampleServer() {
	service, err := faulttest.Start(faulttest.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer service.Close()
	service.Script("POST /payments", faulttest.Once(faulttest.Cut().AfterEffect()))

	_, err = service.Client().Post(service.URL()+"/payments", "application/json", strings.NewReader(`{"id":"inv-1"}`))
	fmt.Println("told of a failure:", err != nil)
	fmt.Println("payments made:", service.Effects("inv-1"))

	res, err := service.Client().Get(service.URL() + "/payments?id=inv-1") // what a Check would do
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	fmt.Println(res.StatusCode, string(body))
	// Output:
	// told of a failure: true
	// payments made: 1
	// 200 {"effects":1,"id":"inv-1","status":"done"}
}

// A credential that expires at the third look-up.
func ExamplePlan() {
	service, err := faulttest.Start(faulttest.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer service.Close()
	service.Serve("/invoices", func(*http.Request, []byte) any { return []string{"inv-1"} })
	service.Script("/invoices", faulttest.Times(2, faulttest.Healthy()).Then(faulttest.Always(faulttest.Status(401))))

	for range 4 {
		res, err := service.Client().Get(service.URL() + "/invoices")
		if err != nil {
			fmt.Println(err)
			return
		}
		res.Body.Close()
		fmt.Println(res.StatusCode)
	}
	// Output:
	// 200
	// 200
	// 401
	// 401
}

// The same failures without a wire.
func ExampleTool() {
	send := func(context.Context, string) (string, error) { return "sent", nil }
	tool := faulttest.Tool(send, faulttest.Once(faulttest.Status(503), faulttest.TruncatedBody().AfterEffect()))

	for range 3 {
		out, err := tool.Call(context.Background(), "mail-1")
		fmt.Printf("%q %v\n", out, err)
	}
	fmt.Println("mails sent:", tool.Effects("mail-1"))
	// Output:
	// "" unexpected status 503 Service Unavailable: {"error":{"code":503,"message":"Service Unavailable"}}
	// "" read body: unexpected EOF
	// "sent" <nil>
	// mails sent: 2
}

func ExampleGrid() {
	explicit, implicit := 0, 0
	for _, cell := range faulttest.Grid() {
		if cell.Implicit {
			implicit++
		} else {
			explicit++
		}
	}
	fmt.Println(explicit > 40, implicit > 10)
	// Output:
	// true true
}
