package bench_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"go.uber.org/ratelimit"
	"golang.org/x/time/rate"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
)

var limiters = flag.Bool("limiters", false, "print the table of limiters")

// limiterPeer makes limiters of one kind. Wait waits for a place, and ended tells how the attempt
// ended; most kinds do not want to know.
type limiterPeer struct {
	name string
	make func(limit monitoring.RateLimit) (wait func(context.Context) error, ended func(monitoring.AttemptOutcome))
}

func ignored(monitoring.AttemptOutcome) {}

func limiterPeers(t *testing.T) []limiterPeer {
	return []limiterPeer{
		{"SDK", func(limit monitoring.RateLimit) (func(context.Context) error, func(monitoring.AttemptOutcome)) {
			l, err := monitoring.NewLimiter(limit)
			if err != nil {
				t.Fatal(err)
			}
			a := monitoring.AttemptRequest{Operation: "GET /v1/locations"}
			return func(ctx context.Context) error { return l.Wait(ctx, a) }, func(o monitoring.AttemptOutcome) { l.Ended(a, o) }
		}},
		{"x/time/rate", func(limit monitoring.RateLimit) (func(context.Context) error, func(monitoring.AttemptOutcome)) {
			return rate.NewLimiter(rate.Every(limit.Per/time.Duration(limit.Requests)), 1).Wait, ignored
		}},
		{"uber", func(limit monitoring.RateLimit) (func(context.Context) error, func(monitoring.AttemptOutcome)) {
			l := ratelimit.New(limit.Requests, ratelimit.Per(limit.Per))
			return func(ctx context.Context) error { // it takes no context
				l.Take()
				return ctx.Err()
			}, ignored
		}},
		{"failsafe-go", func(limit monitoring.RateLimit) (func(context.Context) error, func(monitoring.AttemptOutcome)) {
			return ratelimiter.NewSmooth[any](uint(limit.Requests), limit.Per).AcquirePermit, ignored
		}},
	}
}

// load is a number of callers in a loop for ten minutes.
type load struct {
	name      string
	limit     monitoring.RateLimit
	processes int // each with a limiter of its own
	callers   int // of each process
	deadline  time.Duration
	latency   func(*rand.Rand) time.Duration
	refused   int // one of so many requests is refused at random; 0: none
}

func loads() []load {
	const ms = time.Millisecond
	limit := monitoring.RateLimit{Requests: 600, Per: time.Minute}
	upTo := func(d time.Duration) func(*rand.Rand) time.Duration {
		return func(r *rand.Rand) time.Duration { return time.Duration(r.Int64N(int64(d))) }
	}
	return []load{
		{"saturation", limit, 1, 40, 0, upTo(300 * ms), 0},
		{"deadlines of 2 s, responses after 1.5 s", limit, 1, 100, 2 * time.Second, func(*rand.Rand) time.Duration { return 1500 * ms }, 0},
		{"deadlines of 2 s, 10 % after 2.5 s", limit, 1, 100, 2 * time.Second, func(r *rand.Rand) time.Duration {
			if r.IntN(10) == 0 {
				return 2500 * ms
			}
			return 100 * ms
		}, 0},
		{"1 of 20 refused at random", limit, 1, 16, 0, upTo(300 * ms), 20},
		{"two processes", limit, 2, 16, 0, upTo(300 * ms), 0},
		{"10 in a second, responses after 20 ms and more", monitoring.RateLimit{Requests: 10, Per: time.Second}, 1, 40, 0, func(r *rand.Rand) time.Duration {
			return 20*ms + time.Duration(r.ExpFloat64()*float64(300*ms))
		}, 0},
	}
}

// service counts in a sliding window, and refuses some requests at random.
type service struct {
	sync.Mutex
	gates.Gate
	random             *rand.Rand
	refused, of, asked int
}

func (s *service) latency(of func(*rand.Rand) time.Duration) time.Duration {
	s.Lock()
	defer s.Unlock()
	return of(s.random)
}

// arrive returns the status of a request that arrives now.
func (s *service) arrive() int {
	s.Lock()
	defer s.Unlock()
	s.asked++
	if s.of > 0 && s.random.IntN(s.of) == 0 || !s.Admit(time.Now()) {
		s.refused++
		return http.StatusTooManyRequests
	}
	return http.StatusOK
}

// run measures which part of the limit is answered in time, and which part of the requests is
// refused, in percent.
func (l load) run(t *testing.T, p limiterPeer) (answered, refused float64) {
	const lasting = 10 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		s := &service{Gate: &gates.SlidingLog{Most: l.limit.Requests, Window: l.limit.Per}, random: rand.New(rand.NewPCG(1, 1)), of: l.refused}
		ctx, stop := context.WithTimeout(t.Context(), lasting)
		defer stop()
		var callers sync.WaitGroup
		good := 0
		for range l.processes {
			wait, ended := p.make(l.limit)
			for range l.callers {
				callers.Go(func() {
					for ctx.Err() == nil {
						if l.call(ctx, s, wait, ended) {
							s.Lock()
							good++
							s.Unlock()
						}
					}
				})
			}
		}
		callers.Wait()
		answered = 100 * float64(good) / (float64(l.limit.Requests) * lasting.Seconds() / l.limit.Per.Seconds())
		refused = 100 * float64(s.refused) / float64(s.asked)
	})
	return answered, refused
}

// call makes one call with up to five retries after 429s, as the SDK makes them.
func (l load) call(ctx context.Context, s *service, wait func(context.Context) error, ended func(monitoring.AttemptOutcome)) bool {
	if l.deadline > 0 {
		bounded, stop := context.WithTimeout(ctx, l.deadline)
		defer stop()
		ctx = bounded
	}
	for n := range 6 {
		if wait(ctx) != nil {
			<-ctx.Done() // x/time/rate says so at once; the caller comes again when those of others do
			return false
		}
		sent, latency := time.Now(), s.latency(l.latency)
		status := 0
		if sleep(ctx, latency/2) {
			status = s.arrive()
			if !sleep(ctx, latency-latency/2) {
				status = 0
			}
		}
		ended(monitoring.AttemptOutcome{StatusCode: status, Duration: time.Since(sent)})
		if status != http.StatusTooManyRequests {
			return status == http.StatusOK
		}
		s.Lock()
		pause := time.Duration(s.random.Int64N(int64(500 * time.Millisecond << n)))
		s.Unlock()
		if !sleep(ctx, pause) {
			return false
		}
	}
	return false
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// TestLimiters prints the table of README.md, in virtual time.
func TestLimiters(t *testing.T) {
	if !*limiters {
		t.Skip("go test -run TestLimiters -limiters -v .")
	}
	peers := limiterPeers(t)
	var table strings.Builder
	fmt.Fprint(&table, "| % answered of the limit (% refused) |")
	for _, p := range peers {
		fmt.Fprintf(&table, " %s |", p.name)
	}
	fmt.Fprint(&table, "\n|---|", strings.Repeat("---|", len(peers)), "\n")
	for _, l := range loads() {
		fmt.Fprintf(&table, "| %s |", l.name)
		for _, p := range peers {
			answered, refused := l.run(t, p)
			fmt.Fprintf(&table, " %.1f (%.1f) |", answered, refused)
		}
		fmt.Fprintln(&table)
	}
	t.Log("\n" + table.String())
}
