package monitoring

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// settings are the values that the options of a client set.
type settings struct {
	defaults       callSettings // of calls without options of their own
	httpClient     *http.Client
	limiter        Limiter // nil until an option has set it
	routes         []routeOption
	policy         RetryPolicy
	logger         *slog.Logger
	startHooks     []func(context.Context, string) context.Context
	attemptHooks   []func(context.Context, AttemptInfo)
	callHooks      []func(context.Context, CallInfo)
	waitHooks      []func(context.Context, WaitInfo)
	transportHooks []func(http.RoundTripper) http.RoundTripper
	limiterHooks   []func(Limiter)
	keySource      func(ctx context.Context, refused Secret) (string, error) // nil if the key is fixed
	userAgent      string                                                    // with the product of WithUserAgent, and a space behind it, in front
	maxResponse    int64
	accountHeader  string
	insecure       bool
}

// routeOption is the limit of a route that an option sets.
type routeOption struct {
	operation string
	limit     RateLimit
}

// callSettings are the values that the options of a call can override, by who reads them.
type callSettings struct {
	sending
	writing
	listing
	watching
}

// sending is what the requests of a call are made and sent with.
type sending struct {
	account    Secret
	header     http.Header
	hidden     []string   // values of WithHeader that may be secrets
	query      url.Values // parameters that are added
	timeout    time.Duration
	timeoutSet bool
	maxRetries int
	retriesSet bool
	background bool   // WithBackground
	operation  string // WithOperation: the name of an untyped call
	response   *Response
	wire       func(*activeCall, exchange.Wired) // WithWireLog
}

// writing is what decides which bodies are sent.
type writing struct {
	lenient   bool                   // do not validate requests
	members   []updates.Member       // WithBodyField
	complete  bool                   // WithStrictUpdates
	lookAgain time.Duration          // WithCreateRecovery
	changes   func([]updates.Change) // WithChanges
	unchanged bool                   // WithUnchanged
	edit      *writeOfEdit           // says that the call is the write of an edit; nil for others
}

// writeOfEdit is what the write of an edit is besides a call.
type writeOfEdit struct {
	dry error // ErrDryRun: it is made as far as it can be told whether it is refused, and ends with this
}

// listing is how a list is walked over.
type listing struct {
	readAhead int
	itemID    string // WithItemID
	unpaged   bool   // WithoutPaging
}

// watching is what a waiting tells its calls.
type watching struct {
	share     float64      // the greatest part of the limit for long polls; 0 is all of it
	waiting   *waitingCall // nil for an ordinary call
	unchecked bool         // the caller checks itself what object the response is
}

// waitingCall marks a call as one of a waiting.
type waitingCall struct {
	placed func() // is called when the call has its place
}

const (
	defaultTimeout       = 30 * time.Second
	defaultMaxResponse   = 16 << 20
	defaultAccountHeader = "x-service-account"
	maxHeaderBytes       = 1 << 20 // as a server of net/http takes; its client would take 10 MiB
	// The pages that a walk may read ahead, a bound against mistakes. Below: walks over slow networks
	// are not as fast as the limit. Above: they take more memory.
	maxReadAhead = 64
)

func (s *callSettings) with(opts []CallOption) (*callSettings, error) {
	if len(opts) == 0 {
		return s, nil
	}
	c := *s
	c.header, c.query = maps.Clone(s.header), maps.Clone(s.query)
	for i, o := range opts {
		if isNil(o) {
			return nil, fmt.Errorf("monitoring: call option %d is nil", i+1)
		}
		if err := o.applyToCall(&c); err != nil {
			return nil, fmt.Errorf("monitoring: %w", err)
		}
	}
	return &c, nil
}

// concurrent makes call options fit for calls that run at once, which cannot share a
// Response.
func concurrent(opts []CallOption) []CallOption {
	return append(slices.Clip(opts), callOption(func(s *callSettings) error {
		s.response = nil
		return nil
	}))
}

// forWait makes call options fit for the calls of a wait. It goes on after a response that is
// about nothing, so it checks itself what its responses are about.
func forWait(opts []CallOption) []CallOption {
	return append(concurrent(opts), callOption(func(s *callSettings) error {
		s.unchecked = true
		return nil
	}))
}
