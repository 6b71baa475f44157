package monitoring

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
)

// WithHTTPClient sends through the transport of c (tracing wrappers work), with its cookie
// jar, and with its redirect check after ours. They are read at each call, so a transport
// that is replaced later counts, too. Its Timeout bounds an attempt, unless [WithTimeout]
// says otherwise.
func WithHTTPClient(c *http.Client) ClientOption {
	return clientOption(func(s *settings) error {
		if c == nil {
			return errors.New("WithHTTPClient needs a client")
		}
		s.httpClient = c
		return nil
	})
}

// WithRateLimit replaces the limit of 600 requests in 60 seconds; see [RateLimit].
func WithRateLimit(limit RateLimit) ClientOption {
	return clientOption(func(s *settings) error {
		l, err := NewLimiter(limit)
		if err != nil {
			return err
		}
		return s.setLimiter(l)
	})
}

// WithLimiter makes the client use a limiter that it may share with other clients.
func WithLimiter(l Limiter) ClientOption {
	return clientOption(func(s *settings) error {
		if l == nil {
			return errors.New("WithLimiter needs a limiter")
		}
		return s.setLimiter(l)
	})
}

// setLimiter takes one limiter: of two only one could be kept.
func (s *settings) setLimiter(l Limiter) error {
	if s.limited {
		return errors.New("two limiters were given: use one of WithRateLimit, WithLimiter and WithoutRateLimit, once")
	}
	s.limiter, s.limited = l, true
	return nil
}

// WithoutRateLimit sends without a limit of this package's own, for a service that has none
// or a proxy that keeps it. A 429 is retried as ever.
func WithoutRateLimit() ClientOption {
	return clientOption(func(s *settings) error { return s.setLimiter(unlimited{}) })
}

// WithRouteRateLimit gives a route a limit of its own, which counts besides the common
// one. The operation is a method and a path with placeholders, as in
// "GET /v1/check-groups/{id}". The default knows one such route:
// "GET /v1/alert-notifications" with 5 requests in 10 seconds. The limit belongs to the
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

// WithLogger logs one debug record for each attempt, a warning for each retry and each
// pause, and an info record for a call that waited more than a second for its place in the
// limit. No record holds a secret. Without it nothing is logged.
func WithLogger(l *slog.Logger) ClientOption {
	return clientOption(func(s *settings) error {
		if l == nil {
			return errors.New("WithLogger needs a logger")
		}
		s.logger = l
		return nil
	})
}

// WithStartHook calls f before each call, with its context and its operation as [Call] has
// it. The context that f returns is that of the call: the transport and the hooks get it, so
// that a span which f begins is the parent of what happens within the call. It must be
// derived from the one that f got; nil keeps that one. [WithCallHook] is called with it at
// the end of the call. Several hooks are called in the order in which they were given.
func WithStartHook(f func(ctx context.Context, operation string) context.Context) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithStartHook needs a function")
		}
		s.startHooks = append(s.startHooks, f)
		return nil
	})
}

// WithAttemptHook calls f after each attempt, with the context of the call, for metrics. It
// is not called for an attempt whose context ended while it waited for the limiter. It is
// called from the goroutine of the call, so from many at once, and should return soon.
// Several hooks are called in the order in which they were given.
func WithAttemptHook(f func(context.Context, Attempt)) ClientOption {
	return clientOption(func(s *settings) error {
		if f == nil {
			return errors.New("WithAttemptHook needs a function")
		}
		s.attemptHooks = append(s.attemptHooks, f)
		return nil
	})
}

// WithCallHook calls f after each call, with its context, its error and where its time
// went. Calls that were refused before anything was sent are told, too. It is called from
// the goroutine of the call, so from many at once, and should return soon. Several hooks are
// called in the order in which they were given.
func WithCallHook(f func(context.Context, Call)) ClientOption {
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
		if err := checkHeaderText("user agent", product); err != nil {
			return err
		}
		s.userAgent = product + " " + userAgent
		return nil
	})
}

// WithMaxResponseSize caps the size of a response, in bytes after decompression; the default
// is 32 MiB. A larger one gives [ErrResponseTooLarge], and is given up before it has taken
// more than 1.1 times the cap of memory. One that fits takes up to 1.3 times its size while
// it is read if it announces its size, and up to 2.2 times if it does not, as compressed
// ones; what is decoded from it comes on top.
//
// The default is many times what the service sends, whose largest responses are results of
// about 1 MB, and small enough that eight calls at once that get a compressed bomb each stay
// under 300 MB. Raise it if [ErrResponseTooLarge] tells you to, and lower it for programs
// with little memory and many calls at once.
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
