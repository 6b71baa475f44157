package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

const (
	// finishTime is how long the row that is being created may take after an interrupt. With no
	// time its outcome would be unknown, and a person does not wait longer.
	finishTime = 10 * time.Second
	// mostTroubles is after how many consecutive rows without a response the run stops. At 1 a
	// single lost response ends it; each row more adds an outcome that a person must look up.
	mostTroubles = 3
)

// creator creates the rows that the journal says are not created yet.
type creator struct {
	client  *monitoring.Client
	journal *journal
	rows    []row

	created, before, skipped int     // in this run; in an earlier run; left unknown by an earlier run
	unknown                  int     // in this run
	failed                   []entry // certainly not created
	changed                  []row   // created in an earlier run, with other values
	interrupted              bool
}

// untried counts the rows that were not reached.
func (c *creator) untried() int {
	return len(c.rows) - c.created - c.before - c.skipped - c.unknown - len(c.failed)
}

// run creates the rows. An error means that it stopped before the last row, for a reason
// that all rows share.
func (c *creator) run(ctx context.Context, stderr *cli.Screen) error {
	progress := cli.NewProgress(stderr)
	defer progress.Stop()
	troubles := 0
	for i, r := range c.rows {
		progress.Update("row %d of %d: %d created, %d failed, %d unknown", i+1, len(c.rows), c.created, len(c.failed), c.unknown)
		switch last := c.journal.last[r.check.Name]; {
		case last.created():
			c.before++
			if last.Digest != r.digest {
				c.changed = append(c.changed, r)
			}
			continue
		case last.open():
			c.skipped++
			continue
		}
		if ctx.Err() != nil {
			c.interrupted = true
			return nil
		}
		err, broken := c.row(ctx, r, progress)
		switch {
		case broken != nil:
			return broken
		case fatal(err):
			return fmt.Errorf("stopped at row %d, because every further row would fail in the same way: %w", r.number, err)
		case !inTrouble(err):
			troubles = 0
		default:
			troubles++
		}
		if troubles >= mostTroubles && c.untried() > 0 {
			return fmt.Errorf("stopped after %d rows in succession without a response of the service; the last error was: %w", troubles, err)
		}
	}
	return nil
}

// row creates one row, with an entry in the journal before and after it. The second error is
// an error of the journal.
func (c *creator) row(ctx context.Context, r row, progress *cli.Progress) (err, broken error) {
	e := entry{Event: eventAbout, Row: r.number, Name: r.check.Name, Digest: r.digest}
	if broken := c.journal.append(e); broken != nil {
		return nil, broken
	}
	check, err := c.create(ctx, r.check)
	switch e.Event = result(err); e.Event {
	case eventDone:
		c.created++
		e.ID = check.ID
		progress.Line("CREATED", fmt.Sprintf("row %d, %s: %s", r.number, r.check.Name, check.ID))
	case eventNotCreated:
		e.Error = err.Error()
		c.failed = append(c.failed, e)
		progress.Line("FAILED", fmt.Sprintf("row %d, %s", r.number, r.check.Name))
	case eventUnknown:
		e.Error = err.Error()
		c.unknown++
		progress.Line("UNKNOWN", fmt.Sprintf("row %d, %s", r.number, r.check.Name))
	}
	return err, c.journal.append(e)
}

// create sends one row. It is finished after an interrupt, too, because the outcome of an
// interrupted request is unknown.
func (c *creator) create(ctx context.Context, check monitoring.TCPCheckCreate) (*monitoring.TCPCheck, error) {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(finishTime):
			cancel()
		case <-sending.Done():
		}
	})
	defer stop()
	return c.client.Checks.CreateTCP(sending, check)
}

// result returns the outcome of a create from its error. Only rows that are certainly not
// created may be sent again: everything else counts as unknown.
func result(err error) event {
	_, isAPI := errors.AsType[*monitoring.APIError](err)
	_, isInvalid := errors.AsType[*monitoring.ValidationError](err)
	_, isNetwork := errors.AsType[net.Error](err)
	switch {
	case err == nil:
		return eventDone
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		return eventUnknown
	case isAPI, isInvalid, isNetwork, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return eventNotCreated
	}
	return eventUnknown
}

// inTrouble reports whether an error is about the service, not about the row.
func inTrouble(err error) bool {
	if err == nil {
		return false
	}
	_, isAPI := errors.AsType[*monitoring.APIError](err)
	return !isAPI || errors.Is(err, monitoring.ErrServer) || errors.Is(err, monitoring.ErrRateLimited) ||
		errors.Is(err, monitoring.ErrOutcomeUnknown)
}
