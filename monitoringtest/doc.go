// Package monitoringtest is an in-process fake of the monitoring service, for tests of
// programs that use package monitoring.
//
//	svc, client := monitoringtest.Run(t)
//	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"production"}})
//
// The test fails at its end if the service refused a request. The tests in users_test.go show
// what users test in a few lines, and docs/fake.md lists what the service does where the API
// document leaves it open.
//
// # In memory or over a listener
//
// [Service.Client] talks to the service in memory: there is no listener and no goroutine, so that
// it lives inside a bubble of testing/synctest, in which minutes of polling pass in no time; make
// the service inside the bubble. [Service.Transport] is the same for an http.Client of your own. A
// [Service] is an http.Handler, too, and [Service.Start] serves it on a loopback address. The
// program cmd/monitoring-fake serves it to tests in other languages, with [Service.Control].
//
// # What it does
//
// It has every operation of the API document and refuses what the document does not allow: unknown
// query parameters, pages out of range, ids that are not UUIDs, bodies that break a rule. What a
// test adds is what the operations return, and what they change can be seen ([Service.Group],
// [Service.Check], [Service.Sessions]). Only time moves sessions, after the run time of their check
// to its outcome ([Check], [Service.SetRuns], [Service.SetResult]), and runs that fail or recover
// send alerts ([Service.AddAlertChannel]). Ids are the same in each run of a test.
//
// [Service.Inject] injects faults: connections that are refused or reset, responses that are lost,
// late, slow or cut off, error statuses, and gateways that cut long requests. In memory the errors
// are those of net/http. [WithRateLimit] enforces a limit. [Service.Handle] teaches operations.
// [Service.Requests] lists what arrived, [Service.Executed] counts what was carried out, and
// [Service.Unexpected] lists what was refused. [Service.Seed] adds what a file says, and
// [Service.Dump] writes such a file.
//
// A mistake in a test panics at once and says what is wrong: an operation that does not exist, an
// id that is not a UUID or of another object, a fault that cannot happen, a check in an unknown
// group or region. Over a listener it is a 500 that says so. What the fake does not do, and why,
// stands on the page docs/fake.md. A test that needs less than a service may do with less, as
// Example_httptest and Example_httpmock show.
package monitoringtest
