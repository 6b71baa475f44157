package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/google/go-querystring/query"
	"github.com/hashicorp/go-retryablehttp"
)

// exchange is one call, from its validation to its value or error. It is the RoundTripper
// of the attempts of the call and holds the hooks of a go-retryablehttp client of its own,
// so all that is known of the call is here. The attempts run one after the other.
type exchange struct {
	core     *core
	op       *operation
	settings *callSettings
	base     http.RoundTripper // of the user's http.Client as it is now
	route    *limiter          // the limit of the route, or nil
	own      *scrubber         // key and account
	all      *scrubber         // these and the secrets of the body
	began    time.Time

	attempts int
	retries  int
	charged  int           // retries that the budget was charged for
	wait     time.Duration // before the next attempt
	waiting  time.Time     // since when it is waited for; zero while it is not
	last     attempt
	failed   error  // the last attempt that failed without a response, scrubbed
	note     string // why there was no retry, if it was not the last one allowed

	status  int // of the last response, with its header and body
	header  http.Header
	body    []byte
	meaning meaning // of the last attempt
	lost    bool    // an attempt may have done the work, and its response was lost

	streamed     bool // something was written to op.stream
	writerFailed bool // op.stream failed

	limiterWait, retryWait, inFlight time.Duration
}

// service is what every service of a client is. A nil one gives a clear error.
type service struct{ client *Client }

func (s *service) owner() *Client {
	if s == nil {
		return nil
	}
	return s.client
}

// call is what every method that returns something does.
func call[T any](ctx context.Context, s *service, op *operation, opts []CallOption) (*T, error) {
	out, _, err := callExchange[T](ctx, s.owner(), op, opts)
	return out, err
}

// callExchange is call for methods that need more of the response than its body.
func callExchange[T any](ctx context.Context, c *Client, op *operation, opts []CallOption) (*T, *exchange, error) {
	out := new(T)
	op.decode = func(data []byte) error {
		*out = *new(T) // an earlier attempt may have left something
		return unmarshal(data, out)
	}
	e, err := c.do(ctx, op, opts)
	if err != nil {
		return nil, nil, err
	}
	return out, e, nil
}

// exec is call for methods that return nothing.
func exec(ctx context.Context, s *service, op *operation, opts []CallOption) error {
	_, err := s.owner().do(ctx, op, opts)
	return err
}

// Do calls any operation of the service, on the same path as the typed methods: with the
// key, the limit, retries and errors. The path starts with a slash and is relative to the
// base address; its segments may be escaped. The query may be nil. in is sent as JSON, nil
// sends no body, and a [encoding/json.RawMessage] is sent as it is. The response is decoded
// into a T, which stays zero if the response has no body; Do[struct{}] drops it.
//
// GET, HEAD, OPTIONS, PUT and DELETE are retried after failures, other methods only when
// the service surely did not carry them out. Name the operation with [WithOperation] if
// its path holds ids: hooks, logs and route limits then know it by one name.
func Do[T any](ctx context.Context, c *Client, method, path string, query url.Values, in any, opts ...CallOption) (*T, error) {
	method = strings.ToUpper(method)
	op := &operation{method: method, path: pathTemplate{pattern: path, raw: true}, class: classOf(method), optionalBody: true}
	if err := checkTarget(reflect.TypeFor[T]()); err != nil {
		return nil, fmt.Errorf("monitoring: %s request: %w", clean(method), err)
	}
	switch in.(type) {
	case nil:
	case []byte, io.Reader: // encoding/json would write base64, or nothing
		return nil, fmt.Errorf("monitoring: %s request: a %T is no JSON value: pass a json.RawMessage", clean(method), in)
	default:
		op.body = untyped{in}
	}
	if query != nil {
		op.query = untyped{query}
	}
	if reflect.TypeFor[T]() == reflect.TypeFor[struct{}]() {
		_, err := c.do(ctx, op, opts)
		return new(T), err
	}
	out, _, err := callExchange[T](ctx, c, op, opts)
	return out, err
}

// checkTarget refuses types that cannot hold a response.
func checkTarget(t reflect.Type) error {
	switch kind := t.Kind(); {
	case kind == reflect.Chan, kind == reflect.Func, kind == reflect.UnsafePointer, kind == reflect.Complex64, kind == reflect.Complex128,
		kind == reflect.Interface && t.NumMethod() > 0:
		return fmt.Errorf("a %s cannot hold a JSON response", t)
	case t == reflect.TypeFor[[]byte]():
		return errors.New("a []byte would hold base64: use json.RawMessage for the response as it comes")
	}
	return nil
}

// OpenAPI copies the machine-readable description of the service to w as it arrives
// (GET /openapi.json). Once something was written, a failure is not retried.
//
//monitoring:operation GET /openapi.json
func (c *Client) OpenAPI(ctx context.Context, w io.Writer, opts ...CallOption) error {
	return exec(ctx, &service{c}, &operation{
		method: http.MethodGet, path: path("/openapi.json"), class: classRead, stream: w,
	}, opts)
}

var errNoClient = errors.New("the client was not made by NewClient")

// do makes one call: validate, build, send with retries, and turn what came back into an
// error or nothing. Without an error the exchange is that of the response.
func (c *Client) do(ctx context.Context, op *operation, opts []CallOption) (*exchange, error) {
	switch {
	case c == nil || c.core == nil:
		return nil, fmt.Errorf("monitoring: %s: %w", clean(op.String()), errNoClient)
	case ctx == nil:
		return nil, fmt.Errorf("monitoring: %s: the context is nil", clean(op.String()))
	}
	settings, err := c.core.call.with(opts)
	if err != nil {
		return nil, err
	}
	e := &exchange{core: c.core, op: op, settings: settings, began: time.Now()}
	e.own = newScrubber(c.core.key.Reveal(), settings.account.Reveal())
	if settings.response != nil {
		*settings.response = Response{}
		defer func() { *settings.response = e.response() }()
	}
	err = e.run(ctx)
	e.reportCall(ctx, err)
	return e, err
}

func (e *exchange) run(ctx context.Context) error {
	req, err := e.newRequest(ctx)
	if err != nil {
		return err
	}
	e.core.budget.deposit()
	e.base = e.core.transport()
	e.route = routeOf(e.core.routes, e.op.method, req.URL.EscapedPath()[len(e.core.base.EscapedPath()):])
	sender := http.Client{Transport: e, CheckRedirect: e.checkRedirect}
	if e.core.httpClient != nil {
		sender.Jar = e.core.httpClient.Jar
	}
	retrying := retryablehttp.Client{
		HTTPClient: &sender, RetryMax: e.settings.maxRetries,
		CheckRetry: e.checkRetry, Backoff: e.backoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	resp, err := retrying.Do(req)
	e.backedOff()
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
	return e.outcome(ctx, resp, err)
}

// newRequest validates the call and builds its request.
func (e *exchange) newRequest(ctx context.Context) (*retryablehttp.Request, error) {
	op, settings := e.op, e.settings
	v := &violations{lenient: settings.lenient}
	target := e.core.base.String() + op.path.expand(v)
	op.validate(v, settings)
	var body any
	e.all = e.own
	if op.body != nil {
		encoded, err := encodeBody(bare(op.body))
		if err != nil {
			return nil, fmt.Errorf("monitoring: %s: encode the body: %w", e.name(), e.own.error(err))
		}
		body = encoded.json
		e.all = newScrubber(append(encoded.secrets, e.own.secrets...)...)
		for _, path := range encoded.withheld {
			v.always(path, "is withheld by the service: set it with NewSecret, or leave the list or object out")
		}
	}
	if err := v.err(e.name(), e.all); err != nil {
		return nil, err
	}
	values, err := queryValues(op.query, settings.query)
	if err != nil {
		return nil, fmt.Errorf("monitoring: %s: encode the query: %w", e.name(), err)
	}
	if len(values) > 0 {
		target += "?" + values.Encode()
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, op.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("monitoring: %s: build the request: %w", e.name(), e.failure(err))
	}
	e.setHeader(req.Header, body != nil)
	return req, nil
}

// bare is the value of a request, without its wrapping if it is a caller's own.
func bare(r request) any {
	if u, ok := r.(untyped); ok {
		return u.value
	}
	return r
}

// queryValues encodes a query and adds what the options of the call say.
func queryValues(q request, extra url.Values) (url.Values, error) {
	values := make(url.Values)
	switch q := bare(q).(type) {
	case nil:
	case url.Values:
		for name, list := range q {
			values[name] = list
		}
	default:
		var err error
		if values, err = query.Values(q); err != nil {
			return nil, err
		}
	}
	for name, list := range extra {
		values[name] = list
	}
	return values, nil
}

func (e *exchange) setHeader(h http.Header, body bool) {
	c := e.core
	for name, values := range e.settings.header {
		if !strings.EqualFold(name, c.accountHeader) {
			h[name] = values
		}
	}
	setDefault(h, "User-Agent", c.userAgent)
	setDefault(h, "Accept", "application/json")
	if body {
		setDefault(h, "Content-Type", "application/json")
	}
	h.Set("Authorization", "Bearer "+c.key.Reveal())
	if account := e.settings.account.Reveal(); account != "" {
		h.Set(c.accountHeader, account)
	}
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}

// checkRetry is go-retryablehttp's CheckRetry: it counts what an attempt meant, decides
// whether another one follows, and reports it. The library counts the retries and waits.
func (e *exchange) checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	e.meaning = judge(e.op.class, e.last.status, err)
	e.lost = e.lost || e.meaning.lost
	e.failed = nil
	if err != nil {
		e.failed = e.failure(err)
	}
	var asked time.Duration
	var asks bool
	if resp != nil && err == nil {
		asked, asks = retryAfter(resp.Header)
	}
	if e.meaning.throttled {
		e.logPause(ctx, asked)
		e.throttled(asked)
	}
	if e.meaning.ok {
		e.core.budget.refund(e.charged)
	}
	retry := e.meaning.retry && e.mayRetry(ctx, asked, asks)
	e.reportAttempt(ctx, err, retry)
	return retry, err
}

// mayRetry decides whether there are time and allowance for another attempt, and how long
// to wait before it.
func (e *exchange) mayRetry(ctx context.Context, asked time.Duration, asks bool) bool {
	if ctx.Err() != nil || e.retries >= e.settings.maxRetries {
		return false
	}
	policy := e.core.policy
	e.wait = policy.backoff(e.retries)
	if asks && asked > policy.MaxRetryAfter {
		return false
	}
	if asked > 0 { // a Retry-After of 0 is no leave for a hot loop
		e.wait = asked
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= e.wait {
		return false
	}
	if !e.meaning.throttled { // a 429 has the limiter to keep it from becoming worse
		if !e.core.budget.withdraw() {
			e.note = "not retried: too many retries of this client have failed lately"
			return false
		}
		e.charged++
	}
	e.retries++
	return true
}

// backoff is go-retryablehttp's Backoff: the wait that mayRetry decided on.
func (e *exchange) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	e.waiting = time.Now()
	return e.wait
}

// backedOff counts the time that was really waited: the context may have ended it.
func (e *exchange) backedOff() {
	if !e.waiting.IsZero() {
		e.retryWait += time.Since(e.waiting)
		e.waiting = time.Time{}
	}
}

// name is the operation for hooks, logs and errors that are not about one id.
func (e *exchange) name() string {
	if e.settings.operation != "" {
		return e.settings.operation
	}
	if e.op.path.raw {
		return clean(e.op.method) + " " + e.op.path.text(e.own)
	}
	return e.op.String()
}

// failure is the error of an attempt for the caller: without net/http's wrapping, which
// spells out the address, and without secrets.
func (e *exchange) failure(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if failed, ok := errors.AsType[*attemptError](err); ok {
		err = failed.err
	}
	if ofTheNetwork(err) { // it holds no values of the body, and its words are worth keeping
		return e.own.error(err)
	}
	return e.all.error(err)
}

// outcome turns the end of a call into its error.
func (e *exchange) outcome(ctx context.Context, resp *http.Response, err error) error {
	unknown := e.op.class == classUnsafe && e.meaning.unknown
	if err != nil {
		return e.callError(ctx, err, unknown)
	}
	if resp.StatusCode/100 == 2 {
		return nil
	}
	if resp.StatusCode == http.StatusNotFound && e.op.method == http.MethodDelete && e.lost {
		return nil // an attempt whose response was lost did it
	}
	apiErr := &APIError{
		StatusCode: resp.StatusCode, Method: clean(e.op.method), Path: e.op.path.text(e.all),
		Attempts: e.attempts, Header: resp.Header.Clone(), base: e.core.where(), note: e.note,
	}
	apiErr.readBody(e.body)
	apiErr.scrub(e.all)
	apiErr.RetryAfter, _ = retryAfter(resp.Header)
	switch {
	case unknown:
		apiErr.Kind = ErrOutcomeUnknown
	case e.op.longPoll && resp.StatusCode == http.StatusRequestTimeout:
		apiErr.Kind = ErrNotCompleted
	case e.op.triggers && apiErr.saysNoMatch():
		apiErr.Kind = ErrNoMatchingChecks
	}
	return apiErr
}

// callError is the error of a call without a response that can be used.
func (e *exchange) callError(ctx context.Context, err error, unknown bool) error {
	failed := &CallError{
		Operation: clean(e.op.method) + " " + e.op.path.text(e.all), Attempts: e.attempts, LastStatus: e.status,
		Err: e.failure(err), base: e.core.where(), unknown: unknown, note: e.note, retry: e.meaning.retry,
	}
	if end := endOf(ctx); end != nil && errors.Is(err, ctx.Err()) {
		if _, told := errors.AsType[*contextEnd](err); !told { // the library's own wait ended
			failed.Err, failed.last = end, e.failed
		}
	}
	if d, ok := errors.AsType[*DecodeError](failed.Err); ok {
		d.Operation = e.name()
		if failed.Attempts > 0 && !unknown && e.op.class == classUnsafe && e.status/100 == 2 {
			failed.note = "it was carried out, but its response cannot be read"
		}
	}
	return failed
}
