// Package limiter keeps a program under the limits of a service. An [Account] gives out a place
// for each attempt, and no window of a limit ever has more places than the limit.
//
// Ordinary attempts go first, in the order in which they came; long polls take the places that
// are left, and a few if none are. If there are more attempts than places, one whose deadline is
// too early for a response leaves its place to the next; it still returns at its deadline, not
// before, with an [EndedError].
//
// A 429 pauses what it concerns: one route, or the account. The pace is slower afterwards and
// recovers by itself, so that programs which know nothing of each other share a limit.
//
// The package knows places and times only. Who sends must call [Account.Wait] before each
// attempt, retries included, and [Account.Ended] after it.
package limiter

import (
	"fmt"
	"time"
)

// Rate is a number of places in a window of time.
type Rate struct {
	// Requests is how many places any window of length Per has at most; at least 1.
	Requests int
	// Per is the length of the window; more than 0.
	Per time.Duration
	// Burst is how many places are given out at once after a rest, from 1 to Requests. 0 is
	// the default, a sixth of Requests; see AtOnce.
	Burst int
}

// Check returns an error if a value is not allowed.
func (r Rate) Check() error {
	if r.Requests <= 0 || r.Per <= 0 {
		return fmt.Errorf("rate limit of %d in %s: want a positive number and time", r.Requests, r.Per)
	}
	if r.Burst < 0 || r.Burst > r.Requests {
		return fmt.Errorf("rate limit of %d in %s: the burst is %d, want 0 to %d", r.Requests, r.Per, r.Burst, r.Requests)
	}
	return nil
}

// AtOnce is how many places are given out at once after a rest: Burst, or a sixth of Requests, at
// least 1.
func (r Rate) AtOnce() int {
	if r.Burst > 0 {
		return r.Burst
	}
	return max(1, r.Requests/6)
}

// pace is the even pace of the limit over its window, in places per second.
func (r Rate) pace(window time.Duration) float64 { return float64(r.Requests) / window.Seconds() }

// Attempt is what is known of an attempt before it is sent.
type Attempt struct {
	// Operation is a method and a path, as in "GET /v1/check-groups/{id}". It finds the limit
	// of the route, and what was learned of the operation. It is empty if it is not known.
	Operation string
	// Class is the kind of the attempt.
	Class Class
	// Share is the part of the limit that long polls may take at most, more than 0 and up to
	// 1. 0 is 1. It has no meaning for other attempts.
	Share float64
}

// Class is a kind of attempts. Classes without a constant here count as Ordinary.
type Class int

const (
	// Ordinary attempts go first.
	Ordinary Class = iota
	// Background counts as Ordinary so far.
	Background
	// Poll is a long poll. Polls take the places that others leave.
	Poll
)

// Outcome is how an attempt ended.
type Outcome struct {
	// StatusCode is the status of the response; 0 if there was none.
	StatusCode int
	// RetryAfter is the wait that a 429 asked for; 0 if it asked for none.
	RetryAfter time.Duration
	// Duration is the time from sending to the end of the response or of the attempt.
	Duration time.Duration
}

// AbsurdRetryAfter is the longest RetryAfter that counts. A longer one is taken for a mistake of
// the service, and counts as 0.
const AbsurdRetryAfter = time.Hour

// State is the state of the common limit at one moment.
type State struct {
	// Limit is the common limit.
	Limit Rate
	// Places is how many attempts could be sent at once now. It is 0 in a pause.
	Places int
	// PausedUntil is the end of the pause after a 429, or the zero Time.
	PausedUntil time.Time
	// Waiters is how many attempts wait for a place, also in the limits of routes.
	Waiters int
}

// EndedError is the error of an attempt whose context ended before it had a place.
type EndedError struct {
	Err         error     // of the context
	PausedUntil time.Time // the end of a pause that outlasted the context, or the zero Time
}

func (e *EndedError) Error() string { return "no place before the context ended: " + e.Err.Error() }
func (e *EndedError) Unwrap() error { return e.Err }
