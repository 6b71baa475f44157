// Package lease is the seam between a limiter and places that come from elsewhere. A limiter of
// monitoring.NewLimiter that has a [Supply] decides who goes next, keeps deadlines, and learns from
// 429s, as ever. Only whether there is a place it asks the [PlaceSource] of the limit. The module
// redislimit stands on it: its processes lease the places of one account from Redis. It may change
// in any version 0.x.
package lease

import "time"

// Limit is a number of requests in a window of time, as monitoring.RateLimit is.
type Limit struct {
	// Requests is how many requests may be sent in any window of length Per; at least 1.
	Requests int
	// Per is the length of the window; more than 0.
	Per time.Duration
	// Burst is how many requests may be sent at once after a rest, from 1 to Requests.
	Burst int
}

// Supply makes the sources of the places of a limiter. monitoring.WithSupply takes one.
type Supply interface {
	// Source makes the source of a limit: of the common one, whose operation is empty, or of that
	// of a route. The Burst of the limit is never 0. If the limit of a route is replaced, Source is
	// called again for the same operation. It must not call the limiter. The source calls changed
	// when it has places for those who wait, or news, but never within a call of its own methods.
	Source(operation string, limit Limit, changed func(SupplyNews)) PlaceSource
}

// PlaceSource is where a limit has its places from. The limiter calls its methods one at a time.
// They must not block.
type PlaceSource interface {
	// Want says how many attempts wait for a place, and how many places they should leave to those
	// of other programs. share is the part of the limit that may be used, more than 0 and up to 1.
	// It is called whenever one of these changes.
	Want(attempts, leaves int, share float64)
	// Until returns the time until there is a place: 0 if there is one now, math.MaxInt64 if it is
	// not known.
	Until() time.Duration
	// Take takes the place that there is now, after Until has returned 0. It returns its number.
	Take() int64
	// GiveBack returns a place that was taken, and was not used.
	GiveBack(place int64)
	// Places returns how many places could be taken at once now.
	Places() int
	// Refused says that a 429 of this limit has made a pause until a time, and what the share is now.
	Refused(until time.Time, share float64)
}

// SupplyNews is what a source tells its limiter.
type SupplyNews struct {
	// PausedUntil is the end of a pause after a 429 of another program, or the zero Time.
	PausedUntil time.Time
	// Share is the part of the limit that may be used after that 429, more than 0 and up to 1.
	Share float64
	// Programs is how many use the limit together. Each response then counts this many times.
	Programs int
}
