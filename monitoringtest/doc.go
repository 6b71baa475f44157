// Package monitoringtest is an in-process fake of the Monitoring Service, for tests of programs
// that use package monitoring.
//
//	func TestGateFails(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			svc, client := monitoringtest.Run(t)
//			svc.AddCheck(monitoringtest.Check{Name: "Checkout", Outcome: monitoring.SessionFailed})
//			sessions, err := client.CheckSessions.TriggerAndWait(t.Context(),
//				monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
//			if err != nil || sessions[0].Verdict() != monitoring.VerdictFailed {
//				t.Errorf("got %v, %v; want one failed session", sessions, err)
//			}
//		})
//	}
//
// In memory there is no listener and no goroutine, so inside a bubble of testing/synctest, minutes
// of polling pass in no time; make the service inside the bubble. [Service.Transport] serves an
// http.Client of yours. [Service.Start] serves a loopback address instead, and the program
// cmd/monitoring-fake serves tests in other languages.
//
// # Behavior
//
// The fake has every operation of the client, and refuses what the API document does not allow:
// unknown query parameters, pages out of range, ids that are not UUIDs, bodies that break a rule. A
// test of [Run] fails at its end if a request was refused.
//
// Operations return what a test or a client has added, and the methods of [Service] show what was
// changed. Sessions end after the run time of their check, with the outcome that [Check] names, and
// runs that fail or recover send alerts. Ids are the same in each run of a test.
//
// To make requests fail, use [Service.Inject]: refused or reset connections, responses that are
// lost, late, slow or truncated, error statuses, and gateways that cut long requests.
// [WithRateLimit] enforces a limit. [Service.Handle] adds operations.
//
// [Service.Requests] lists what arrived, and [Service.Executed] counts what took effect.
// [Service.Seed] adds the data of a file, and [Service.Dump] writes one.
//
// A mistake in a test, such as an unknown operation, group or region, an id that is taken or not a
// UUID, or a fault that cannot happen, panics at once with a message that describes it. Over a
// listener, the response is a 500 with this message.
//
// For the behavior where the API document leaves it open, see docs/fake.md. Small tests may do
// without a fake: see Example_httptest and Example_httpmock.
package monitoringtest
