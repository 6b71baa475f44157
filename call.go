package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// exchange is one call, from its validation to its value or error. It is the RoundTripper
// of the attempts of the call and has the hooks of a go-retryablehttp client of its own,
// so the whole state of the call is here. The attempts run one after the other.
type exchange struct {
	core     *core
	op       *operation
	settings *callSettings
	base     http.RoundTripper // of the user's http.Client as it is now
	sender   http.Client
	retrying retryablehttp.Client
	limited  LimitedAttempt  // the description of each attempt for the limiter
	name     string          // of the operation, for hooks, logs, and errors that need no id
	own      *scrub.Scrubber // keys and account
	secrets  []string        // of the body
	began    time.Time

	key     Secret // of the key source, for the current attempt
	renewed bool   // key was renewed after a 401 and not sent yet
	rekeyed bool   // the call had its attempt with a renewed key

	attempts int
	retries  int
	charged  int           // retries that the budget was charged for
	wait     time.Duration // before the next attempt
	waiting  time.Time     // start of the wait before the next attempt; zero if there is none
	last     attempt
	failed   error  // the last attempt that failed without a response, scrubbed
	note     string // why there was no other attempt, if retries were left

	status  int // of the last response, with its header and body
	header  http.Header
	body    []byte
	meaning meaning // of the last attempt
	lost    bool    // an attempt may have been carried out, and its response was lost

	interrupted error // the end of the context, if it came while a body was skimmed

	streamed     bool // something was written to op.stream
	writerFailed bool // op.stream failed

	limiterWait, retryWait, inFlight time.Duration
}

// service is the type of all services of a client. It holds what calls need, not the Client that
// holds the services. A nil one returns errNoClient.
type service struct{ core *core }

func (s *service) owner() *core {
	if s == nil {
		return nil
	}
	return s.core
}

// ready returns an error unless there is a client to call with.
func (s *service) ready() error {
	if s.owner() == nil {
		return fmt.Errorf("monitoring: %w", errNoClient)
	}
	return nil
}

// call makes the call of a method that returns one object.
func call[T any](ctx context.Context, s *service, op *operation, opts []CallOption) (*T, error) {
	op.object = true
	out, _, err := callExchange[T](ctx, s.owner(), op, opts)
	return out, err
}

// callExchange makes the call of a method that returns a value of any kind.
func callExchange[T any](ctx context.Context, c *core, op *operation, opts []CallOption) (*T, *exchange, error) {
	out := new(T)
	keeping, keeps := any(out).(reader)
	op.keepsBody = keeps
	op.decode = func(ctx context.Context, data []byte) error {
		*out = *new(T) // an earlier attempt may have decoded a part
		err := checkSize(data, reflect.TypeFor[T]())
		switch {
		case err != nil:
		case keeps:
			err = keeping.read(data)
		case lenient.IsList(reflect.TypeFor[T]()):
			err = unmarshalList(ctx, data, out, nil)
		default:
			err = unmarshal(data, out)
		}
		if err != nil {
			return err
		}
		return checkComplete(data, out)
	}
	e, err := c.do(ctx, op, opts)
	if err != nil {
		return nil, nil, err
	}
	return out, e, nil
}

// exec makes the call of a method that returns only an error.
func exec(ctx context.Context, s *service, op *operation, opts []CallOption) error {
	_, err := s.owner().do(ctx, op, opts)
	return err
}

var errNoClient = errors.New("the client was not made by NewClient")

// do makes one call: validate, build, send with retries, and return the error. Without an
// error the exchange has the response.
func (c *core) do(ctx context.Context, op *operation, opts []CallOption) (*exchange, error) {
	switch {
	case c == nil:
		return nil, fmt.Errorf("monitoring: %w", errNoClient)
	case ctx == nil:
		return nil, errors.New("monitoring: the context is nil")
	}
	settings, err := c.call.with(opts)
	if err != nil {
		return nil, err
	}
	e := &exchange{core: c, op: op, settings: settings, own: c.scrubber(), began: time.Now()}
	if settings.account != c.call.account {
		e.own = scrub.New(c.key.Reveal(), settings.account.Reveal())
	}
	e.name = e.operationName()
	if last := c.lastKey.Load(); last != nil {
		e.hide(last.Reveal())
	}
	if settings.response != nil {
		*settings.response = Response{} // hooks may look at it
		defer func() { *settings.response = e.response() }()
	}
	ctx = e.reportStart(ctx)
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
	e.limited = LimitedAttempt{Operation: e.limitedAs(req.URL), Waiting: e.op.class == classPoll || e.settings.waiting != nil, Share: e.settings.share}
	e.sender = http.Client{Transport: e, CheckRedirect: e.checkRedirect}
	if e.core.httpClient != nil {
		e.sender.Jar = e.core.httpClient.Jar
	}
	most := e.settings.maxRetries
	if e.core.keySource != nil {
		most++ // the attempt with a renewed key, which does not count as a retry
	}
	e.retrying = retryablehttp.Client{
		HTTPClient: &e.sender, RetryMax: most,
		CheckRetry: e.checkRetry, Backoff: e.backoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	resp, err := e.retrying.Do(req)
	e.backedOff()
	return e.outcome(ctx, resp, err)
}

// limitedAs returns the operation for route limits. For an untyped call it is the name of
// WithOperation, or else the method and path, which the patterns of route limits can match.
func (e *exchange) limitedAs(u *url.URL) string {
	if e.settings.operation == "" && e.op.path.raw {
		return e.op.method + " " + u.EscapedPath()[len(e.core.base.EscapedPath()):]
	}
	return e.name
}

// checkRetry is go-retryablehttp's CheckRetry: it judges an attempt, decides
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
	if resp != nil {
		asked, asks = retryAfter(resp.Header)
	}
	if e.meaning.throttled {
		e.logPause(ctx, asked)
	}
	if e.meaning.ok {
		e.core.budget.refund(e.charged)
	}
	retry := e.meaning.retry && e.mayRetry(ctx, asked, asks)
	failed := err
	if err == nil && e.last.status == http.StatusUnauthorized {
		retry, failed = e.renewKey(ctx)
	}
	e.reportAttempt(ctx, err, retry)
	return retry, failed
}

// mayRetry decides whether there are retries, time and budget for another attempt, and how
// long to wait before it.
func (e *exchange) mayRetry(ctx context.Context, asked time.Duration, asks bool) bool {
	if ctx.Err() != nil || e.retries >= e.settings.maxRetries {
		return false
	}
	policy := e.core.policy
	e.wait = policy.backoff(e.retries)
	if asks && asked > policy.MaxRetryAfter {
		return false
	}
	if asked != 0 { // after a Retry-After of 0 the back-off applies, to avoid a hot loop
		e.wait = asked
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= e.wait {
		return false
	}
	if !e.meaning.throttled { // 429s are not charged: the limiter slows them down
		if !e.core.budget.withdraw() {
			e.note = "not retried: the retry budget of this client is used up"
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

// backedOff adds the time that was waited, which is shorter if the context ended.
func (e *exchange) backedOff() {
	if !e.waiting.IsZero() {
		e.retryWait += time.Since(e.waiting)
		e.waiting = time.Time{}
	}
}
