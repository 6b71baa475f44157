package limiter

import "time"

// Supply makes the sources of places that come from elsewhere: one for the common limit, whose
// operation is empty, and one for each limit of a route. The source may call changed at any time,
// but not within a call of its own methods. It must be called when Until may have become shorter.
type Supply func(operation string, limit Rate, changed func(News)) Source

// Source is where a limit has its places from, in place of its bucket and its window. What 429s
// teach, the order and the routes stay those of the account. Its methods are called with a lock.
type Source interface {
	// Want says how many attempts wait for a place that others should leave so many of, and the share
	// of the limit that may be used. It is called whenever that changes.
	Want(attempts, leaves int, share float64)
	// Until is the time until there is a place; 0 if there is one now, and math.MaxInt64 if it is not
	// known.
	Until() time.Duration
	// Take takes the place that there is now.
	Take() int64
	// GiveBack returns a place that was taken and not used.
	GiveBack(place int64)
	// Places is how many places could be taken at once now.
	Places() int
	// Refused says that a 429 of this limit has made a pause, and what the share is now.
	Refused(until time.Time, share float64)
}

// News is what a source tells an account.
type News struct {
	// PausedUntil is the end of a pause after a 429 that another program had, or the zero Time.
	PausedUntil time.Time
	// Share is the share of the limit after that 429.
	Share float64
	// Programs is how many use the limit together. Each response then counts this many times.
	Programs int
}

// wish is what was last said to a source with Want.
type wish struct {
	attempts, leaves int
	share            float64
}
