// Package monitoringtest is an in-process fake of the monitoring service, for tests of
// programs that use package monitoring.
//
//	svc := monitoringtest.New()
//	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"production"}})
//	client, err := svc.Client()
//
// A test that needs less than a service may do with less: an [net/http/httptest] server,
// a mocked transport, or an interface of its own. Example_httptest, Example_httpmock and
// Example_interface show one of each.
//
// # In memory or over a listener
//
// [Service.Client] talks to the service in memory: there is no listener and no
// goroutine, so that it lives inside a bubble of testing/synctest, in which minutes of
// polling pass in no time; make the service inside the bubble. [Service.Transport] is
// the same for an http.Client of your own. A [Service] is an http.Handler, too, and
// [Service.Start] serves it on a loopback address for programs that want a real one.
// The program cmd/monitoring-fake serves it to tests in other languages.
//
// # What it does
//
// It has every operation of the API document and refuses what the document does not
// allow: unknown query parameters, pages out of range, ids that are not UUIDs, bodies that
// break a rule. State that a test adds is what the operations return; what they change
// can be inspected ([Service.Group], [Service.Check], [Service.Sessions]). Only time
// moves sessions: from STARTED to PROGRESS, and after the run time of their check to its
// outcome. What they return can be set ([Check], [Service.SetResult]). Runs that fail or
// recover send alerts ([Service.AddAlertChannel]). Ids are the same in each run of a test.
//
// [Service.Handle] teaches it operations that it does not have. [Service.Inject] injects
// faults: connections that are refused or reset, responses that are lost, late, slow or cut
// off, error statuses, and gateways that cut long requests. In memory the errors are those
// of net/http. [WithRateLimit] enforces a limit. [Service.Requests] lists the requests that
// arrived, [Service.Executed] counts what was carried out, and [Service.Unexpected] lists
// what was refused. [Service.Seed] adds what a file says, and [Service.Reset] starts again.
//
// A mistake in a test panics at once and says what is wrong: an operation that does not
// exist, an id that is not a UUID, a fault that cannot happen.
//
// # What the API document leaves open
//
// The service has to do something when the document says nothing.
//
// Paths are taken as they were sent: //v1/locations, /v1/locations/ and /v1/%6cocations are
// unknown. Only the values in a path, such as ids, may have escapes.
//
// Lists and requests. A query that cannot be decoded is 400. Lists keep the order in which items
// were added; alert notifications go by their time, oldest first. Without from and to they are
// those of the last six hours. The key is checked before a body is read: without it, no body is
// read or recorded. At most four bodies over 1 MiB are in memory at once; requests with others
// wait. An account header that is not a UUID is 400, that of another account 403, a body over 16
// MiB 413, of which 64 MiB are read and thrown away, and one that is not declared as JSON 415. If
// a request breaks several rules, the error names the first: in the headers, then the path, the
// query and the body. After that comes the 404 for an object that does not exist.
//
// Bodies and queries. The service is known in two editions, and a program that passes a
// test should work with each. So it refuses what one of them refuses, even if the SDK
// sends it. There are at most 100 variables, 500 characters in a description, and 5000
// milliseconds in response times; onlyOn of a retry strategy is a list with one item; names,
// tags, scripts, texts to send and private locations are not empty; locations, runtimes,
// types, address families and assertions are those of the document. These are refused, too,
// although the document does not mention them:
//
//   - members that are not documented, at every depth, so that a mistyped name is not missed.
//     Only request and heartbeat of the deprecated update may hold anything;
//   - null for a list or an object that is not declared nullable, such as tags;
//   - fractions when ids, counts and settings are meant, and integers above 2^53. 7.0 is 7,
//     and shown so; milliseconds and seconds may have a fraction;
//   - a TCP check with neither hostname nor url, and a hostname with a scheme, port or path;
//   - empty groups of tags and empty tags in a trigger. Empty lists of them are no filter;
//   - repeated parameters, numbers in a query that are not in digits, two operators on one
//     filter, and a period of alert notifications that ends when it begins, or is over 24 hours;
//   - a degradedResponseTime over the maxResponseTime, or a frequencyOffset that does not fit
//     the frequency, also if the check already has the other of the two.
//
// What is accepted: the v1 trigger takes single values for lists, and ids of any form; cancel
// and the v1 trigger take a missing body; {} starts every check; ids of groups and channels
// need not exist; the type in a deprecated update is ignored.
//
// Errors. A 400 names the first member that is wrong by its JSON path. The newer operations
// (v2 sessions, cancel, results, checks, variables, dashboards) have statusCode, error and
// message alone, as in "request.port: is required", and so have those of [Service.Handle].
// The older ones say "\"name\" is required". They add validation to a 400, whose keys are
// empty for the body as a whole, and attributes to 401, 402 and 429.
//
// Updates. An update keeps what it leaves out, but a frequencyOffset that does not fit a new
// frequency becomes the least one that does; with [WithGroupResets] that of a group sets it to its
// default. The update of a DNS check sets all but the request to its default, because its
// description has the defaults of a create. What the service does is not documented: send the whole
// check. Null for a list that is declared nullable is ignored. A variable that is secret stays so.
// If a request leaves out locked and secret of a variable, header or query parameter, they are
// false. autoAssignAlerts has an effect when a check is created, and none in an update. Deleting or
// updating what does not exist is 404.
//
// Groups. What a group enforces holds for its checks, in reads with applyGroupSettings, in the list
// of its checks, in runs and for alerts: its locations and private locations, if it has any of
// either; its retryStrategy unless it is FALLBACK, null for no retries; doubleCheck, if it is true;
// runParallel and its alert settings unless they are null. Its tags come on top of those of a
// check, also in the filter of a list of checks and in a trigger.
//
// Runs. A run that fails is retried as often as its retryStrategy says: maxRetries, which is 2 by
// default, and SINGLE_RETRY once; with onlyOn not at all, as the service has no network errors.
// Without a strategy, doubleCheck retries once. Retries do not make a session longer. With
// runParallel all locations take the whole session, and else one ends after the other.
//
// Sessions. A trigger with tags and ids starts the checks that match both. The v2 family
// has null for the run source SLACK_RERUN, and the v1 family 404 for sessions of HEARTBEAT
// checks. All results of a session have one checkRunId. As many checks of a group run at once
// as its concurrency says, in the order of groupOrder. The others are STARTED without results
// until one of them ends. A cancel does not make room earlier.
//
// Cancelling. A cancel is 204 and takes effect after [DefaultCancelDelay]. It has no effect
// on sessions that are done, are no PLAYWRIGHT ones or were started by the scheduler.
//
// Alerts. A check alerts when it has failed as often, or for as long, as its alertSettings
// or those of its group say; with useGlobalAlertSettings at the first failure. It alerts
// again when it recovers. DEGRADED counts as well, and alerts over channels that ask for
// it. Cancelled sessions and those with an unknown status change nothing. The channels are
// those that the check or its group is subscribed to; a subscription of the check goes before
// one of the group. No alerts are sent if either is muted, or during a maintenance window for
// their tags or names, or for all checks. There are no reminders, no alerts about
// certificates, and parallelRunFailureThreshold does nothing. Nothing runs by itself except in
// [NewDemo], whose schedule a maintenance window stops if it pauses the check. No frequency starts
// a run, and a trigger starts it in a window, too. A status is that of the runs that have ended.
package monitoringtest
