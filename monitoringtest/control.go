package monitoringtest

import (
	"net/http"
)

// Seed adds what a JSON document describes. If the document has mistakes, nothing is
// added, and the error names each mistake with its JSON path, such as
// "$.checks[1].attempts: must be an integer".
//
// The document is an object with any of these lists: groups, maintenanceWindows, snippets and
// alertNotifications, as the API writes them; alertChannels, checks, sessions, variables
// and faults, whose members are those of [AlertChannel], [Check], [Session],
// [monitoring.EnvironmentVariable] and [Fault], with a small first letter; and
// statusPageServices and dashboards, which are lists of ids. Durations are written as in
// "1m30s". Times are ISO 8601 timestamps, or relative as in "now-1h30m", so that a file
// need not be updated.
func (s *Service) Seed(document []byte) error {
	return s.control.Seed(document)
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
//	GET    /_fake/unexpected  the requests that the service refused
//	GET    /_fake/state       counts, faults, checks, groups, channels and sessions
//	POST   /_fake/seed        adds what the body says: see Service.Seed
//	POST   /_fake/reset       Service.Reset
//
// A request with a mistake gets status 400 and the JSON path of the mistake, one over 16 MiB
// status 413.
func (s *Service) Control() http.Handler {
	return s.control.Handler(ControlPath)
}
