package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-querystring/query"
	"github.com/hashicorp/go-retryablehttp"
)

// operation is what a service method states of its own; everything else is shared.
type operation struct {
	method string
	path   pathTemplate
	class  retryClass
	query  any // a struct with url tags, or url.Values
	body   any // nil sends none
	rules  any // what to validate where it is not the body or the query

	decode       func([]byte) error // nil drops the answer
	optionalBody bool               // an empty answer is fine although decode is set
	stream       io.Writer          // receives the answer as it arrives

	hold        time.Duration // how long the service may hold the request open
	longPoll    bool          // a 408 says 'not completed yet'
	notFound    error         // what a 404 means besides ErrNotFound
	accountUUID bool          // the document wants a UUID in the account header
	idUUID      bool          // the document wants a UUID as the path parameter
}

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
	var b strings.Builder
	rest := p.pattern
	for _, arg := range p.args {
		before, after, _ := strings.Cut(rest, "{")
		name, after, _ := strings.Cut(after, "}")
		if reason := badSegment(arg); reason != "" {
			v.always(name, "%s", reason)
		}
		b.WriteString(before)
		b.WriteString(url.PathEscape(arg))
		rest = after
	}
	b.WriteString(rest)
	return b.String()
}

// text is the path for errors, with ids but without the id of an account.
func (p pathTemplate) text() string {
	if p.raw || strings.Contains(p.pattern, "{accountId}") {
		return p.pattern
	}
	return p.expand(&violations{})
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

// do makes one call: validate, build, send with retries, and turn what came back into
// an error or nothing. Without an error the state is that of the answer.
func (c *core) do(ctx context.Context, op *operation, opts []CallOption) (*callState, error) {
	settings, err := c.call.with(opts)
	if err != nil {
		return nil, err
	}
	s := &callState{op: op, settings: settings}
	if settings.response != nil {
		*settings.response = Response{}
		defer func() { *settings.response = s.response() }()
	}
	req, err := c.newRequest(context.WithValue(ctx, callStateKey{}, s), op, settings)
	if err != nil {
		return nil, err
	}
	c.budget.deposit()
	s.limited = LimitedAttempt{Operation: op.String(), Waiting: op.longPoll}
	if op.path.raw {
		s.limited.Operation = op.method + " " + req.URL.EscapedPath()[len(c.base.EscapedPath()):]
	}
	resp, err := c.retrying.Do(req)
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
	return s, c.outcome(op, s, resp, err)
}

// newRequest validates a call and builds its request.
func (c *core) newRequest(ctx context.Context, op *operation, settings *callSettings) (*retryablehttp.Request, error) {
	v := &violations{lenient: settings.lenient}
	target := c.base.String() + op.path.expand(v)
	op.validate(v, settings)
	if err := v.err(op); err != nil {
		return nil, err
	}
	values, ok := op.query.(url.Values)
	if !ok && op.query != nil {
		var err error
		if values, err = query.Values(op.query); err != nil {
			return nil, fmt.Errorf("monitoring: %s: encode query: %w", op, err)
		}
	}
	if len(values) > 0 {
		target += "?" + values.Encode()
	}
	var body any
	if op.body != nil {
		data, err := json.Marshal(op.body)
		if err != nil {
			return nil, fmt.Errorf("monitoring: %s: encode body: %w", op, err)
		}
		body = data
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, op.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("monitoring: %s: build request: %w", op, err)
	}
	for name, values := range settings.header {
		if !strings.EqualFold(name, c.accountHeader) {
			req.Header[name] = values
		}
	}
	setDefault(req.Header, "User-Agent", c.userAgent)
	setDefault(req.Header, "Accept", "application/json")
	if body != nil {
		setDefault(req.Header, "Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+c.key.reveal())
	if account := settings.account.reveal(); account != "" {
		req.Header.Set(c.accountHeader, account)
	}
	return req, nil
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}

// outcome turns the end of a call into its error.
func (c *core) outcome(op *operation, s *callState, resp *http.Response, err error) error {
	if err == nil && resp.StatusCode/100 == 2 {
		return nil
	}
	scrub := c.scrubber(s, true)
	operation := c.scrubber(s, false).Replace(op.method + " " + op.path.text())
	unknown := op.class == classUnsafe && s.maybeDone
	if err != nil {
		return &callError{operation: operation, err: scrubError(scrub, err), attempts: s.attempts, lastStatus: s.lastStatus, unknown: unknown}
	}
	if resp.StatusCode == http.StatusNotFound && op.method == http.MethodDelete && s.maybeDone {
		return nil // an attempt whose answer was lost did it
	}
	e := &APIError{
		StatusCode: resp.StatusCode,
		Method:     op.method,
		Path:       c.pathWithoutKey(op),
		Attempts:   s.attempts,
		Header:     resp.Header.Clone(),
		operation:  operation,
	}
	for _, values := range e.Header {
		for i, v := range values {
			values[i] = scrub.Replace(v)
		}
	}
	e.readBody(s.body)
	e.scrub(scrub)
	e.RetryAfter, _ = retryAfter(resp.Header)
	if op.longPoll && e.StatusCode == http.StatusRequestTimeout {
		e.also = append(e.also, ErrNotCompleted)
	}
	if op.notFound != nil && e.StatusCode == http.StatusNotFound {
		e.also = append(e.also, op.notFound)
	}
	if unknown {
		e.also = append(e.also, ErrOutcomeUnknown)
	}
	return e
}

// pathWithoutKey is the path of an operation, should a program have mistaken the key for
// an id.
func (c *core) pathWithoutKey(op *operation) string {
	path := op.path.expand(&violations{})
	if key := c.key.reveal(); len(key) >= leastSecret {
		path = strings.ReplaceAll(path, key, redacted)
	}
	return path
}

// leastSecret is the length from which a value of a request is taken out of texts;
// shorter ones would be found in words.
const leastSecret = 5

// scrubber takes the secrets of a call out of texts, should the service or a proxy
// echo them: the key, the account, and the secret values of the request's body.
func (c *core) scrubber(s *callState, body bool) *strings.Replacer {
	secrets := []Secret{Secret(c.key.reveal()), Secret(s.settings.account.reveal())}
	if !body {
		// Texts of our own have none of the body's values, which can be words of them.
	} else if holder, ok := s.op.body.(interface{ secrets() []Secret }); ok {
		secrets = append(secrets, holder.secrets()...)
	}
	var pairs []string
	for _, secret := range secrets {
		if len(secret) < leastSecret {
			continue
		}
		pairs = append(pairs, string(secret), redacted)
		if quoted, err := json.Marshal(secret); err == nil {
			pairs = append(pairs, string(quoted[1:len(quoted)-1]), redacted)
		}
	}
	return strings.NewReplacer(pairs...)
}

// scrubError is err, behind a clean text where its own had a secret in it.
func scrubError(scrub *strings.Replacer, err error) error {
	text := err.Error()
	if clean := scrub.Replace(text); clean != text {
		return &scrubbedError{text: clean, err: err}
	}
	return err
}

// scrubbedError can be tested for what it is, but does not give away the error behind it.
type scrubbedError struct {
	text string
	err  error
}

func (e *scrubbedError) Error() string        { return e.text }
func (e *scrubbedError) GoString() string     { return fmt.Sprintf("%q", e.text) }
func (e *scrubbedError) Is(target error) bool { return errors.Is(e.err, target) }

// As lets the waiting see what kind of failure it was.
func (e *scrubbedError) As(target any) bool {
	_, ours := target.(**attemptError)
	return ours && errors.As(e.err, target)
}

func (u BrowserCheckUpdate) secrets() []Secret { return secretsOf(u.EnvironmentVariables) }

func (u CheckUpdate) secrets() []Secret { return secretsOf(u.EnvironmentVariables) }

func (u CheckGroupUpdate) secrets() []Secret {
	list := secretsOf(u.EnvironmentVariables)
	if d := u.APICheckDefaults; d != nil {
		if auth, ok := d.BasicAuth.Get(); ok {
			list = append(list, auth.Password)
		}
		for _, kv := range slices.Concat(d.Headers, d.QueryParameters) {
			list = append(list, kv.Value)
		}
	}
	return list
}

func secretsOf(vars []EnvironmentVariable) []Secret {
	var list []Secret
	for _, v := range vars {
		if v.Value != nil {
			list = append(list, *v.Value)
		}
	}
	return list
}

// wholeNumbers rewrites numbers outside of strings that are whole but not written so,
// 5.0 and 1e3. It returns nil when there are none.
func wholeNumbers(data []byte) []byte {
	const most = 1 << 53
	var out []byte
	copied := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case c >= '0' && c <= '9':
			end := i + 1
			for end < len(data) && strings.IndexByte("0123456789.eE+-", data[end]) >= 0 {
				end++
			}
			number := string(data[i:end])
			if f, err := strconv.ParseFloat(number, 64); err == nil && strings.ContainsAny(number, ".eE") && f == math.Trunc(f) && f <= most {
				out = strconv.AppendInt(append(out, data[copied:i]...), int64(f), 10)
				copied = end
			}
			i = end - 1
		}
	}
	if copied == 0 {
		return nil
	}
	return append(out, data[copied:]...)
}
