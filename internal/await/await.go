// Package await waits until things that run at a service have ended: hundreds of them at a time.
//
// [New] makes a [WaitInfo], [Wait.Add] gives it the things, and [Wait.Run] yields one [End] for
// each thing as soon as it is known. Each thing has a long poll that is open, or waits for its
// place in the limit of requests. Failures do not end the wait, unless they cannot pass or do not
// pass for a long time. If something between the program and the service cuts long requests, the
// polls become shorter; if there are no long polls, things are read instead. Reads also keep what
// is known of the things fresh. One request of a Wait at a time waits for a place in the limit:
// first reads for the end of the Timeout, then polls, then other reads.
//
// The package knows neither what a thing is nor how a request is sent: the [Service] does, and
// it says what a response means. Goroutines of a Wait call the Service. None of them outlives
// Run, and a panic in one of them reaches the caller of Run.
package await

import (
	"context"
	"time"
)

// Service is where the things run. The state of a thing is of any type, such as a pointer to the
// object that describes it; an untyped nil is none. Several goroutines call the methods at the same
// time.
//
// A method makes one request: the Wait decides what comes after a failure. The request ends as
// soon as its context has ended, with an Err that matches the error of the context.
//
// placed is called by Poll and Read, in their goroutine, as soon as the request has a place in
// the limit. Before that, no other request of the Wait is made. Without a limit it is called at
// once. It may be called several times. The limit must serve a request when it has a place: the
// Wait decides only which of its own requests is next.
type Service interface {
	// Poll asks for the end of a thing, with a request that the service holds until then, or
	// until hold has passed. hold is a number of whole seconds, at least one.
	Poll(ctx context.Context, id string, hold time.Duration, placed func()) Response
	// Read asks for the present state of a thing.
	Read(ctx context.Context, id string, placed func()) Response
	// Cancel asks the service to end a thing, and returns an error unless the service has agreed.
	// Nobody awaits the end.
	Cancel(ctx context.Context, id string) error
	// Changed reports whether two states of a thing differ so much that the caller wants to
	// know; see [Options].
	Changed(before, after any) bool
}

// Response is what came of a request about a thing.
type Response struct {
	// Outcome says what the response means.
	Outcome Outcome
	// State is the state of the thing. Ended has one; Runs may have none if it is that of a
	// poll.
	State any
	// Err is the failure; nil for Runs and Ended.
	Err error
	// Pause is how long the service asked to wait before the next request about the thing; 0 if it
	// did not. The Wait obeys it, however long it is, after failures and after polls. Only the
	// read that follows an Absent poll comes at once.
	Pause time.Duration
}

// Outcome is the meaning of a response.
type Outcome int

const (
	// Refused is a failure that the next request would have, too. It ends the wait for the
	// thing.
	Refused Outcome = iota
	// Runs is the response about a thing that has not ended.
	Runs
	// Ended is the response about a thing that has ended.
	Ended
	// Temporary is a failure that may pass, such as a lost connection.
	Temporary
	// Limited is a failure because of too many requests. It may pass, and says nothing about
	// the polls.
	Limited
	// Absent is the failure of a request for something that the service does not have. For
	// Read, this is the thing: it counts as Refused, but not before [Thing].NewUntil. For Poll,
	// it may be the poll: a read shows whether there is the thing.
	Absent
)

// Options say how a Wait waits. All may be zero.
type Options struct {
	// MaxHold is the longest time for which the service holds a poll: whole seconds, at least
	// one. 0 is a service without polls: things are read, at once, then after a second and
	// growing times of up to 15 seconds.
	MaxHold time.Duration
	// Timeout ends the wait after this time, counted from New; 0 is never. Each thing that runs
	// in the last third of it is read then, and once more at its end, within 800 ms.
	Timeout time.Duration
	// GiveUpAfter ends the wait for a thing if there were only failures for this time; 0 is
	// five minutes.
	GiveUpAfter time.Duration
	// CancelRunning cancels the things that still run when the wait ends. If the context has ended
	// or the Timeout has passed, that happens before Run yields their Ends; if the loop was left,
	// or by a panic, when Run ends.
	CancelRunning bool
	// CancelGrace bounds the time that this takes; 0 is ten seconds and a tenth of a second
	// for each thing.
	CancelGrace time.Duration
	// OnStart is called by Run before the first request; nil for nothing.
	OnStart func()
	// OnChange is called by Run, in its goroutine, when the wait begins, and when a thing was
	// seen that runs and has [Service].Changed. Several changes may be one call. With
	// OnChange, each thing is read when its state is half a minute old, as far as polls leave
	// places. If it is nil, things are read only to see each of them once.
	OnChange func()
}

// Thing is a thing to wait for.
type Thing struct {
	// ID names the thing to the Service.
	ID string
	// State is what is known of it now; nil if nothing is.
	State any
	// NewUntil is until when the service may not know the thing yet, because it has just been
	// made.
	NewUntil time.Time
	// ReadFirst is set to read the thing before its first poll. That costs a request, and shows
	// at once if it has ended.
	ReadFirst bool
}

// End is the end of the wait for a thing.
type End struct {
	// ID is that of the [Thing].
	ID string
	// Reason is why the wait ended.
	Reason Reason
	// State is that of the end of the thing if it is Done, otherwise as it was last seen; nil if
	// it was not seen.
	State any
	// SeenAt is when State was received, or added; zero if State is nil.
	SeenAt time.Time
	// Err is the failure for which the wait was ended. If it has TimedOut or was Interrupted,
	// it is the failure of the last request, and nil if that did not fail. It is nil if Done.
	Err error
	// Failing is for how long there were only failures if the Reason is GaveUp.
	Failing time.Duration
	// Cancelled reports whether CancelRunning has canceled the thing.
	Cancelled bool
}

// Running reports whether the thing may still run although the wait has ended: nothing is wrong
// with it.
func (e End) Running() bool { return e.Reason == TimedOut || e.Reason == Interrupted }

// Reason is why the wait for a thing ended.
type Reason int

const (
	// Done is the end of the thing.
	Done Reason = iota
	// Failed is a failure that another request would have, too.
	Failed
	// GaveUp is a time of failures that was longer than GiveUpAfter.
	GaveUp
	// TimedOut is the end of the Timeout.
	TimedOut
	// Interrupted is the end of the context.
	Interrupted
)

// Progress is how far a Wait is.
type Progress struct {
	// Total is the number of things, Finished of how many Run has yielded the End. Things that
	// are [End.Running] do not count as finished.
	Total, Finished int
	// States are the states of all things as last seen, in the order of Add; nil for a thing that
	// was not seen.
	States []any
	// Oldest is the age of the oldest of these States of a thing that has not ended. A thing that
	// was not seen counts from New. It is 0 if all have ended.
	Oldest time.Duration
}
