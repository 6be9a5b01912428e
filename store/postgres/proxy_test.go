package postgres_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

// proxy stands between a store and its server, and cuts connections on demand.
type proxy struct {
	target  string
	replies atomic.Int64 // how many answers to a write are dropped, with their connection
	sends   atomic.Int64 // how many writes are dropped before the server sees them
	dropped atomic.Int64
	mu      sync.Mutex
	open    []net.Conn
}

// through returns the URL of the same database behind a proxy.
func through(t *testing.T, direct string) (string, *proxy) {
	t.Helper()
	at, err := url.Parse(direct)
	require.NoError(t, err)
	p := &proxy{target: at.Host}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.cut()
		running.Wait()
	})
	at.Host = l.Addr().String()
	return at.String(), p
}

// cut ends every connection.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.open = append(p.open, client, server)
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { defer server.Close(); p.copy(server, client, &p.sends, "acquire", "complete") })
	both.Go(func() { defer client.Close(); p.copy(client, server, &p.replies, "INSERT 0 ") })
	both.Wait()
}

// copy passes on what it reads, until a message with one of the marks has come while
// messages are to be dropped.
func (p *proxy) copy(to io.Writer, from io.Reader, left *atomic.Int64, marks ...string) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		for _, mark := range marks {
			if bytes.Contains(buf[:n], []byte(mark)) && left.Add(-1) >= 0 {
				p.dropped.Add(1)
				return
			}
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

// What was written and never confirmed is the worst that a network does: the payment
// is claimed, or recorded, and the worker does not know.
func TestALostReplyDoublesNothing(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	behind, p := through(t, direct)
	db := open(t, postgres.Config{URL: behind})
	witness := open(t, postgres.Config{URL: direct})
	ledger, err := idempotency.New(idempotency.Config{Store: db, Cache: -1})
	require.NoError(t, err)
	for _, lose := range []struct {
		name  string
		where *atomic.Int64
		times int64
	}{
		{"reply", &p.replies, 1}, {"request", &p.sends, 1}, {"reply-twice", &p.replies, 2},
	} {
		lose.where.Store(lose.times)
		claim, err := ledger.Claim(t.Context(), payment(lose.name))
		require.NoError(t, err, lose.name)
		require.Equal(t, idempotency.Execute, claim.Answer, "%s: the claim that was written is the worker's own", lose.name)

		lose.where.Store(lose.times)
		require.NoError(t, claim.Succeed(t.Context(), receipt, 0), lose.name)
		lose.where.Store(0)

		events, err := witness.Events(t.Context(), claim.Row.ID)
		require.NoError(t, err)
		require.Len(t, events, 2, "%s: each was written once", lose.name)
		row, err := witness.Load(t.Context(), claim.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		require.EqualValues(t, 1, row.Epoch)
	}
	// A claim that is sent again is answered by a write that finds it, an end by reading.
	require.EqualValues(t, 7, p.dropped.Load(), "the proxy dropped what this test is about")
}

// A connection that is lost each time is told as what it is, and nothing is doubled
// when the same command comes later.
func TestALostConnectionIsToldAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	behind, p := through(t, direct)
	db := open(t, postgres.Config{URL: behind})
	p.replies.Store(100)
	id, claim := acquire("4711", "mine", 0)
	_, err := db.Apply(t.Context(), id, claim)
	require.ErrorIs(t, err, postgres.ErrLost)
	require.ErrorContains(t, err, "can be sent again")
	p.replies.Store(0)

	row, err := db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	require.Equal(t, "mine", row.Attempt)
	require.EqualValues(t, 1, row.Version)
}

// Idle connections die of a restart or a firewall. The next command does not.
func TestConnectionsThatDiedAreReplaced(t *testing.T) {
	t.Parallel()
	direct := pgtest.URL(t)
	behind, p := through(t, direct)
	db := open(t, postgres.Config{URL: behind})
	for _, name := range []string{"a", "b", "c"} {
		id, claim := acquire(name, "mine", 0)
		_, err := db.Apply(t.Context(), id, claim)
		require.NoError(t, err)
		_, err = db.Load(t.Context(), id)
		require.NoError(t, err)
		p.cut()
	}
	conn, err := pgx.Connect(t.Context(), direct)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	id, claim := acquire("d", "mine", 0)
	_, err = conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	require.NoError(t, err)
	_, err = db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
}
