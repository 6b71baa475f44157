// Package operations is the table of the operations: method, path, class of retries, status of a
// success, ids, paging, and the shape of errors. First come those of the API document, then those
// that only the service's own description has, and at the end that description.
//
// It is plain text and numbers, and knows nothing else. The description of bodies, the in-process
// fake, the drift program, the tests of each operation and docs/operations.md read it or are held
// equal to it. The methods of the SDK do not read it: each states its operation in a call of op, so
// a program contains only the operations that it uses. A test holds these calls equal to the table,
// and fails with the name of an operation that has no method.
package operations

import (
	"slices"
	"strings"
)

// Operation is a row of the table.
type Operation struct {
	// Name is the method and the path as the document writes them: "GET /v1/check-groups/{id}".
	Name string
	// Class says what may be retried.
	Class Class
	// Status is that of a success.
	Status int
	// IDs are the kinds of the ids in the path, in its order.
	IDs []ID
	// Pages says how a list is read page by page; Whole for a list that comes whole, and for others.
	Pages Pages
	// Errors is the shape of its errors.
	Errors Errors
}

// Class is the class of retries of an operation. It is the name of a constant of internal/exchange.
type Class string

// The classes of retries.
const (
	Read       Class = "Read"
	Poll       Class = "Poll"
	Idempotent Class = "Idempotent"
	Unsafe     Class = "Unsafe"
)

// ID is the kind of an id in a path.
type ID string

// The kinds of ids.
const (
	UUID   ID = "UUID"
	Number ID = "number" // positive
	Text   ID = "text"
)

// Errors is the shape of the errors of an operation.
type Errors string

// The newer operations have three members in every error, and no others. The legacy ones may leave
// out the message, and may have members that say more. The mixed ones have the newer shape for the
// statuses 400 and 402 only.
const (
	Newer  Errors = "newer"
	Legacy Errors = "legacy"
	Mixed  Errors = "mixed"
)

// LegacyAt reports whether an error with a status has the shape of the legacy operations.
func (e Errors) LegacyAt(status int) bool {
	return e == Legacy || e == Mixed && status != 400 && status != 402
}

// Pages is how a list is read page by page.
type Pages string

// The kinds of pages.
const (
	Whole    Pages = ""
	Numbered Pages = "numbered"  // with limit and page
	ByCursor Pages = "by cursor" // with limit and nextId
)

var table = slices.Concat(document, beside)

// document are the operations of the API document, in its order.
var document = []Operation{
	{"GET /v1/locations", Read, 200, nil, Whole, Legacy},
	{"POST /v2/check-sessions/trigger", Unsafe, 201, nil, Whole, Newer},
	{"POST /v1/check-sessions/trigger", Unsafe, 201, nil, Whole, Legacy},
	{"GET /v1/check-sessions/{checkSessionId}", Read, 200, []ID{UUID}, Whole, Legacy},
	{"GET /v2/check-sessions/{checkSessionId}", Read, 200, []ID{UUID}, Whole, Newer},
	{"GET /v2/check-sessions/{checkSessionId}/completion", Poll, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/check-sessions/{checkSessionId}/cancel", Idempotent, 204, []ID{UUID}, Whole, Newer},
	{"GET /v1/check-results/{checkId}/{checkResultId}", Read, 200, []ID{UUID, UUID}, Whole, Newer},
	{"GET /v1/alert-notifications", Read, 200, nil, Numbered, Legacy},
	{"GET /v1/check-groups/{id}", Read, 200, []ID{Number}, Whole, Legacy},
	{"PUT /v2/check-groups/{id}", Idempotent, 200, []ID{Number}, Whole, Legacy},
	{"POST /v1/checks/tcp", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/browser/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"PUT /v1/checks/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"GET /v1/maintenance-windows", Read, 200, nil, Numbered, Legacy},
	{"GET /v1/variables", Read, 200, nil, Numbered, Newer},
	{"GET /v1/accounts/{accountId}/entitlements", Read, 200, []ID{UUID}, Whole, Legacy},
	{"GET /v1/root-cause-analyses/{id}", Read, 200, []ID{UUID}, Whole, Legacy},
	{"GET /v1/error-groups/checks/{checkId}", Read, 200, []ID{UUID}, Numbered, Legacy},
	{"DELETE /v1/status-pages/services/{serviceId}", Idempotent, 204, []ID{UUID}, Whole, Legacy},
	{"DELETE /v1/dashboards/{dashboardId}", Idempotent, 204, []ID{Text}, Whole, Newer},
}

// beside are the operations that the document does not have.
var beside = []Operation{
	{"GET /v1/checks", Read, 200, nil, Numbered, Newer},
	{"GET /v1/checks/{id}", Read, 200, []ID{UUID}, Whole, Newer},
	{"DELETE /v1/checks/{id}", Idempotent, 204, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/api", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/api/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"PUT /v1/checks/tcp/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/url", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/url/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/icmp", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/icmp/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/ssl", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/ssl/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/dns", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/dns/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/checks/browser", Unsafe, 201, nil, Whole, Newer},
	{"POST /v1/checks/heartbeat", Unsafe, 201, nil, Whole, Mixed},
	{"PUT /v1/checks/heartbeat/{id}", Idempotent, 200, []ID{UUID}, Whole, Mixed},
	{"POST /v1/checks/multistep", Unsafe, 201, nil, Whole, Newer},
	{"PUT /v1/checks/multistep/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"GET /v1/check-statuses", Read, 200, nil, Whole, Legacy},
	{"GET /v1/check-statuses/{checkId}", Read, 200, []ID{UUID}, Whole, Legacy},
	{"GET /v1/check-groups", Read, 200, nil, Numbered, Legacy},
	{"POST /v2/check-groups", Unsafe, 201, nil, Whole, Legacy},
	{"DELETE /v1/check-groups/{id}", Idempotent, 204, []ID{Number}, Whole, Legacy},
	{"GET /v1/check-groups/{id}/checks", Read, 200, []ID{Number}, Numbered, Legacy},
	{"POST /v1/variables", Unsafe, 201, nil, Whole, Newer},
	{"GET /v1/variables/{key}", Read, 200, []ID{Text}, Whole, Newer},
	{"PUT /v1/variables/{key}", Idempotent, 200, []ID{Text}, Whole, Newer},
	{"DELETE /v1/variables/{key}", Idempotent, 204, []ID{Text}, Whole, Newer},
	{"POST /v1/maintenance-windows", Unsafe, 201, nil, Whole, Legacy},
	{"GET /v1/maintenance-windows/{id}", Read, 200, []ID{Number}, Whole, Legacy},
	{"PUT /v1/maintenance-windows/{id}", Idempotent, 200, []ID{Number}, Whole, Legacy},
	{"DELETE /v1/maintenance-windows/{id}", Idempotent, 204, []ID{Number}, Whole, Legacy},
	{"GET /v2/check-results/{checkId}", Read, 200, []ID{UUID}, ByCursor, Newer},
	{"GET /v1/check-results/{checkId}/{checkResultId}/assets", Read, 200, []ID{UUID, UUID}, Whole, Newer},
	{"GET /v1/alert-channels", Read, 200, nil, Numbered, Legacy},
	{"POST /v1/alert-channels", Unsafe, 201, nil, Whole, Legacy},
	{"GET /v1/alert-channels/{id}", Read, 200, []ID{Number}, Whole, Legacy},
	{"PUT /v1/alert-channels/{id}", Idempotent, 200, []ID{Number}, Whole, Legacy},
	{"DELETE /v1/alert-channels/{id}", Idempotent, 204, []ID{Number}, Whole, Legacy},
	{"PUT /v1/alert-channels/{id}/subscriptions", Idempotent, 200, []ID{Number}, Whole, Legacy},
	{"GET /v1/snippets", Read, 200, nil, Numbered, Mixed},
	{"POST /v1/snippets", Unsafe, 201, nil, Whole, Mixed},
	{"GET /v1/snippets/{id}", Read, 200, []ID{Number}, Whole, Mixed},
	{"PUT /v1/snippets/{id}", Idempotent, 200, []ID{Number}, Whole, Mixed},
	{"DELETE /v1/snippets/{id}", Idempotent, 204, []ID{Number}, Whole, Mixed},
	{"GET /v1/runtimes", Read, 200, nil, Whole, Mixed},
	{"GET /v1/runtimes/{id}", Read, 200, []ID{Text}, Whole, Mixed},
	{"GET /v1/reporting", Read, 200, nil, Whole, Legacy},
	{"GET /v1/check-alerts", Read, 200, nil, Numbered, Mixed},
	{"GET /v1/check-alerts/{checkId}", Read, 200, []ID{UUID}, Numbered, Mixed},
	{"GET /v1/private-locations", Read, 200, nil, Whole, Legacy},
	{"POST /v1/private-locations", Unsafe, 201, nil, Whole, Legacy},
	{"GET /v1/private-locations/{id}", Read, 200, []ID{UUID}, Whole, Legacy},
	{"PUT /v1/private-locations/{id}", Idempotent, 200, []ID{UUID}, Whole, Legacy},
	{"DELETE /v1/private-locations/{id}", Idempotent, 204, []ID{UUID}, Whole, Legacy},
	{"POST /v1/private-locations/{id}/keys", Unsafe, 201, []ID{UUID}, Whole, Legacy},
	{"DELETE /v1/private-locations/{id}/keys/{keyId}", Idempotent, 204, []ID{UUID, UUID}, Whole, Legacy},
	{"GET /v1/error-groups", Read, 200, nil, Numbered, Legacy},
	{"GET /v1/error-groups/{id}", Read, 200, []ID{UUID}, Whole, Legacy},
	{"PATCH /v1/error-groups/{id}", Idempotent, 200, []ID{UUID}, Whole, Legacy},
	{"POST /v1/root-cause-analyses/error-groups/{errorGroupId}", Unsafe, 202, []ID{UUID}, Whole, Legacy},
	{"POST /v1/test-sessions/trigger", Unsafe, 201, nil, Whole, Newer},
	{"GET /v1/test-sessions", Read, 200, nil, ByCursor, Newer},
	{"GET /v1/test-sessions/{testSessionId}", Read, 200, []ID{UUID}, Whole, Newer},
	{"GET /v1/test-sessions/{testSessionId}/completion", Poll, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/test-sessions/{testSessionId}/cancel", Idempotent, 204, []ID{UUID}, Whole, Newer},
	{"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}", Read, 200, []ID{UUID, UUID}, Whole, Newer},
	{"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets", Read, 200, []ID{UUID, UUID}, Whole, Newer},
	{"GET /v1/test-session-error-groups", Read, 200, nil, Numbered, Newer},
	{"GET /v1/test-session-error-groups/projects/{projectId}", Read, 200, []ID{UUID}, Whole, Newer},
	{"GET /v1/test-session-error-groups/{id}", Read, 200, []ID{UUID}, Whole, Newer},
	{"PATCH /v1/test-session-error-groups/{id}", Idempotent, 200, []ID{UUID}, Whole, Newer},
	{"POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}", Unsafe, 202, []ID{UUID}, Whole, Legacy},
	{"GET /openapi.json", Read, 200, nil, Whole, Legacy},
}

// All returns the operations in the order of the document. The ids of a row must not be changed.
func All() []Operation { return slices.Clone(table) }

// Find returns the operation of a name, and whether there is one.
func Find(name string) (Operation, bool) {
	i := slices.IndexFunc(table, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		return Operation{}, false
	}
	return table[i], true
}

// Documented reports whether the API document has the operation.
func (o Operation) Documented() bool {
	return slices.ContainsFunc(document, func(d Operation) bool { return d.Name == o.Name })
}

// Method returns the method of the request.
func (o Operation) Method() string {
	method, _, _ := strings.Cut(o.Name, " ")
	return method
}

// Path returns the path with its placeholders.
func (o Operation) Path() string {
	_, path, _ := strings.Cut(o.Name, " ")
	return path
}

// Placeholders returns the names of the ids in the path, in its order.
func (o Operation) Placeholders() []string {
	var names []string
	for segment := range strings.SplitSeq(o.Path(), "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}
