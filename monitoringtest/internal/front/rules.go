package front

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// refuse refuses a request that breaks a rule of its operation, and reads its body. If it is
// lenient, it takes what is not documented, drops it, and notes it.
func (in *inbound) refuse(lenient bool) (sent world.Object, r response, refused bool) {
	problem := in.checkParams()
	if problem == nil && in.badQuery {
		return nil, undecodable(), true
	}
	if problem == nil && lenient {
		in.query = maps.Clone(in.query) // that of before is recorded
		in.undocumented(badQuery, in.route.Rules.Documented(in.query))
	}
	if problem == nil {
		problem = in.checkQuery()
	}
	if problem != nil {
		return nil, problem.response(), true
	}
	if r, refused := in.checkContentType(); refused {
		return nil, r, true
	}
	if sent, problem = in.readBody(lenient); problem != nil {
		return nil, problem.response(), true
	}
	return sent, response{}, false
}

// undocumented notes what is dropped from a request, in the words of a refusal.
func (in *inbound) undocumented(part func(schema.Violation) *broken, dropped []schema.Violation) {
	for _, v := range dropped {
		in.dropped = append(in.dropped, part(v).message(in.older(http.StatusBadRequest)))
	}
}

// undecodable responds to a query that cannot be decoded.
func undecodable() response { return fail(http.StatusBadRequest, "Invalid request query input") }

// checkParams refuses ids in the path that do not have the form of the service's ids.
func (in *inbound) checkParams() *broken {
	i := 0
	for _, segment := range in.route.Segments {
		if !segment.Value || i >= len(in.route.IDs) {
			continue
		}
		switch value := in.params[i]; {
		case in.route.IDs[i] == operations.UUID && !schema.IsUUID(value):
			return badParam(segment.Text, "must be a valid GUID")
		case in.route.IDs[i] == operations.Number && !isPositive(value):
			return badParam(segment.Text, "must be a positive integer")
		}
		i++
	}
	return nil
}

// isPositive reports whether a text is an integer above 0, in digits.
func isPositive(s string) bool {
	n, err := strconv.ParseUint(s, 10, 63)
	return err == nil && n > 0
}

// checkQuery refuses parameters that the operation does not have, and bad values.
func (in *inbound) checkQuery() *broken {
	if found := in.route.Rules.CheckQuery(in.query, schema.Service); len(found) > 0 {
		return badQuery(found[0])
	}
	return nil
}

// checkContentType refuses bodies that are not declared as JSON.
func (in *inbound) checkContentType() (response, bool) {
	if len(in.body) == 0 {
		return response{}, false
	}
	kind, _, _ := strings.Cut(in.header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return fail(http.StatusUnsupportedMediaType, "Unsupported Media Type"), true
	}
	return response{}, false
}

// readBody reads the body of a request. It refuses a body that breaks a rule of the
// operation, and ignores the body if the operation takes none.
func (in *inbound) readBody(lenient bool) (world.Object, *broken) {
	rules := in.route.Rules
	switch {
	case rules.Body == nil:
		return nil, nil
	case len(bytes.TrimSpace(in.body)) > 0:
	case rules.BodyOptional:
		return world.Object{}, nil
	default:
		return nil, badBody(schema.Violation{Path: wholeBody, Message: "is required"})
	}
	body := in.body
	if lenient {
		rest, undocumented, found := rules.Body.CheckDocumented(body)
		if in.undocumented(badBody, undocumented); len(found) > 0 {
			return nil, badBody(found[0])
		}
		body = rest
	} else if found := rules.Body.Check(body, schema.Service, nil); len(found) > 0 {
		return nil, badBody(found[0])
	}
	var o world.Object
	if err := json.Unmarshal(plainNumbers(body), &o); err != nil {
		return nil, badBody(schema.Violation{Path: wholeBody, Message: "is not valid JSON"})
	}
	return o, nil
}
