package monitoring

import (
	"math"
	"slices"
	"time"
)

// This file has all that waiting knows of the limit: a poll takes a place that ordinary calls
// leave, and the reads that keep statuses fresh take one that no poll needs soon.

// inTurn returns the options for a call of the waiting. The call has no retries of its own:
// the waiting decides what comes after a failure, and must not use up the retry budget.
func (w *waiter) inTurn(placed func()) []CallOption {
	return append(slices.Clip(w.opts), WithMaxRetries(0), callOption(func(s *callSettings) error {
		s.waiting, s.share = &waitingCall{placed}, w.options.Share
		return nil
	}))
}

// room is the part of the limit that the calls of a waiting may use, in places.
type room struct {
	places    float64 // now
	most      float64 // after a rest
	perSecond float64 // new ones per second
}

// room returns the room in the limit of the client. A limiter without a State counts as the
// default limit with no places to spare.
func (w *waiter) room(now time.Time) room {
	state := w.service.core.account.State()
	limit := state.Limit
	if limit.Requests <= 0 || limit.Per <= 0 {
		limit = DefaultRateLimit
	}
	r := room{
		places: float64(state.Places), most: float64(limit.burst()),
		perSecond: float64(limit.Requests) / limit.Per.Seconds(),
	}
	if w.options.Share > 0 {
		r.perSecond *= w.options.Share
	}
	if state.PausedUntil.After(now) {
		r.places = 0
	}
	return r
}

// spare reports whether a read now delays no other request: it leaves places for ordinary
// calls, and its own place is back before a poll needs it. due are the times at which polls
// will need a place, in order.
func (r room) spare(now time.Time, due []time.Time) bool {
	if r.places < 1+r.most/10 {
		return false
	}
	left := r.places - 1
	for _, at := range due {
		if at.After(now) {
			left += at.Sub(now).Seconds() * r.perSecond * 0.8 // ordinary calls take some of them
			now = at
		}
		if left >= r.most {
			return true
		}
		if left--; left < 0 {
			return false
		}
	}
	return true
}

// between is the time from one read to the next if polls take so many places per second:
// together they take nine tenths of the room. It returns false if that leaves no read.
func (r room) between(polls float64) (time.Duration, bool) {
	free := 0.9*r.perSecond - polls
	if free < 0.01*r.perSecond {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(time.Second) / free)), true
}
