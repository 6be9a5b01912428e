package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	firstReconnect = 100 * time.Millisecond
	lastReconnect  = 5 * time.Second
)

// listen keeps the one connection of this process on which changes are told, from
// the first wait until the store is closed. Where it breaks, or the server refuses
// another connection, those who wait look by themselves until there is one again.
func (db *DB) listen() {
	for wait := firstReconnect; db.life.Err() == nil; wait = min(2*wait, lastReconnect) {
		if db.listenOnce(db.life) {
			wait = firstReconnect
		}
		db.waits.hear(false)
		_ = sleep(db.life, wait/2+rand.N(wait))
	}
	db.waits.hear(false)
}

// listenOnce listens until the connection breaks. It reports whether it did listen.
func (db *DB) listenOnce(ctx context.Context) bool {
	conf := db.conf.ConnConfig.Copy()
	if prepare := db.conf.BeforeConnect; prepare != nil {
		if err := prepare(ctx, conf); err != nil {
			return false
		}
	}
	conf.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { db.waits.changed(withZero.Replace(n.Payload)) }
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		return false
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, `LISTEN `+channel(db.schema)); err != nil {
		return false
	}
	db.waits.hear(true)
	for {
		// A connection may be dead without either end knowing.
		idle, cancel := context.WithTimeout(ctx, listenChecks)
		err := conn.PgConn().WaitForNotification(idle)
		quiet := idle.Err() != nil
		cancel()
		if err != nil && quiet && ctx.Err() == nil && !conn.IsClosed() {
			idle, cancel = context.WithTimeout(ctx, listenChecks)
			err = conn.Ping(idle)
			cancel()
		}
		if err != nil {
			return true
		}
	}
}
