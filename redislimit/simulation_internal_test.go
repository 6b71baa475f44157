package redislimit

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// fleet simulates processes with a limiter each, the twin of Redis, and a service that counts a
// sliding log exactly, in virtual time.
type fleet struct {
	t         *testing.T
	limit     monitoring.RateLimit
	redis     *twin
	began     time.Time
	replies   time.Duration // of Redis
	far       int           // so many processes are away from Redis by longer,
	longer    time.Duration
	latency   time.Duration // of the service, up to
	processes int           // of WithProcesses
	options   []Option      // of processes that saturated starts

	mu       sync.Mutex
	trouble  map[int]error // of the way of a process to Redis; -1: of all
	over     chan struct{} // is closed when a stall is over
	sent     []time.Time   // that were admitted
	refused  []time.Time
	by       map[int]int
	waits    map[int][]time.Duration
	failed   []time.Time
	calls    []time.Time
	commands int
	work     sync.WaitGroup
	members  []*process
}

// process is a process of a simulated fleet.
type process struct {
	fleet *fleet
	no    int
	l     *Limiter
	ctx   context.Context
	kill  context.CancelFunc
}

var (
	errStalled = errors.New("stalled") // commands are carried out when that is over
	errCut     = errors.New("cut off") // commands get lost
)

func newFleet(t *testing.T, limit monitoring.RateLimit) *fleet {
	return &fleet{
		t: t, limit: limit, redis: newTwin(virtualClock), began: time.Now(), processes: 8,
		latency: 60 * time.Millisecond, replies: time.Millisecond,
		trouble: make(map[int]error), over: make(chan struct{}), by: make(map[int]int), waits: make(map[int][]time.Duration),
	}
}

// link is the way of a process to Redis.
func (f *fleet) link(no int) func(context.Context, []string, []any) (string, error) {
	return func(ctx context.Context, keys []string, args []any) (string, error) {
		replies := f.replies
		if no < f.far {
			replies += f.longer
		}
		time.Sleep(replies / 2)
		f.mu.Lock()
		trouble, over := f.trouble[no], f.over
		if trouble == nil {
			trouble = f.trouble[-1]
		}
		f.commands++
		f.mu.Unlock()
		switch trouble {
		case nil:
		case errStalled:
			select {
			case <-over:
			case <-ctx.Done():
				f.work.Go(func() {
					<-over
					_, _ = f.redis.run(ctx, keys, args)
				})
				return "", ctx.Err()
			}
		case errCut:
			<-ctx.Done()
			return "", ctx.Err()
		default:
			return "", trouble
		}
		reply, err := f.redis.run(ctx, keys, args)
		time.Sleep(replies / 2)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return reply, err
	}
}

// set sets a trouble of a process, or of all (-1).
func (f *fleet) set(no int, trouble error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.trouble[no] == errStalled {
		close(f.over)
		f.over = make(chan struct{})
	}
	f.trouble[no] = trouble
}

// noRedis is the client of limiters whose commands go elsewhere.
var noRedis = struct{ redis.UniversalClient }{}

// start starts a process.
func (f *fleet) start(options ...Option) *process {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := &process{fleet: f, no: len(f.members)}
	f.members = append(f.members, m)
	l, err := New(noRedis, "fleet", f.limit, append(options, WithProcesses(f.processes))...)
	require.NoError(f.t, err)
	l.run = f.link(m.no)
	m.l = l
	m.ctx, m.kill = context.WithCancel(f.t.Context())
	return m
}

// call makes a call with a deadline, if patience is not 0. It reports whether it was admitted.
func (m *process) call(patience time.Duration, a monitoring.AttemptRequest) bool {
	f, ctx := m.fleet, m.ctx
	if patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	began := time.Now()
	err := m.l.Wait(ctx, a)
	f.mu.Lock()
	if m.ctx.Err() == nil {
		f.calls = append(f.calls, began)
	}
	if err != nil {
		if m.ctx.Err() == nil {
			f.failed = append(f.failed, began)
		}
		f.mu.Unlock()
		return false
	}
	f.waits[m.no] = append(f.waits[m.no], time.Since(began))
	latency := time.Duration(rand.Int64N(int64(f.latency)))
	f.mu.Unlock()
	sent := time.Now()
	time.Sleep(latency / 2)
	f.mu.Lock()
	status := 200
	now := time.Now()
	if n := len(f.sent) - f.limit.Requests; n >= 0 && now.Sub(f.sent[n]) < f.limit.Per {
		status = 429
		f.refused = append(f.refused, now)
	} else {
		f.sent = append(f.sent, now)
		f.by[m.no]++
	}
	f.mu.Unlock()
	time.Sleep(latency - latency/2)
	m.l.Ended(a, monitoring.AttemptOutcome{StatusCode: status, Duration: time.Since(sent)})
	return status == 200
}

// loop makes calls by some callers until the process ends.
func (m *process) loop(callers int, patience time.Duration) {
	for range callers {
		m.fleet.work.Go(func() {
			for m.ctx.Err() == nil {
				m.call(patience, monitoring.AttemptRequest{})
			}
		})
	}
}

// end ends the processes.
func (f *fleet) end() {
	f.set(-1, nil)
	for _, m := range f.members {
		m.kill()
	}
	for _, m := range f.members {
		_ = m.l.Close()
	}
	f.work.Wait()
}

// saturated starts processes with callers in a loop, each a little later than the other.
func (f *fleet) saturated(processes, callers int, patience time.Duration) {
	for range processes {
		time.Sleep(time.Duration(rand.Int64N(int64(20 * time.Millisecond))))
		f.start(f.options...).loop(callers, patience)
	}
}

// used is the part of the limit that was used in a time, in percent.
func (f *fleet) used(from, to time.Duration) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := within(f.sent, f.began.Add(from), f.began.Add(to))
	return 100 * float64(n) / float64(f.limit.Requests) * f.limit.Per.Seconds() / (to - from).Seconds()
}

func within(times []time.Time, from, to time.Time) (n int) {
	for _, at := range times {
		if !at.Before(from) && at.Before(to) {
			n++
		}
	}
	return n
}

// gap is the longest time without a request in a time.
func (f *fleet) gap(from, to time.Duration) (longest time.Duration) {
	last := f.began.Add(from)
	for _, at := range f.sent {
		if at.After(last) && at.Before(f.began.Add(to)) {
			longest, last = max(longest, at.Sub(last)), at
		}
	}
	return longest
}

// jain is how fair the places were shared: 1 if each had the same number.
func (f *fleet) jain() float64 {
	var sum, squares float64
	for no := range f.members {
		n := float64(f.by[no])
		sum, squares = sum+n, squares+n*n
	}
	return sum * sum / float64(len(f.members)) / squares
}

// until lets time pass until a time since the beginning. Then nothing goes on until more passes.
func (f *fleet) until(at time.Duration) {
	time.Sleep(at - f.at())
	synctest.Wait()
	f.mu.Lock() // the race detector then knows what was written
	defer f.mu.Unlock()
}

// counts are the commands and the requests so far.
func (f *fleet) counts() (commands, sent int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.commands, len(f.sent)
}

// vanish ends a process as if it was killed.
func (p *process) vanish() {
	p.kill()
	p.fleet.set(p.no, errCut)
}

func (f *fleet) at() time.Duration { return time.Since(f.began) }

func quantile(of []time.Duration, q float64) time.Duration {
	of = slices.Sorted(slices.Values(of))
	if len(of) == 0 {
		return 0
	}
	return of[min(len(of)-1, int(float64(len(of))*q))]
}

var (
	hundred = monitoring.RateLimit{Requests: 100, Per: 10 * time.Second}
	minute  = monitoring.DefaultRateLimit
)

// failover replaces Redis by a replica that lags 2 s.
func (f *fleet) failover() {
	old := f.redis.copyData()
	time.Sleep(2 * time.Second)
	f.redis.mu.Lock()
	defer f.redis.mu.Unlock()
	f.redis.data = old
}

// copyData is a copy of the data of a twin, for a replica that lags.
func (t *twin) copyData() map[string]*twinData {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make(map[string]*twinData)
	for key, d := range t.data {
		c := &twinData{expire: d.expire, state: maps.Clone(d.state), names: maps.Clone(d.names), since: maps.Clone(d.since)}
		for i, from := range []*sorted{&d.places, &d.waiting, &d.heard} {
			to := []*sorted{&c.places, &c.waiting, &c.heard}[i]
			for _, m := range from.list {
				to.add(m.score, m.name)
			}
		}
		all[key] = c
	}
	return all
}
