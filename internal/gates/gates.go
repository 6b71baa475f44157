// Package gates has models of the rate limits of services, for tests and for the in-process fake.
//
// A [Gate] admits a request at a moment or refuses it, as a service does with a 429. Services
// count in different ways, and say nothing about it: in a sliding window, in fixed windows, or
// with a bucket of tokens. Each of these is a [Limit], which also says when it will have room.
// [Outages], [RandomOutages] and [Unreliable] stand before another gate and refuse for reasons
// that have nothing to do with a limit.
//
// A gate has no clock and starts no goroutine: it knows only the times that it is asked about,
// which must not go backwards. It is not safe for concurrent use.
package gates

import (
	"math/rand/v2"
	"time"
)

// Gate is the rate limit of a service.
type Gate interface {
	// Admit reports whether a request that arrives now is admitted, and counts it if so.
	Admit(now time.Time) bool
}

// Limit is a gate that counts requests. Refused ones do not count.
type Limit interface {
	Gate
	// Wait returns the time until a request would be admitted; 0 is now.
	Wait(now time.Time) time.Duration
	// Take counts a request that is admitted now.
	Take(now time.Time)
}

// admit takes a place in a limit if there is one.
func admit(l Limit, now time.Time) bool {
	if l.Wait(now) > 0 {
		return false
	}
	l.Take(now)
	return true
}

// SlidingLog admits Most requests in any window.
type SlidingLog struct {
	Most   int
	Window time.Duration

	admitted []time.Time // of the last window
}

// Admit reports whether the window that ends now has room.
func (g *SlidingLog) Admit(now time.Time) bool { return admit(g, now) }

// Wait returns the time until the window has room.
func (g *SlidingLog) Wait(now time.Time) time.Duration {
	for len(g.admitted) > 0 && now.Sub(g.admitted[0]) >= g.Window {
		g.admitted = g.admitted[1:]
	}
	if len(g.admitted) < g.Most {
		return 0
	}
	return g.admitted[0].Add(g.Window).Sub(now)
}

// Take counts a request.
func (g *SlidingLog) Take(now time.Time) { g.admitted = append(g.admitted, now) }

// FixedWindows admits the first Most requests of each window. Windows follow one another; one
// of them begins at Begin.
type FixedWindows struct {
	Most   int
	Window time.Duration
	Begin  time.Time

	index int64 // of the present window
	count int
}

// Admit reports whether the present window has room.
func (g *FixedWindows) Admit(now time.Time) bool { return admit(g, now) }

// Wait returns the time until the next window if the present one has no room.
func (g *FixedWindows) Wait(now time.Time) time.Duration {
	gone := now.Sub(g.Begin)
	if index := int64(gone / g.Window); index != g.index {
		g.index, g.count = index, 0
	}
	if g.count < g.Most {
		return 0
	}
	return g.Window - gone%g.Window
}

// Take counts a request.
func (g *FixedWindows) Take(time.Time) { g.count++ }

// TokenBucket admits a request for each token of a bucket. The bucket has Most tokens at first,
// and is refilled evenly, with Most in a window. What is nearly a token counts as one: the time
// that is missing is less than a nanosecond.
type TokenBucket struct {
	Most   int
	Window time.Duration

	left float64
	at   time.Time // the bucket is filled up to this time; zero: it is full
}

// Admit reports whether there is a token.
func (g *TokenBucket) Admit(now time.Time) bool { return admit(g, now) }

// Wait returns the time until there is a token.
func (g *TokenBucket) Wait(now time.Time) time.Duration {
	g.left = min(float64(g.Most), g.left+float64(g.Most)*now.Sub(g.at).Seconds()/g.Window.Seconds())
	g.at = now
	return max(0, time.Duration((1-g.left)/float64(g.Most)*float64(g.Window)))
}

// Take takes a token.
func (g *TokenBucket) Take(time.Time) { g.left-- }

// Outages refuses everything at equal intervals: at the end of Every, and for Lasting. The first
// interval begins at Begin. From Until on there are no outages.
type Outages struct {
	Gate
	Begin, Until   time.Time
	Every, Lasting time.Duration
}

// Admit asks the other gate, unless there is an outage.
func (g *Outages) Admit(now time.Time) bool {
	if now.Before(g.Until) && now.Sub(g.Begin)%g.Every >= g.Every-g.Lasting {
		return false
	}
	return g.Gate.Admit(now)
}

// RandomOutages refuses everything for Lasting at random times from Begin to Until. The time
// between two outages is Mean on average.
type RandomOutages struct {
	Gate
	Begin, Until  time.Time
	Mean, Lasting time.Duration

	from, to time.Time // of the present or next outage
}

// Admit asks the other gate, unless there is an outage.
func (g *RandomOutages) Admit(now time.Time) bool {
	if g.to.IsZero() {
		g.to = g.Begin
	}
	for !now.Before(g.to) {
		g.from = g.to.Add(time.Duration(rand.ExpFloat64() * float64(g.Mean)))
		g.to = g.from.Add(g.Lasting)
	}
	if now.Before(g.Until) && !now.Before(g.from) {
		return false
	}
	return g.Gate.Admit(now)
}

// Unreliable refuses one of Of requests until Until, whatever their pace is: every Of-th one, or
// each with the same chance if Random is set.
type Unreliable struct {
	Gate
	Of     int
	Random bool
	Until  time.Time

	n int
}

// Admit asks the other gate, except for the requests that are refused anyway.
func (g *Unreliable) Admit(now time.Time) bool {
	g.n++
	if now.Before(g.Until) && (g.Random && rand.IntN(g.Of) == 0 || !g.Random && g.n%g.Of == 0) {
		return false
	}
	return g.Gate.Admit(now)
}
