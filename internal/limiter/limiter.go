// Package limiter keeps a program under the limits of a service. An [Account] gives out a place for
// each attempt. Who sends must call [Account.Wait] before each attempt, retries included, and
// [Account.Ended] after it. The package knows places and times only. All of it is on this page:
//
// # Pace
//
// After a rest the burst may be sent at once. Then the pace is a line: the limit divided by its
// window. A burst uses places of its window, so the line is lower until they have come back. It is
// never steeper than the window can keep up.
//
//	places              ________          the burst, then the rest of the window at one pace,
//	      |      ______/                  then the even pace forever
//	burst |_____/
//	      |_______________________ time
//
// # Window
//
// The window counts each place that was given out. It has no place left when the limit is reached,
// whatever the pace would allow. It is a little longer than that of the limit, because requests
// may overtake one another on their way. So no window of the service has more requests than the
// limit, wherever it begins.
//
// # Order
//
// The next place goes to the first kind of which an attempt waits:
//
//	urgent      ordinary, and the deadline is within 30 seconds     by the latest moment to start
//	patient     ordinary, without such a deadline                   in order; at least 1 place of 5
//	polls       of waits              in order; at least 1 place of 10, or 1 of 4: see below
//	background                                                      in order; at least 1 place of 20
//	hopeless    whose response would probably be late            only a place that nobody else needs
//
// The latest moment to start is the deadline less the time of a response. That time is the one of
// the slowest of the last responses of the operation, but at most twice that of three of four.
// An attempt is hopeless from that moment on. It then gets a place if it has just come and nobody
// waits, or if the burst is whole; the youngest goes first. It returns at its deadline, not before.
//
// Polls have 1 place of 4 while patient attempts have waited for 5 seconds without a break, as
// those of callers in a loop do.
//
// # Classes
//
// [Ordinary] attempts go first. [Background] and [Poll] take what they leave, and never the last
// half of a burst. Polls can be held to a share of the limit. While nobody else waits they come a
// little faster than the line, but leave others a quarter of the pace, or half as much again as
// they took lately.
//
// # What 429s teach
//
// A 429 teaches how long to pause, and how much of the limit others use. The pause is as long as
// the service asks for, or else short and doubled from 429 to 429. The share of the limit that the
// program uses is cut, and grows back: see learned, which has the rules on a few lines.
//
// All of this concerns the route alone if its limit was set. Otherwise it concerns the operation
// alone that was refused, until another one is refused within 2 seconds. Then the account is
// the reason of each 429 in the next 5 minutes. But an account that is used up refuses all alike:
// an operation that is refused far more often than others has a limit of its own. [State] says who
// is paused.
//
// # Places from elsewhere
//
// A [Supply] replaces pace and window: a [Source] says when there is a place, and is told how many
// attempts could use one. Order, classes, routes and what 429s teach are the same.
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
		return fmt.Errorf("rate limit of %d requests in %s: want a positive number and time", r.Requests, r.Per)
	}
	if r.Burst < 0 || r.Burst > r.Requests {
		return fmt.Errorf("rate limit of %d requests in %s: want a burst from 0 to %[1]d, got %[3]d", r.Requests, r.Per, r.Burst)
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

// Attempt is what is known of an attempt before it is sent.
type Attempt struct {
	// Operation is a method and a path, as in "GET /v1/check-groups/{id}". It finds the limit
	// of the route, and what was learned of the operation. It is empty if it is not known.
	Operation string
	// Class is the kind of the attempt.
	Class Class
	// Share is the part of the limit that polls may take at most, more than 0 and up to 1. 0 is
	// 1. It has no meaning for other attempts.
	Share float64
}

// Class is a kind of attempts. Classes without a constant here count as Ordinary.
type Class int

const (
	// Ordinary attempts go first.
	Ordinary Class = iota
	// Background attempts take the places that others leave.
	Background
	// Poll is the class of the attempts of a wait. They take the places that ordinary ones leave.
	Poll
	classes
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

// EndedError is the error of an attempt whose context ended before it had a place.
type EndedError struct {
	Err         error     // of the context
	PausedUntil time.Time // the end of a pause that outlasted the context, or the zero Time
}

func (e *EndedError) Error() string { return "no place before the context ended: " + e.Err.Error() }
func (e *EndedError) Unwrap() error { return e.Err }
