package monitoringtest

import (
	"net/http"
)

// Seed adds what a JSON document describes. If the document has mistakes, nothing is
// added, and the error names each mistake with its JSON path, such as
// "$.checks[1].attempts: must be an integer".
//
// The document is an object with any of these lists, as the API writes them, so that the lists of
// an account are a seed: checks, groups, alertChannels, variables, maintenanceWindows, snippets,
// privateLocations, errorGroups, rootCauseAnalyses, checkAlerts and alertNotifications. The lists
// sessions and faults have the members of [Session] and [Fault] with a small first letter, and
// statusPageServices and dashboards are lists of ids. Beside them stand entitlements, as the API
// writes them, and checkLimit; see [Service.SetCheckLimit].
//
// A check may have a member runs, which says how its runs go: the members of [Check] from Every on,
// as in {"checkType": "API", "name": "Search", "runs": {"outcome": "FAILED"}}. The runs of an alert
// channel has sendTime, status and response of [AlertChannel]. A check without checkType and runs,
// and a channel without members of the API beside id, type and config, has the members of [Check]
// and [AlertChannel] instead. A root cause analysis may have a time readyAfter; see
// [Service.AddRootCauseAnalysis]. Durations are written as in "1m30s". Times are ISO 8601
// timestamps, or relative as in "now-1h30m", so that a file need not be updated.
//
// What [Service.Dump] returns is such a document: an object with its member stored is taken as it
// is, without defaults.
func (s *Service) Seed(document []byte) error {
	return s.control.Seed(document)
}

// Dump returns the whole account as an indented JSON document of which [Service.Seed] makes the
// same one in a service of [New] with the same options: reads of the API and methods that show the
// state then answer the same. Objects stand in their order. The secrets are in it in clear: keep it
// out of logs. Dump to a file where a long test should begin, or to see what the code under test
// has left.
//
// A member stored of an object has what the service has made itself, such as the results of a
// session. Faults of operations that were taught need those to be taught before. Not in it are
// requests and their counts, faults that have happened as often as they can or have a Match, how
// often requests were sent for the Attempt of a fault, operations that were taught, limits, the key
// of [Service.SetAPIKey], and the schedule of [NewDemo].
func (s *Service) Dump() []byte {
	return s.control.Dump()
}

// ControlPath is the prefix of the paths of [Service.Control]. The service itself has no
// operation below it.
const ControlPath = "/_fake/"

// Control returns a handler that lets programs in any language do over HTTP what a test
// in Go does with methods. It asks for no key, and records show bodies as they arrived,
// secrets included: serve it only to tests. A record whose body is not whole has the member
// bodyCut; see [Request].
//
//	POST   /_fake/inject      a fault, or a list of them: as "faults" of Service.Seed
//	DELETE /_fake/inject      removes all faults
//	GET    /_fake/records     the last 100 requests, or ?last=n
//	DELETE /_fake/records     forgets the requests and their counts
//	GET    /_fake/unexpected  the requests that the service refused, or dropped a part of
//	GET    /_fake/state       counts, faults, checks, groups, channels and sessions
//	POST   /_fake/seed        adds what the body says: see Service.Seed
//	GET    /_fake/dump        Service.Dump
//	POST   /_fake/advance     Service.Advance: {"by": "1m30s"}
//	POST   /_fake/handle      Service.Handle: teaches an operation, see below
//	POST   /_fake/key         Service.SetAPIKey: {"key": "k-2"}
//	POST   /_fake/reset       Service.Reset
//
//	POST   /_fake/checks/{id}/runs    Service.SetRuns: as "runs" of a check in Service.Seed
//	POST   /_fake/private-locations/{id}/agents  {"running": false} is Service.StopAgents
//	DELETE /_fake/checks/{id}         Service.RemoveCheck
//	DELETE /_fake/groups/{id}         Service.RemoveGroup
//	DELETE /_fake/alert-channels/{id} Service.RemoveAlertChannel
//	DELETE /_fake/error-groups/{id}   Service.RemoveErrorGroup
//
// An operation is taught by {"operation": "GET /v1/things/{id}"} with any of status, header, and
// one of body (any JSON), text, and items: a list, which limit and page cut, as [Page] does.
//
// Any request to the API with the header X-Fake-Status: 503 gets that status, as by a [Fault].
//
// A request with a mistake gets status 400 and the JSON path of the mistake, one over 16 MiB
// status 413.
func (s *Service) Control() http.Handler {
	return s.control.Handler(ControlPath)
}
