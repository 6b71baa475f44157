package monitoringtest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
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
)

// Service is the monitoring service in a box. It is made by [New] or [NewDemo], safe
// for use by many goroutines at once, and an [http.Handler].
type Service struct {
	key           string
	account       string
	accountHeader string
	runTime       time.Duration
	speed         float64
	latency       func() time.Duration
	pageHeaders   bool
	retryAfter    bool

	mu          sync.Mutex // never held while waiting
	random      *rand.Rand
	limit       *rateLimit
	routeLimits map[string]*rateLimit
	faults      []*fault
	journal     journal
	ids         map[string]uint64

	checks       []*check
	checksByID   map[string]*check
	checkLimit   int // 0: none
	groups       map[int64]object
	sessions     []*session
	sessionsByID map[string]*session
	resultsByID  map[string]resultRef
	variables    []variable
	alerts       alertList
	windows      []window
	errorGroups  map[string][]item
	rcas         map[string]rootCause
	services     set
	dashboards   set
	entitlements json.RawMessage
}

// New makes a service that knows its locations, one account and its entitlements, and
// is empty otherwise.
func New(opts ...Option) *Service {
	s := &Service{
		key: APIKey, account: AccountID, accountHeader: AccountHeader,
		runTime: DefaultRunTime, speed: 1, pageHeaders: true, retryAfter: true,
		random:      rand.New(rand.NewPCG(1, 2)),
		routeLimits: make(map[string]*rateLimit),
		journal:     newJournal(),
		ids:         make(map[string]uint64),

		checksByID:   make(map[string]*check),
		groups:       make(map[int64]object),
		sessionsByID: make(map[string]*session),
		resultsByID:  make(map[string]resultRef),
		errorGroups:  make(map[string][]item),
		rcas:         make(map[string]rootCause),
		services:     make(set),
		dashboards:   make(set),
		entitlements: defaultEntitlementsJSON,
	}
	for _, o := range opts {
		if o != nil {
			o(s)
		}
	}
	return s
}

// Client makes a client that talks to the service in memory, with the key and the
// account of the service. Options come after those and win.
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

// Start serves on a loopback address, whose URL is the base address for a client, until
// stop is called. It panics when there is no address to listen on.
func (s *Service) Start() (url string, stop func()) {
	server := httptest.NewServer(s)
	return server.URL, sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// newID makes the next id of a kind. Ids look random and are the same in each run.
func (s *Service) newID(kind string) string {
	s.ids[kind]++
	return uuidOf(kind, s.ids[kind])
}

func uuidOf(kind string, n uint64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", kind, n))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// newNumber makes the next id of a kind whose ids are numbers.
func (s *Service) newNumber(kind string) int64 {
	s.ids[kind]++
	return 1000 + int64(s.ids[kind])
}

// timeFormat is how the service writes moments: milliseconds in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeFormat) }

// mustMarshal writes what can be marshalled as JSON, with the secrets that the service stores.
func mustMarshal(v any) json.RawMessage {
	data, err := monitoring.MarshalWithSecrets(v)
	if err != nil {
		panic(fmt.Sprintf("monitoringtest: cannot write %T as JSON: %s", v, err))
	}
	return data
}
