package monitoring

import (
	"math"
	"slices"
	"time"
)

// This file is all that waiting knows of the limit: a poll takes a place that ordinary calls
// leave, and the reads that keep statuses fresh take one that no poll wants soon.

// waitingCall makes a call one of a waiting.
type waitingCall struct {
	placed func() // is called when the call has its place
}

// inTurn makes a call one of the waiting, without retries of its own: the waiting decides
// what comes after a failure, and it must not use up what other calls may spend on retries.
func (w *waiter) inTurn(placed func()) []CallOption {
	return append(slices.Clip(w.opts), WithMaxRetries(0), callOption(func(s *callSettings) error {
		s.waiting, s.share = &waitingCall{placed}, w.options.Share
		return nil
	}))
}

// room is how much of the limit there is for the calls of a waiting.
type room struct {
	places    float64 // that are there now
	most      float64 // that are there after a rest
	perSecond float64 // that come
}

// room tells what the limiter of the client has. A user's own limiter does not tell: it is
// taken to have the default limit and no places to spare.
func (w *waiter) room(now time.Time) room {
	state := w.service.client.core.account.State()
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

// spare reports whether a read now takes nothing from others: there are places for ordinary
// calls left, and those it takes are back before a poll misses one. due are the times at
// which polls will want a place, in order.
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

// between is the time from one read to the next, for polls that take so many places a
// second: together they stay clear of the limit. There is none if that leaves no read.
func (r room) between(polls float64) (time.Duration, bool) {
	free := 0.9*r.perSecond - polls
	if free < 0.01*r.perSecond {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(time.Second) / free)), true
}
