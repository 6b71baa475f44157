// Package route knows the paths of requests. A [Path] is a pattern whose placeholders have values,
// and each value is sent as exactly one segment or refused. A [Pattern] matches operations with a
// method and a path, for the limits of routes: a segment of it in braces matches every segment. An
// operation may have placeholders itself, which match a segment in braces whatever they are called.
// Matching compares texts: it knows neither escapes nor a slash at the end. The limiters of this
// module and of redislimit share it.
package route

import (
	"fmt"
	"strings"
)

// Pattern is a method and a path; a segment in braces matches any segment.
type Pattern struct {
	Operation string // the text that was parsed

	method   string
	segments []string
}

// Parse reads a pattern such as "GET /v1/check-groups/{id}". It fails for a text that is
// not a method and a path.
func Parse(operation string) (Pattern, error) {
	method, path, ok := strings.Cut(operation, " ")
	if !ok || !strings.HasPrefix(path, "/") || method == "" || method != strings.ToUpper(method) {
		return Pattern{}, fmt.Errorf("route %q: want a method and a path, as in %q", operation, "GET /v1/check-groups/{id}")
	}
	return Pattern{Operation: operation, method: method, segments: strings.Split(path, "/")}, nil
}

// Matches reports whether the pattern matches an operation, which may have placeholders.
func (p Pattern) Matches(operation string) bool {
	method, path, _ := strings.Cut(operation, " ")
	if method != p.method {
		return false
	}
	for i, want := range p.segments {
		got, rest, more := strings.Cut(path, "/")
		if more != (i < len(p.segments)-1) {
			return false
		}
		if got != want && !(strings.HasPrefix(want, "{") && strings.HasSuffix(want, "}")) {
			return false
		}
		path = rest
	}
	return true
}
