package limiter

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// The tests of this file simulate minutes and hours of load, and print the figures that
// they require.

func TestWithMoreDemandThanTheLimitNearlyEveryPlaceReachesItsCaller(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, s *simulation) {
		least := leastPer(s.reached, s.began, time.Minute, time.Now())
		t.Logf("at least %d responses a minute reached their callers, %d of %d requests were wasted, longest gap %s",
			least, s.wasted, len(s.admitted), longestGap(s.left, s.began))
		require.GreaterOrEqual(t, least, 570)
		require.LessOrEqual(t, s.wasted, len(s.admitted)/100)
		require.Empty(t, s.refused)
		require.Less(t, longestGap(s.left, s.began), time.Second)
	}
	for _, goroutines := range testkit.Figures(30, 200) {
		for _, response := range testkit.Figures(150*time.Millisecond, 0, 50*time.Millisecond, 500*time.Millisecond) {
			t.Run(fmt.Sprintf("%d goroutines with 2 s deadlines, responses after %s", goroutines, response), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), constantly(response))
					ctx, stop := within(t, 10*time.Minute)
					defer stop()
					s.loop(ctx, newAccount(standard), goroutines, 2*time.Second, oneOperation)
					check(t, s)
				})
			})
		}
	}
	for _, response := range testkit.Figures(150*time.Millisecond, 0, 500*time.Millisecond) {
		t.Run(fmt.Sprintf("14 calls a second with 3 s deadlines, responses after up to %s", response), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), upTo(response))
				ctx, stop := within(t, 10*time.Minute)
				defer stop()
				s.open(ctx, newAccount(standard), time.Second/14, 3*time.Second, oneOperation)
				check(t, s)
			})
		})
	}
}

// TestGoodputComesBackWhenResponsesBecomeFastAgain has a minute in which responses take longer
// than callers wait.
func TestGoodputComesBackWhenResponsesBecomeFastAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		way := func() (time.Duration, time.Duration) {
			if minute := time.Since(began) / time.Minute; minute == 2 {
				return 0, 3 * time.Second
			}
			return 0, 50 * time.Millisecond
		}
		s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), way)
		ctx, stop := within(t, 6*time.Minute)
		defer stop()
		s.loop(ctx, newAccount(standard), 30, 2*time.Second, oneOperation)
		least := leastPer(s.reached, began.Add(3*time.Minute+20*time.Second), time.Minute, time.Now())
		t.Logf("at least %d responses a minute, from 20 s after the slow minute", least)
		require.GreaterOrEqual(t, least, 570)
	})
}

func TestASaturatedLimiterUsesTheLimitAndIsNeverRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit Rate
		least func(spread time.Duration) float64 // of the limit, in ten windows
		gap   time.Duration
	}{
		{standard, func(time.Duration) float64 { return 0.98 }, time.Second},
		{Rate{Requests: 100, Per: 2 * time.Second}, func(s time.Duration) float64 { return 0.95 * 2 / (2 + s.Seconds()) }, time.Second},
		{Rate{Requests: 60, Per: 6 * time.Second}, func(s time.Duration) float64 { return 0.95 * 6 / (6 + s.Seconds()) }, time.Second},
	} {
		for _, gate := range testkit.Figures("sliding log", "token bucket", "fixed windows in phase", "fixed windows out of phase") {
			for _, way := range []struct {
				constant, spread time.Duration
			}{{0, 0}, {0, 100 * time.Millisecond}, {0, 300 * time.Millisecond}, {500 * time.Millisecond, 0}} {
				t.Run(fmt.Sprintf("%d in %s, %s, latency of %s and up to %s more", c.limit.Requests, c.limit.Per, gate, way.constant, way.spread), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						there, more := way.constant/2, upTo(way.spread)
						s := newSimulation(gates.Named(gate, c.limit.Requests, c.limit.Per), func() (time.Duration, time.Duration) {
							out, back := more()
							return there + out, there + back
						})
						ctx, stop := within(t, 10*c.limit.Per)
						defer stop()
						s.loop(ctx, newAccount(c.limit), 40, 0, oneOperation)
						part := float64(len(s.admitted)) / float64(10*c.limit.Requests)
						t.Logf("%.1f %% of the limit, longest gap %s", 100*part, longestGap(s.left, s.began))
						require.Empty(t, s.refused)
						require.GreaterOrEqual(t, part, c.least(way.spread))
						require.Less(t, longestGap(s.left, s.began), c.gap)
					})
				})
			}
		}
	}
}

// TestRefusalsThatDoNotDependOnThePaceCostLittle refuses everything for a while, at equal
// intervals for half an hour.
func TestRefusalsThatDoNotDependOnThePaceCostLittle(t *testing.T) {
	for _, c := range testkit.Figures([]struct {
		every, lasting time.Duration
		least          float64 // of the limit less the refused time
	}{
		{10 * time.Second, 500 * time.Millisecond, 0.7},
		{5 * time.Second, 500 * time.Millisecond, 0.6},
		{20 * time.Second, 500 * time.Millisecond, 0.6},
		{10 * time.Second, 2 * time.Second, 0.6},
		{time.Minute, 10 * time.Second, 0.5},
	}...) {
		for _, gate := range testkit.Figures("sliding log", "fixed windows out of phase") {
			t.Run(fmt.Sprintf("%s every %s, %s", c.lasting, c.every, gate), func(t *testing.T) {
				t.Parallel()
				testkit.InOneOfThree(t, func(t *testing.T) bool {
					end := time.Now().Add(30 * time.Minute)
					s := newSimulation(&gates.Outages{Gate: gates.Named(gate, standard.Requests, standard.Per), Begin: time.Now(), Until: end, Every: c.every, Lasting: c.lasting}, upTo(150*time.Millisecond))
					ctx, stop := within(t, 32*time.Minute)
					defer stop()
					s.loop(ctx, newAccount(standard), 16, 0, oneOperation)
					from := s.began.Add(2 * time.Minute)
					room := 600 * 28 * (c.every - c.lasting).Seconds() / c.every.Seconds()
					part := float64(countFrom(s.admitted, from)-countFrom(s.admitted, end)) / room
					after := countFrom(s.admitted, end.Add(30*time.Second)) - countFrom(s.admitted, end.Add(90*time.Second))
					t.Logf("%.0f %% of what was left of the limit, and %d in a minute from 30 s after the end", 100*part, after)
					recovers := c.every > 10*time.Second || c.lasting >= time.Second || after >= 570
					return part >= c.least && recovers
				})
			})
		}
	}
}

// TestRefusalsAtRandomTimesCostLittle refuses everything for half a second, at random times for
// an hour.
func TestRefusalsAtRandomTimesCostLittle(t *testing.T) {
	testkit.SkipUnderRace(t)
	const lasting = 500 * time.Millisecond
	for _, mean := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
		for _, gate := range []string{"sliding log", "fixed windows out of phase"} {
			t.Run(fmt.Sprintf("every %s, %s", mean, gate), func(t *testing.T) {
				t.Parallel()
				testkit.InOneOfThree(t, func(t *testing.T) bool {
					end := time.Now().Add(time.Hour)
					s := newSimulation(&gates.RandomOutages{Gate: gates.Named(gate, standard.Requests, standard.Per), Begin: time.Now(), Until: end, Mean: mean, Lasting: lasting}, upTo(150*time.Millisecond))
					ctx, stop := within(t, time.Hour+2*time.Minute)
					defer stop()
					s.loop(ctx, newAccount(standard), 16, 0, oneOperation)
					room := 600 * 58 * mean.Seconds() / (mean + lasting).Seconds()
					part := float64(countFrom(s.admitted, s.began.Add(2*time.Minute))-countFrom(s.admitted, end)) / room
					after := countFrom(s.admitted, end.Add(30*time.Second)) - countFrom(s.admitted, end.Add(90*time.Second))
					t.Logf("%.0f %% of what was left of the limit, and %d in a minute from 30 s after the end", 100*part, after)
					return part >= 0.6
				})
			})
		}
	}
}

// TestRefusalsOfAFixedPartCostLittle refuses one of so many requests for 20 minutes, whatever the
// pace is.
func TestRefusalsOfAFixedPartCostLittle(t *testing.T) {
	for _, c := range []struct {
		of     int
		random bool
	}{{7, false}, {10, false}, {10, true}, {20, true}} {
		for _, operations := range testkit.Figures(1, 4) {
			t.Run(fmt.Sprintf("one of %d, random: %t, %d operations", c.of, c.random, operations), func(t *testing.T) {
				t.Parallel()
				testkit.InOneOfThree(t, func(t *testing.T) bool {
					end := time.Now().Add(20 * time.Minute)
					s := newSimulation(&gates.Unreliable{Gate: gates.Named("sliding log", standard.Requests, standard.Per), Of: c.of, Random: c.random, Until: end}, upTo(150*time.Millisecond))
					ctx, stop := within(t, 22*time.Minute)
					defer stop()
					l := newAccount(standard)
					var all sync.WaitGroup
					for i := range operations {
						all.Go(func() { s.loop(ctx, l, 16/operations, 0, Attempt{Operation: fmt.Sprintf("GET /v1/%d", i)}) })
					}
					all.Wait()
					room := 600 * 18 * float64(c.of-1) / float64(c.of)
					part := float64(countFrom(s.admitted, s.began.Add(2*time.Minute))-countFrom(s.admitted, end)) / room
					t.Logf("%.0f %% of what was left of the limit", 100*part)
					return part >= 0.8
				})
			})
		}
	}
}

// TestProcessesShareALimitWithoutCommunication counts from the third window on.
func TestProcessesShareALimitWithoutCommunication(t *testing.T) {
	for _, gate := range testkit.Figures("sliding log", "fixed windows in phase", "fixed windows out of phase") {
		for _, c := range testkit.Figures([]struct {
			name  string
			alike int           // processes that learn
			other time.Duration // between the requests of a process that does not learn
		}{
			{"two that learn", 2, 0},
			{"four that learn", 4, 0},
			{"beside a process that takes half", 1, 200 * time.Millisecond},
			{"beside a process that takes a quarter", 1, 400 * time.Millisecond},
		}...) {
			t.Run(c.name+", "+gate, func(t *testing.T) {
				t.Parallel()
				testkit.InOneOfThree(t, func(t *testing.T) bool {
					const minutes = 20
					s := newSimulation(gates.Named(gate, standard.Requests, standard.Per), upTo(300*time.Millisecond))
					from := s.began.Add(2 * time.Minute)
					ctx, stop := within(t, (minutes+2)*time.Minute)
					defer stop()
					var all sync.WaitGroup
					for range c.alike {
						l := newAccount(standard)
						all.Go(func() { s.loop(ctx, l, 16, 0, oneOperation) })
					}
					others := 0
					for c.other > 0 && sleep(ctx, c.other) == nil {
						if s.arriveOther() && time.Now().After(from) {
							others++
						}
					}
					all.Wait()
					admitted, refused := countFrom(s.admitted, from), countFrom(s.refused, from)
					share := float64(refused) / float64(admitted+refused)
					used := float64(admitted+others) / (600 * minutes)
					t.Logf("%.2f %% refused, %.1f %% of the limit used in all", 100*share, 100*used)
					return share < 0.02 && used >= 0.95
				})
			})
		}
	}
}

func (s *simulation) arriveOther() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gate.Admit(time.Now())
}

// TestTheWholeLimitIsUsedAgainWhenTheOtherProcessStops has another process, which takes half of
// the limit for ten minutes.
func TestTheWholeLimitIsUsedAgainWhenTheOtherProcessStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), upTo(300*time.Millisecond))
		ctx, stop := within(t, 20*time.Minute)
		defer stop()
		var loop sync.WaitGroup
		loop.Go(func() { s.loop(ctx, newAccount(standard), 16, 0, oneOperation) })
		for time.Since(s.began) < 10*time.Minute {
			time.Sleep(200 * time.Millisecond)
			s.arriveOther()
		}
		loop.Wait()
		ended := s.began.Add(10 * time.Minute)
		least := leastPer(s.admitted, ended.Add(3*time.Minute), time.Minute, time.Now())
		t.Logf("at least %d a minute from three minutes after", least)
		require.GreaterOrEqual(t, least, 580)
		require.Zero(t, countFrom(s.refused, ended.Add(3*time.Minute)))
	})
}

func (s *simulation) loopBeside(ctx context.Context, l *Account, own gates.Gate, a Attempt) {
	for ctx.Err() == nil {
		if l.Wait(ctx, a) != nil {
			return
		}
		s.mu.Lock()
		status := 200
		if !own.Admit(time.Now()) {
			status = 429
		}
		s.mu.Unlock()
		l.Ended(a, Outcome{StatusCode: status})
	}
}

func TestARouteWithAnUnknownLimitSlowsOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), upTo(100*time.Millisecond))
		l := newAccount(standard)
		ctx, stop := within(t, 10*time.Minute)
		defer stop()
		var loops sync.WaitGroup
		own := &gates.SlidingLog{Most: 5, Window: 10 * time.Second}
		for range 4 {
			loops.Go(func() { s.loopBeside(ctx, l, own, Attempt{Operation: "GET /v1/reports"}) })
		}
		var longest time.Duration
		for sleep(ctx, 700*time.Millisecond) == nil {
			asked := time.Now()
			if l.Wait(ctx, oneOperation) != nil {
				break
			}
			longest = max(longest, time.Since(asked))
			l.Ended(oneOperation, Outcome{StatusCode: 200})
		}
		loops.Wait()
		t.Logf("other calls waited up to %s", longest)
		require.Less(t, longest, time.Second)
	})
}

func TestLongPollsLeaveOrdinaryCallsTheirPlaces(t *testing.T) {
	for _, c := range []struct {
		name        string
		sessions    int
		least, most time.Duration
		lagQuantile float64
		lag         time.Duration
	}{
		{"500 sessions of 5 to 60 s", 500, 5 * time.Second, time.Minute, 0.95, 20 * time.Second},
		{"200 sessions of 30 s and more", 200, 30 * time.Second, 90 * time.Second, 0.99, time.Millisecond},
		{"two clients with 600 sessions each", 1200, time.Minute, 5 * time.Minute, 0.5, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.InOneOfThree(t, func(t *testing.T) bool {
				s := newSimulation(gates.Named("sliding log", standard.Requests, standard.Per), nil)
				lags, waits := waitSessions(t.Context(), s, newAccount(standard), c.sessions, c.least, c.most)
				t.Logf("lag p50 %s, p95 %s, p99 %s; an ordinary call waits p50 %s, p99 %s, at most %s",
					quantile(lags, .5), quantile(lags, .95), quantile(lags, .99), quantile(waits, .5), quantile(waits, .99), quantile(waits, 1))
				require.Len(t, lags, c.sessions)
				require.Empty(t, s.refused)
				require.Less(t, quantile(waits, 0.99), 200*time.Millisecond)
				return quantile(lags, c.lagQuantile) <= c.lag
			})
		})
	}
}

func TestLongPollsKeepToTheirShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		ctx, stop := within(t, 5*time.Minute)
		defer stop()
		polls := 0
		for l.Wait(ctx, Attempt{Class: Poll, Share: 0.5}) == nil {
			polls++
		}
		require.InDelta(t, 5*300, polls, 60, "half of the limit, although the other half is free")
	})
}
