package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-querystring/query"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// operation is the part of a call that differs between service methods.
type operation struct {
	method string
	path   pathTemplate
	class  exchange.Class
	query  request    // a struct with url tags
	values url.Values // the query of an untyped operation
	body   content    // nil sends none

	decode       func(context.Context, []byte) error // nil drops the body of the response
	keepsBody    bool                                // what decode makes keeps the body of the response
	optionalBody bool                                // an empty response is fine although decode is set
	object       bool                                // the response is one object: checkObject and checkID check it
	ownID        string                              // the member of that object that has the last id of the path; "" if none has
	stream       io.Writer                           // gets the body while it is received

	hold        time.Duration // how long the service may hold the request open
	triggers    bool          // whether a 404 may mean ErrNoMatchingChecks
	accountUUID bool          // whether the document requires a UUID in the account header
	idUUID      bool          // whether the document requires a UUID in the path
}

// content is the body of an operation; see bodyOf. It is an interface so that a program that
// sends no bodies contains neither the encoder nor the rules of bodies: the linker leaves out
// the methods of types that it does not use.
type content interface {
	// encode encodes the body and collects its violations.
	encode(op *operation, settings writing, v *violations) (encoded, error)
}

// request is a body or a query with its rules. Both methods are required, so a body without
// rules does not compile.
type request interface {
	// Validate returns the *ValidationError that a call would return, without a call.
	Validate() error
	// validate collects violations of rules that are not in package schema.
	validate(*violations)
}

// untyped is a body of Do, which has no rules.
type untyped struct{ value any }

func (untyped) Validate() error      { return nil }
func (untyped) validate(*violations) {}

// bare returns what is encoded of a body.
func bare(r request) any {
	if u, ok := r.(untyped); ok {
		return u.value
	}
	return r
}

// String returns the operation as the API document writes it.
func (op *operation) String() string { return op.method + " " + op.path.pattern }

// build validates the call and builds its request.
func (o *ongoing) build() error {
	op, settings := o.op, o.settings
	v := &violations{lenient: settings.lenient}
	path := op.path.expand(v)
	op.validate(v, settings.account.Reveal())
	if op.body != nil {
		made, err := op.body.encode(op, settings.writing, v)
		if err != nil {
			return fmt.Errorf("monitoring: %s: encode the body: %w", o.name(), o.call.Texts.Own.Error(err))
		}
		o.call.Body, o.call.Texts.Body = made.json, made.secrets
	} else if len(settings.members) > 0 {
		return fmt.Errorf("monitoring: %s: WithBodyMember: the request has no body", o.name())
	}
	if len(v.list) > 0 {
		return v.err(o.name(), o.scrubber())
	}
	values, err := op.queryValues(settings.query)
	if err != nil {
		return fmt.Errorf("monitoring: %s: encode the query: %w", o.name(), err)
	}
	c := &o.call
	c.Method, c.Address = op.method, o.core.prefix+path
	if len(values) > 0 {
		c.Address += "?" + values.Encode()
	}
	c.Header = o.header()
	c.Class, c.MaxRetries, c.Caller, c.Stream = op.class, settings.maxRetries, o, op.stream
	if settings.timeout > 0 {
		c.Timeout = settings.timeout + op.hold
	}
	if op.decode == nil && op.stream == nil {
		c.Skim = exchange.SkimmedBody
		if settings.response != nil { // the caller may want to see all of it
			c.Skim = o.core.maxResponse
		}
	}
	o.limited = LimitedAttempt{Operation: o.limitedAs(path), Share: settings.share}
	if op.class == exchange.Poll || settings.waiting != nil {
		o.limited.Class = ClassPoll
	}
	return nil
}

// limitedAs returns the operation for route limits. For an untyped call it is the name of
// WithOperation, or else the method and path, which the patterns of route limits can match.
func (o *ongoing) limitedAs(path string) string {
	if o.settings.operation == "" && o.op.path.raw {
		return o.op.method + " " + path
	}
	return o.name()
}

// name is the operation for hooks, logs, and errors that need no id: the name of WithOperation, or
// else the method and path, with placeholders except for an untyped call.
func (o *ongoing) name() string {
	switch {
	case o.settings.operation != "":
		return o.settings.operation
	case o.op.path.raw:
		return o.method() + " " + o.op.path.text(o.call.Texts.Own)
	}
	return o.op.String()
}

// method returns the method for texts. An invalid one is not quoted: a caller may have passed
// anything, even the key.
func (o *ongoing) method() string {
	if !validMethod(o.op.method) || strings.EqualFold(o.op.method, o.core.key.Reveal()) {
		return "(no method)"
	}
	return o.op.method
}

// queryValues encodes the query and adds the values of WithQuery.
func (op *operation) queryValues(extra url.Values) (values url.Values, err error) {
	switch {
	case op.query != nil:
		if values, err = query.Values(op.query); err != nil {
			return nil, err
		}
	case op.values != nil || extra != nil:
		values = make(url.Values)
	}
	maps.Copy(values, op.values)
	maps.Copy(values, extra)
	return values, nil
}

func (o *ongoing) header() http.Header {
	c, h := o.core, make(http.Header)
	for name, values := range o.settings.header {
		if !strings.EqualFold(name, c.accountHeader) {
			h[name] = values
		}
	}
	room := make([]string, 5) // one allocation for all values
	set := func(name, value string) {
		room[0] = value
		h[name], room = room[:1:1], room[1:]
	}
	setDefault := func(name, value string) {
		if h.Get(name) == "" {
			set(name, value)
		}
	}
	setDefault("User-Agent", c.userAgent)
	setDefault("Accept", "application/json")
	if o.call.Body != nil {
		setDefault("Content-Type", "application/json")
	}
	if key := c.sender.Keys.Header(); key != "" {
		set("Authorization", key)
	}
	if account := o.settings.account.Reveal(); account != "" {
		set(http.CanonicalHeaderKey(c.accountHeader), account)
	}
	return h
}

// pathTemplate is a path with placeholders and their values. A raw one is the path of an
// untyped operation, without placeholders.
type pathTemplate struct {
	pattern string
	args    []string
	raw     bool
}

func path(pattern string, args ...string) pathTemplate {
	return pathTemplate{pattern: pattern, args: args}
}

// numericID returns the path segment of an id that is a number. It is empty, which is refused,
// if the id is not positive.
func numericID(id int64) string {
	if id <= 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// expand returns the path with the values in it, each as one escaped segment.
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

// fill replaces each placeholder by the result of f for its name and value.
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

// text returns the path for errors: with ids, but without the id of an account, and without a
// secret that was passed as an id by mistake.
func (p pathTemplate) text(s *scrub.Scrubber) string {
	if p.raw {
		path, _, _ := strings.Cut(p.pattern, "?")
		return scrub.Clean(s.Text(path))
	}
	return p.fill(func(name, arg string) string {
		if name == "accountId" {
			return "{" + name + "}"
		}
		return url.PathEscape(scrub.Clean(s.Text(arg)))
	})
}

const maxSegment = 1024

// badSegment says why an id cannot be a path segment; "" if it can.
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

// cleanPath checks the path of an untyped operation and returns it in a canonical escaping.
func cleanPath(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", errors.New("must start with a slash")
	}
	if strings.ContainsAny(path, "?#") {
		return "", errors.New("must not have a query or a fragment: pass the query as the parameter query")
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
// CONNECT and TRACE cannot, because net/http treats them in a special way.
func validMethod(name string) bool {
	for _, r := range name {
		if (r < 'A' || r > 'Z') && r != '-' {
			return false
		}
	}
	return name != "" && len(name) <= maxMethod && name != http.MethodConnect && name != http.MethodTrace
}

const maxMethod = 24
