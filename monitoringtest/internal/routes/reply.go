package routes

import (
	"encoding/json"
	"net/http"

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

func refused(problem *schema.Violation) Reply {
	return Reply{Status: http.StatusBadRequest, Broken: problem}
}
