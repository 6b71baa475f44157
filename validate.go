package monitoring

import (
	"errors"
	"fmt"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
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
func (v *violations) err(operation string, s *scrubber) error {
	if len(v.list) == 0 {
		return nil
	}
	for i := range v.list {
		v.list[i].Message = s.quoted(v.list[i].Message)
	}
	return &ValidationError{Operation: operation, Violations: v.list}
}

// validate collects the violations of a call, except for those of its path and its body.
func (op *operation) validate(v *violations, settings *callSettings) {
	if !validMethod(op.method) {
		v.always("method", "must be an HTTP method in letters, other than CONNECT and TRACE")
	}
	if op.idUUID && !isUUID(op.path.args[0]) && badSegment(op.path.args[0]) == "" {
		v.add("checkSessionId", "must be a UUID")
	}
	if account := settings.account.Reveal(); op.accountUUID && account != "" && !isUUID(account) {
		v.add("account", "must be a UUID") // not quoted: the id does not belong into errors
	}
	if op.query != nil {
		op.query.validate(v)
	}
}

// triggerRules is a trigger of one of the two path families, which accept different ids.
type triggerRules struct {
	TriggerRequest
	operation string
}

// Validate returns the [*ValidationError] that the call would return.
func (r triggerRules) Validate() error { return validateBody(r.operation, r) }

const noFilters = "a trigger without filters starts every check of the account: add matchTags or checkId, or set AllChecks if that is meant"

// validate checks the rules of this package. The service would accept these requests and start
// more checks than the caller means.
func (r TriggerRequest) validate(v *violations) {
	switch {
	case r.Target.IsZero() && !r.AllChecks:
		v.always("target", noFilters)
	case !r.Target.IsZero() && r.AllChecks:
		v.always("target", "AllChecks cannot be combined with filters")
	}
	for i, group := range r.Target.MatchTags {
		if len(group) == 0 {
			v.always(fmt.Sprintf("target.matchTags[%d]", i), "must not be empty")
		}
	}
}

// validateSent checks that a trigger still has filters after [WithBodyMember].
func (r TriggerRequest) validateSent(body []byte, v *violations) {
	if r.AllChecks {
		return
	}
	filtered := false
	for name, value := range rawjson.Each(rawjson.Get(body, "target")) {
		if isEmptyJSON(value) {
			continue
		}
		filtered = true
		index := 0
		for group := range rawjson.Items(value) {
			if isEmptyJSON(group) {
				v.always(fmt.Sprintf("target.%s[%d]", name, index), "must not be empty")
			}
			index++
		}
	}
	if !filtered {
		v.always("target", noFilters)
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

func (CancelRequest) validate(*violations)      {}
func (TCPCheckCreate) validate(*violations)     {}
func (BrowserCheckUpdate) validate(*violations) {}
func (CheckGroupUpdate) validate(*violations)   {}

// validate checks a TCPRequest in the update if CheckType is not TCP. The rules of the update
// check it otherwise.
func (u CheckUpdate) validate(v *violations) {
	connection, ok := u.Request.(TCPRequest)
	if pointer, is := u.Request.(*TCPRequest); is && pointer != nil {
		connection, ok = *pointer, true
	}
	if !ok || u.CheckType == CheckTypeTCP {
		return
	}
	whole := TCPCheckCreate{Name: "any", Request: connection}
	for _, found := range violationsOf(whole.Validate()) {
		v.add(found.Path, "%s", found.Message)
	}
}

// violationsOf returns the broken rules that an error lists.
func violationsOf(err error) []Violation {
	if invalid, ok := errors.AsType[*ValidationError](err); ok {
		return invalid.Violations
	}
	return nil
}

func (o CompletionOptions) validate(v *violations) {
	if o.MaxWaitSeconds < 1 || o.MaxWaitSeconds > 30 {
		v.add("maxWaitSeconds", "%d is outside 1..30", o.MaxWaitSeconds)
	}
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
				return false
			}
		}
	}
	return true
}
