package monitoring

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// ClientOption configures a client; see [NewClient]. An [Option], such as [WithTimeout], is one,
// too: it may also be given to a single call.
type ClientOption interface{ applyToClient(*settings) error }

// CallOption configures one call; every method that calls the service accepts them. An [Option],
// such as [WithTimeout], is one, too: a client may have it as the default of its calls.
type CallOption interface{ applyToCall(*callSettings) error }

// Option is a [ClientOption] and a [CallOption]. Given to [NewClient] it is the default of all
// calls, and given to a call it overrides that default. These are options of both: [WithAccount],
// [WithBackground], [WithStrictUpdates], [WithHeader], [WithMaxRetries], [WithReadAhead],
// [WithTimeout], [WithWireLog] and [WithoutValidation].
type Option interface {
	ClientOption
	CallOption
}

type (
	option       func(*callSettings) error
	clientOption func(*settings) error
	callOption   func(*callSettings) error
)

func (o option) applyToClient(s *settings) error       { return o(&s.defaults) }
func (o option) applyToCall(s *callSettings) error     { return o(s) }
func (o clientOption) applyToClient(s *settings) error { return o(s) }
func (o callOption) applyToCall(s *callSettings) error { return o(s) }

// WithAccount sets the account in the account header; the id is a UUID. Keys of users need it.
// Service keys belong to one account and do not need it.
func WithAccount(id string) Option {
	return option(func(s *callSettings) error {
		if err := exchange.CheckSecretHeader("account id", id); err != nil {
			return err
		}
		s.account = NewSecret(id)
		return nil
	})
}

// WithKeySource calls source for the API key before each attempt. It is for keys that are
// rotated while a program runs. The fixed key of [NewClient] must be "" then, and source must
// not be nil.
//
// After a 401 the source is called again. If it returns another key, the call is sent once more
// with it, even a trigger or a create, because a 401 means that nothing was carried out. That
// attempt takes a place in the limit, and hooks and logs report it as a retry, but it counts
// neither for [WithMaxRetries] nor for the budget of retries. If the key is the same, the 401 is
// the error of the call.
//
// refused is the key with which the call has just got that 401. Before each attempt it is
// withheld. Several calls may report the same key, and another one may have replaced it
// meanwhile: a cache drops its key only if it is the refused one, as in ExampleWithKeySource.
//
// The source gets a context of its own, with the values of a call and an end after 30 seconds.
// Attempts that need a key meanwhile share what it returns. Each stops waiting when its own context
// ends, and after a minute. When one has stopped, the next call of the client calls the source
// again, even if it has not returned yet: up to four calls of it that are younger than 30 seconds
// may run at once. So the source must be safe for concurrent use, and must not ask for the key
// under a lock: pass its context on, as in ExampleWithKeySource. A key that comes too late is used
// by the next attempt, unless a later call of the source has returned before. A source that never
// returns keeps its goroutines, which is the only way for a goroutine to outlive a call.
//
// The source should cache the key as long as it is valid. It must not make calls with the same
// client, which would wait for their own key. Its error ends the call without a retry, as a
// [*CallError] that wraps it. Keys that this client has used for the call are removed from the
// error's text; the source must keep other keys out of it. A panic of the source reaches the
// caller.
func WithKeySource(source func(ctx context.Context, refused Secret) (string, error)) ClientOption {
	return keySource{source}
}

// keySource is the option of WithKeySource. It is a struct, because a nil function in an interface
// would be told as a nil option.
type keySource struct {
	ask func(ctx context.Context, refused Secret) (string, error)
}

func (k keySource) applyToClient(s *settings) error {
	if k.ask == nil {
		return errors.New("the key source is nil")
	}
	if s.keySource != nil {
		return errors.New("two key sources were given: use WithKeySource once")
	}
	s.keySource = k.ask
	return nil
}

// WithHeader sets a header of the requests. Its value counts as a secret, which is removed from
// texts of the service, if the name has auth, key, token, secret or cookie in it, or if the
// value has more than 15 bytes. The headers that the client sets itself, such as
// Authorization and the account header (see [WithAccount]), are errors, and so are names and
// values that are not valid.
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		name := textproto.CanonicalMIMEHeaderKey(name)
		if !exchange.ValidHeaderName(name) {
			return fmt.Errorf("header name %.50q is not valid", name)
		}
		if exchange.ReservedHeader(name) {
			return fmt.Errorf("header %s cannot be set: the client sets it itself", name)
		}
		switch name {
		case "X-Service-Account":
			return errors.New("the account header cannot be set by WithHeader: use WithAccount")
		case "Idempotency-Key", "X-Idempotency-Key":
			// With this header net/http may send a POST twice, and the service ignores it.
			return fmt.Errorf("header %s is refused: the service ignores it, and with it net/http may send a trigger or create twice", name)
		}
		if err := exchange.CheckHeader("header "+name, value); err != nil {
			return err
		}
		if s.header == nil {
			s.header = make(http.Header)
		}
		s.header.Set(name, value)
		if scrub.IsSecretHeader(name, value) {
			s.hidden = append(slices.Clip(s.hidden), value)
		}
		return nil
	})
}

// WithTimeout limits the time of one attempt, from sending it to the end of its response. It
// does not include waiting for the limiter or between attempts. The default is 30 seconds, 0
// means no limit, and a negative time is an error. An attempt that takes longer fails with a
// [net.Error] whose Timeout is true, not with context.DeadlineExceeded. The context of a call
// limits the whole call. The time for which the service may hold a completion request is
// added to the timeout.
func WithTimeout(d time.Duration) Option {
	return option(func(s *callSettings) error {
		if d < 0 {
			return fmt.Errorf("timeout %s is negative", d)
		}
		s.timeout, s.timeoutSet = d, true
		return nil
	})
}

// isNil reports whether an option is nil, or a nil function in an interface.
func isNil(o any) bool {
	v := reflect.ValueOf(o)
	return !v.IsValid() || v.Kind() == reflect.Func && v.IsNil()
}

// WithMaxRetries limits how often a call is retried; 0 never retries, and a negative number
// is an error. The default is MaxRetries of the [RetryPolicy], which also says when a 429 uses
// up no retry.
func WithMaxRetries(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 {
			return fmt.Errorf("number of retries %d is negative", n)
		}
		s.maxRetries, s.retriesSet = n, true
		return nil
	})
}

// WithBackground is for calls that can wait, such as those of an import or a nightly job. They take
// the places in the limit that other calls leave, and at least one of twenty. It does not change
// waits.
func WithBackground() Option {
	return option(func(s *callSettings) error {
		s.background = true
		return nil
	})
}

// WithoutValidation sends requests without checking the rules of the API document, for a
// service with wider limits. Requests that would do harm are still refused: a trigger without
// filters and without AllChecks, ids that are not a single path segment, withheld secrets,
// and members of an update that cannot be unset.
func WithoutValidation() Option {
	return option(func(s *callSettings) error {
		s.lenient = true
		return nil
	})
}

// WithReadAhead lets an iterator over pages fetch up to n pages ahead of the loop, within the
// rate limit; n is 0 to 64. With 0, the default, a page is fetched when the loop needs it. If
// the list changes meanwhile, iterators promise less with read-ahead; see
// the section Lists of the package documentation.
func WithReadAhead(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 || n > maxReadAhead {
			return fmt.Errorf("read-ahead of %d pages is outside 0..%d", n, maxReadAhead)
		}
		s.readAhead = n
		return nil
	})
}

// WithOperation names a call of [Do] in hooks, logs, errors and route limits, so that ids in its
// path do not give each call a different name: WithOperation("GET /v1/checks/{id}"). The name is a
// method and a path with placeholders; another text is an error.
func WithOperation(name string) CallOption {
	return callOption(func(s *callSettings) error {
		method, path, _ := strings.Cut(name, " ")
		if !route.ValidMethod(method) || !strings.HasPrefix(path, "/") || scrub.Clean(path) != path {
			return fmt.Errorf("operation %.50q: want a method and a path, as in %q", name, "GET /v1/checks/{id}")
		}
		s.operation = name
		return nil
	})
}

// WithQuery sets a parameter of the query, for parameters that the options of a method do not
// have. It replaces the value that the method would send. An empty name is an error.
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

// WithResponse fills r with the status, the header, the number of attempts, the waiting times and
// the raw body of the response, even if the call fails. Do not share r between concurrent calls.
// Methods that make several calls (waiting, FetchFailingResults, iterators with read-ahead) do not
// fill it. A nil r is an error.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return errors.New("WithResponse needs a Response")
		}
		s.response = r
		return nil
	})
}

// WithHTTPClient sends requests with the transport of c, such as a tracing wrapper, and with
// its cookie jar. Its CheckRedirect is called after the checks of this package. All of them
// are read at each call, so they may be replaced later. Its Timeout limits an attempt, unless
// [WithTimeout] is given. A nil client is an error.
//
// Without a transport of the program, triggers and creates use no connection that has idled for
// over a second: if the service closes it meanwhile, their outcome is unknown. A transport of the
// program does what its IdleConnTimeout says.
func WithHTTPClient(c *http.Client) ClientOption {
	return clientOption(func(s *settings) error {
		if c == nil {
			return errors.New("WithHTTPClient needs a client")
		}
		s.httpClient = c
		return nil
	})
}

// WithRateLimit replaces the limit of 600 requests in 60 seconds; see [RateLimit]. A limit
// that is not valid is an error, and so is a second limiter.
func WithRateLimit(limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		l, err := newLimiter(limit)
		if err != nil {
			return err
		}
		return s.setLimiter(l)
	})
}

// WithLimiter makes the client use a limiter that it may share with other clients. Without it
// each client has a limiter of its own. A nil limiter is an error.
func WithLimiter(l Limiter) ClientOption {
	return clientOption(func(s *settings) error {
		if l == nil {
			return errors.New("WithLimiter needs a limiter")
		}
		return s.setLimiter(l)
	})
}

// setLimiter sets the limiter. A second one is an error, because only one could be used.
func (s *settings) setLimiter(l Limiter) error {
	if s.limiter != nil {
		return errors.New("two limiters were given: use one of WithRateLimit, WithLimiter and WithoutRateLimit, once")
	}
	s.limiter = l
	return nil
}

// WithoutRateLimit turns the limiter off, for a service without a limit or behind a proxy
// that enforces it. A 429 is still retried.
func WithoutRateLimit() ClientOption {
	return clientOption(func(s *settings) error { return s.setLimiter(unlimited{}) })
}

// unlimited is the limiter of WithoutRateLimit: attempts do not wait.
type unlimited struct{}

func (unlimited) Wait(ctx context.Context, _ AttemptRequest) error {
	if ctx.Err() != nil {
		return newPlaceError(ctx, time.Time{})
	}
	return nil
}

func (unlimited) Ended(AttemptRequest, AttemptOutcome) {}
func (unlimited) State() LimiterState                  { return LimiterState{Available: math.MaxInt} }

func (unlimited) LimitRoute(string, RateLimit) error {
	return errors.New("a route cannot have a limit, because WithoutRateLimit is set")
}

// WithRouteRateLimit gives a route a limit of its own, in addition to the common one. The operation
// is a method and a path with placeholders, such as "GET /v1/check-groups/{id}".
// [DefaultRouteLimits] returns the defaults. The limit belongs to the [Limiter] of the client, and
// so to all clients that share it.
func WithRouteRateLimit(operation string, limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		s.routes = append(s.routes, routeOption{operation, limit})
		return nil
	})
}

// WithRetryPolicy replaces the retry policy; see [DefaultRetryPolicy]. [WithMaxRetries]
// overrides its MaxRetries, in any order of the options.
func WithRetryPolicy(p RetryPolicy) ClientOption {
	return clientOption(func(s *settings) error {
		if err := p.check(); err != nil {
			return err
		}
		s.policy = p.withDefaults()
		return nil
	})
}

// WithLogger logs a debug record for each attempt, a warning for each retry and each pause,
// and an info record for a call that waited more than a second for its place in the limit. No
// record has a secret. By default nothing is logged. A nil logger is an error.
func WithLogger(l *slog.Logger) ClientOption {
	return clientOption(func(s *settings) error {
		if l == nil {
			return errors.New("WithLogger needs a logger")
		}
		s.logger = l
		return nil
	})
}

// WithStartHook calls f before each call, with the context and the operation (as in [CallInfo]) of
// the call. The call continues with the context that f returns: the transport and the other hooks
// get it, so a span that f starts is the parent of the spans within the call. It must be derived
// from the context that f got; nil keeps that context. Several hooks are called in the order in
// which they were given. A nil f is an error.
func WithStartHook(f func(ctx context.Context, operation string) context.Context) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithStartHook needs a function")
		}
		s.startHooks = append(s.startHooks, f)
		return nil
	})
}

// WithAttemptHook calls f after each attempt, with the context of the call, for metrics. It is not
// called for an attempt whose context ended while it waited for the limiter. It is called in the
// goroutine of the call, so concurrently for concurrent calls, and should return quickly. Several
// hooks are called in the order in which they were given. A nil f is an error.
func WithAttemptHook(f func(context.Context, AttemptInfo)) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithAttemptHook needs a function")
		}
		s.attemptHooks = append(s.attemptHooks, f)
		return nil
	})
}

// WithCallHook calls f after each call, with the context, the error and the times of the call, even
// if the request was refused before anything was sent. It is not called if an option of the call is
// not valid. It is called in the goroutine of the call, so concurrently for concurrent calls, and
// should return quickly. Several hooks are called in the order in which they were given. A nil f is
// an error.
func WithCallHook(f func(context.Context, CallInfo)) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithCallHook needs a function")
		}
		s.callHooks = append(s.callHooks, f)
		return nil
	})
}

// WithUserAgent puts product, such as "deploy-gate/1.2", before the client's own name
// in the User-Agent header.
func WithUserAgent(product string) ClientOption {
	return clientOption(func(s *settings) error {
		if err := exchange.CheckHeader("user agent", product); err != nil {
			return err
		}
		s.userAgent = product + " "
		return nil
	})
}

// WithMaxResponseSize limits the size of a response after decompression, in bytes, more than 0. The
// default is 16 MiB. The error is [ErrResponseTooLarge] if a response is larger.
//
// The error is the same if the values of a smaller one would take over 1.5 times the maximum, texts
// included, or over 1 MiB if that is more. It is then not decoded, and neither is one with a name
// or a number of over 64 KiB. So no response takes more than six times the maximum, which includes
// what the garbage collector has not freed yet. The most that was measured is 5.0 times, and 2.0
// times for what is refused. Bodies of over 1 MiB are decoded one at a time in all clients of a
// process: eight hostile ones at once took 383 MiB with the default.
//
// The default is many times the size of the service's largest responses, which are results of about
// 1 MB. A result of 10 MB, 20,000 items of 300 bytes and 5,000 triggered sessions fit. Lower it for
// programs with little memory, and raise it after an ErrResponseTooLarge.
func WithMaxResponseSize(bytes int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytes <= 0 {
			return fmt.Errorf("response size %d is not positive", bytes)
		}
		s.maxResponse = min(bytes, math.MaxInt64-1) // one less, so that a byte more can be counted
		return nil
	})
}

// WithAccountHeader renames the header that names the account; the default is
// x-service-account.
func WithAccountHeader(name string) ClientOption {
	return clientOption(func(s *settings) error {
		if !exchange.ValidHeaderName(name) || exchange.ReservedHeader(name) || strings.EqualFold(name, "Content-Type") {
			return fmt.Errorf("account header name %.50q is not valid", name)
		}
		s.accountHeader = name
		return nil
	})
}

// WithInsecureHTTP allows plain http to a base address that is not a loopback address. The
// API key is sent unencrypted then.
func WithInsecureHTTP() ClientOption {
	return clientOption(func(s *settings) error {
		s.insecure = true
		return nil
	})
}
