package monitoring

import (
	"errors"
	"fmt"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// violations collects the broken rules of a request.
type violations struct {
	list    []Violation
	lenient bool // WithoutValidation was given: only violations of always count
}

func (v *violations) add(path, format string, args ...any) {
	if !v.lenient {
		v.always(path, format, args...)
	}
}

// always adds a violation that WithoutValidation does not turn off. Duplicates are dropped.
func (v *violations) always(path, format string, args ...any) {
	if found := (Violation{Path: path, Message: fmt.Sprintf(format, args...)}); !slices.Contains(v.list, found) {
		v.list = append(v.list, found)
	}
}

// err returns the error of an operation with these violations. It removes secrets from them,
// because a quoted value may be a secret in the wrong place.
func (v *violations) err(operation string, s *scrub.Scrubber) error {
	if len(v.list) == 0 {
		return nil
	}
	for i := range v.list {
		v.list[i].Message = s.Quoted(v.list[i].Message)
	}
	return &ValidationError{Operation: operation, Violations: v.list}
}

// validate collects the violations of a call, except for those of its path and its body.
func (op *operation) validate(v *violations, account string) {
	if !validMethod(op.method) {
		v.always("method", "must be an HTTP method in letters, other than CONNECT and TRACE")
	}
	if op.idUUID && !schema.IsUUID(op.path.args[0]) && badSegment(op.path.args[0]) == "" {
		v.add("checkSessionId", "must be a UUID")
	}
	if op.accountUUID && account != "" && !schema.IsUUID(account) {
		v.add("account", "must be a UUID") // not quoted: the id does not belong into errors
	}
	if op.query != nil {
		op.query.validate(v)
	}
}

// isEmptyJSON reports whether a value is null or has nothing in it.
func isEmptyJSON(value []byte) bool {
	switch string(rawjson.Compact(value)) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// violationsOf returns the broken rules that an error lists.
func violationsOf(err error) []Violation {
	if invalid, ok := errors.AsType[*ValidationError](err); ok {
		return invalid.Violations
	}
	return nil
}

// validateQuery checks a query against its rules.
func validateQuery(operation string, q request) error {
	v := &violations{}
	q.validate(v)
	return v.err(operation, scrub.New())
}
