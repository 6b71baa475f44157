package monitoring

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
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
	limited       bool // an option set the limiter
	routes        []routeOption
	policy        RetryPolicy
	logger        *slog.Logger
	startHooks    []func(context.Context, string) context.Context
	attemptHooks  []func(context.Context, Attempt)
	callHooks     []func(context.Context, Call)
	keySource     keySource // nil with a fixed key
	userAgent     string
	maxResponse   int64
	accountHeader string
	insecure      bool
}

// callSettings is what a single call can override.
type callSettings struct {
	account    Secret
	header     http.Header
	timeout    time.Duration
	timeoutSet bool
	maxRetries int
	retriesSet bool
	lenient    bool // do not validate requests
	readAhead  int
	operation  string       // the name of an untyped call
	query      url.Values   // parameters that are added
	share      float64      // of the limit for long polls, at most; 0 is all
	itemID     string       // of All
	members    []bodyMember // of the body, that are set
	complete   bool         // refuse updates that leave out what holds withheld secrets
	response   *Response
	waiting    *waitingCall // nil for an ordinary call
}

const (
	defaultTimeout       = 30 * time.Second
	defaultMaxResponse   = 32 << 20
	defaultAccountHeader = "x-service-account"
	maxHeaderBytes       = 1 << 20
)

func (s *callSettings) with(opts []CallOption) (*callSettings, error) {
	if len(opts) == 0 {
		return s, nil
	}
	c := *s
	c.header, c.query = maps.Clone(s.header), maps.Clone(s.query)
	for _, o := range opts {
		if isNil(o) {
			return nil, errors.New("monitoring: call option: it is nil")
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
		s.account = NewSecret(id)
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
			return fmt.Errorf("header %s is not known to the service and would let net/http send triggers and creates twice", name)
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

// WithTimeout bounds one attempt, from sending it to the end of its response; waiting for
// the limiter and between attempts is not in it. The default is 30 seconds, 0 is no bound.
// An attempt that takes longer fails with a timeout as [net.Error] has it, which is not
// context.DeadlineExceeded. The context of a call bounds the whole call. The time for which
// the service may hold a completion request comes on top.
func WithTimeout(d time.Duration) Option {
	return option(func(s *callSettings) error {
		if d < 0 {
			return fmt.Errorf("timeout %s is negative", d)
		}
		s.timeout, s.timeoutSet = d, true
		return nil
	})
}

// isNil reports whether an option is nil, also as a nil func behind the interface.
func isNil(o any) bool {
	v := reflect.ValueOf(o)
	return !v.IsValid() || v.Kind() == reflect.Func && v.IsNil()
}

// WithMaxRetries bounds how often a call is retried; 0 never retries. The default is
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
// without filters that does not say AllChecks, ids that are no single path segment,
// secrets that are withheld, and members of an update that cannot be unset.
func WithoutValidation() Option {
	return option(func(s *callSettings) error {
		s.lenient = true
		return nil
	})
}

// WithReadAhead lets an iterator over pages fetch up to n pages ahead of the loop, in
// order and within the limit; n is 0 to 64. 0, the default, fetches a page when the loop
// asks for it. What iterators promise of a list that changes is less with read-ahead; see
// [VariablesService.All].
func WithReadAhead(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 || n > maxReadAhead {
			return fmt.Errorf("read-ahead of %d pages is outside 0..%d", n, maxReadAhead)
		}
		s.readAhead = n
		return nil
	})
}

// WithOperation names a call in hooks, logs, errors and route limits, for [Do] with ids in
// its path: WithOperation("GET /v1/checks/{id}") keeps the names of metrics few. The name is
// a method and a path with placeholders.
func WithOperation(name string) CallOption {
	return callOption(func(s *callSettings) error {
		method, path, _ := strings.Cut(name, " ")
		if !validMethod(method) || method != strings.ToUpper(method) || !strings.HasPrefix(path, "/") || clean(path) != path {
			return fmt.Errorf("operation %.50q: want a method and a path, as in %q", name, "GET /v1/checks/{id}")
		}
		s.operation = name
		return nil
	})
}

// WithQuery sets a parameter of the query, which replaces the one that the method would
// send. It is for parameters that the options of a method do not have.
func WithQuery(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if name == "" {
			return errors.New("the query parameter has no name")
		}
		if s.query == nil {
			s.query = make(url.Values)
		}
		s.query.Set(name, value)
		return nil
	})
}

// WithResponse fills r with what is known of the response: status, header, attempts, times
// of waiting, raw body. It is filled when the call fails, too. Do not share r between
// calls that run at once. Methods that make several calls at once or one after another
// (waiting, FetchFailingResults, iterators with read-ahead) leave it alone.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return errors.New("WithResponse needs a Response")
		}
		s.response = r
		return nil
	})
}
