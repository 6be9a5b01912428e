package postgres

import (
	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/runs"
)

// part is a group of tables that is brought up to date by itself.
type part struct {
	name   string
	steps  [][]string // each one transaction; one that was released is never changed
	tables []string   // those that must be there at the end
}

// calls are the tables of the ledger. Statements run with the search path on the
// schema.
//
// Texts are compared by their bytes, as Go compares them. Payloads are not
// compressed, because they are encrypted or small; what does not fit into its page
// is moved by the server into a table of its own (TOAST), and is neither read nor
// written again as long as it does not change. Rows of up to 8 KiB stay whole.
//
// The columns that only open rows have are NULL in all others, and the indexes are
// partial: most rows have ended, and nobody looks for those. The number of a row has
// no index, because a row is found by its id.
var calls = part{
	name:   "calls",
	tables: []string{"failloud_calls", "failloud_events"},
	steps: [][]string{{
		`CREATE TABLE failloud_calls (
			id       text COLLATE "C" PRIMARY KEY,
			n        bigint GENERATED ALWAYS AS IDENTITY,
			tenant   text COLLATE "C" NOT NULL,
			tool     text COLLATE "C" NOT NULL,
			state    text COLLATE "C" NOT NULL,
			run_id   text COLLATE "C",
			task_key text COLLATE "C",
			identity text COLLATE "C",
			gate     text COLLATE "C",
			to_run   boolean,
			announce timestamptz,
			due      timestamptz,
			hold     timestamptz,
			closed   timestamptz,
			awaited  bigint,
			version  bigint NOT NULL,
			created  timestamptz NOT NULL,
			updated  timestamptz NOT NULL,
			body     bytea NOT NULL,
			args     bytea,
			result   bytea
		) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05)`,
		`ALTER TABLE failloud_calls ALTER COLUMN args SET STORAGE EXTERNAL, ALTER COLUMN result SET STORAGE EXTERNAL`,
		`CREATE INDEX failloud_calls_state ON failloud_calls (state, id) WHERE state NOT IN ('running', 'succeeded')`,
		`CREATE INDEX failloud_calls_due ON failloud_calls (due) WHERE due IS NOT NULL`,
		`CREATE INDEX failloud_calls_to_run ON failloud_calls (id) WHERE to_run`,
		`CREATE INDEX failloud_calls_announce ON failloud_calls (id) WHERE announce IS NOT NULL`,
		`CREATE INDEX failloud_calls_gate ON failloud_calls (gate, created, id) WHERE gate IS NOT NULL`,
		`CREATE INDEX failloud_calls_identity ON failloud_calls (identity, task_key) WHERE identity IS NOT NULL`,
		`CREATE INDEX failloud_calls_closed ON failloud_calls (closed) WHERE closed IS NOT NULL`,
		`CREATE TABLE failloud_events (
			n       bigint NOT NULL,
			seq     bigint NOT NULL,
			at      timestamptz NOT NULL,
			command text NOT NULL,
			before  text NOT NULL,
			after   text NOT NULL,
			epoch   bigint NOT NULL,
			actor   text,
			note    text,
			PRIMARY KEY (n, seq)
		)`,
	}},
}

// record are the tables of the record of runs.
var record = part{name: "runs", tables: runs.Tables, steps: [][]string{runs.Schema(engine.Postgres)}}
