package routes

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Reply is what an operation responds with: a value, a page of a list, or an error.
type Reply struct {
	Status int
	Value  any // written as JSON unless it is json.RawMessage; nil for no body
	List   *List
	// Failure is the message of an error; empty for none. Broken is the rule of the body that the
	// request breaks, which has a message of its own.
	Failure string
	Broken  *schema.Violation
	// Parameter is the rule of the query that the request breaks, of those that only the account
	// tells.
	Parameter *schema.Violation
}

// List is a list of which a request asks for a page. It is read while the world is locked.
type List struct {
	Total int
	Get   func(i int) json.RawMessage
}

func success(v any) Reply { return reply(http.StatusOK, v) }

func reply(status int, v any) Reply { return Reply{Status: status, Value: v} }

func noContent() Reply { return Reply{Status: http.StatusNoContent} }

func list(total int, get func(int) json.RawMessage) Reply {
	return Reply{Status: http.StatusOK, List: &List{total, get}}
}

func fail(status int, message string) Reply { return Reply{Status: status, Failure: message} }

func notFound() Reply { return fail(http.StatusNotFound, "Not Found") }

// What some operations say in an error. The others have the name of the status.
const (
	noChecks       = "No matching checks were found."
	noSuchSession  = "No such check session."
	noSuchTest     = "No such test session."
	stillRuns      = "Check session is still in progress."
	groupHasChecks = "The check group still has checks."
	locationInUse  = "The private location is still in use."
	keyExists      = "A variable with this key exists."
)

var says = map[string]string{
	"404 POST /v2/check-sessions/trigger":                    noChecks,
	"404 POST /v1/check-sessions/trigger":                    noChecks,
	"404 GET /v1/check-sessions/{checkSessionId}":            noSuchSession,
	"404 GET /v2/check-sessions/{checkSessionId}":            noSuchSession,
	"404 GET /v2/check-sessions/{checkSessionId}/completion": noSuchSession,
	"404 POST /v1/check-sessions/{checkSessionId}/cancel":    noSuchSession,
	"408 GET /v2/check-sessions/{checkSessionId}/completion": stillRuns,
	"404 POST /v1/test-sessions/trigger":                     noChecks,
	"404 GET /v1/test-sessions/{testSessionId}":              noSuchTest,
	"404 GET /v1/test-sessions/{testSessionId}/completion":   noSuchTest,
	"404 POST /v1/test-sessions/{testSessionId}/cancel":      noSuchTest,
	"408 GET /v1/test-sessions/{testSessionId}/completion":   stillRuns,
	"409 DELETE /v1/check-groups/{id}":                       groupHasChecks,
	"409 DELETE /v1/private-locations/{id}":                  locationInUse,
	"409 POST /v1/variables":                                 keyExists,
}

// Says returns what the operation says in an error with a status.
func (r *Route) Says(status int) string {
	return cmp.Or(says[strconv.Itoa(status)+" "+r.Operation], http.StatusText(status))
}

func refusedQuery(parameter, rule string) Reply {
	return Reply{Status: http.StatusBadRequest, Parameter: &schema.Violation{Path: parameter, Message: rule}}
}

func refused(problem *schema.Violation) Reply {
	return Reply{Status: http.StatusBadRequest, Broken: problem}
}
