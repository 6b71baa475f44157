package monitoring

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// operation is what a service method states of its own; everything else is shared.
type operation struct {
	method string
	path   pathTemplate
	class  retryClass
	query  request // a struct with url tags, or url.Values in an untyped
	body   request // nil sends none

	decode       func([]byte) error // nil drops the body of the response
	keepsBody    bool               // what decode makes keeps the body of the response
	optionalBody bool               // an empty response is fine although decode is set
	stream       io.Writer          // receives the response as it arrives

	hold        time.Duration // how long the service may hold the request open
	longPoll    bool          // a 408 says 'not completed yet'
	triggers    bool          // a 404 may say that no check matched
	accountUUID bool          // the document wants a UUID in the account header
	idUUID      bool          // the document wants a UUID as the path parameter
}

// request is a body or a query that knows its rules. Every typed one can be validated
// without a call, so a request without rules does not compile.
type request interface {
	// Validate returns the *ValidationError that a call would give, without a call.
	Validate() error
	// validate gathers the rules that are not in the description of the bodies.
	validate(*violations)
}

// untyped is a request of a caller, whose rules this package does not know.
type untyped struct{ value any }

func (untyped) Validate() error      { return nil }
func (untyped) validate(*violations) {}
func (u untyped) bare() any          { return u.value }

// String is the operation as the API document writes it.
func (op *operation) String() string { return op.method + " " + op.path.pattern }

// pathTemplate is a path with placeholders and what to put in their place. A raw one
// is a path of a caller, without placeholders.
type pathTemplate struct {
	pattern string
	args    []string
	raw     bool
}

func path(pattern string, args ...string) pathTemplate {
	return pathTemplate{pattern: pattern, args: args}
}

// expand puts the arguments in their places, each as one escaped segment.
func (p pathTemplate) expand(v *violations) string {
	if p.raw {
		clean, err := cleanPath(p.pattern)
		if err != nil {
			v.always("path", "%s", err)
		}
		return clean
	}
	return p.fill(func(name, arg string) string {
		if reason := badSegment(arg); reason != "" {
			v.always(name, "%s", reason)
		}
		return url.PathEscape(arg)
	})
}

// fill replaces each placeholder by what f makes of its name and argument.
func (p pathTemplate) fill(f func(name, arg string) string) string {
	var b strings.Builder
	rest := p.pattern
	for _, arg := range p.args {
		before, after, _ := strings.Cut(rest, "{")
		name, after, _ := strings.Cut(after, "}")
		b.WriteString(before)
		b.WriteString(f(name, arg))
		rest = after
	}
	b.WriteString(rest)
	return b.String()
}

// text is the path for errors: with ids, but with neither the id of an account nor a
// secret that the caller mistook for an id.
func (p pathTemplate) text(s *scrubber) string {
	if p.raw {
		path, _, _ := strings.Cut(p.pattern, "?")
		return clean(s.text(path))
	}
	return p.fill(func(name, arg string) string {
		if name == "accountId" {
			return "{" + name + "}"
		}
		return url.PathEscape(clean(s.text(arg)))
	})
}

const maxSegment = 1024

// badSegment says why an id cannot be a path segment; it is empty for one that can.
func badSegment(s string) string {
	switch {
	case s == "":
		return "must not be empty"
	case s == "." || s == "..":
		return "must not be a dot segment"
	case len(s) > maxSegment:
		return fmt.Sprintf("is longer than %d bytes", maxSegment)
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return fmt.Sprintf("has a control or non-ASCII byte at position %d", i)
		}
	}
	return ""
}

// cleanPath checks a path that a caller gave and returns it escaped in one way.
func cleanPath(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", errors.New("must start with a slash")
	}
	if strings.ContainsAny(path, "?#") {
		return "", errors.New("must not have a query or a fragment; there is a parameter for the query")
	}
	segments := strings.Split(path[1:], "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return "", errors.New("has an escape that is not valid")
		}
		if plain == "" && i == len(segments)-1 {
			continue // a slash at the end
		}
		if reason := badSegment(plain); reason != "" {
			return "", fmt.Errorf("has a segment that %s", reason)
		}
		segments[i] = url.PathEscape(plain)
	}
	return "/" + strings.Join(segments, "/"), nil
}

// validMethod reports whether a text can be the method of a request: letters and hyphens.
// CONNECT and TRACE are not for an API, and net/http treats them in ways of its own.
func validMethod(name string) bool {
	for _, r := range name {
		if (r < 'A' || r > 'Z') && r != '-' {
			return false
		}
	}
	return name != "" && len(name) <= maxMethod && name != http.MethodConnect && name != http.MethodTrace
}

const maxMethod = 24
