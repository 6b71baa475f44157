// Package lease lets a limiter get its requests from elsewhere, such as from Redis. You need it
// only to write a module like redislimit, whose processes share the limit of one account.
//
// A place is the permission to send one request. A limiter of monitoring.NewLimiter that has a
// [Supply] takes a place from the [PlaceSource] of a limit for each attempt. It still decides which
// attempt goes next, keeps deadlines, and learns from 429s.
//
// Package lease may change in any version 0.x.
package lease

import "time"

// Limit is a number of requests in a window of time, like monitoring.RateLimit.
type Limit struct {
	// Requests is how many requests may be sent in any window of length Per; at least 1.
	Requests int
	// Per is the length of the window; more than 0.
	Per time.Duration
	// Burst is how many requests may be sent at once after a rest, from 1 to Requests.
	Burst int
}

// Supply creates the sources of a limiter; see monitoring.WithSupply.
type Supply interface {
	// Source returns the source of a limit: the common one, whose operation is empty, or that of a
	// route. It is called again if the limit of a route is replaced. The Burst of limit is never 0.
	// Source must not call the limiter. The source calls changed when it has places for those who
	// wait, or news, but never within its own methods.
	Source(operation string, limit Limit, changed func(SupplyNews)) PlaceSource
}

// PlaceSource hands out the places of a limit. The limiter calls its methods one at a time. They
// must not block.
type PlaceSource interface {
	// Want is called whenever one of its arguments changes: how many attempts wait for a place, how
	// many places they should leave to other programs, and the part of the limit that may be used,
	// more than 0 and up to 1.
	Want(attempts, leaves int, share float64)
	// Until returns the time until there is a place: 0 if there is one now, and math.MaxInt64 if
	// that is unknown.
	Until() time.Duration
	// Take takes a place and returns its number. It is called after Until has returned 0.
	Take() int64
	// GiveBack returns a place that was taken but not used.
	GiveBack(place int64)
	// Places returns how many places could be taken at once now.
	Places() int
	// Refused reports that a 429 paused this limit until a time, and the share that may be used
	// now.
	Refused(until time.Time, share float64)
}

// SupplyNews is what a source reports to its limiter.
type SupplyNews struct {
	// PausedUntil is the end of a pause after a 429 of another program, or zero.
	PausedUntil time.Time
	// Share is the part of the limit that may be used after that 429, more than 0 and up to 1.
	Share float64
	// Programs is how many programs use the limit. Each response then counts this many times.
	Programs int
}
