// Package monitoringtest is the monitoring service in a box: an in-process fake of the
// whole API, for tests of programs that use package monitoring.
//
//	svc := monitoringtest.New()
//	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"production"}})
//	client, err := svc.Client()
//
// # In memory or over a listener
//
// [Service.Client] talks to the service in memory: there is no listener and no
// goroutine, so that it lives inside a bubble of testing/synctest, where minutes of
// polling pass in no time; make the service inside the bubble. [Service.Transport] is
// the same for an http.Client of one's own. A [Service] is an http.Handler, too, and
// [Service.Start] serves it on a loopback address for programs that want a real one.
//
// # What it does
//
// It answers every operation of the API document and refuses what the document does
// not allow: unknown query parameters, pages out of range, bodies with members of the
// wrong type. State that a test adds is what the operations return; what they change
// can be inspected ([Service.Group], [Service.Check], [Service.Sessions]). Sessions move
// by the clock alone: from STARTED over PROGRESS to the outcome their check has after
// its run time. Ids are the same in each run of a test.
//
// [Service.Inject] makes it misbehave, in memory with the very errors net/http gives:
// refused and reset connections, answers that are lost or break off, statuses, delays.
// [WithRateLimit] makes it strict. [Service.Requests] and [Service.Executed] tell what
// arrived and what was really carried out.
//
// # Where the API document is silent
//
// The service has to do something where the document says nothing. Lists keep the order
// in which items were added; alert notifications go by their time, oldest first. A
// trigger with tags and ids starts the checks that match both. A cancelled session ends
// at once. Deleting something that is not there is 404. An update keeps what it leaves
// out, and ignores a list that is null. A body with a member that nobody documents is
// refused, so that a mistyped name is not missed.
package monitoringtest
