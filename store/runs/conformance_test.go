package runs_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/runrecord/runrecordtest"
	"github.com/failloud/failloud/store/runs"
)

func TestTheStoreIsASink(t *testing.T) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			runrecordtest.Run(t, func(t *testing.T) runrecordtest.Harness {
				s := open(t, d.open(t), runs.Config{})
				return runrecordtest.Harness{Sink: s, Close: s.Close, Read: func() (events []runrecord.Event, err error) {
					var out bytes.Buffer
					if err := s.Export(context.Background(), &out, runs.Query{Children: true}); err != nil {
						return nil, err
					}
					for e, bad := range runrecord.ReadJSONLines(&out) {
						err = errors.Join(err, bad)
						events = append(events, e)
					}
					return events, err
				}}
			})
		})
	}
}
