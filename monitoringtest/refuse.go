package monitoringtest

import (
	"regexp"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// The rules of requests are in package internal/schema. This file turns a broken rule
// into the error text of the service.

// wholeBody is the path of a body in the violations of package schema.
const wholeBody = "body"

// bad is a request that breaks a rule.
type bad struct {
	source string // payload, query, params or headers
	key    string // the path of the member; of the whole body it is empty
	rule   string // that is broken
}

func badQuery(v schema.Violation) *bad { return &bad{"query", v.Path, v.Message} }

func badParam(key, rule string) *bad { return &bad{"params", key, rule} }

func badHeader(key, rule string) *bad { return &bad{"headers", key, rule} }

func badBody(v schema.Violation) *bad {
	if v.Path == wholeBody && v.Message != "is not allowed" { // which is a member of that name
		v.Path = ""
	}
	return &bad{"payload", v.Path, v.Message}
}

// message returns the text of the error, which depends on the family of the operation.
func (b *bad) message(f family) string {
	key := b.key
	if key == "" {
		key = wholeBody
	}
	if f == legacy {
		return `"` + key + `" ` + olderWords(withoutAdvice(b.rule))
	}
	return key + ": " + withoutAdvice(b.rule)
}

// keys returns the member keys of the validation object of the older operations.
func (b *bad) keys() []string {
	if b.key == "" {
		return []string{}
	}
	return []string{b.key}
}

// withoutAdvice cuts the advice for callers of the SDK that package schema adds to a rule.
func withoutAdvice(rule string) string {
	if strings.HasPrefix(rule, `"`) {
		return rule // it begins with a quoted value, which may have these separators
	}
	for _, separator := range [...]string{"; ", ": "} {
		rule, _, _ = strings.Cut(rule, separator)
	}
	return rule
}

// olderWords writes a rule as the older operations do, which never quote values.
func olderWords(rule string) string {
	for _, w := range phrases() {
		if w.pattern.MatchString(rule) {
			return w.pattern.ReplaceAllString(rule, w.words)
		}
	}
	if numbers := numberList.FindStringSubmatch(rule); numbers != nil {
		return "must be one of [" + strings.ReplaceAll(numbers[1], " ", ", ") + "]"
	}
	return rule
}

type phrase struct {
	pattern *regexp.Regexp
	words   string
}

var numberList = regexp.MustCompile(`^\S+ is not one of \[(.*)\]$`)

var phrases = sync.OnceValue(func() []phrase {
	p := func(pattern, words string) phrase { return phrase{regexp.MustCompile("(?s)^" + pattern + "$"), words} }
	return []phrase{
		p(`must be true or false`, "must be a boolean"),
		p(`must be a whole number(.*)`, "must be an integer$1"),
		p(`must not be empty`, "is not allowed to be empty"),
		p(`must be given once`, "must not be an array"),
		p(`.* is not a UUID`, "must be a valid GUID"),
		p(`\S+ is not a whole number`, "must be an integer"),
		p(`\S+ is too large`, "must be a safe number"),
		p(`\S+ is outside (\S+)\.\.(\S+)`, "must be between $1 and $2"),
		p(`\S+ is below (\S+)`, "must be greater than or equal to $1"),
		p(`\S+ is over (\d\S*)`, "must be less than or equal to $1"),
		p(`\d+ characters are over (\d+)`, "length must be less than or equal to $1 characters long"),
		p(`\d+ \w+ are over (\d+)`, "must contain less than or equal to $1 items"),
		p(`".*" is not one of ([^"]*)`, "must be one of [$1]"),
		p(`".*" is not (\w+)`, "must be one of [$1]"),
	}
})
