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
	// APIKey is the key that a [Service] accepts by default; see [WithAPIKey].
	APIKey = "sv_test_4f9d1c7e2b8a"
	// AccountID is the account of a [Service] by default; see [WithAccountID].
	AccountID = "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	// BaseURL is the base URL of clients that talk to a [Service] in memory. No such host
	// exists.
	BaseURL = "https://monitoring.test"
	// AccountHeader is the header that names the account by default; see [WithAccountHeader].
	AccountHeader = "x-service-account"
	// DefaultRunTime is how long sessions take by default; see [WithRunTime].
	DefaultRunTime = 2 * time.Second
	// DefaultCancelDelay is how long after its 204 a cancel takes effect by default; see
	// [WithCancelDelay].
	DefaultCancelDelay = time.Second
)

// Service is an in-process fake of the Monitoring Service, and an http.Handler. Create one with
// [New] or [NewDemo], or with [Run] in a test. It is safe for concurrent use.
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

// New returns a service with locations and an account with entitlements, without checks or other
// data.
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

// Reset makes the service as [New] or [NewDemo] returned it: everything that was added, changed,
// recorded or injected is gone, generated ids start over, and the clock is the real one. A request
// that is being held gets the response for an unknown session.
func (s *Service) Reset() { s.front.Reset() }

// Advance moves the clock of the service forward by d: sessions, alerts, retention and its own
// limits are as they would be after d. The clocks of clients do not move, so their timeouts, limits
// and delays take real time, and so do gateways (CutAfter of [Fault]). What happens later has times
// in the future of clients, and is missing from lists that end at their present moment.
//
// Advance is for tests over a listener and for programs. In a bubble of testing/synctest, use
// time.Sleep: there Advance panics, and so it does for a negative d.
func (s *Service) Advance(d time.Duration) {
	mustNot(s.control.Advance(d))
}

// Client returns a client that talks to the service in memory, with its key and account. opts
// override these. With [monitoring.WithKeySource], the client has only the keys of the source.
// Errors are those of [monitoring.NewClient].
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

// Start serves on a loopback address until stop is called. url is the base URL for a client.
// Start panics if it cannot listen. If a request meets a mistake of the test, the response is a 500
// that describes it, and [Service.Unexpected] lists the request, so that a test of [Run]
// fails.
func (s *Service) Start() (url string, stop func()) {
	server := httptest.NewServer(s)
	return server.URL, sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with a TCP
// reset. Behind an [http.ServeMux], some unknown paths, such as //v1/locations, are redirects
// instead of 404.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.front.ServeHTTP(w, r)
}

// Transport returns a round tripper that passes requests to the service in memory, whatever their
// host. It makes the response in the goroutine of the caller, calls the hooks of httptrace, ends
// with the context of the request, and for faults returns the errors of a real network.
func (s *Service) Transport() http.RoundTripper {
	return (*front.Memory)(s.front)
}

// SetAPIKey replaces the key that the service accepts, as when a key is rotated: requests with the
// old one are 401 from now on, except for those that are being held. Clients that [Service.Client]
// returns later have the new key. Reset restores the first one.
func (s *Service) SetAPIKey(key string) {
	mustNot(s.control.SetKey(key))
}

// Handle adds an operation that the service does not have, or replaces one. The pattern is a method
// and a path with values in braces, such as "GET /v1/checks/{id}"; a last value {name...} matches
// the rest of the path. If two patterns match, text wins over a value in the first segment in which
// they differ, and then an added operation over one of the service.
//
// Requests need the key and account, count in limits, are recorded, and have faults, as for any
// operation. A 2xx to anything but a GET counts as executed. The handler gets values of the path
// from [http.Request.PathValue], runs in the goroutine of the request, and may call methods of the
// service. A panic with [http.ErrAbortHandler] resets the connection.
func (s *Service) Handle(pattern string, h http.Handler) {
	mustNot(s.front.Teach(pattern, h))
}

// Next responds to a request of a handler of [Service.Handle] as the service would without it, for
// handlers that change what goes in or comes out. r is the request of the handler, or one with its
// context; its body may have been read. The service counts it once. w may be a
// [net/http/httptest.ResponseRecorder].
//
// Next panics for a request of no handler. If the client no longer waits, it ends the handler by a
// panic with [http.ErrAbortHandler].
func (s *Service) Next(w http.ResponseWriter, r *http.Request) {
	mustNot(s.front.Next(w, r))
}

// Page writes a page of a list, for a handler of [Service.Handle]. It has limit items (1 to 100, by
// default 10) from the page on that the parameter page names, encoded by
// [monitoring.MarshalWithSecrets], and the headers of the service's lists; see [WithPageHeaders].
// Another limit or page is a 400. Page panics for an item that cannot be encoded.
func Page[T any](w http.ResponseWriter, r *http.Request, items []T) {
	front.Page(w, r, &routes.List{Total: len(items), Get: func(i int) json.RawMessage { return world.JSON(items[i]) }})
}

// Operations returns the names of the operations, without those added by [Service.Handle].
func Operations() []string {
	return routes.Operations()
}

// UUID returns an id that is made from a name, the same one each time: the service accepts only
// UUIDs as ids of checks and sessions.
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
