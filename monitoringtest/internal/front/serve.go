package front

import (
	"context"
	"errors"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// outcome is how a request that arrived ends.
type outcome struct {
	response response
	reset    bool          // the connection is reset instead
	cut      bool          // the body breaks off in the middle
	bodyTime time.Duration // how long the body takes to arrive
	clock    fakeclock.Clock
	err      error // the context ended
}

// serve handles a request that arrived, with the fault that happens to it, if any.
func (f *Front) serve(ctx context.Context, in *inbound, fault *Fault) outcome {
	if fault == nil {
		fault = &Fault{}
	}
	now := f.world.Clock.Now()
	record, throttled := f.arrive(in, now)
	w := &work{Front: f, in: in, fault: fault, throttled: throttled}
	var r response
	var err error
	if fault.CutAfter > 0 {
		r, err = w.throughGateway(ctx)
	} else {
		r, err = w.run(ctx)
	}
	switch {
	case errors.Is(err, errAborted), errors.Is(err, errGateway):
		return outcome{reset: true}
	case err != nil:
		return outcome{err: err}
	}
	f.respond(in, record, &r, now, !w.spoilt)
	return outcome{
		response: r,
		reset:    fault.Kind == FaultResetAfter && fault.CutAfter == 0,
		cut:      fault.Kind == FaultCutBody,
		bodyTime: fault.BodyTime,
		clock:    f.world.Clock,
	}
}

// arrive records a request and takes a place in the limits for it, unless its caller is refused. If
// there is none, it returns how long the request would have to wait.
func (f *Front) arrive(in *inbound, now time.Time) (record *Request, wait time.Duration) {
	f.world.Lock()
	defer f.world.Unlock()
	f.world.Tick(now)
	record = f.journal.arrived(in, now)
	if _, refused := f.authorize(in); !refused {
		wait = f.limits.admit(in.operation, now)
	}
	return record, wait
}

// respond records the response to a request, and whether it is the service's own.
func (f *Front) respond(in *inbound, record *Request, r *response, now time.Time, genuine bool) {
	f.world.Lock()
	defer f.world.Unlock()
	f.journal.responded(in, record, r, now, genuine)
}
