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

// ClientOption configures a client; see [NewClient].
type ClientOption interface{ applyToClient(*settings) error }

// CallOption configures one call; each method that makes one accepts it.
type CallOption interface{ applyToCall(*callSettings) error }

// Option is both a [ClientOption] and a [CallOption]: given to [NewClient], it sets the default for
// all calls, which the same option of a call overrides. The options are [WithAccount],
// [WithBackground], [WithHeader], [WithMaxRetries], [WithReadAhead], [WithStrictUpdates],
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

// needing is the option that sets something, and an error if that is missing.
func needing(missing bool, text string, set func(*settings)) ClientOption {
	return clientOption(func(s *settings) error {
		if missing {
			return errors.New(text)
		}
		set(s)
		return nil
	})
}

// WithAccount sends the id of the account, a UUID. Keys of users need it. Service keys belong to
// one account and do not.
func WithAccount(id string) Option {
	return option(func(s *callSettings) error {
		if err := exchange.CheckSecretHeader("account id", id); err != nil {
			return err
		}
		s.account = NewSecret(id)
		return nil
	})
}

// WithKeySource makes the client call source for the API key before each attempt, so that keys can
// be rotated at run time. Pass "" as the key to [NewClient].
//
// refused is withheld on the first attempt. After a 401, source is called again with the key that
// was refused. If it returns a different key, the client sends the call once more, even a trigger
// or create, because a 401 means that nothing happened. This uses up no retry. Otherwise the call
// returns the 401.
//
// What source must do:
//
//   - Cache the key, and discard it only if it equals refused: another call may have replaced it.
//   - Be safe for concurrent use, and hold no lock while it fetches a key. Calls share one result,
//     but if source is slow, up to four calls of it can overlap.
//   - Return when its context is done, which is after 30 seconds at most. A call waits for its key
//     until its own context ends, and for a minute at most. A source that never returns leaks its
//     goroutine.
//   - Not use the client that it serves.
//   - Keep other keys out of its errors. The client removes those that the call has used.
//
// An error of source ends the call without a retry, as a [*CallError] that wraps it. A panic of
// source reaches the caller.
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
		return errors.New("WithKeySource needs a function")
	}
	if s.keySource != nil {
		return errors.New("WithKeySource was passed twice")
	}
	s.keySource = k.ask
	return nil
}

// WithHeader adds a header to requests. The client removes its value from errors and logs if the
// name contains auth, key, token, secret or cookie, or if the value is longer than 15 bytes.
//
// It is an error if name or value is invalid, or if the client sets the header itself, such as
// Authorization. For the account header use [WithAccount].
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		name := textproto.CanonicalMIMEHeaderKey(name)
		if !exchange.ValidHeaderName(name) {
			return fmt.Errorf("WithHeader: %.50q is not a valid header name", name)
		}
		if exchange.ReservedHeader(name) {
			return fmt.Errorf("WithHeader: the client sets %s itself", name)
		}
		if name == "X-Service-Account" {
			return errors.New("WithHeader cannot set the account: use WithAccount")
		}
		if err := checkNotIdempotencyKey("WithHeader", name); err != nil {
			return err
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

// checkNotIdempotencyKey refuses the headers with which net/http may send a POST twice.
func checkNotIdempotencyKey(option, name string) error {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Idempotency-Key", "X-Idempotency-Key":
		return fmt.Errorf("%s: %s is refused, because the service ignores it and net/http may then send a trigger or create twice", option, name)
	}
	return nil
}

// WithTimeout limits the time of one attempt, from sending the request to the end of the response.
// Waiting for the rate limit or between attempts does not count; to limit the whole call, use its
// context. The default is 30 seconds, and 0 means no limit. The time for which the service may hold
// a long poll is added.
//
// An attempt that takes too long fails with a [net.Error] whose Timeout method returns true, and
// that does not match [context.DeadlineExceeded].
func WithTimeout(d time.Duration) Option {
	return option(func(s *callSettings) error {
		if d < 0 {
			return fmt.Errorf("WithTimeout: %s is negative", d)
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

// WithMaxRetries limits how often a call is retried. 0 means never. The default is MaxRetries of
// the [RetryPolicy], which also describes when a 429 uses up no retry.
func WithMaxRetries(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 {
			return fmt.Errorf("WithMaxRetries: %d is negative", n)
		}
		s.maxRetries, s.retriesSet = n, true
		return nil
	})
}

// WithBackground is for calls that can wait, such as those of an import or a nightly job. They use
// the part of the rate limit that other calls leave, but at least one request in twenty. It does
// not affect waits for sessions.
func WithBackground() Option {
	return option(func(s *callSettings) error {
		s.background = true
		return nil
	})
}

// WithoutValidation sends requests without checking the rules of the API document, for a service
// with wider limits. The client still refuses what would do harm: a trigger without filters and
// without AllChecks, an id that is not a single path segment, a withheld secret, and an update that
// unsets what cannot be unset.
func WithoutValidation() Option {
	return option(func(s *callSettings) error {
		s.lenient = true
		return nil
	})
}

// WithReadAhead lets an iterator fetch up to n pages ahead of the loop, within the rate limit. n is
// 0 to 64, and 0 by default: a page is fetched when the loop needs it. Lists by cursor are not read
// ahead.
//
// With read-ahead, an item is sure not to be missed only if responses report the total and the list
// only grows or only shrinks during the iteration.
func WithReadAhead(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 || n > maxReadAhead {
			return fmt.Errorf("WithReadAhead: %d pages are outside 0..%d", n, maxReadAhead)
		}
		s.readAhead = n
		return nil
	})
}

// WithOperation names a call of [Do] or [All] in hooks, logs, errors and route limits, so that ids
// in its path do not give each call its own name: WithOperation("GET /v1/checks/{id}"). name needs
// both the method and the path.
func WithOperation(name string) CallOption {
	return callOption(func(s *callSettings) error {
		method, path, _ := strings.Cut(name, " ")
		if !route.ValidMethod(method) || !strings.HasPrefix(path, "/") || scrub.Clean(path) != path {
			return fmt.Errorf("WithOperation: %.50q: want a method and a path, such as %q", name, "GET /v1/checks/{id}")
		}
		s.operation = name
		return nil
	})
}

// WithQuery sets a query parameter, such as one that the options of a method lack, in place of the
// value that the method would send.
func WithQuery(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if name == "" {
			return errors.New("WithQuery needs the name of a parameter")
		}
		if s.query == nil {
			s.query = make(url.Values)
		}
		s.query.Set(name, value)
		return nil
	})
}

// WithResponse fills r with the status, header, body and timings of the last response, even if the
// call fails. Do not share r between concurrent calls. Methods that make several calls do not fill
// it: waits, FetchFailingResults, and iterators with read-ahead.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return errors.New("WithResponse needs a Response")
		}
		s.response = r
		return nil
	})
}

// WithHTTPClient sends requests with the Transport and the cookie Jar of c, such as a tracing
// transport. c.CheckRedirect is called after the client's own checks, and c.Timeout limits an
// attempt unless [WithTimeout] is given. Transport, Jar and CheckRedirect are read at each call, so
// you may replace them later.
//
// Without a Transport of yours, triggers and creates use no connection that was idle for over a
// second: if the service closed it, their outcome would be unknown. With one, its IdleConnTimeout
// decides.
func WithHTTPClient(c *http.Client) ClientOption {
	return needing(c == nil, "WithHTTPClient needs a client", func(s *settings) { s.httpClient = c })
}

// WithRateLimit replaces the limit of 600 requests per minute. NewClient returns an error for a
// second limiter.
func WithRateLimit(limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		l, err := newLimiter(limit)
		if err != nil {
			return err
		}
		return s.setLimiter(l)
	})
}

// WithLimiter makes the client use l, which other clients may share. By default each client has its
// own limiter.
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
		return errors.New("pass only one of WithRateLimit, WithLimiter and WithoutRateLimit, and only once")
	}
	s.limiter = l
	return nil
}

// WithoutRateLimit turns the limiter off, for a service without a limit or behind a proxy that
// enforces it. A 429 is still retried.
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
	return errors.New("a route cannot have a limit without WithRateLimit or WithLimiter: remove WithoutRateLimit")
}

// WithRouteRateLimit limits one operation, such as "GET /v1/check-groups/{id}", in addition to the
// common limit. [DefaultRouteLimits] returns the defaults. The limit belongs to the [Limiter], and
// thereby to all clients that share it.
func WithRouteRateLimit(operation string, limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		s.routes = append(s.routes, routeOption{operation, limit})
		return nil
	})
}

// WithRetryPolicy replaces [DefaultRetryPolicy]. [WithMaxRetries] overrides its MaxRetries, in any
// order of the options.
func WithRetryPolicy(p RetryPolicy) ClientOption {
	return clientOption(func(s *settings) error {
		if err := p.check(); err != nil {
			return err
		}
		s.policy = p.withDefaults()
		return nil
	})
}

// WithLogger logs each attempt (debug), each retry and each pause (warn), and each call that waited
// more than a second for the rate limit (info). No record contains a secret. By default nothing is
// logged. To log each call that fails, use [WithCallHook].
//
// Records have the attributes operation, attempt or attempts, status (0 without a response) and
// error, and the durations limiter_wait, duration, retry_in and retry_after; those of a pause also
// limit, which is account or a route, and share.
func WithLogger(l *slog.Logger) ClientOption {
	return needing(l == nil, "WithLogger needs a logger", func(s *settings) { s.logger = l })
}

// WithUserAgent puts product, such as "deploy-gate/1.2", before the client's own name in the
// User-Agent header.
func WithUserAgent(product string) ClientOption {
	return clientOption(func(s *settings) error {
		if err := exchange.CheckHeader("user agent", product); err != nil {
			return err
		}
		s.userAgent = product + " "
		return nil
	})
}

// WithMaxResponseSize limits the size of a response in bytes, after decompression; it must be more
// than 0. The default is 16 MiB, many times the largest results of the service (about 1 MB). A
// larger response is [ErrResponseTooLarge]. Lower the limit for programs with little memory.
//
// The client also refuses to decode a response whose values would take over 1.5 times the limit, or
// over 1 MiB if that is more, and one with a name or number of over 64 KiB. So no response takes
// more than six times the limit. Bodies of over 1 MiB are decoded one at a time in the process.
func WithMaxResponseSize(bytes int64) ClientOption {
	return clientOption(func(s *settings) error {
		if bytes <= 0 {
			return fmt.Errorf("WithMaxResponseSize: %d is not positive", bytes)
		}
		s.maxResponse = min(bytes, math.MaxInt64-1) // one less, so that a byte more can be counted
		return nil
	})
}

// WithAccountHeader renames the header of the account, x-service-account.
func WithAccountHeader(name string) ClientOption {
	return clientOption(func(s *settings) error {
		if !exchange.ValidHeaderName(name) {
			return fmt.Errorf("WithAccountHeader: %.50q is not a valid header name", name)
		}
		if err := checkNotIdempotencyKey("WithAccountHeader", name); err != nil {
			return err
		}
		if name := textproto.CanonicalMIMEHeaderKey(name); exchange.ReservedHeader(name) || name == "Content-Type" {
			return fmt.Errorf("WithAccountHeader: the client sets %s itself", name)
		}
		s.accountHeader = name
		return nil
	})
}

// WithInsecureHTTP allows a base URL with plain http to any host. This sends the API key
// unencrypted.
func WithInsecureHTTP() ClientOption {
	return clientOption(func(s *settings) error {
		s.insecure = true
		return nil
	})
}
