// Package exchange makes one call: attempts one after the other, through go-retryablehttp, until
// there is a response, an error, or no retry left. A [Sender] is what the calls of a client share,
// a [CallInfo] is what goes in, and a [Result] is what comes out. No request leaves the base
// address, no attempt is sent without its place and its key, and what must not be done twice is
// sent again only if it was certainly not carried out. No secret that the call knows is in an
// error. The package knows neither the limit nor what is sent: it asks the [Caller], and takes
// errors to match from the Sender.
package exchange

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Sender is what all calls of a client share. Once there are calls, only what they tell is changed:
// Keys, Budget, Clock and http2.
type Sender struct {
	Base        *url.URL                                  // without a slash at its end; no request leaves it
	Transport   func(Class) http.RoundTripper             // is asked at each call, because programs replace it
	Wrap        func(http.RoundTripper) http.RoundTripper // what is sent through, around the Transport; nil is the Transport itself
	HTTP        *http.Client                              // of the user, for its cookie jar and CheckRedirect; may be nil
	Keys        *Keys
	Budget      *Budget
	Backoff     Backoff
	Clock       Clock
	MaxResponse int64 // bytes of a body that is needed

	http2 atomic.Bool // the service has answered over HTTP/2

	ErrRedirect error // is matched by a redirect that was refused
	ErrTooLarge error // is matched by a body over MaxResponse, and by a header over the transport's limit
}

// Call is one call.
type Call struct {
	Method, Address string
	Header          http.Header // with the Header of fixed Keys
	Body            []byte      // nil sends none
	Class           Class
	MaxRetries      int
	Timeout         time.Duration // of an attempt; 0 is none
	Stream          io.Writer     // gets the body of a success; nil unless the call copies it
	// Skim is for a call that does not need the body of a success: at most this many bytes of it are
	// kept, and how it ends matters only if that is over SkimmedBody. 0 reads all of it, up to
	// MaxResponse.
	Skim   int64
	Whole  bool // the body is taken as it is, so that a part of it, a 206, is an error
	Texts  Texts
	Caller Caller
	Wire   func(Wired) // gets each attempt as it was sent and received; nil for none
}

// Wired is an attempt as it was sent and received, secrets included. What it holds must not be
// changed.
type Wired struct {
	Number      int // counted from 1; a redirect that was followed counts
	Request     *http.Request
	Began       time.Time
	LimiterWait time.Duration
	Duration    time.Duration
	StatusCode  int // 0 if there was no response
	Header      http.Header
	Body        []byte     // of the response, as far as it was kept
	Err         scrub.Safe // why there is no response that can be used; nil if there is
}

// Caller is whoever makes a call, with what the package does not know. For each attempt the methods
// are called in the order in which they stand here.
type Caller interface {
	// Place waits for a place in the limit. Its error ends the call.
	Place(ctx context.Context) error
	// Accept gets the body of a success within the time of the attempt; of one that was copied to
	// Stream only if it is empty. With an error it says what the response means, or NoFault if the
	// error says it. A retry follows only after Lost.
	Accept(ctx context.Context, h http.Header, body []byte) (Fault, error)
	// Ended is called after each attempt that had its place, also if the transport panics.
	Ended(status int, retryAfter, duration time.Duration)
	// Throttled reports a 429, with the wait that the service asks for.
	Throttled(ctx context.Context, retryAfter time.Duration)
	// Attempted reports an attempt that had its place, but none whose redirect was followed.
	Attempted(ctx context.Context, a Attempt)
}

// Attempt is one attempt, for reports.
type Attempt struct {
	Number      int // counted from 1
	StatusCode  int // of the response, 0 if there was none
	Err         scrub.Safe
	LimiterWait time.Duration // for its place
	Duration    time.Duration // from sending to the end of the response
	Retry       bool          // another attempt follows, after RetryIn
	RetryIn     time.Duration
}

// Result is the end of a call.
type Result struct {
	StatusCode int // of the last response, with its header and body; 0 if there was none
	Header     http.Header
	Body       []byte // nil if the last attempt had no response
	Attempts   int

	LimiterWait, RetryWait, InFlight time.Duration // over all attempts

	Err         scrub.Safe // why there is no usable response; nil for a response of any status
	LastFailure scrub.Safe // of the attempt before the wait in which the context ended
	Interrupted scrub.Safe // the end of the context, if it came before enough of a body was skimmed
	Unknown     bool       // the operation must not be done twice, and may have been carried out
	CarriedOut  bool       // the operation must not be done twice, and was carried out
	MayHaveDone bool       // an attempt may have been carried out, and its response was lost
	Temporary   bool       // the call may succeed later
	Note        string     // why no other attempt followed, if that is not plain from the response
}

// call is the state of a call: the RoundTripper of its attempts, and the hooks of a client of
// go-retryablehttp. The attempts run one after the other.
type call struct {
	*Call
	sender    *Sender
	transport http.RoundTripper // without Wrap
	through   http.RoundTripper // with it
	client    http.Client
	retrying  retryablehttp.Client
	key       keyOfCall
	last      attempt
	retries   retries
	result    *Result
}

// retries are those that a call has made.
type retries struct {
	made    int
	charged int           // to the budget
	refused int           // those that were made after a 429, without counting as made
	first   time.Time     // the first 429; zero: none
	wait    time.Duration // before the next attempt
	waiting time.Time     // start of the wait before the next attempt; zero if there is none
}

// Do makes a call, and says in result how it ended. It returns an error only if the request cannot
// be built.
//
// go-retryablehttp and net/http then call back in this order:
//
//	RoundTrip      sends an attempt, and is called again for each redirect that is followed
//	checkRedirect  between the two, decides whether the redirect is followed
//	checkRetry     at the end of the attempt, decides whether there is another one
//	backoff        before that one, says how long the library waits
//	withoutCookies after that wait, if there is a cookie jar
//
// Do returns when checkRetry wants no other attempt, or the context ends.
func (s *Sender) Do(ctx context.Context, in *Call, result *Result) error {
	c := &call{Call: in, sender: s, key: keyOfCall{keys: s.Keys, texts: &in.Texts}, result: result}
	req, err := c.request(ctx)
	if err != nil {
		return in.Texts.Error(err).Err()
	}
	s.Budget.deposit()
	c.prepare(req.Request)
	_, err = c.retrying.Do(req)
	c.backedOff()
	if err != nil {
		c.end(ctx, err)
	}
	return nil
}

// prepare makes the clients of the call. It is apart from Do because its locals would stay on the
// stack while an attempt runs, which is deep.
func (c *call) prepare(req *http.Request) {
	s := c.sender
	c.transport = s.Transport(c.Class)
	c.through = c.transport
	if s.Wrap != nil {
		c.through = s.Wrap(c.transport)
	}
	c.client = http.Client{Transport: c, CheckRedirect: c.checkRedirect}
	c.retrying = retryablehttp.Client{
		HTTPClient: &c.client, RetryMax: math.MaxInt, // checkRetry counts them
		CheckRetry: c.checkRetry, Backoff: c.backoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	if s.HTTP != nil && s.HTTP.Jar != nil {
		c.client.Jar = s.HTTP.Jar
		c.retrying.PrepareRetry = c.withoutCookies
		c.withoutCookies(req)
	}
}

func (c *call) request(ctx context.Context) (*retryablehttp.Request, error) {
	var body any
	if c.Body != nil {
		body = c.Body
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, c.Method, c.Address, body)
	if err == nil {
		req.Header = c.Header
	}
	return req, err
}

// checkRetry is go-retryablehttp's CheckRetry: it judges an attempt, decides
// whether another one follows, and reports it. The library counts the retries and waits.
func (c *call) checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	m := judge(c.Class, c.last.status, faultIn(err))
	c.result.Unknown, c.result.Temporary = m.unknown && c.Class == Unsafe, m.retry
	c.result.CarriedOut = m.carriedOut && c.Class == Unsafe
	c.result.MayHaveDone = c.result.MayHaveDone || m.lost
	c.result.LastFailure = nil
	if err != nil {
		c.result.LastFailure = c.Texts.Error(err)
	}
	var asked time.Duration
	if resp != nil && !m.ok {
		asked, _ = c.sender.Clock.RetryAfter(c.last.status, resp.Header)
	}
	if m.throttled {
		c.Caller.Throttled(ctx, asked)
	}
	if m.ok {
		c.sender.Budget.refund(c.retries.charged)
	}
	retry := m.retry && c.mayRetry(ctx, m.throttled, asked)
	final := err
	if err == nil && c.last.status == http.StatusUnauthorized {
		retry, final = c.renewKey(ctx)
	}
	if c.last.placed {
		c.report(ctx, retry)
	}
	return retry, final
}

// mayRetry decides whether there are retries, time and budget for another attempt, and how
// long to wait before it. A 429 means not yet: within MaxRetryAfter of the first one, it uses up no
// retry.
func (c *call) mayRetry(ctx context.Context, throttled bool, asked time.Duration) bool {
	if throttled && c.retries.first.IsZero() {
		c.retries.first = time.Now()
	}
	notYet := throttled && c.MaxRetries > 0 && time.Since(c.retries.first) < c.sender.Backoff.MaxRetryAfter
	if ctx.Err() != nil || c.retries.made >= c.MaxRetries && !notYet {
		return false
	}
	c.retries.wait = c.sender.Backoff.wait(c.retries.made + c.retries.refused)
	if asked > c.sender.Backoff.MaxRetryAfter {
		return false
	}
	if asked != 0 { // after a Retry-After of 0 the back-off applies, to avoid a hot loop
		c.retries.wait = asked
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= c.retries.wait {
		return false
	}
	if !throttled { // 429s are not charged: the limiter slows them down
		if !c.sender.Budget.withdraw() {
			c.result.Note = "not retried: the retry budget of this client is used up"
			return false
		}
		c.retries.charged++
	}
	if notYet {
		c.retries.refused++
	} else {
		c.retries.made++
	}
	return true
}

// renewKey decides whether a 401 is sent once more, with another key.
func (c *call) renewKey(ctx context.Context) (bool, error) {
	renewed, note, err := c.key.renew(ctx)
	if note != "" {
		c.result.Note = note
	}
	if renewed {
		c.retries.wait = 0
	}
	return renewed, err
}

func (c *call) report(ctx context.Context, retry bool) {
	a := Attempt{
		Number: c.result.Attempts, StatusCode: c.last.status, Err: c.result.LastFailure,
		LimiterWait: c.last.wait, Duration: c.last.duration, Retry: retry,
	}
	if retry {
		a.RetryIn = c.retries.wait
	}
	c.Caller.Attempted(ctx, a)
}

// backoff is go-retryablehttp's Backoff: the wait that mayRetry decided on.
func (c *call) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	c.retries.waiting = time.Now()
	return c.retries.wait
}

// withoutCookies gives a request a header of its own, because net/http adds the cookies of a jar to
// it. Otherwise each retry would add them once more.
func (c *call) withoutCookies(req *http.Request) error {
	req.Header = c.Header.Clone()
	return nil
}

// backedOff adds the time that was waited, which is shorter if the context ended.
func (c *call) backedOff() {
	if !c.retries.waiting.IsZero() {
		c.result.RetryWait += time.Since(c.retries.waiting)
		c.retries.waiting = time.Time{}
	}
}

// end sets the error of a call without a usable response. If the context ended while
// go-retryablehttp waited, its error is that of the context alone, so the failure before it is
// told, too.
func (c *call) end(ctx context.Context, err error) {
	if end := EndOf(ctx); end != nil && errors.Is(err, ctx.Err()) && !isContextEnd(err) {
		c.result.Err = c.Texts.Error(end)
		return
	}
	c.result.Err, c.result.LastFailure = c.Texts.Error(err), nil
}
