package monitoringtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/schema"
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
	config
	options []Option // for Reset
	taught  atomic.Pointer[[]*route]
	large   chan struct{} // has an element for each large body in memory

	mu sync.Mutex // never held while waiting, nor while code of a test runs
	state
}

// config is what the options set. It does not change after [New].
type config struct {
	key           string
	account       string
	accountHeader string
	runTime       time.Duration
	cancelDelay   time.Duration
	visibleAfter  time.Duration
	speed         float64
	latency       func() time.Duration
	pageHeaders   bool
	retryAfter    bool
	groupResets   bool
	withholdMore  bool
	emptySecrets  bool
	demo          bool
	recording     int // how many requests are kept at most
	retention     retention
	limit         monitoring.RateLimit
	limitKind     RateLimitKind
	routeLimited  bool
	seed          [2]uint64
}

// state is what operations and tests change, and what [Service.Reset] throws away.
type state struct {
	random      *rand.Rand
	common      gates.Limit // nil: none
	routeLimits map[string]gates.Limit
	faults      []*fault
	journal     journal
	ids         map[string]uint64
	demoClock   demoClock

	checks       []*check
	checksByID   map[string]*check
	checkLimit   int // 0: none
	groups       map[int64]object
	queues       map[int64]*timeHeap // by group: when a run ends and makes room
	channels     []AlertChannel
	private      []monitoring.PrivateLocation
	sessions     []*session
	sessionsByID map[string]*session
	resultsByID  map[string]resultRef
	unsettled    sessionHeap
	lastRun      int64
	variables    []variable
	alerts       alertList
	windows      []window
	errorGroups  map[string][]item
	rcas         map[string]rootCause
	services     set
	dashboards   set
	entitlements json.RawMessage
}

// New makes a service with its locations, one account and the account's entitlements. It
// has no checks or other data.
func New(opts ...Option) *Service {
	s := &Service{
		config: config{
			key: APIKey, account: AccountID, accountHeader: AccountHeader,
			runTime: DefaultRunTime, cancelDelay: DefaultCancelDelay, speed: 1,
			pageHeaders: true, retryAfter: true, recording: math.MaxInt, seed: [2]uint64{1, 2},
		},
		options: opts,
		large:   make(chan struct{}, largeAtOnce),
	}
	for _, o := range opts {
		if o != nil {
			o(s)
		}
	}
	s.state = newState(&s.config)
	if s.demo {
		s.fillDemo()
	}
	return s
}

func newState(c *config) state {
	st := state{
		random:      rand.New(rand.NewPCG(c.seed[0], c.seed[1])),
		routeLimits: make(map[string]gates.Limit),
		journal:     newJournal(c),
		ids:         make(map[string]uint64),

		checksByID:   make(map[string]*check),
		groups:       make(map[int64]object),
		queues:       make(map[int64]*timeHeap),
		sessionsByID: make(map[string]*session),
		resultsByID:  make(map[string]resultRef),
		errorGroups:  make(map[string][]item),
		rcas:         make(map[string]rootCause),
		services:     make(set),
		dashboards:   make(set),
		entitlements: defaultEntitlementsJSON,
	}
	if c.limit.Requests > 0 {
		st.common = newRateLimit(c.limit, c.limitKind)
	}
	if c.routeLimited {
		for operation, limit := range monitoring.DefaultRouteLimits() {
			st.routeLimits[operation] = newRateLimit(limit, SlidingLog)
		}
	}
	return st
}

// Reset makes the service as it was after [New] or [NewDemo], with the same options:
// everything that was added, changed, recorded, injected or taught is gone, and generated
// ids start from the beginning. A request that is being held gets the response for an
// unknown session.
func (s *Service) Reset() {
	fresh := New(s.options...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		close(x.changed)
	}
	s.state = fresh.state
	s.taught.Store(nil)
}

// Client makes a client that talks to the service in memory, with the key and the account
// of the service. The given options go before these. The errors are those of
// [monitoring.NewClient]. For a client with [monitoring.WithKeySource], which must have no
// other key, use NewClient with [BaseURL] and [Service.Transport].
func (s *Service) Client(opts ...monitoring.ClientOption) (*monitoring.Client, error) {
	all := append([]monitoring.ClientOption{
		monitoring.WithHTTPClient(&http.Client{Transport: s.Transport()}),
		monitoring.WithAccount(s.account),
	}, opts...)
	if s.accountHeader != AccountHeader {
		all = append([]monitoring.ClientOption{monitoring.WithAccountHeader(s.accountHeader)}, all...)
	}
	return monitoring.NewClient(BaseURL, s.key, all...)
}

// Start serves on a loopback address until stop is called. The URL is the base address
// for a client. It panics if it cannot listen.
func (s *Service) Start() (url string, stop func()) {
	server := httptest.NewServer(s)
	return server.URL, sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// UUID makes an id from a name, the same one each time. The service accepts only UUIDs as
// ids of checks and sessions; with UUID a test can name them.
func UUID(name string) string { return uuidOf(name, 0) }

// newID makes the next id of a kind. Ids look random and are the same in each run.
func (s *state) newID(kind string) string {
	s.ids[kind]++
	return uuidOf(kind, s.ids[kind])
}

func uuidOf(kind string, n uint64) string {
	sum := sha256.Sum256(strconv.AppendUint(append([]byte(kind), ' '), n, 10))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	var digits [32]byte
	hex.Encode(digits[:], sum[:16])
	id := make([]byte, 0, 36)
	for i, end := range [...]int{8, 12, 16, 20, 32} {
		if i > 0 {
			id = append(id, '-')
		}
		id = append(id, digits[len(id)-i:end]...)
	}
	return string(id)
}

// newNumber makes the next id of a kind whose ids are numbers.
func (s *state) newNumber(kind string) int64 {
	s.ids[kind]++
	return 1000 + int64(s.ids[kind])
}

// mustBeUUID panics for an id that is neither empty nor a UUID.
func mustBeUUID(what, id string) {
	if id != "" && !schema.IsUUID(id) {
		panic(fmt.Sprintf("monitoringtest: %s has the id %q, but such ids are UUIDs: leave it empty, or use monitoringtest.UUID(%q)", what, id, id))
	}
}

// timeFormat is how the service writes moments: milliseconds in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeFormat) }

// mustMarshal writes a value as JSON, secrets included. It panics for a value that cannot
// be marshalled.
func mustMarshal(v any) json.RawMessage {
	data, err := monitoring.MarshalWithSecrets(v)
	if err != nil {
		panic(fmt.Sprintf("monitoringtest: cannot write %T as JSON: %s", v, err))
	}
	return data
}
