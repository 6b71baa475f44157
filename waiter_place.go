package monitoring

import (
	"context"
	"math"
	"slices"
	"time"
)

// This file is all that waiting knows of the limit: a poll takes a place that ordinary calls
// leave, and the reads that keep statuses fresh take one that no poll wants soon.

// waitingCall makes a call one of a waiting.
type waitingCall struct {
	pace   *limiter // what the waiting may use of the limit
	placed func()   // is called when the call has its place
}

// placeFor is how a call takes its place.
func (c *core) placeFor(s *callSettings) func(context.Context) error {
	if s.waiting == nil {
		return c.limiter.Wait
	}
	return func(ctx context.Context) error { return s.waiting.pace.waitBefore(ctx, c.limiter.Wait) }
}

// inTurn makes a call one of the waiting, without retries of its own: the waiting decides
// what comes after a failure, and it must not use up what other calls may spend on retries.
func (w *waiter) inTurn(placed func()) []CallOption {
	return append(slices.Clip(w.opts), WithMaxRetries(0), callOption(func(s *callSettings) error {
		s.waiting = &waitingCall{pace: w.pace, placed: placed}
		return nil
	}))
}

// newPace is the pace of a waiting that may use a share of the limit. A limiter of the
// user's own is taken to have the default limit.
func (c *core) newPace(share float64) *limiter {
	limit := DefaultRateLimit
	if l, ok := c.limiter.(*limiter); ok {
		limit = l.limit
	}
	part := func(n int) int {
		if share == 1 {
			return n
		}
		return max(1, int(float64(n)*share))
	}
	pace := newLimiter(RateLimit{Requests: part(limit.Requests), Per: limit.Per})
	pace.burst = min(pace.burst, part(maxBurst))
	pace.bucket.SetBurst(pace.burst)
	return pace
}

// room is how much of the limit there is for the calls of a waiting.
type room struct {
	places    float64 // that are there now
	most      float64 // that are there after a rest
	perSecond float64 // that come
}

func (w *waiter) room(now time.Time) room {
	r := w.pace.room(now)
	if l, ok := w.service.client.core.limiter.(*limiter); ok {
		r.places = min(r.places, l.room(now).places)
	}
	return r
}

func (l *limiter) room(now time.Time) room {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := room{
		places: max(0, l.bucket.TokensAt(now)), most: float64(l.burst),
		perSecond: float64(l.limit.Requests) / l.limit.Per.Seconds() * l.share,
	}
	used := 0
	for _, t := range l.left {
		if now.Sub(t) < l.window {
			used++
		}
	}
	r.places = min(r.places, float64(l.most-used))
	if now.Before(l.until) {
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
		if d := at.Sub(now); d > 0 {
			left += d.Seconds() * r.perSecond * 0.8 // ordinary calls take some of them
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
