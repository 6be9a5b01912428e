// Package faulttest breaks things on script, so that you can see what your
// agent says when its tools do not work. It counts what really happened, which
// is what an answer has to be compared with.
//
// A [Failure] is one way a call can go wrong. Some are explicit (a status, a
// reset connection, silence), others implicit: they look like a success, such
// as a login page with status 200. [Failure.AfterEffect] moves a failure behind
// the effect: the payment was made, and the reply is lost.
//
// A [Plan] says when: once and then healthy again (transient), always
// (permanent), or any sequence.
//
// The same plan drives two things:
//
//   - [Server], an HTTP service on the loopback interface. Writes are counted
//     per business key, so that "paid twice" is a number. It honours
//     Idempotency-Key and lets bearer tokens expire when told to, and a GET
//     looks up whether an effect happened.
//   - [Tool], which wraps any func(context.Context, In) (Out, error) in process.
//
// [Grid] lists the cells a tool can fail in, explicit or implicit, transient or
// permanent, before or after the effect. Run your agent once per cell:
//
//	for _, cell := range faulttest.Grid() {
//		t.Run(cell.Name, func(t *testing.T) {
//			service := faulttest.NewServer(t, faulttest.Config{})
//			service.Script("POST /payments", cell.Plan(1))
//			answer := runMyAgent(service.URL())
//			if service.Effects("inv-1") > 1 {
//				t.Error("paid twice")
//			}
//			if service.Effects("inv-1") == 0 && strings.Contains(answer, "paid") {
//				t.Error("claimed what did not happen")
//			}
//		})
//	}
//
// Nothing here needs package testing: [Start] serves a demo or a soak test as
// well. Close releases every connection and goroutine, hanging requests too.
package faulttest
