package bench_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
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
// ended; most kinds do not want to know, nor what the attempt is.
type limiterPeer struct {
	name string
	make func(limit monitoring.RateLimit) (wait func(context.Context, monitoring.AttemptRequest) error, ended func(monitoring.AttemptRequest, monitoring.AttemptOutcome))
}

func ignored(monitoring.AttemptRequest, monitoring.AttemptOutcome) {}

func limiterPeers(t *testing.T) []limiterPeer {
	type waits = func(context.Context, monitoring.AttemptRequest) error
	type ended = func(monitoring.AttemptRequest, monitoring.AttemptOutcome)
	plain := func(wait func(context.Context) error) waits {
		return func(ctx context.Context, _ monitoring.AttemptRequest) error { return wait(ctx) }
	}
	return []limiterPeer{
		{"SDK", func(limit monitoring.RateLimit) (waits, ended) {
			l, err := monitoring.NewLimiter(limit)
			if err != nil {
				t.Fatal(err)
			}
			return l.Wait, l.Ended
		}},
		{"x/time/rate", func(limit monitoring.RateLimit) (waits, ended) {
			return plain(rate.NewLimiter(rate.Every(limit.Per/time.Duration(limit.Requests)), 1).Wait), ignored
		}},
		{"uber", func(limit monitoring.RateLimit) (waits, ended) {
			l := ratelimit.New(limit.Requests, ratelimit.Per(limit.Per))
			return plain(func(ctx context.Context) error { // it takes no context
				l.Take()
				return ctx.Err()
			}), ignored
		}},
		{"failsafe-go", func(limit monitoring.RateLimit) (waits, ended) {
			return plain(ratelimiter.NewSmooth[any](uint(limit.Requests), limit.Per).AcquirePermit), ignored
		}},
		{"none", func(monitoring.RateLimit) (waits, ended) { return plain(context.Context.Err), ignored }},
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
	routes    int // with 30 in 60 seconds each that nobody told, and three callers each besides
}

func loads() []load {
	const ms = time.Millisecond
	limit := monitoring.RateLimit{Requests: 600, Per: time.Minute}
	upTo := func(d time.Duration) func(*rand.Rand) time.Duration {
		return func(r *rand.Rand) time.Duration { return time.Duration(r.Int64N(int64(d))) }
	}
	return []load{
		{"saturation", limit, 1, 40, 0, upTo(300 * ms), 0, 0},
		{"deadlines of 2 s, responses after 1.5 s", limit, 1, 100, 2 * time.Second, func(*rand.Rand) time.Duration { return 1500 * ms }, 0, 0},
		{"deadlines of 2 s, 10 % after 2.5 s", limit, 1, 100, 2 * time.Second, func(r *rand.Rand) time.Duration {
			if r.IntN(10) == 0 {
				return 2500 * ms
			}
			return 100 * ms
		}, 0, 0},
		{"1 of 20 refused at random", limit, 1, 16, 0, upTo(300 * ms), 20, 0},
		{"two processes", limit, 2, 16, 0, upTo(300 * ms), 0, 0},
		{"10 in a second, responses after 20 ms and more", monitoring.RateLimit{Requests: 10, Per: time.Second}, 1, 40, 0, func(r *rand.Rand) time.Duration {
			return 20*ms + time.Duration(r.ExpFloat64()*float64(300*ms))
		}, 0, 0},
		{"two routes of 30 in 60 s that nobody told", limit, 1, 10, 0, upTo(300 * ms), 0, 2},
		{"three of them", limit, 1, 10, 0, upTo(300 * ms), 0, 3},
	}
}

// service counts in a sliding window, and refuses some requests at random.
type service struct {
	sync.Mutex
	gates.Gate
	routes             map[string]gates.Gate
	random             *rand.Rand
	refused, of, asked int
}

func newService(limit monitoring.RateLimit) *service {
	return &service{
		Gate: &gates.SlidingLog{Most: limit.Requests, Window: limit.Per}, random: rand.New(rand.NewPCG(1, 1)), routes: make(map[string]gates.Gate),
	}
}

func (s *service) latency(of func(*rand.Rand) time.Duration) time.Duration {
	s.Lock()
	defer s.Unlock()
	return of(s.random)
}

// arrive returns the status of a request that arrives now.
func (s *service) arrive(operation string) int {
	s.Lock()
	defer s.Unlock()
	s.asked++
	route := s.routes[operation]
	if s.of > 0 && s.random.IntN(s.of) == 0 || route != nil && !route.Admit(time.Now()) || !s.Admit(time.Now()) {
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
		s := newService(l.limit)
		s.of = l.refused
		ctx, stop := context.WithTimeout(t.Context(), lasting)
		defer stop()
		var callers sync.WaitGroup
		good := 0
		for range l.processes {
			c := limited{service: s, deadline: l.deadline, latency: l.latency}
			c.wait, c.ended = p.make(l.limit)
			loop := func(operation string, n int) {
				for range n {
					callers.Go(func() {
						for ctx.Err() == nil {
							if c.call(ctx, monitoring.AttemptRequest{Operation: operation}) {
								s.Lock()
								good++
								s.Unlock()
							}
						}
					})
				}
			}
			loop("GET /v1/locations", l.callers)
			for i := range l.routes {
				operation := fmt.Sprint("GET /v1/r", i)
				s.routes[operation] = &gates.SlidingLog{Most: 30, Window: time.Minute}
				loop(operation, 3)
			}
		}
		callers.Wait()
		answered = 100 * float64(good) / (float64(l.limit.Requests) * lasting.Seconds() / l.limit.Per.Seconds())
		refused = 100 * float64(s.refused) / float64(s.asked)
	})
	return answered, refused
}

// limited makes calls with a limiter.
type limited struct {
	*service
	wait     func(context.Context, monitoring.AttemptRequest) error
	ended    func(monitoring.AttemptRequest, monitoring.AttemptOutcome)
	deadline time.Duration
	latency  func(*rand.Rand) time.Duration
	held     func() time.Duration       // how long the service holds a request that it accepts; nil: not
	placed   func(waited time.Duration) // is called when the first attempt has its place; nil: nobody wants to know
}

// call makes one call with up to five retries after 429s, as the SDK makes them.
func (c limited) call(ctx context.Context, a monitoring.AttemptRequest) bool {
	if c.deadline > 0 {
		bounded, stop := context.WithTimeout(ctx, c.deadline)
		defer stop()
		ctx = bounded
	}
	began := time.Now()
	for n := range 6 {
		if c.wait(ctx, a) != nil {
			<-ctx.Done() // x/time/rate says so at once; the caller comes again when those of others do
			return false
		}
		if c.placed != nil && n == 0 {
			c.placed(time.Since(began))
		}
		sent, latency := time.Now(), c.service.latency(c.latency)
		status := 0
		if sleep(ctx, latency/2) {
			status = c.arrive(a.Operation)
			back := latency - latency/2
			if c.held != nil && status == http.StatusOK {
				back += c.held()
			}
			if !sleep(ctx, back) {
				status = 0
			}
		}
		c.ended(a, monitoring.AttemptOutcome{StatusCode: status, Duration: time.Since(sent)})
		if status != http.StatusTooManyRequests {
			return status == http.StatusOK
		}
		c.Lock()
		pause := time.Duration(c.random.Int64N(int64(500 * time.Millisecond << n)))
		c.Unlock()
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

// besideWaits measures five reads a second without deadlines beside 500 waits for sessions that end
// after 5 to 60 s: the wait of 99 of 100 reads, how long after its end 95 of 100 ends are seen, and
// which part of the requests is refused, in percent.
func besideWaits(t *testing.T, p limiterPeer) (reads, ends time.Duration, refused float64) {
	limit := monitoring.RateLimit{Requests: 600, Per: time.Minute}
	synctest.Test(t, func(t *testing.T) {
		s, began := newService(limit), time.Now()
		c := limited{service: s, latency: func(*rand.Rand) time.Duration { return 100 * time.Millisecond }}
		c.wait, c.ended = p.make(limit)
		ctx, stop := context.WithCancel(t.Context())
		var lags, waits []time.Duration
		var all, sessions sync.WaitGroup
		for range 500 {
			end := began.Add(5*time.Second + time.Duration(s.random.Int64N(int64(55*time.Second))))
			sessions.Go(func() {
				poll := c
				poll.held = func() time.Duration { return min(30*time.Second, max(0, time.Until(end))) }
				for time.Now().Before(end) {
					poll.call(ctx, monitoring.AttemptRequest{Operation: "GET /v1/check-sessions/{id}/completion", Class: monitoring.ClassPoll})
				}
				s.Lock()
				defer s.Unlock()
				lags = append(lags, time.Since(end))
			})
		}
		all.Go(func() {
			for sleep(ctx, 200*time.Millisecond) {
				all.Go(func() {
					read := c
					read.placed = func(waited time.Duration) {
						s.Lock()
						defer s.Unlock()
						waits = append(waits, waited)
					}
					read.call(ctx, monitoring.AttemptRequest{Operation: "GET /v1/locations"})
				})
			}
		})
		sessions.Wait()
		stop()
		all.Wait()
		slices.Sort(waits)
		slices.Sort(lags)
		reads, ends, refused = waits[len(waits)*99/100], lags[len(lags)*95/100], 100*float64(s.refused)/float64(s.asked)
	})
	return reads, ends, refused
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
	fmt.Fprint(&table, "| 500 waits beside 5 reads a second: s until 99 % of the reads have a place, s until 95 % of the ends are seen |")
	for _, p := range peers {
		reads, ends, refused := besideWaits(t, p)
		fmt.Fprintf(&table, " %.1f, %.0f (%.1f) |", reads.Seconds(), ends.Seconds(), refused)
	}
	fmt.Fprintln(&table)
	t.Log("\n" + table.String())
}
