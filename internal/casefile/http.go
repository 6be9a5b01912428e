package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/failloud/failloud/fault"
)

// ErrNoResponse is returned for an input in which no HTTP response begins.
var ErrNoResponse = errors.New("no HTTP response: want a status line such as \"HTTP/1.1 401 Unauthorized\", then headers, an empty line and the body")

// FromHTTP makes a case of the last response in text. A body that ended early
// comes with the error that its reader would have got.
func FromHTTP(text []byte) (Case, error) {
	r, short, err := ParseHTTP(text)
	if err != nil {
		return Case{}, err
	}
	s := &fault.Signal{HTTP: r, Keyed: keyEchoed(r.Header)}
	if short {
		s.Err = io.ErrUnexpectedEOF
	}
	return Case{Signal: s}, nil
}

// FromError makes a case of the text of an error.
func FromError(text string) Case {
	return Case{Signal: &fault.Signal{Err: errors.New(strings.TrimSpace(text))}}
}

// ParseHTTP reads an HTTP response as "curl -i" prints it and as people paste
// it: any HTTP version, lines ended by CRLF or LF, blank lines in front. Where
// there are several responses (100 Continue, a proxy's answer, redirects
// followed, a log-in that was asked for first), the last one counts. It reports
// short where the body is shorter than was announced.
func ParseHTTP(text []byte) (r *fault.Response, short bool, err error) {
	rest := bytes.TrimLeft(text, " \t\r\n")
	if _, _, ok := cutStatus(rest); !ok {
		if first, _ := cutLine(rest); bytes.HasPrefix(first, []byte("HTTP/")) {
			return nil, false, fmt.Errorf("not a status line: %.60q; %w", first, ErrNoResponse)
		}
		return nil, false, ErrNoResponse
	}
	for {
		status, after, _ := cutStatus(rest)
		header, body := cutHeader(after)
		next := nextResponse(status, header, body)
		if next < 0 {
			body, short := bound(header, body)
			return &fault.Response{Status: status, Header: header, Body: body}, short, nil
		}
		rest = body[next:]
	}
}

// cutStatus reads a status line: "HTTP/" version, a space, three digits.
func cutStatus(text []byte) (status int, rest []byte, ok bool) {
	line, rest := cutLine(text)
	version, after, found := strings.Cut(string(line), " ")
	digits, _, _ := strings.Cut(strings.TrimLeft(after, " "), " ")
	status, err := strconv.Atoi(digits)
	number, isHTTP := strings.CutPrefix(version, "HTTP/")
	if !found || !isHTTP || number == "" || strings.Trim(number, "0123456789.") != "" ||
		err != nil || len(digits) != 3 || status < 100 {
		return 0, text, false
	}
	return status, rest, true
}

// cutHeader reads header lines up to the empty line. A line that cannot be one
// begins the body: the empty line often gets lost in a paste.
func cutHeader(text []byte) (http.Header, []byte) {
	header := http.Header{}
	last := ""
	for len(text) > 0 {
		line, rest := cutLine(text)
		if len(line) == 0 {
			return header, rest
		}
		if folded := line[0] == ' ' || line[0] == '\t'; folded && last != "" {
			values := header[last]
			values[len(values)-1] += " " + string(bytes.TrimSpace(line))
			text = rest
			continue
		}
		name, value, found := strings.Cut(string(line), ":")
		if !found || name == "" || strings.ContainsAny(name, " \t\"'{}[]<>(),;=") {
			return header, text
		}
		last = http.CanonicalHeaderKey(name)
		header[last] = append(header[last], strings.TrimSpace(value))
		text = rest
	}
	return header, nil
}

// nextResponse says where in body the next response begins, -1 where this one
// is the last. A status line quoted inside the body of an ordinary answer is
// not a response: only answers that another one follows are searched.
func nextResponse(status int, header http.Header, body []byte) int {
	if n, err := strconv.Atoi(header.Get("Content-Length")); err == nil && n >= 0 && n < len(body) {
		if at := n + blank(body[n:]); startsResponse(body[at:]) {
			return at
		}
	}
	if at := blank(body); startsResponse(body[at:]) {
		return at
	}
	interim := status < 200 || (status >= 300 && status < 400) ||
		status == http.StatusUnauthorized || status == http.StatusProxyAuthRequired
	if !interim {
		return -1
	}
	for at := 0; ; {
		found := bytes.Index(body[at:], []byte("HTTP/"))
		if found < 0 {
			return -1
		}
		at += found
		if startsResponse(body[at:]) {
			return at
		}
		at += len("HTTP/")
	}
}

// startsResponse asks for a header too: an error body may quote a status line.
func startsResponse(text []byte) bool {
	_, after, ok := cutStatus(text)
	if !ok {
		return false
	}
	header, _ := cutHeader(after)
	return len(header) > 0
}

// bound cuts what a paste added after the body, and says whether the body is
// shorter than was announced. A line end may have lost its CR on the way, and a
// compressed body was unpacked, so only a body that is too short for both
// readings counts; no body at all is the answer to a HEAD request.
func bound(header http.Header, body []byte) ([]byte, bool) {
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || n < 0 || header.Get("Content-Encoding") != "" {
		return body, false
	}
	if n < len(body) && blank(body[n:]) == len(body)-n {
		return body[:n], false
	}
	return body, len(body) > 0 && len(body)+bytes.Count(body, []byte("\n"))+len("\r\n") < n
}

// cutLine returns the first line without its end, and what follows.
func cutLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), rest
}

// blank counts the white space in front of text.
func blank(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t\r\n")) }
