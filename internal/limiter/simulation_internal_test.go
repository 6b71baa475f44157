package limiter

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// simulation is a service behind a gate, with the times of what happened. Attempts use a limiter
// without a client, which is fast enough for hours of virtual time.
type simulation struct {
	gate gates.Gate
	way  func() (there, back time.Duration) // the times of a request and its response; nil for none

	mu       sync.Mutex
	began    time.Time
	admitted []time.Time // requests
	refused  []time.Time
	left     []time.Time // attempts that were sent
	reached  []time.Time // responses that came before their caller's deadline
	wasted   int         // admitted requests whose callers gave up
}

func newSimulation(g gates.Gate, way func() (there, back time.Duration)) *simulation {
	return &simulation{gate: g, way: way, began: time.Now()}
}

// constantly is a way that always takes the same time, half there and half back.
func constantly(d time.Duration) func() (time.Duration, time.Duration) {
	return func() (time.Duration, time.Duration) { return d / 2, d - d/2 }
}

// upTo is a way that takes a random time, of which a random part passes on the way there.
func upTo(d time.Duration) func() (time.Duration, time.Duration) {
	return func() (time.Duration, time.Duration) {
		whole := time.Duration(rand.Int64N(int64(d) + 1))
		there := time.Duration(rand.Int64N(int64(whole) + 1))
		return there, whole - there
	}
}

// attempt takes a place and sends. It returns the status, or the error of the context.
func (s *simulation) attempt(ctx context.Context, l *Account, a Attempt) (int, error) {
	if err := l.Wait(ctx, a); err != nil {
		return 0, err
	}
	sent := time.Now()
	var there, back time.Duration
	if s.way != nil {
		there, back = s.way()
	}
	s.note(&s.left, sent)
	status := 0
	err := pass(ctx, there)
	if err == nil {
		status = s.arrive()
		if err = pass(ctx, back); err == nil && status == http.StatusOK {
			s.note(&s.reached, time.Now())
		}
	}
	outcome := Outcome{Duration: time.Since(sent)}
	if err == nil {
		outcome.StatusCode = status
	} else if status == http.StatusOK {
		s.mu.Lock()
		s.wasted++
		s.mu.Unlock()
	}
	l.Ended(a, outcome)
	return status, err
}

// pass is sleep without a timer channel, because simulations sleep very often. A context may end
// only by its deadline: pass does not notice a cancellation.
func pass(ctx context.Context, d time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		time.Sleep(time.Until(deadline))
		return context.DeadlineExceeded
	}
	time.Sleep(d)
	return nil
}

// sleep waits for a time, or for the end of the context.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (s *simulation) note(list *[]time.Time, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*list = append(*list, at)
}

func (s *simulation) arrive() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !s.gate.Admit(now) {
		s.refused = append(s.refused, now)
		return http.StatusTooManyRequests
	}
	s.admitted = append(s.admitted, now)
	return http.StatusOK
}

// call makes attempts with retries after 429s, as a client does.
func (s *simulation) call(ctx context.Context, l *Account, a Attempt) error {
	for n := 0; ; n++ {
		status, err := s.attempt(ctx, l, a)
		if err != nil || status == http.StatusOK || n == 5 {
			return err
		}
		if err := sleep(ctx, rand.N(500*time.Millisecond<<n)); err != nil {
			return err
		}
	}
}

// loop makes calls from several goroutines until the context ends. Each call has a deadline,
// unless it is 0.
func (s *simulation) loop(ctx context.Context, l *Account, goroutines int, deadline time.Duration, a Attempt) {
	var workers sync.WaitGroup
	for range goroutines {
		workers.Go(func() {
			for ctx.Err() == nil {
				one, stop := ctx, context.CancelFunc(func() {})
				if deadline > 0 {
					one, stop = context.WithTimeout(ctx, deadline)
				}
				s.call(one, l, a)
				stop()
			}
		})
	}
	workers.Wait()
}

// open makes calls at an even pace, without waiting for the calls before.
func (s *simulation) open(ctx context.Context, l *Account, every, deadline time.Duration, a Attempt) {
	var workers sync.WaitGroup
	for sleep(ctx, every) == nil {
		workers.Go(func() {
			one, stop := context.WithTimeout(ctx, deadline)
			defer stop()
			s.call(one, l, a)
		})
	}
	workers.Wait()
}

// leastPer divides the time between two moments into periods, and returns the smallest number of
// times in one of them.
func leastPer(times []time.Time, from time.Time, period time.Duration, end time.Time) int {
	periods := int(end.Sub(from) / period)
	counts := make([]int, periods)
	for _, at := range times {
		if i := int(at.Sub(from) / period); !at.Before(from) && i < periods {
			counts[i]++
		}
	}
	return slices.Min(counts)
}

// longestGap is the longest gap between two of the times after a moment.
func longestGap(times []time.Time, after time.Time) time.Duration {
	slices.SortFunc(times, time.Time.Compare)
	var longest time.Duration
	for i := 1; i < len(times); i++ {
		if times[i-1].After(after) {
			longest = max(longest, times[i].Sub(times[i-1]))
		}
	}
	return longest
}

// countFrom counts the times that are not before a moment.
func countFrom(times []time.Time, from time.Time) int {
	n := 0
	for _, at := range times {
		if !at.Before(from) {
			n++
		}
	}
	return n
}

var oneOperation = Attempt{Operation: "GET /v1/locations"}

func within(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

// waitSessions waits for sessions that run between least and most, each with one long poll after
// the other. Meanwhile it makes one ordinary call a second. It returns how late the end of each
// session was seen, and how long each ordinary call took.
func waitSessions(ctx context.Context, s *simulation, l *Account, sessions int, least, most time.Duration) (lags, waits []time.Duration) {
	const hold = 30 * time.Second
	ctx, stop := context.WithCancel(ctx)
	var mu sync.Mutex
	var polls, calls sync.WaitGroup
	for range sessions {
		ends := time.Now().Add(least + rand.N(most-least))
		polls.Go(func() {
			for {
				a := Attempt{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Class: Poll}
				if l.Wait(ctx, a) != nil {
					return
				}
				sent := time.Now()
				s.note(&s.left, sent)
				s.arrive()
				sleep(ctx, min(hold, max(0, time.Until(ends))))
				l.Ended(a, Outcome{StatusCode: http.StatusOK, Duration: time.Since(sent)})
				if !time.Now().Before(ends) {
					break
				}
			}
			mu.Lock()
			defer mu.Unlock()
			lags = append(lags, time.Since(ends))
		})
	}
	calls.Go(func() {
		for sleep(ctx, time.Second) == nil {
			calls.Go(func() {
				asked := time.Now()
				if _, err := s.attempt(ctx, l, Attempt{Operation: "GET /v1/locations"}); err != nil {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				waits = append(waits, time.Since(asked))
			})
		}
	})
	polls.Wait()
	stop()
	calls.Wait()
	return lags, waits
}

// quantile is a quantile of durations.
func quantile(of []time.Duration, q float64) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(len(of)-1, int(float64(len(of))*q))]
}
