package monitoringtest

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/control"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

const (
	// APIKey is the key a [Service] accepts unless [WithAPIKey] says otherwise.
	APIKey = "sv_test_4f9d1c7e2b8a"
	// AccountID is the account of a [Service] unless [WithAccountID] says otherwise.
	AccountID = "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	// BaseURL is the base address of clients that talk to a [Service] in memory. No
	// such host exists.
	BaseURL = "https://monitoring.test"
	// AccountHeader is the header that names the account unless [WithAccountHeader]
	// says otherwise.
	AccountHeader = "x-service-account"
	// DefaultRunTime is how long sessions take unless their check or [WithRunTime] says
	// otherwise.
	DefaultRunTime = 2 * time.Second
	// DefaultCancelDelay is how long after its 204 a cancel takes effect unless
	// [WithCancelDelay] says otherwise.
	DefaultCancelDelay = time.Second
)

// Service is an in-process fake of the monitoring service. It is made by [New] or
// [NewDemo], safe for use by many goroutines at once, and an [http.Handler].
type Service struct {
	config  // of the options; not used after New
	world   *world.World
	front   *front.Front
	control *control.Control
}

// config is what the options set.
type config struct {
	account         world.Config
	service         front.Config
	refusalsAllowed bool // at the end of a test of Run
}

// New makes a service with its locations, one account and the account's entitlements. It
// has no checks or other data.
func New(opts ...Option) *Service {
	s := &Service{config: config{
		account: world.Config{Account: AccountID, RunTime: DefaultRunTime, CancelDelay: DefaultCancelDelay},
		service: front.Config{
			Key: APIKey, AccountHeader: AccountHeader, PageHeaders: true, RetryAfter: true, Recording: math.MaxInt, Seed: [2]uint64{1, 2},
		},
	}}
	for _, o := range opts {
		if o != nil {
			o(s)
		}
	}
	s.world = world.New(s.account)
	s.front = front.New(s.world, s.service)
	s.world.Beside = s.front.Held
	s.control = control.New(s.front, s.world)
	return s
}

// Reset makes the service as it was after [New] or [NewDemo], with the same options: everything
// that was added, changed, recorded, injected or taught is gone, and generated ids start from the
// beginning. Its clock is the real one again. A request that is being held gets the response for an
// unknown session.
func (s *Service) Reset() { s.front.Reset() }

// Advance moves the clock of the service forward by d, and no other: what it holds goes on, and
// runs, alerts, retention and its limits are as they would be after d. Clients notice nothing:
// their time-outs, their own limits and their waits between attempts take the time that they take,
// and so do gateways ([Fault.CutAfter]). What happens after it has times that lie in the future of
// a client: lists that end at the present moment of a client lack it.
//
// It is for tests over a listener and for programs. In a bubble of testing/synctest, where
// [time.Sleep] moves all clocks, it panics, and so it does for a negative d.
func (s *Service) Advance(d time.Duration) {
	mustNot(s.control.Advance(d))
}

// Client makes a client that talks to the service in memory, with the key and the account
// of the service. The given options go before these. With [monitoring.WithKeySource] the client
// has the keys of the source alone; without it a 401 asks nobody for another key. The errors are
// those of [monitoring.NewClient].
func (s *Service) Client(opts ...monitoring.ClientOption) (*monitoring.Client, error) {
	key := s.front.AcceptedKey()
	if slices.ContainsFunc(opts, isKeySource) {
		key = ""
	}
	all := append([]monitoring.ClientOption{
		monitoring.WithHTTPClient(&http.Client{Transport: s.Transport()}),
		monitoring.WithAccount(s.account.Account),
	}, opts...)
	if s.service.AccountHeader != AccountHeader {
		all = append([]monitoring.ClientOption{monitoring.WithAccountHeader(s.service.AccountHeader)}, all...)
	}
	return monitoring.NewClient(BaseURL, key, all...)
}

var keySource = reflect.TypeOf(monitoring.WithKeySource(nil))

func isKeySource(o monitoring.ClientOption) bool { return reflect.TypeOf(o) == keySource }

// Start serves on a loopback address until stop is called. The URL is the base address
// for a client. It panics if it cannot listen. A mistake of the test that a request meets cannot
// panic in the goroutine of the test: the response is a 500 that says what is wrong, and
// [Service.Unexpected] has the request, so that a test of [Run] fails.
func (s *Service) Start() (url string, stop func()) {
	server := httptest.NewServer(s)
	return server.URL, sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with
// a TCP reset. Behind an [http.ServeMux] some unknown paths are not 404: it redirects
// requests for a path such as //v1/locations.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.front.ServeHTTP(w, r)
}

// Transport returns a round tripper that gives requests to the service in memory,
// whatever their host is. It starts no goroutine: the response is made in the caller's
// goroutine. Like net/http it calls the hooks of httptrace and ends with the request's
// context. With faults it returns the errors of a real network.
func (s *Service) Transport() http.RoundTripper {
	return (*front.Memory)(s.front)
}

// SetAPIKey makes the service accept another key instead of that of [WithAPIKey], as when a key is
// rotated: requests with the old one are 401 from now on. A request that is being held was let in
// before, and gets its response. Clients that [Service.Client] makes later have the new key. It
// panics for an empty key. [Service.Reset] brings the first key back.
func (s *Service) SetAPIKey(key string) {
	mustNot(s.control.SetKey(key))
}

// Handle teaches the service an operation that it does not have, or replaces one. The
// pattern is a method and a path with values in braces, such as "GET /v1/checks/{id}". A
// last value that is written {name...} takes the rest of the path. If two patterns match,
// the one that has a text in the first segment in which they differ is taken; if both
// have a value there, a taught operation is taken before one of the service. Teaching a
// pattern again replaces its handler.
//
// Everything else is as for an operation of the service: requests need the key and the
// account, take places in the limits, are recorded and counted, and faults happen to
// them. The handler reads the values of the path with [http.Request.PathValue]. It runs
// in the goroutine of the request and may call methods of the service. A panic with
// [http.ErrAbortHandler] resets the connection. A response from 200 to 299 to anything
// but a GET counts as carried out; see [Service.Executed].
//
// It panics for a text that is not a pattern, and for a nil handler.
func (s *Service) Handle(pattern string, h http.Handler) {
	mustNot(s.front.Teach(pattern, h))
}

// Next responds to a request as if the operation of a handler had not been taught, for a handler of
// [Service.Handle] that replaces one and only changes what goes in or comes out. The request is
// that of the handler, or one with its context. Its body may have been read. The service checks it
// and carries it out, and counts it once. Next writes the response to w, which may be an
// [net/http/httptest.ResponseRecorder].
//
// It panics for a request that is none of a handler. If the client no longer waits, it ends the
// handler by a panic with [http.ErrAbortHandler].
func (s *Service) Next(w http.ResponseWriter, r *http.Request) {
	mustNot(s.front.Next(w, r))
}

// Page responds with a page of a list that a handler of [Service.Handle] has: with as many items as
// the parameter limit says, 1 to 100 and 10 by default, from the page that the parameter page says.
// Items are written by [monitoring.MarshalWithSecrets]. The headers are those of the lists of the
// service; see [WithPageHeaders]. Another limit or page is a 400. A request that is none of a
// handler is responded to in the same way. It panics for an item that has no JSON.
func Page[T any](w http.ResponseWriter, r *http.Request, items []T) {
	front.Page(w, r, &routes.List{Total: len(items), Get: func(i int) json.RawMessage { return world.JSON(items[i]) }})
}

// Operations returns the operations of the service, as the API document writes them.
// Those that a test taught are not among them.
func Operations() []string {
	return routes.Operations()
}

// UUID makes an id from a name, the same one each time. The service accepts only UUIDs as
// ids of checks and sessions; with UUID a test can name them.
func UUID(name string) string {
	return world.UUID(name)
}

// mustNot panics for a mistake of a test.
func mustNot(mistake error) {
	if mistake != nil {
		panic("monitoringtest: " + mistake.Error())
	}
}

// must returns what a test asked for, and panics for a mistake of a test.
func must[T any](v T, mistake error) T {
	mustNot(mistake)
	return v
}
