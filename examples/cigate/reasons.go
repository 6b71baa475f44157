package main

import (
	"context"
	"errors"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// reasonsTime is how long the gate reads reasons after the waiting has ended: 600 of them at
	// the service's limit, which is more than a person reads.
	reasonsTime = time.Minute
	// interruptTime is how long it reads them after an interrupt. At 0 those that are being read
	// are lost; CI systems kill a program about ten seconds after the interrupt.
	interruptTime = 2 * time.Second
	// readsAtOnce bounds the requests for reasons at the same time. At 1 a slow response holds
	// the others up; 8 of 0.8 s each use the service's limit.
	readsAtOnce = 8
)

// reasons reads what went wrong in each location in which a check has failed. It reads as soon
// as the check has failed, while others still run, so that an interrupt does not lose it. After
// an interrupt there is still time for a short read.
type reasons struct {
	client *monitoring.Client
	safe   *safe
	ctx    context.Context
	stop   context.CancelFunc
	places chan struct{} // held by requests
	reads  sync.WaitGroup

	mu    sync.Mutex
	known map[string]*reason // by the id of the result
}

// reason is what is known about a result.
type reason struct {
	messages []string
	err      error // of the request, if it failed
	done     bool
}

func newReasons(ctx context.Context, client *monitoring.Client, safe *safe) *reasons {
	r := &reasons{client: client, safe: safe, places: make(chan struct{}, readsAtOnce), known: make(map[string]*reason)}
	r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(interruptTime):
			r.stop()
		case <-r.ctx.Done():
		}
	})
	return r
}

// read starts to read the failed results of a session, except for those that are known or
// being read. A result that could not be read is read again, unless it is too late.
func (r *reasons) read(session *monitoring.CheckSession) {
	for _, result := range session.FailingResults() {
		r.mu.Lock()
		known := r.known[result.CheckResultID]
		again := known != nil && known.done && known.err != nil && r.ctx.Err() == nil
		if begin := !result.IsCancelled && (known == nil || again); begin {
			known = &reason{}
			r.known[result.CheckResultID] = known
			r.reads.Go(func() { r.get(known, result.CheckID, result.CheckResultID) })
		}
		r.mu.Unlock()
	}
}

// get reads one result.
func (r *reasons) get(of *reason, checkID, resultID string) {
	select {
	case r.places <- struct{}{}:
		defer func() { <-r.places }()
	case <-r.ctx.Done():
	}
	var messages []string
	result, err := r.client.CheckResults.Get(r.ctx, checkID, resultID)
	if err == nil {
		for _, message := range result.Messages() {
			messages = append(messages, r.safe.lines(message))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	of.messages, of.err, of.done = messages, err, true
}

// finish reads what is not known of these sessions yet. It returns when everything is read,
// or when the time for it is over, which is shorter after an interrupt.
func (r *reasons) finish(failed []*monitoring.CheckSession) {
	timer := time.AfterFunc(reasonsTime, r.stop)
	defer timer.Stop()
	r.reads.Wait()
	for _, session := range failed {
		r.read(session)
	}
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
	switch known := r.known[resultID]; {
	case known == nil:
		return nil
	case known.err == nil:
		return known.messages
	case errors.Is(known.err, context.Canceled):
		return []string{"the details were not read before the gate ended"}
	default:
		return []string{"the details could not be read: " + r.safe.lines(known.err.Error())}
	}
}
