// Package front takes the requests of the fake, in memory or over a listener, and responds to them:
// it sees to the key, the account, the limits and the rules of an operation, calls its handler in
// routes, and writes what that replies: values, pages of lists, and errors in the form of the
// operation. It records requests, and lets the faults happen to them that a test asked for.
package front

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Config is what the options of a service say about its requests. It does not change.
type Config struct {
	Key           string
	AccountHeader string
	UserKey       bool                 // requests must name the account
	Latency       func() time.Duration // nil: none
	PageHeaders   bool
	Lenient       bool // takes and drops what is not documented
	RetryAfter    bool
	Recording     int // how many requests are kept at most
	Limit         monitoring.RateLimit
	LimitKind     LimitKind
	RouteLimited  bool
	Seed          [2]uint64
}

// Front is what stands between requests and an account. The lock of the world guards what it keeps
// as well, so that what was recorded is what was carried out.
type Front struct {
	Config
	world  *world.World
	key    atomic.Pointer[string] // that it accepts now
	taught atomic.Pointer[[]*target]
	large  chan struct{} // has an element for each large body in memory
	records
}

// records are what requests and tests change, and what Reset throws away.
type records struct {
	random  *rand.Rand
	limits  limits
	faults  []*injected
	journal journal
}

// New makes the front of an account.
func New(w *world.World, c Config) *Front {
	f := &Front{Config: c, world: w, large: make(chan struct{}, largeAtOnce)}
	f.forget()
	return f
}

// Reset makes the front and its account as they were after New.
func (f *Front) Reset() {
	f.world.Lock()
	defer f.world.Unlock()
	f.world.Reset()
	f.forget()
	f.taught.Store(nil)
}

func (f *Front) forget() {
	f.SetKey(f.Config.Key)
	f.records = records{
		random:  rand.New(rand.NewPCG(f.Seed[0], f.Seed[1])),
		limits:  newLimits(f.Limit, f.LimitKind, f.RouteLimited),
		journal: newJournal(f.Recording, f.world.Retention.Most),
	}
}
