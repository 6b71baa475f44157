package main

import (
	"context"
	"errors"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// reasonsTime is how long the gate reads reasons after the waiting has ended: 600 of them at the
	// service's limit, which is more than a person reads.
	reasonsTime = time.Minute
	// interruptTime is how long it reads them after an interrupt. At 0 those that are being read are
	// lost; CI systems kill a program about ten seconds after the interrupt.
	interruptTime = 2 * time.Second
	// readsAtOnce is how many sessions are read at the same time, each with up to eight requests.
	// At 1 a slow response holds the others up; 8 with three locations use the service's limit if
	// a response takes 2.4 s.
	readsAtOnce = 8
)

// reasons reads what went wrong in each session that did not pass. It reads as soon as the session
// has ended, while others still run, so that an interrupt does not lose it.
type reasons struct {
	gate   *gate
	ctx    context.Context
	stop   context.CancelFunc
	places chan struct{} // held by sessions that are being read
	reads  sync.WaitGroup

	mu    sync.Mutex
	known map[string][]string // by the id of the result
}

func newReasons(ctx context.Context, g *gate) *reasons {
	r := &reasons{gate: g, places: make(chan struct{}, readsAtOnce), known: make(map[string][]string)}
	r.ctx, r.stop = lingering(ctx, interruptTime)
	return r
}

// toBeRead reports whether results say why a session did not pass.
func toBeRead(session *monitoring.CheckSession) bool {
	verdict := session.Verdict()
	return !verdict.Good() && verdict != monitoring.VerdictCancelled && len(session.FailingResults()) > 0
}

// read starts to read why a session did not pass, and shows it then.
func (r *reasons) read(session *monitoring.CheckSession) {
	if !toBeRead(session) {
		return
	}
	failing := session.FailingResults()
	r.reads.Go(func() {
		select {
		case r.places <- struct{}{}:
			defer func() { <-r.places }()
		case <-r.ctx.Done():
		}
		results, err := r.gate.client.CheckSessions.FetchFailingResults(r.ctx, session)
		r.keep(failing, results, err)
		r.gate.show.explained(r.gate, session)
	})
}

// keep keeps what was read. The errors are those of the results that are nil, in their order.
func (r *reasons) keep(failing []monitoring.CheckSessionResult, results []*monitoring.CheckResult, err error) {
	errs := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		errs = joined.Unwrap()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, result := range results {
		var list []string
		if result == nil {
			list = []string{r.unread(errs[0])}
			if len(errs) > 1 {
				errs = errs[1:]
			}
		} else {
			for _, message := range result.Messages() {
				if message = r.gate.clean.lines(message); message != "" {
					list = append(list, message)
				}
			}
		}
		r.known[failing[i].CheckResultID] = list
	}
}

func (r *reasons) unread(err error) string {
	if r.ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return "the details were not read before the gate ended"
	}
	return "the details could not be read: " + r.gate.clean.line(err.Error())
}

// finish returns when everything is read, or when the time for it is over, which is shorter after
// an interrupt.
func (r *reasons) finish() {
	timer := time.AfterFunc(reasonsTime, r.stop)
	defer timer.Stop()
	r.reads.Wait()
}

// close ends all requests. No goroutine is left.
func (r *reasons) close() {
	r.stop()
	r.reads.Wait()
}

// of returns what went wrong in a result. Call it after finish.
func (r *reasons) of(resultID string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[resultID]
}
