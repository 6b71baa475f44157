package monitoringtest

import "net/http"

// Seed adds the data of a JSON document. If that has mistakes, nothing is added, and the error
// names each one with its JSON path, such as "$.checks[1].attempts: must be an integer".
//
// The document is an object with any of these fields:
//
//   - checks, groups, alertChannels, variables, maintenanceWindows, snippets, privateLocations,
//     errorGroups, rootCauseAnalyses, checkAlerts and alertNotifications: lists as the API returns
//     them, so that those of an account are a seed
//   - sessions and faults: lists with the fields of [Session] and [Fault], beginning in lower case
//   - statusPageServices and dashboards: lists of ids
//   - entitlements, as the API returns them, and checkLimit; see [Service.SetCheckLimit]
//
// A check may have the field runs, which holds fields of [Check] from Every on, as in {"checkType":
// "API", "name": "Search", "runs": {"outcome": "FAILED"}}. The runs of an alert channel hold
// sendTime, status and response of [AlertChannel]. A check without checkType and runs, and a
// channel with nothing of the API but id, type and config, have the fields of Check and
// AlertChannel instead. A root cause analysis may have readyAfter; see
// [Service.AddRootCauseAnalysis].
//
// Durations are written as in "1m30s", and times as ISO 8601 timestamps or relative, as in
// "now-1h30m". What [Service.Dump] returns is such a document; an object with the field stored is
// added as it is, without defaults.
func (s *Service) Seed(document []byte) error {
	return s.control.Seed(document)
}

// Dump returns the whole account as an indented JSON document from which [Service.Seed] restores it
// in a service of [New] with the same options. It contains secrets: keep it out of logs. Use it to
// begin a test with much data, or to see what the code under test has left.
//
// The field stored of an object holds what the service has set itself, such as the results of a
// session. A fault of an added operation needs that operation first. Not included are requests and
// their counts; faults that have happened as often as they can or have a Match; counts for Attempt;
// added operations; limits; the key of [Service.SetAPIKey]; and the schedule of [NewDemo].
func (s *Service) Dump() []byte {
	return s.control.Dump()
}

// ControlPath is the prefix of the paths of [Service.Control], below which there are no operations.
const ControlPath = "/_fake/"

// Control returns a handler that lets programs in any language do over HTTP what the methods do. It
// needs no key, and shows bodies with their secrets: serve it only to tests.
//
//	POST   /_fake/inject      a fault, or a list of them: as "faults" of Service.Seed
//	DELETE /_fake/inject      removes all faults
//	GET    /_fake/records     the last 100 requests, or ?last=n; see Request
//	DELETE /_fake/records     forgets the requests and their counts
//	GET    /_fake/unexpected  the requests that the service refused, or dropped a part of
//	GET    /_fake/state       counts, faults, checks, groups, channels and sessions
//	POST   /_fake/seed        adds the data of the body: see Service.Seed
//	GET    /_fake/dump        Service.Dump
//	POST   /_fake/advance     Service.Advance: {"by": "1m30s"}
//	POST   /_fake/handle      Service.Handle: adds an operation, see below
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
// To add an operation, send {"operation": "GET /v1/things/{id}"} with any of status, header, and
// one of body (any JSON), text, and items: a list, which limit and page cut as [Page] does.
//
// A request to the API with the header X-Fake-Status: 503 gets that status, as by a [Fault]. A
// request with a mistake gets a 400 with the JSON path of the mistake, and one over 16 MiB a 413.
func (s *Service) Control() http.Handler {
	return s.control.Handler(ControlPath)
}
