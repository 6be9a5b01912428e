package durable_test

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // its driver for SQLite
	"github.com/stretchr/testify/require"
)

func payStep(_ context.Context) (receipt, error) { return receipt{"R-1", "paid"}, nil }

func payWorkflow(ctx dbos.Context, _ payment) (receipt, error) {
	return dbos.RunAsStep(ctx, payStep)
}

// BenchmarkDBOS is one workflow of one step on SQLite, with the settings that the
// library has by itself, which do not wait for the disk at every commit.
func BenchmarkDBOS(b *testing.B) {
	folder := b.TempDir()
	ctx, err := dbos.NewContext(context.Background(), dbos.Config{
		AppName: "benchmark", DatabaseURL: "sqlite:" + filepath.Join(folder, "dbos.db"),
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	require.NoError(b, err)
	dbos.RegisterWorkflow(ctx, payWorkflow)
	require.NoError(b, dbos.Launch(ctx))
	b.Cleanup(func() { _ = dbos.Shutdown(ctx, 10*time.Second) })
	in := payment{"4711", random(230)}
	measure(b, folder, 16, 2, func(int) error {
		handle, err := dbos.RunWorkflow(ctx, payWorkflow, in)
		if err == nil {
			_, err = handle.GetResult()
		}
		return err
	})
}
