// Package waits has the tests of waits for check sessions, test sessions and analyses, on the
// in-process fake and from outside. They run alone, with go test ./test/waits, and hold these
// promises:
//
//   - A wait takes few requests, and sees the end of a session when it comes.
//   - Hundreds of sessions share the limit, and ordinary calls go first.
//   - Failures, and gateways that cut long requests, do not end a wait before GiveUpAfter.
//   - Timeout and context end it on time, each with the session as last seen.
//   - A trigger is sent once, and CancelUnfinished cancels what still runs.
//   - No goroutine outlives the call, and a panic in one reaches the caller.
package waits
