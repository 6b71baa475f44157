package front

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"
)

// work is the handling of one request.
type work struct {
	*Front
	in        *inbound
	fault     *Fault
	throttled time.Duration // until the limit has a place again; 0: it has one
	done      bool
	spoilt    bool // the response is the fault's, not the service's
}

// run waits, handles the request and waits again.
func (w *work) run(ctx context.Context) (r response, err error) {
	delay := w.fault.Delay
	if w.Latency != nil {
		delay += w.Latency()
	}
	if err := w.world.Clock.Sleep(ctx, delay); err != nil {
		return r, err
	}
	if w.fault.Kind.unhandled() {
		return r, errAborted
	}
	if r, err = w.handle(ctx); err != nil {
		return r, err
	}
	if err := w.world.Clock.Sleep(ctx, w.fault.DelayAfter); err != nil {
		return r, err
	}
	if w.fault.CutAfter == 0 && w.fault.spoils() {
		r, w.spoilt = w.fault.spoil(r, w.in), true
	}
	return r, nil
}

// handle carries out the request, unless the request is over the limit or the fault gives
// the response.
func (w *work) handle(ctx context.Context) (r response, err error) {
	switch {
	case w.fault.Status != 0 && w.fault.CutAfter == 0:
		return response{}, nil
	case w.throttled > 0:
		r = w.tooMany(w.throttled)
	default:
		if r, err = w.dispatch(ctx, w.in); err != nil {
			return r, err
		}
	}
	w.done = true
	r.shape(w.in.older)
	return r, nil
}

// throughGateway is run behind a gateway that gives up after some time. The service does
// not notice: it still carries out the request, but nobody waits for it.
func (w *work) throughGateway(ctx context.Context) (response, error) {
	inner, cancel := context.WithTimeoutCause(ctx, w.fault.CutAfter, errGateway)
	defer cancel()
	r, err := w.run(inner)
	if !errors.Is(err, errGateway) || ctx.Err() != nil {
		return r, err
	}
	if !w.done && w.in.route != nil && w.in.route.taught == nil && w.in.route.Handle != nil {
		w.handle(ctx)
	}
	if w.fault.Kind == FaultResetAfter {
		return r, errGateway
	}
	return w.fault.gatewayResponse(), nil
}

func (f *Front) tooMany(wait time.Duration) response {
	r := fail(http.StatusTooManyRequests, "Too Many Requests")
	if f.RetryAfter {
		r.setHeader("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	return r
}
