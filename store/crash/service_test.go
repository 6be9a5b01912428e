package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

// account is what the service knows about one item.
type account struct {
	Effects int    `json:"effects"` // how often it was done
	Receipt string `json:"receipt"` // of the first time, "" before
}

// wanted is how a request asks the service to break the one who sent it.
const (
	wantedHeader = "Wanted" // a point, or a signal of [signals]
	pidHeader    = "Wanted-Pid"
	keyHeader    = "Idempotency-Key"
)

// service is the world in which effects happen. Its memory is the truth.
type service struct {
	mu    sync.Mutex
	items map[string]account
	keys  map[string]string        // receipt by remote key
	held  map[string]chan struct{} // closed by who lets an answer go
}

// serve is the role of the process that is not killed. It says where it listens, and
// ends when its input does, which the end of the parent brings about.
func serve(in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &service{items: map[string]account{}, keys: map[string]string{}, held: map[string]chan struct{}{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{effect}/{item}", s.do)
	mux.HandleFunc("GET /{item}", s.look)
	mux.HandleFunc("DELETE /{item}", func(_ http.ResponseWriter, r *http.Request) { close(s.answer(r.PathValue("item"))) })
	fmt.Fprintln(out, "http://"+l.Addr().String())
	server := &http.Server{Handler: mux}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// do makes the effect happen, and then what the request asks for.
func (s *service) do(w http.ResponseWriter, r *http.Request) {
	receipt := s.happen(effect(r.PathValue("effect")), r.PathValue("item"), r.Header.Get(keyHeader))
	answer, _ := json.Marshal(account{Receipt: receipt})
	pid, _ := strconv.Atoi(r.Header.Get(pidHeader))
	switch wanted := r.Header.Get(wantedHeader); point(wanted) {
	case alive:
	case afterEffect:
		kill(pid)
		panic(http.ErrAbortHandler) // no answer
	case beforeReply:
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer[:len(answer)/2])
		_ = http.NewResponseController(w).Flush()
		kill(pid)
		panic(http.ErrAbortHandler)
	default:
		if send, ok := signals[wanted]; ok {
			send(pid)
			select { // the process has its answer when it goes on, and not before it has stopped
			case <-s.answer(r.PathValue("item")):
			case <-r.Context().Done():
			}
		}
	}
	_, _ = w.Write(answer)
}

func (s *service) happen(of effect, item, key string) (receipt string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if receipt, known := s.keys[key]; of == keyed && known {
		return receipt
	}
	a := s.items[item]
	if a.Receipt == "" {
		a.Receipt = fmt.Sprintf("R-%d", len(s.items)+1)
	}
	if of != read {
		a.Effects++
	}
	s.items[item] = a
	if of == keyed {
		s.keys[key] = a.Receipt
	}
	return a.Receipt
}

// answer is closed when the answer about an item may go.
func (s *service) answer(item string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[item] == nil {
		s.held[item] = make(chan struct{})
	}
	return s.held[item]
}

func (s *service) look(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	a := s.items[r.PathValue("item")]
	s.mu.Unlock()
	_ = json.NewEncoder(w).Encode(a)
}

// kill ends the process for good. It is one of ours: it waits for our answer.
func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil && pid > 0 {
		_ = p.Kill()
	}
}

// client is how agents and parents speak to the service.
type client struct {
	url  string
	http *http.Client
}

func newClient(url string) client {
	return client{url: url, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

// do asks for an effect.
func (c client) do(ctx context.Context, of effect, item, key string, wanted point) (account, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+string(of)+"/"+item, nil)
	if err != nil {
		return account{}, err
	}
	r.Header.Set(keyHeader, key)
	r.Header.Set(wantedHeader, string(wanted))
	r.Header.Set(pidHeader, strconv.Itoa(os.Getpid()))
	return c.account(r)
}

// look asks what was done.
func (c client) look(ctx context.Context, item string) (account, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/"+item, nil)
	if err != nil {
		return account{}, err
	}
	return c.account(r)
}

// let lets a held answer go.
func (c client) let(ctx context.Context, item string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, c.url+"/"+item, nil)
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

func (c client) account(r *http.Request) (a account, err error) {
	answer, err := c.http.Do(r)
	if err != nil {
		return a, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return a, err
	}
	if answer.StatusCode != http.StatusOK {
		return a, fmt.Errorf("the service answers %d %s", answer.StatusCode, strings.TrimSpace(string(body)))
	}
	return a, json.NewDecoder(bytes.NewReader(body)).Decode(&a)
}
