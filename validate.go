package monitoring

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// violations gathers the broken rules of a request.
type violations struct {
	list    []Violation
	lenient bool // WithoutValidation: only what always applies
}

func (v *violations) add(path, format string, args ...any) {
	if !v.lenient {
		v.always(path, format, args...)
	}
}

// always adds a violation that WithoutValidation does not turn off.
func (v *violations) always(path, format string, args ...any) {
	v.list = append(v.list, Violation{Path: path, Message: fmt.Sprintf(format, args...)})
}

// err is the error of an operation with these violations. What they quote of the caller
// may be a secret in the wrong place.
func (v *violations) err(operation string, s *scrubber) error {
	if len(v.list) == 0 {
		return nil
	}
	for i := range v.list {
		v.list[i].Message = s.quoted(v.list[i].Message)
	}
	return &ValidationError{Operation: operation, Violations: v.list}
}

// validate gathers what is wrong with a call, apart from its path.
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
	for _, part := range []request{op.query, op.body} {
		if part != nil {
			part.validate(v)
		}
	}
}

const (
	maxDescription = 500
	maxVariables   = 100
)

var frequencies = []int{0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440}

// triggerRules are the rules of a trigger; the document wants UUIDs in its v2 only.
type triggerRules struct {
	TriggerRequest
	uuids bool
}

func (r triggerRules) validate(v *violations) {
	switch {
	case r.Target.IsZero() && !r.AllChecks:
		v.always("target", "a trigger without filters starts every check of the account: add matchTags or checkId, or set AllChecks if that is meant")
	case !r.Target.IsZero() && r.AllChecks:
		v.always("target", "AllChecks cannot be combined with filters")
	}
	for i, group := range r.Target.MatchTags {
		if len(group) == 0 {
			v.always(fmt.Sprintf("target.matchTags[%d]", i), "must not be empty")
		}
		for j, tag := range group {
			if tag == "" || tag == "!" {
				v.add(fmt.Sprintf("target.matchTags[%d][%d]", i, j), "must not be empty")
			}
		}
	}
	if r.uuids {
		validateUUIDs(v, "target.checkId", r.Target.CheckIDs)
	}
}

func (r CancelRequest) validate(v *violations) {
	if r.SequenceIDs != nil && len(r.SequenceIDs) == 0 {
		v.add("sequenceId", "must not be an empty list; leave it nil to cancel everything in progress")
	}
	validateUUIDs(v, "sequenceId", r.SequenceIDs)
}

func (o CompletionOptions) validate(v *violations) {
	if o.MaxWaitSeconds < 1 || o.MaxWaitSeconds > 30 {
		v.add("maxWaitSeconds", "%d is outside 1..30", o.MaxWaitSeconds)
	}
}

func (c TCPCheckCreate) validate(v *violations) {
	if c.Name == "" {
		v.add("name", "is required")
	}
	validateTCPRequest(v, c.Request)
	frequency := c.Frequency
	if frequency == nil {
		frequency = new(Frequency10Minutes) // the default of the service
	}
	validateFrequency(v, frequency, c.FrequencyOffset, true)
	validateCheck(v, c.GroupOrder, c.RetryStrategy, c.Description)
	validateResponseTimes(v, c.DegradedResponseTime, c.MaxResponseTime)
}

func (u BrowserCheckUpdate) validate(v *violations) {
	validateUpdateName(v, u.Name)
	validateFrequency(v, u.Frequency, nil, false)
	validateCheck(v, u.GroupOrder, u.RetryStrategy, u.Description)
	validateVariables(v, u.EnvironmentVariables)
}

func (u CheckUpdate) validate(v *violations) {
	validateUpdateName(v, u.Name)
	subMinute := u.CheckType == "" || u.CheckType == CheckTypeAPI || u.CheckType == CheckTypeTCP
	validateFrequency(v, u.Frequency, u.FrequencyOffset, subMinute)
	validateCheck(v, u.GroupOrder, u.RetryStrategy, u.Description)
	validateResponseTimes(v, u.DegradedResponseTime, u.MaxResponseTime)
	validateVariables(v, u.EnvironmentVariables)
	if r, ok := u.Request.(TCPRequest); ok {
		validateTCPRequest(v, r)
	}
}

func (u CheckGroupUpdate) validate(v *violations) {
	if u.Name == "" {
		v.add("name", "is required")
	}
	if u.Concurrency != nil && *u.Concurrency < 1 {
		v.add("concurrency", "%d is below 1", *u.Concurrency)
	}
	if s, ok := u.RetryStrategy.Get(); ok {
		validateRetryStrategy(v, s)
	}
	validateVariables(v, u.EnvironmentVariables)
}

// validateUpdateName refuses to clear a name.
func validateUpdateName(v *violations, name *string) {
	if name != nil && *name == "" {
		v.add("name", "must not be empty")
	}
}

func validateTCPRequest(v *violations, r TCPRequest) {
	if r.Port == 0 {
		v.add("request.port", "is required")
	} else if r.Port < 1 || r.Port > math.MaxUint16 {
		v.add("request.port", "%d is outside 1..%d", r.Port, math.MaxUint16)
	}
}

// validateCheck holds the rules that all checks share.
func validateCheck(v *violations, order Nullable[int], strategy Nullable[RetryStrategy], description Nullable[string]) {
	if n, ok := order.Get(); ok && n < 0 {
		v.add("groupOrder", "%d is below 0", n)
	}
	if s, ok := strategy.Get(); ok {
		if s.Type == RetryStrategyFallback {
			v.add("retryStrategy", "FALLBACK is for groups; a check takes a strategy or null")
		}
		validateRetryStrategy(v, s)
	}
	if text, ok := description.Get(); ok && utf8.RuneCountInString(text) > maxDescription {
		v.add("description", "%d characters are over %d", utf8.RuneCountInString(text), maxDescription)
	}
}

func validateRetryStrategy(v *violations, s RetryStrategy) {
	switch s.Type {
	case "":
		v.add("retryStrategy.type", "is required")
	case RetryStrategySingleRetry:
		if s.MaxRetries != nil {
			v.add("retryStrategy.maxRetries", "must be left out for SINGLE_RETRY")
		}
		if s.MaxDurationSeconds != nil {
			v.add("retryStrategy.maxDurationSeconds", "must be left out for SINGLE_RETRY")
		}
	}
}

// validateFrequency checks a frequency and its offset; nil means that the request does
// not name it.
func validateFrequency(v *violations, frequency, offset *int, subMinute bool) {
	if frequency != nil && !slices.Contains(frequencies, *frequency) {
		v.add("frequency", "%d is not one of %v", *frequency, frequencies)
		frequency = nil
	}
	if frequency != nil && *frequency == 0 && !subMinute {
		v.add("frequency", "0 (sub-minute) is for API and TCP checks only")
	}
	switch {
	case offset == nil:
	case frequency == nil: // the check keeps a frequency we do not know
		if *offset < 1 || *offset > 600 {
			v.add("frequencyOffset", "%d is outside 1..600", *offset)
		}
	case *frequency == 0:
		if *offset != 10 && *offset != 20 && *offset != 30 {
			v.add("frequencyOffset", "%d is not 10, 20 or 30 for frequency 0", *offset)
		}
	default:
		most := *frequency * 10
		if *frequency > 60 {
			most = (*frequency + 59) / 60
		}
		if *offset < 1 || *offset > most {
			v.add("frequencyOffset", "%d is outside 1..%d for frequency %d", *offset, most, *frequency)
		}
	}
}

// validateResponseTimes refuses times that are not positive or cross. Their upper bound
// depends on the plan: the service checks it.
func validateResponseTimes(v *violations, degraded, most Nullable[float64]) {
	d, hasDegraded := degraded.Get()
	m, hasMost := most.Get()
	if hasDegraded && d < 0 {
		v.add("degradedResponseTime", "%g is below 0", d)
	}
	if hasMost && m < 0 {
		v.add("maxResponseTime", "%g is below 0", m)
	}
	if hasDegraded && hasMost && d > m {
		v.add("degradedResponseTime", "%g is over the maxResponseTime of %g", d, m)
	}
}

func validateVariables(v *violations, vars []EnvironmentVariable) {
	if len(vars) > maxVariables {
		v.add("environmentVariables", "%d variables are over %d", len(vars), maxVariables)
	}
	for i, e := range vars {
		if e.Key == "" {
			v.add(fmt.Sprintf("environmentVariables[%d].key", i), "is required")
		}
	}
}

func validateUUIDs(v *violations, path string, ids []string) {
	for i, id := range ids {
		if !isUUID(id) {
			v.add(fmt.Sprintf("%s[%d]", path, i), "%.50q is not a UUID", id)
		}
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
