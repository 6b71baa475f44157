package monitoring

import (
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// ClientOption configures a client; see [NewClient].
type ClientOption interface{ applyToClient(*settings) error }

// CallOption configures one call; every method that calls the service accepts them.
type CallOption interface{ applyToCall(*callSettings) error }

// Option configures a client, as the default of its calls, or a single call, for which it
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

// WithAccount sets the account in the account header; the id is a UUID. Keys of users need it.
// Service keys belong to one account and do not need it.
func WithAccount(id string) Option {
	return option(func(s *callSettings) error {
		if err := checkHeaderValue("account id", id); err != nil {
			return err
		}
		s.account = NewSecret(id)
		return nil
	})
}

// WithHeader sets a header of the requests. The headers that the client sets itself, such as
// Authorization and the account header (see [WithAccount]), are errors, and so are names and
// values that are not valid.
func WithHeader(name, value string) Option {
	return option(func(s *callSettings) error {
		name := textproto.CanonicalMIMEHeaderKey(name)
		if !validHeaderName(name) {
			return fmt.Errorf("header name %.50q is not valid", name)
		}
		if reservedHeader(name) {
			return fmt.Errorf("header %s cannot be set: the client sets it itself", name)
		}
		switch name {
		case "X-Service-Account":
			return errors.New("the account header cannot be set by WithHeader: use WithAccount")
		case "Idempotency-Key", "X-Idempotency-Key":
			// With this header net/http may send a POST twice, and the service ignores it.
			return fmt.Errorf("header %s is refused: the service ignores it, and with it net/http may send a trigger or create twice", name)
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
// is an error. The default is MaxRetries of the [RetryPolicy].
func WithMaxRetries(n int) Option {
	return option(func(s *callSettings) error {
		if n < 0 {
			return fmt.Errorf("number of retries %d is negative", n)
		}
		s.maxRetries, s.retriesSet = n, true
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

// WithOperation names a call of [Do] in hooks, logs, errors and route limits, so that ids in
// its path do not give each call another name: WithOperation("GET /v1/checks/{id}"). The name
// is a method and a path with placeholders; another text is an error.
func WithOperation(name string) CallOption {
	return callOption(func(s *callSettings) error {
		method, path, _ := strings.Cut(name, " ")
		if !validMethod(method) || method != strings.ToUpper(method) || !strings.HasPrefix(path, "/") || scrub.Clean(path) != path {
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

// WithResponse fills r with the status, the header, the number of attempts, the times of
// waiting and the raw body of the response, also if the call fails. Do not share r between
// concurrent calls. Methods that make several calls (waiting, FetchFailingResults, iterators
// with read-ahead) do not fill it. A nil r is an error.
func WithResponse(r *Response) CallOption {
	return callOption(func(s *callSettings) error {
		if r == nil {
			return errors.New("WithResponse needs a Response")
		}
		s.response = r
		return nil
	})
}
