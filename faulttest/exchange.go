package faulttest

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// exchange is one request and the ways to answer it badly.
type exchange struct {
	w http.ResponseWriter
	r *http.Request
}

// cutText is the JSON whose end never comes.
const cutText = `{"id":"inv-1","customer":"ACME","amount":1240,"lines":[{"sku":"a-1","count":2},{"sku":"b-`

func (x *exchange) send(a *answer) {
	for key, values := range a.header {
		x.w.Header()[key] = values
	}
	x.w.WriteHeader(a.status)
	_, _ = io.WriteString(x.w, a.body) // a client that has gone is none of our business
}

func asJSON(status int, v any) *answer {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"faulttest: value is not JSON"}`)
	}
	return &answer{status: status, header: http.Header{"Content-Type": {"application/json"}}, body: string(text)}
}

// hangUp ends the connection without a reply, with a TCP reset or in order.
func (x *exchange) hangUp(reset bool) {
	conn, _, ok := x.hijack()
	if !ok {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // makes Close send a reset
	}
	_ = conn.Close()
}

// cutBody sends half a body and ends the connection: with a length that
// promises more, or in the middle of a chunked one.
func (x *exchange) cutBody(length bool) {
	conn, out, ok := x.hijack()
	if !ok {
		return
	}
	defer conn.Close()
	_, _ = out.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
	if length {
		_, _ = out.WriteString("Content-Length: " + strconv.Itoa(4*len(cutText)) + "\r\n\r\n" + cutText)
	} else {
		_, _ = out.WriteString("Transfer-Encoding: chunked\r\n\r\n" + strconv.FormatInt(int64(len(cutText)), 16) + "\r\n" + cutText + "\r\n")
	}
	_ = out.Flush()
}

func (x *exchange) hijack() (net.Conn, *bufio.ReadWriter, bool) {
	conn, out, err := http.NewResponseController(x.w).Hijack()
	return conn, out, err == nil
}

// wait returns when the client has given up or the server closes: both end the
// connection, and with it the context.
func (x *exchange) wait() { <-x.r.Context().Done() }

func (x *exchange) dribble(pause time.Duration) {
	x.w.Header().Set("Content-Type", "application/json")
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	flush := http.NewResponseController(x.w).Flush
	for text := `{"data":"`; ; text = "a" {
		if _, err := io.WriteString(x.w, text); err != nil || flush() != nil {
			return
		}
		select {
		case <-x.r.Context().Done():
			return
		case <-ticker.C:
		}
	}
}
