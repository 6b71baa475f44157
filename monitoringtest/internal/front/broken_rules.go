package front

import (
	"regexp"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// The rules of requests are in package internal/schema. This file turns a broken rule
// into the error text of the service: what a 400 says.

// wholeBody is the path of a body in the violations of package schema.
const wholeBody = "body"

// broken is a rule that a request breaks.
type broken struct {
	source string // payload, query, params or headers
	key    string // the path of the member; of the whole body it is empty
	rule   string
}

func badQuery(v schema.Violation) *broken { return &broken{"query", v.Path, v.Message} }

func badParam(key, rule string) *broken { return &broken{"params", key, rule} }

func badHeader(key, rule string) *broken { return &broken{"headers", key, rule} }

func badBody(v schema.Violation) *broken {
	if v.Path == wholeBody && v.Message != "is not allowed" { // which is a member of that name
		v.Path = ""
	}
	return &broken{"payload", v.Path, v.Message}
}

// message returns the text of the error, in the words of the older operations or of the newer ones.
func (b *broken) message(older bool) string {
	key := b.key
	if key == "" {
		key = wholeBody
	}
	if older {
		return `"` + key + `" ` + olderWords(world.WithoutAdvice(b.rule))
	}
	return key + ": " + world.WithoutAdvice(b.rule)
}

// keys returns the member keys of the validation object of the older operations.
func (b *broken) keys() []string {
	if b.key == "" {
		return []string{}
	}
	return []string{b.key}
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
