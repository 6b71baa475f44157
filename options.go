package monitoring

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// ClientOption configures a client; see [NewClient].
type ClientOption interface{ applyToClient(*settings) error }

// CallOption configures one call; every method that calls the service takes them.
type CallOption interface{ applyToCall(*callSettings) error }

// Option serves a client, as the default of its calls, and a single call, where it
// overrides that default.
type Option interface {
	ClientOption
	CallOption
}

type (
	option       func(*callSettings) error
	clientOption func(*settings) error
	callOption   func(*callSettings) error
)

func (o option) applyToClient(s *settings) error       { return o(&s.call) }
func (o option) applyToCall(s *callSettings) error     { return o(s) }
func (o clientOption) applyToClient(s *settings) error { return o(s) }
func (o callOption) applyToCall(s *callSettings) error { return o(s) }

// settings is everything the options of a client set.
type settings struct {
	call          callSettings
	httpClient    *http.Client
	limiter       Limiter
	routes        []routeOption
	policy        RetryPolicy
	logger        *slog.Logger
	hook          func(Attempt)
	userAgent     string
	maxResponse   int64
	accountHeader string
	insecure      bool
}

// callSettings is what a single call can override.
type callSettings struct {
	account    hidden
	header     http.Header
	timeout    time.Duration
	timeoutSet bool
	maxRetries int
	retriesSet bool
	lenient    bool // do not validate requests
	readAhead  int
	response   *Response
}

const (
	defaultTimeout       = 30 * time.Second
	defaultMaxResponse   = 64 << 20
	defaultAccountHeader = "x-service-account"
	maxHeaderBytes       = 1 << 20
)

func (s *callSettings) with(opts []CallOption) (*callSettings, error) {
	if len(opts) == 0 {
		return s, nil
	}
	c := *s
	c.header = maps.Clone(s.header)
	for _, o := range opts {
		if o == nil {
			continue
		}
		if err := o.applyToCall(&c); err != nil {
			return nil, fmt.Errorf("monitoring: call option: %w", err)
		}
	}
	return &c, nil
}

// WithAccount names the account in the account header. Keys of users need it, keys of
// services belong to one account. The id is a UUID.
func WithAccount(id string) Option {
	return option(func(s *callSettings) error {
		if err := checkHeaderValue("account id", id); err != nil {
			return err
		}
		s.account = hide(id)
		return nil
	})
}

// WithHeader sets a header of the requests. Authorization and the account header have
// their own places: the API key and [WithAccount].
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		name := textproto.CanonicalMIMEHeaderKey(name)
		if !validHeaderName(name) {
			return fmt.Errorf("header name %q is not valid", name)
		}
		if reservedHeader(name) {
			return fmt.Errorf("header %s is set by the client", name)
		}
		switch name {
		case "X-Service-Account":
			return errors.New("the account header is set by WithAccount")
		case "Idempotency-Key", "X-Idempotency-Key":
			// net/http takes it for leave to send a POST twice, and the service does not know it.
			return fmt.Errorf("header %s is not known to the service and would let net/http repeat triggers and creates", name)
		}
		if err := checkHeaderText("header "+name, value); err != nil {
			return err
		}
		if s.header == nil {
			s.header = make(http.Header)
		}
		s.header.Set(name, value)
		return nil
	})
}

// WithTimeout bounds one attempt, from sending it to the end of its answer; waiting
// for the limiter and between attempts is not in it. The default is 30 seconds, 0 is
// no bound. The context of a call bounds the whole call. The time for which the
// service may hold a completion request comes on top.
func WithTimeout(d time.Duration) Option {
	return option(func(s *callSettings) error {
		if d < 0 {
			return fmt.Errorf("timeout %s is negative", d)
		}
		s.timeout, s.timeoutSet = d, true
		return nil
	})
}

// WithMaxRetries bounds how often a call is repeated; 0 never repeats. The default is
// that of the [RetryPolicy].
func WithMaxRetries(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 {
			return fmt.Errorf("number of retries %d is negative", n)
		}
		s.maxRetries, s.retriesSet = n, true
		return nil
	})
}

// WithoutValidation sends requests unchecked, for a deployment whose limits are looser
// than those of the API document. What would do harm is still refused: a trigger
// without filters that does not say AllChecks, and ids that are no single path segment.
func WithoutValidation() Option {
	return option(func(s *callSettings) error {
		s.lenient = true
		return nil
	})
}

// WithReadAhead lets an iterator over pages fetch up to n pages ahead of the loop, in
// order and within the limit. 0, the default, fetches a page when the loop asks for it.
// Where the service does not tell the total of a list, and the list changes while its
// pages are fetched at once, an item that moves between them may be missed.
func WithReadAhead(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 {
			return fmt.Errorf("read-ahead %d is negative", n)
		}
		s.readAhead = n
		return nil
	})
}

// WithResponse fills r with what is known of the answer: status, header, attempts,
// waiting times, raw body. It is filled when the call fails, too. Do not share r between
// calls that run at once. Methods that make several calls at once or after another
// (waiting, FailedResults, iterators with read-ahead) leave it alone.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return errors.New("WithResponse needs a Response")
		}
		s.response = r
		return nil
	})
}

// WithHTTPClient sends through a copy of c: its transport (tracing wrappers work), its
// cookie jar, and its redirect check after ours. Its Timeout bounds an attempt, unless
// [WithTimeout] says otherwise.
func WithHTTPClient(c *http.Client) ClientOption {
	return clientOption(func(s *settings) error {
		if c == nil {
			return errors.New("WithHTTPClient needs a client")
		}
		s.httpClient = c
		return nil
	})
}

// WithRateLimit replaces the limit of 600 requests in 60 seconds.
func WithRateLimit(limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		l, err := NewLimiter(limit)
		s.limiter = l
		return err
	})
}

// WithLimiter makes the client use a limiter that it may share with other clients.
func WithLimiter(l Limiter) ClientOption {
	return clientOption(func(s *settings) error {
		if l == nil {
			return errors.New("WithLimiter needs a limiter")
		}
		s.limiter = l
		return nil
	})
}

// WithRouteRateLimit gives a route a limit of its own, which counts besides the common
// one. The operation is a method and a path with placeholders, as in
// "GET /v1/check-groups/{id}". The default knows one such route:
// "GET /v1/alert-notifications" with 5 requests in 10 seconds, all at once. The limit belongs to the
// [Limiter] of the client, and so counts for all clients that share it.
func WithRouteRateLimit(operation string, limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		s.routes = append(s.routes, routeOption{operation, limit})
		return nil
	})
}

// WithRetryPolicy replaces the retry policy; see [DefaultRetryPolicy]. Its MaxRetries
// yields to [WithMaxRetries], in whatever order they are given.
func WithRetryPolicy(p RetryPolicy) ClientOption {
	return clientOption(func(s *settings) error {
		if err := p.check(); err != nil {
			return err
		}
		s.policy = p.withDefaults()
		return nil
	})
}

// WithLogger logs one debug record for each attempt and a warning for each retry and
// each pause. No record holds a secret. Without it nothing is logged.
func WithLogger(l *slog.Logger) ClientOption {
	return clientOption(func(s *settings) error {
		s.logger = l
		return nil
	})
}

// WithAttemptHook calls f after each attempt, for metrics. An attempt that found no place
// under the limit before its context ended was none. It is called from the
// goroutine of the call, so from many at once, and should return soon.
func WithAttemptHook(f func(Attempt)) ClientOption {
	return clientOption(func(s *settings) error {
		s.hook = f
		return nil
	})
}

// WithUserAgent puts product, such as "deploy-gate/1.2", before the client's own name
// in the User-Agent header.
func WithUserAgent(product string) ClientOption {
	return clientOption(func(s *settings) error {
		if err := checkHeaderText("user agent", product); err != nil {
			return err
		}
		s.userAgent = product + " " + userAgent
		return nil
	})
}

// WithMaxResponseSize caps the size of a response after decompression; the default is
// 64 MiB. A larger one gives [ErrResponseTooLarge].
func WithMaxResponseSize(bytes int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytes <= 0 {
			return fmt.Errorf("response size %d is not positive", bytes)
		}
		s.maxResponse = min(bytes, math.MaxInt64-1) // which leaves room for one byte too many
		return nil
	})
}

// WithAccountHeader renames the header that names the account; the default is
// x-service-account.
func WithAccountHeader(name string) ClientOption {
	return clientOption(func(s *settings) error {
		if !validHeaderName(name) || reservedHeader(name) || strings.EqualFold(name, "Content-Type") {
			return fmt.Errorf("account header name %q is not valid", name)
		}
		s.accountHeader = name
		return nil
	})
}

// WithInsecureHTTP allows a base address with plain http that is not a loopback
// address. The API key travels in clear.
func WithInsecureHTTP() ClientOption {
	return clientOption(func(s *settings) error {
		s.insecure = true
		return nil
	})
}

// checkHeaderValue refuses what is no token of visible ASCII. The value is a secret
// and so not in the error.
func checkHeaderValue(what, value string) error {
	if value == "" {
		return fmt.Errorf("the %s is empty", what)
	}
	for i := range len(value) {
		if c := value[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("the %s has a byte that cannot be in it at position %d (white space, a line break or a non-ASCII character); is it trimmed?", what, i)
		}
	}
	return nil
}

// checkHeaderText refuses what cannot stand in a header: control and non-ASCII bytes.
func checkHeaderText(what, value string) error {
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("the value of %s has a control or non-ASCII byte at position %d", what, i)
		}
	}
	return nil
}

// reservedHeader reports whether a header is ours or net/http's to set.
func reservedHeader(name string) bool {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Authorization", "Proxy-Authorization", "Host", "Content-Length", "Transfer-Encoding", "Te",
		"Trailer", "Connection", "Upgrade", "Accept-Encoding":
		return true
	}
	return false
}

func validHeaderName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return true
}
