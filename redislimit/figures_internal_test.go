package redislimit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
)

var (
	checks = monitoring.LimitedAttempt{Operation: "GET /v1/checks"}
	polls  = monitoring.LimitedAttempt{Operation: "GET /v1/polls", Class: monitoring.ClassPoll}
)

// TestFigures simulates fleets in virtual time. A request takes 20 to 80 ms to the service, and its
// response back, if nothing else is said.
func TestFigures(t *testing.T) {
	minute, tenSeconds := monitoring.DefaultRateLimit, monitoring.RateLimit{Requests: 100, Per: 10 * time.Second}
	for _, row := range []struct {
		name  string
		limit monitoring.RateLimit
		run   func(f *fleet)
	}{
		{"busy", minute, busy(80*time.Millisecond, 0)},
		{"busy with a faster service", minute, busy(800*time.Millisecond, 0)},
		{"busy with a small limit and a faster service", tenSeconds, busy(250*time.Millisecond, 0)},
		{"busy with a tiny limit", monitoring.RateLimit{Requests: 20, Per: time.Second}, busy(100*time.Millisecond, 25*time.Millisecond)},
		{"busy and far from Redis", minute, busy(80*time.Millisecond, 110*time.Millisecond)},
		{"one caller beside busy processes", minute, oneCaller},
		{"calls now and then", minute, nowAndThen(12, 2*time.Second, 150, 900)},
		{"calls often", minute, nowAndThen(2, 250*time.Millisecond, 115, 600)},
		{"calls very often with a large limit", monitoring.RateLimit{Requests: 1200, Per: 2 * time.Second}, nowAndThen(2, 5*time.Millisecond, 300, 1500)},
		{"bursts", minute, bursts},
		{"deadlines", minute, deadlines(func(time.Duration) time.Duration { return 50 * time.Millisecond })},
		{"deadlines and a tail of slow responses", minute, deadlines(func(time.Duration) time.Duration {
			if between(0, 9)() == 0 {
				return 700 * time.Millisecond
			}
			return 50 * time.Millisecond
		})},
		{"deadlines and a jump of the latency", minute, deadlines(func(since time.Duration) time.Duration {
			if since > 0 && since < 30*time.Second {
				return 600 * time.Millisecond
			}
			return 50 * time.Millisecond
		})},
		{"polls", minute, pollsBeside},
		{"a stall of 15 s", minute, stall15(4)},
		{"a stall of 15 s and a small limit", tenSeconds, stall15(4)},
		{"a stall of 15 s and one process is busy", minute, stall15(1)},
		{"a stall of 70 s and a limit of a route", minute, routeStall},
		{"slow replies of Redis", minute, slowReplies},
		{"a dead process", minute, cutOff(2 * time.Minute)},
		{"a process cut off for 10 s", minute, cutOff(10 * time.Second)},
		{"Redis's clock is set back a little", minute, setBack(1500 * time.Millisecond)},
		{"Redis's clock is set back by 8 s", minute, setBack(8 * time.Second)},
		{"another user of the limit", minute, anotherUser},
		{"everything is refused now and then", minute, refusedNowAndThen},
		{"everything is refused for 5 s", minute, refusedFor(5 * time.Second)},
		{"everything is refused for ten minutes", minute, refusedFor(10 * time.Minute)},
	} {
		t.Run(strings.ReplaceAll(row.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			v := startVirtual(t)
			settle(t, v.real, "fleet", row.limit.Per)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				f := &fleet{
					strictServer: newStrictServer(row.limit), t: t, redis: v, limit: row.limit, ctx: ctx,
					latency: between(20*time.Millisecond, 80*time.Millisecond),
				}
				row.run(f)
				cancel()
				f.group.Wait()
				time.Sleep(3 * time.Minute) // until no stall holds up a command
				t.Log(strings.Join(f.text, ", "))
				if f.bad {
					t.Fail()
				}
			})
		})
	}
}

// busyProcesses starts processes with 8 callers each, and returns when they use the limit evenly.
func (f *fleet) busyProcesses(n int) (from time.Time) {
	for i := range n {
		f.loop(f.ctx, f.process(), fmt.Sprint(i), 8, checks)
	}
	return f.after(2*window(f.limit) + 5*time.Second)
}

// busy has requests that take some time to the service, and later none, and commands that take some
// to Redis.
func busy(latency, way time.Duration) func(f *fleet) {
	return func(f *fleet) {
		f.latency, f.redis.way = between(latency, latency), between(way/2, way)
		from := f.busyProcesses(4)
		f.latency = between(0, 0)
		commands, lasts := f.redis.commands, max(time.Minute, 3*f.limit.Per)
		f.after(lasts)
		f.atLeast("used", f.part(from, lasts), 80)
		f.atMost("refused", float64(f.refused), 0)
		f.atMost("commands", float64(f.redis.commands-commands)/lasts.Seconds()/4, 2)
		fewest, most := len(f.all), 0
		for _, n := range f.by {
			fewest, most = min(fewest, n), max(most, n)
		}
		f.atMost("most/fewest", float64(most)/float64(fewest), 1.1)
	}
}

func oneCaller(f *fleet) {
	f.loop(f.ctx, f.process(), "one", 1, checks)
	from, n := f.busyProcesses(3), f.by["one"]
	f.after(3 * f.limit.Per)
	f.atLeast("calls a minute", float64(f.by["one"]-n)/3, 95)
	f.atLeast("used", f.part(from, 3*f.limit.Per), 95)
	f.atMost("refused", float64(f.refused), 0)
}

// nowAndThen has processes with a call every now and then at random, in all less than the limit.
func nowAndThen(processes int, every time.Duration, ms, mostMS float64) func(f *fleet) {
	return func(f *fleet) {
		var took, most time.Duration
		n := 0
		for i := range processes {
			l := f.process()
			f.group.Go(func() {
				for f.ctx.Err() == nil {
					time.Sleep(between(0, 2*every)())
					f.group.Go(func() {
						began := time.Now()
						f.call(f.ctx, l, fmt.Sprint(i), checks)
						took += time.Since(began)
						most = max(most, time.Since(began))
						n++
					})
				}
			})
		}
		f.after(2 * f.limit.Per)
		took, n, most = 0, 0, 0
		commands := f.redis.commands
		f.after(5 * f.limit.Per)
		f.atMost("ms", float64(took.Milliseconds())/float64(n), ms)
		f.atMost("most ms", float64(most.Milliseconds()), mostMS)
		f.atMost("commands", float64(f.redis.commands-commands)/5/f.limit.Per.Seconds()/float64(processes), 2)
		f.atMost("refused", float64(f.refused), 0)
	}
}

// bursts has a process with 6 calls a second, and one with 80 at once every half minute.
func bursts(f *fleet) {
	var took, most time.Duration
	n := 0
	f.loop(f.ctx, f.process(), "paced", 1, checks)
	l := f.process()
	f.group.Go(func() {
		for f.ctx.Err() == nil {
			began, done := time.Now(), make(chan bool, 80)
			for range 80 {
				f.group.Go(func() { done <- f.call(f.ctx, l, "burst", checks) })
			}
			for range 80 {
				<-done
			}
			took += time.Since(began)
			most = max(most, time.Since(began))
			n++
			time.Sleep(time.Until(began.Add(30 * time.Second)))
		}
	})
	f.latency = between(60*time.Millisecond, 100*time.Millisecond)
	f.after(2 * f.limit.Per)
	took, n, most = 0, 0, 0
	had := f.by["paced"]
	f.after(5 * f.limit.Per)
	f.atMost("s for a burst", took.Seconds()/float64(n), 20)
	f.atMost("most s", most.Seconds(), 30)
	f.atLeast("paced a minute", float64(f.by["paced"]-had)/5, 100)
	f.atMost("refused", float64(f.refused), 0)
}

// deadlines has 28 callers with 2 s for each call. Something may happen when they use the limit
// evenly.
func deadlines(way func(since time.Duration) time.Duration) func(f *fleet) {
	return func(f *fleet) {
		var jump time.Time
		f.latency = func() time.Duration {
			if jump.IsZero() {
				return way(-1)
			}
			return way(time.Since(jump))
		}
		answered := 0
		for i := range 4 {
			l := f.process()
			for range 7 {
				f.group.Go(func() {
					for f.ctx.Err() == nil {
						ctx, cancel := context.WithTimeout(f.ctx, 2*time.Second)
						if f.call(ctx, l, fmt.Sprint(i), checks) {
							answered++
						}
						cancel()
					}
				})
			}
		}
		from := f.after(2*window(f.limit) + 5*time.Second)
		jump, answered = from, 0
		f.after(time.Minute)
		f.atLeast("answered in a minute", float64(answered), 540)
		f.atMost("in vain", float64(f.between(from, time.Now())-answered), 100)
		f.atMost("refused", float64(f.refused), 0)
	}
}

func pollsBeside(f *fleet) {
	l := f.process()
	f.loop(f.ctx, l, "polls", 8, polls)
	f.loop(f.ctx, l, "0", 8, checks)
	f.after(2 * f.limit.Per)
	had, all := f.by["polls"], len(f.all)
	f.after(3 * f.limit.Per)
	f.atLeast("polls %", 100*float64(f.by["polls"]-had)/float64(len(f.all)-all), 7)
}

// stall15 has a Redis that stalls for 15 s. Some of four processes are busy.
func stall15(processes int) func(f *fleet) {
	return func(f *fleet) {
		from := f.busyProcesses(processes)
		f.redis.stalled = from.Add(15 * time.Second)
		end := f.after(15 * time.Second)
		_, gap := f.used(from, end)
		f.after(f.limit.Per)
		f.atLeast("during", f.part(from, 15*time.Second), 20)
		f.atMost("gap", gap.Seconds(), 2)
		f.atLeast("in the next 10 s", f.part(end, 10*time.Second), 70)
		f.atLeast("in the next window", f.part(end, f.limit.Per), 80)
		f.atMost("refused", float64(f.refused), 0)
	}
}

// routeStall has callers of a route with a limit of its own beside others.
func routeStall(f *fleet) {
	for i := range 2 {
		l := f.process(WithProcesses(2))
		if err := l.LimitRoute("GET /v1/locations", monitoring.RateLimit{Requests: 400, Per: time.Minute}); err != nil {
			f.t.Fatal(err)
		}
		f.loop(f.ctx, l, fmt.Sprint(i), 4, checks)
		f.loop(f.ctx, l, fmt.Sprint(i), 4, monitoring.LimitedAttempt{Operation: "GET /v1/locations"})
	}
	from := f.after(2 * window(f.limit))
	f.redis.stalled = from.Add(70 * time.Second)
	f.after(70 * time.Second)
	f.atLeast("during", f.part(from, 70*time.Second), 80)
	f.atMost("refused", float64(f.refused), 0)
}

// slowReplies has a Redis that takes up to 1.5 s for one of twenty replies.
func slowReplies(f *fleet) {
	f.redis.way = func() time.Duration {
		if between(0, 19)() == 0 {
			return between(100*time.Millisecond, 750*time.Millisecond)()
		}
		return between(time.Millisecond, 5*time.Millisecond)()
	}
	changes := 0
	for i := range 4 {
		f.loop(f.ctx, f.process(WithModeHook(func(ModeChange) { changes++ })), fmt.Sprint(i), 8, checks)
	}
	from := f.after(2 * f.limit.Per)
	changes = 0
	f.after(5 * f.limit.Per)
	f.atLeast("used", f.part(from, 5*f.limit.Per), 90)
	f.atMost("changes a minute", float64(changes)/5, 75)
	f.atMost("refused", float64(f.refused), 0)
}

// cutOff has a process with 200 callers that is cut off from Redis for a time. If that is long, it
// is dead.
func cutOff(lasts time.Duration) func(f *fleet) {
	return func(f *fleet) {
		ctx, cancel := context.WithCancel(f.ctx)
		defer cancel()
		cut := *f.redis
		f.loop(ctx, f.processOn(&cut), "cut", 200, checks)
		from := f.busyProcesses(3)
		cut.stalled = from.Add(lasts)
		if lasts > time.Minute {
			cancel()
		}
		f.after(time.Minute)
		f.atLeast("used", f.part(from, time.Minute), 80)
		f.atMost("refused", float64(f.refused), 0)
	}
}

func setBack(by time.Duration) func(f *fleet) {
	return func(f *fleet) {
		changes := 0
		for i := range 4 {
			f.loop(f.ctx, f.process(WithModeHook(func(ModeChange) { changes++ })), fmt.Sprint(i), 8, checks)
		}
		from := f.after(2*window(f.limit) + 5*time.Second)
		changes = 0
		f.redis.ahead = -by
		f.after(time.Minute)
		f.atLeast("used in 10 s", f.part(from, 10*time.Second), 50)
		f.atLeast("used", f.part(from, time.Minute), 50)
		f.atMost("changes", float64(changes), 8)
		f.atMost("refused", float64(f.refused), 0)
	}
}

// anotherUser sends 50 requests at once every 15 s without the limiter.
func anotherUser(f *fleet) {
	f.group.Go(func() {
		for f.ctx.Err() == nil {
			for range 50 {
				f.request("other")
			}
			time.Sleep(15 * time.Second)
		}
	})
	from := f.busyProcesses(4)
	refused := f.refused
	f.after(10 * time.Minute)
	f.atLeast("used", f.part(from, 10*time.Minute), 80)
	f.atMost("refused a minute", float64(f.refused-refused)/10, 10)
}

// refusedNowAndThen has a service that refuses everything for half a second every half minute.
func refusedNowAndThen(f *fleet) {
	began := time.Now()
	end := began.Add(10 * time.Minute)
	f.gate = &gates.Outages{Gate: &f.log, Begin: began, Until: end, Every: 30 * time.Second, Lasting: 500 * time.Millisecond}
	from := f.busyProcesses(4)
	f.after(time.Until(end.Add(time.Minute)))
	f.atLeast("used", f.part(from, end.Sub(from)), 5)
	f.atLeast("used after", f.part(end, time.Minute), 5)
}

// refusedFor has a service that refuses everything for a time.
func refusedFor(lasts time.Duration) func(f *fleet) {
	return func(f *fleet) {
		from := f.busyProcesses(4)
		end := from.Add(lasts)
		f.gate = &gates.Outages{Gate: &f.log, Begin: from, Until: end, Every: 1, Lasting: 1}
		f.after(lasts + 3*time.Minute)
		f.atMost("refused", float64(f.refused), 90)
		first := f.all[slices.IndexFunc(f.all, func(t time.Time) bool { return t.After(end) })]
		f.atMost("s until the first", first.Sub(end).Seconds(), 32)
		f.atLeast("used in 2 minutes after", f.part(first, 2*time.Minute), 20)
	}
}
