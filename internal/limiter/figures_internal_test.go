package limiter

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

var table = flag.String("figures", "", "simulate all loads of the figures, not only the first one of each row, and write them to this file")

// rounds is how many times a load that depends on chance is simulated: three times if all are.
func rounds() uint64 {
	if *table == "" {
		return 1
	}
	return 3
}

// standard is the limit of most tests.
var standard = Rate{Requests: 600, Per: time.Minute}

// figure is a load, with what is measured of it and the bounds that it must keep.
type figure struct {
	load string
	run  func(r *report)
}

// report is the line of a figure.
type report struct {
	text []string
	bad  bool
}

func (r *report) atLeast(what string, got, least float64) {
	r.add(what, got, least, got >= least, "at least")
}
func (r *report) atMost(what string, got, most float64) {
	r.add(what, got, most, got <= most, "at most")
}

func (r *report) add(what string, got, bound float64, good bool, is string) {
	r.text = append(r.text, fmt.Sprintf("%s %.4g (%s %.4g)", what, got, is, bound))
	r.bad = r.bad || !good
}

// TestFigures simulates the loads of the figures in virtual time.
func TestFigures(t *testing.T) {
	rows := []struct {
		name    string
		figures []figure
	}{
		{"responses after the same time, callers with 2 s", fixedLatency()},
		{"a tail of slow responses, callers with 2 s", tails()},
		{"a jump of the latency from 20 ms to 1.6 to 2.4 s, callers with 2 s", jumps()},
		{"an operation that is slow for a minute, callers with 2 s", aSlowOperation()},
		{"an even pace from the second window on", evenPace()},
		{"a few callers with 2 s", fewCallers()},
		{"small limits", smallLimits()},
		{"classes: a call a second with 2 s beside others", classesOfCalls()[:3]},
		{"classes: a call a second with 2 s beside polls", classesOfCalls()[3:4]},
		{"classes: others beside calls with deadlines", classesOfCalls()[4:]},
		{"short windows, responses after 20 ms and more", shortWindows()},
		{"waits: polls of 500 sessions of 5 to 60 s", waits()[:3]},
		{"waits: the same with few others", waits()[3:5]},
		{"waits: the same with many reads", waits()[5:6]},
		{"waits: the same with reads without deadlines", waits()[6:8]},
		{"waits: the same with few reads at random, without deadlines", waits()[8:9]},
		{"waits: the same with many reads at random, without deadlines", waits()[9:]},
		{"mixed deadlines, 1.5 times the limit", mixedDeadlines()},
		{"neighbors: processes without a common limiter", neighbors()},
		{"small neighbors: processes with four callers each", smallNeighbors()},
		{"neighbors: operations of processes without a common limiter", inOperations()},
		{"unknown routes: three callers each beside ten others", unknownRoutes(3, []int{2, 1, 3}, routeLimits, 90, 6)},
		{"many unknown routes: eight callers each beside ten others", unknownRoutes(8, []int{6}, routeLimits[:2], 40, 12)},
		{"a neighbor with bursts of 100 each 20 s at a token bucket", aNeighborWithBursts()},
		{"refused at random", refusedAtRandom()},
		{"a limit that changes", changes()},
		{"everything is refused for half a second", outages()},
		{"calls without a deadline in a minute that is used up", usedUp()},
	}
	reports := make([][]report, len(rows))
	t.Run("rows", func(t *testing.T) {
		for i, row := range rows {
			if *table == "" {
				row.figures = row.figures[:1]
			}
			reports[i] = make([]report, len(row.figures))
			for j, f := range row.figures {
				t.Run(row.name+"/"+f.load, func(t *testing.T) {
					t.Parallel()
					r := &reports[i][j]
					f.run(r)
					t.Log(strings.Join(r.text, ", "))
					if r.bad {
						t.Fail()
					}
				})
			}
		}
	})
	if *table == "" {
		return
	}
	var text strings.Builder
	fmt.Fprintln(&text, "Loads on the limiter, with 600 requests in 60 seconds if not said. bench/README.md has the command.")
	for i, row := range rows {
		fmt.Fprintf(&text, "\n%s\n", row.name)
		for j, f := range row.figures {
			fmt.Fprintf(&text, "    %s: %s\n", f.load, strings.Join(reports[i][j].text, ", "))
		}
	}
	require.NoError(t, os.WriteFile(*table, []byte(text.String()), 0o644))
}

// gateOf makes a gate that counts as a service does. The windows of fixed ones begin at random.
func (w *world) gateOf(name string, limit Rate) gates.Gate {
	phase := time.Duration(w.random.Int64N(int64(limit.Per)))
	switch name {
	case "sliding log":
		return &gates.SlidingLog{Most: limit.Requests, Window: limit.Per}
	case "token bucket":
		return &gates.TokenBucket{Most: limit.Requests, Window: limit.Per}
	}
	return &gates.FixedWindows{Most: limit.Requests, Window: limit.Per, Begin: epoch.Add(-phase)}
}

var gateNames = []string{"sliding log", "fixed windows", "token bucket"}

const ms = time.Millisecond

// header is the name of a Retry-After.
func header(retryAfter time.Duration) string {
	switch retryAfter {
	case 0:
		return "no Retry-After"
	case exact:
		return "an exact Retry-After"
	}
	return "a Retry-After of " + retryAfter.String()
}

// impatient are callers in a loop for ten minutes, each with 2 s for a call. It returns the
// calls that were answered in each minute.
func impatient(seed uint64, callers int, latency func(*world) ways) (*world, []int) {
	w := newWorld(seed)
	w.gate, w.latency = w.gateOf("sliding log", standard), latency(w)
	l := w.process(standard).loop(callers, &load{patience: 2 * time.Second})
	w.run(10*time.Minute + 3*time.Second)
	return w, counts(l.ends, epoch, time.Minute, 10)
}

func fixedLatency() (list []figure) {
	for _, callers := range []int{100, 30} {
		for _, latency := range []time.Duration{1800 * ms, 0, 20 * ms, 150 * ms, 500 * ms, 1000 * ms, 1300 * ms, 1500 * ms, 1900 * ms} {
			list = append(list, figure{fmt.Sprintf("%d callers, %s", callers, latency), func(r *report) {
				w, answered := impatient(1, callers, func(*world) ways { return always(latency) })
				r.atLeast("% answered of the limit", percent(sum(answered), 6000), 96)
				r.atLeast("in a minute", percent(slices.Min(answered), 600), 92)
				r.atMost("refused", float64(len(w.refused)), 0)
			}})
		}
	}
	return list
}

func tails() (list []figure) {
	for _, callers := range []int{100, 30} {
		for _, usual := range []time.Duration{20 * ms, 300 * ms} {
			for _, part := range []float64{0.1, 0.02, 0.05, 0.2} {
				list = append(list, figure{fmt.Sprintf("%d callers, %g %% after 2.5 s, others after %s", callers, 100*part, usual), func(r *report) {
					w, answered := impatient(2, callers, func(w *world) ways { return w.tailed(usual, 2500*ms, part) })
					r.atLeast("% answered of what is possible", percent(sum(answered), 6000)/(1-part), 95)
					r.atLeast("in a minute", percent(slices.Min(answered), 600)/(1-part), 92)
					r.atMost("refused", float64(len(w.refused)), 0)
				}})
			}
		}
		for _, most := range []time.Duration{300 * ms, 1000 * ms} {
			list = append(list, figure{fmt.Sprintf("%d callers, up to %s", callers, most), func(r *report) {
				_, answered := impatient(3, callers, func(w *world) ways { return w.upTo(most) })
				r.atLeast("% answered of the limit", percent(sum(answered), 6000), 95)
			}})
		}
	}
	return list
}

// jumps are of the latency from 20 ms to 1.6 to 2.4 s for three minutes. Half of the responses are
// then too late for a caller with 2 s.
func jumps() (list []figure) {
	for _, callers := range []int{100, 30} {
		list = append(list, figure{fmt.Sprintf("%d callers", callers), func(r *report) {
			w, answered := impatient(4, callers, func(w *world) ways {
				slow, fast := w.between(1600*ms, 2400*ms), always(20*ms)
				return func() (time.Duration, time.Duration) {
					if minute := int(w.now.Sub(epoch) / time.Minute); minute >= 3 && minute < 6 {
						return slow()
					}
					return fast()
				}
			})
			r.atLeast("answered in the first minute", float64(answered[3]), 250)
			r.atLeast("in the second", float64(answered[4]), 230)
			r.atLeast("in the third", float64(answered[5]), 230)
			r.atMost("refused when it ends", float64(len(w.refused)), 6)
		}})
	}
	return list
}

// aSlowOperation is one among others whose responses take 3 s for a minute, with callers that have
// 2 s. All of them are hopeless then. It must be tried again although others want each place.
func aSlowOperation() (list []figure) {
	for _, callers := range []int{100, 30} {
		list = append(list, figure{fmt.Sprintf("beside %d callers", callers), func(r *report) {
			w := newWorld(15)
			w.gate, w.latency = w.gateOf("sliding log", standard), always(20*ms)
			p := w.process(standard)
			p.loop(callers, &load{attempt: Attempt{Operation: "GET /v1/others"}, patience: 2 * time.Second})
			slow := p.loop(callers/10, &load{attempt: Attempt{Operation: "GET /v1/slow"}, patience: 2 * time.Second, takes: func() (time.Duration, time.Duration) {
				if minute := w.now.Sub(epoch) / time.Minute; minute == 2 {
					return 1500 * ms, 1500 * ms
				}
				return 10 * ms, 10 * ms
			}})
			w.run(10 * time.Minute)
			before := len(since(slow.ends, epoch)) - len(since(slow.ends, epoch.Add(2*time.Minute)))
			r.atLeast("% answered, after it of before it", percent(len(since(slow.ends, epoch.Add(4*time.Minute))), 3*before), 60)
		}})
	}
	return list
}

func evenPace() (list []figure) {
	for _, burst := range []int{100, 1, 10, 600} {
		for _, gate := range gateNames {
			for _, spread := range []time.Duration{300 * ms, 0, 100 * ms} {
				limit := Rate{Requests: 600, Per: time.Minute, Burst: burst}
				list = append(list, figure{fmt.Sprintf("burst of %d, %s, latency of up to %s", burst, gate, spread), func(r *report) {
					w := newWorld(5)
					w.gate, w.latency = w.gateOf(gate, limit), w.upTo(spread)
					p := w.process(limit)
					p.loop(40, &load{})
					w.run(10 * time.Minute)
					c := counts(p.sent, epoch.Add(time.Minute+time.Second), 5*time.Second, 107)
					average := float64(sum(c)) / float64(len(c))
					r.atMost("% from the average, in any 5 s", 100*max(float64(slices.Max(c))/average-1, 1-float64(slices.Min(c))/average), 8)
					r.atLeast("% of the limit", percent(sum(c), 107*50), 98)
					r.atMost("refused", float64(len(w.refused)), 0)
				}})
			}
		}
	}
	return list
}

func fewCallers() (list []figure) {
	for _, callers := range []int{8, 4, 5, 6, 10} {
		for _, spread := range []time.Duration{100 * ms, 0, 300 * ms} {
			list = append(list, figure{fmt.Sprintf("%d callers, latency of up to %s", callers, spread), func(r *report) {
				w := newWorld(6)
				w.gate, w.latency = w.gateOf("fixed windows", standard), w.upTo(spread)
				p := w.process(standard)
				p.loop(callers, &load{patience: 2 * time.Second})
				w.run(time.Minute)
				failed := p.failed
				w.run(9 * time.Minute)
				r.atMost("failed after the first minute", float64(p.failed-failed), 0)
			}})
		}
	}
	return list
}

func smallLimits() (list []figure) {
	for _, c := range []struct {
		limit Rate
		least float64
	}{
		{Rate{Requests: 5, Per: 10 * time.Second}, 95}, {Rate{Requests: 5, Per: 10 * time.Second, Burst: 5}, 95},
		{Rate{Requests: 60, Per: 6 * time.Second}, 96}, {Rate{Requests: 100, Per: 2 * time.Second}, 93},
		{Rate{Requests: 100, Per: 10 * time.Second}, 97},
	} {
		for _, latency := range []struct{ least, spread time.Duration }{{100 * ms, 0}, {0, 100 * ms}, {300 * ms, 0}, {0, 300 * ms}} {
			list = append(list, figure{fmt.Sprintf("%d in %s with a burst of %d, latency of %s and up to %s", c.limit.Requests, c.limit.Per, c.limit.AtOnce(), latency.least, latency.spread), func(r *report) {
				w := newWorld(7)
				w.gate = w.gateOf("sliding log", c.limit)
				usual, spread := always(latency.least), w.upTo(latency.spread)
				w.latency = func() (time.Duration, time.Duration) {
					there, back := usual()
					thereToo, backToo := spread()
					return there + thereToo, back + backToo
				}
				p := w.process(c.limit)
				p.loop(40, &load{})
				w.run(10 * c.limit.Per)
				windows := counts(p.sent, epoch, c.limit.Per, 10)
				least := c.least * min(1, c.limit.Per.Seconds()/(c.limit.Per+latency.spread*11/10-c.limit.Per/75).Seconds())
				r.atLeast("% of the limit", percent(sum(windows), 10*c.limit.Requests), least)
				even := c.limit.Per.Seconds() / float64(c.limit.Requests)
				r.atMost("longest gap after two windows, in places", longestGap(p.sent, epoch.Add(2*c.limit.Per)).Seconds()/even, 2.5)
				r.atMost("refused", float64(len(w.refused)), 0)
			}})
		}
	}
	return list
}

// classesOfCalls are one ordinary call a second with 2 s for it, beside other kinds of calls.
func classesOfCalls() (list []figure) {
	for _, c := range []struct {
		name    string
		callers int
		load    load
		wait    float64 // p99, in seconds
		used    float64 // of the limit, in percent
	}{
		{"100 in the background", 100, load{attempt: Attempt{Class: Background}}, 0.3, 98},
		{"64 without deadlines", 64, load{}, 0.3, 98},
		{"1,000 without deadlines", 1000, load{}, 0.3, 98},
		{"polls of 1,000 sessions", 1000, load{attempt: Attempt{Class: Poll}, takes: always(30 * time.Second)}, 0.3, 98},
	} {
		list = append(list, figure{c.name, func(r *report) {
			w := newWorld(8)
			w.gate, w.latency = w.gateOf("fixed windows", standard), w.upTo(300*ms)
			p := w.process(standard)
			reads := p.open(time.Second, &load{patience: 2 * time.Second})
			p.loop(c.callers, &c.load)
			w.run(10 * time.Minute)
			r.atLeast("% answered", percent(reads.answered+1, reads.made), 99.5)
			r.atMost("s wait, p99", quantile(reads.waits, 0.99).Seconds(), c.wait)
			r.atLeast("% of the limit, all together", percent(len(p.sent), 6000), c.used)
		}})
	}
	for _, c := range []struct {
		name  string
		load  load
		least float64
	}{
		{"100 in the background beside 100 with deadlines", load{attempt: Attempt{Class: Background}}, 5},
		{"polls of 100 sessions beside 100 with deadlines", load{attempt: Attempt{Class: Poll}}, 10},
		{"100 without beside 100 with deadlines", load{}, 20},
	} {
		list = append(list, figure{c.name, func(r *report) {
			w := newWorld(9)
			w.gate, w.latency = w.gateOf("sliding log", standard), w.upTo(300*ms)
			p := w.process(standard)
			p.loop(100, &load{patience: 2 * time.Second})
			p.loop(100, &c.load)
			w.run(10 * time.Minute)
			r.atLeast("% of all places", percent(len(c.load.waits), len(p.sent)), c.least-0.5)
		}})
	}
	return list
}

// shortWindows are limits of a second, with responses that differ by more than the window.
func shortWindows() (list []figure) {
	for _, c := range []struct {
		requests   int
		used, most float64
	}{{10, 75, 5}, {1, 44, 12.2}} {
		for _, gate := range gateNames {
			list = append(list, figure{fmt.Sprintf("%d in a second, %s", c.requests, gate), func(r *report) {
				is := mean(func(seed uint64) [4]float64 {
					limit := Rate{Requests: c.requests, Per: time.Second}
					w := newWorld(seed)
					w.gate, w.latency = w.gateOf(gate, limit), w.exponential(20*ms, 300*ms)
					p := w.process(limit)
					p.loop(40, &load{})
					w.run(10 * time.Minute)
					return [4]float64{percent(len(w.admitted), c.requests*600), percent(len(w.refused), len(p.sent))}
				})
				r.atLeast("% of the limit", is[0], c.used)
				r.atMost("% refused", is[1], c.most)
			}})
		}
	}
	return list
}

// waits are for sessions that all start at once. Each is polled until a response has its end.
func waits() (list []figure) {
	type beside struct {
		what      string
		callers   int           // in a loop without deadlines, from 30 s on
		class     Class         // of these
		reads     time.Duration // one each so long with 2 s; 0: none
		calm      bool          // the reads have no deadline
		random    bool          // and come at random, in eight rounds
		p95, used float64
	}
	for _, c := range []beside{
		{"8 callers that begin after 30 s", 8, Ordinary, 0, false, false, 90, 60},
		{"8 callers and a read a second", 8, Ordinary, time.Second, false, false, 95, 60},
		{"8 callers in the background", 8, Background, 0, false, false, 25, 0},
		{"nothing", 0, Ordinary, 0, false, false, 22, 0},
		{"a read a second", 0, Ordinary, time.Second, false, false, 22, 0},
		{"five reads a second", 0, Ordinary, 200 * ms, false, false, 70, 0},
		{"five reads a second without deadlines", 0, Ordinary, 200 * ms, true, false, 70, 0},
		{"three reads a second without deadlines", 0, Ordinary, 333 * ms, true, false, 70, 0},
		{"a read in two seconds, at random", 0, Ordinary, 2 * time.Second, true, true, 25, 0},
		{"five reads a second, at random", 0, Ordinary, 200 * ms, true, true, 75, 0},
	} {
		list = append(list, figure{"beside " + c.what, func(r *report) {
			var lags, waits []time.Duration
			made, answered, refused, places, others := 0, 0, 0, 0, 0
			for seed := range map[bool]uint64{false: 1, true: 8}[c.random] {
				w := newWorld(14 + seed)
				w.gate, w.latency = w.gateOf("sliding log", standard), always(100*ms)
				p := w.process(standard)
				ended := p.sessions(500)
				reads := &load{patience: 2 * time.Second}
				if c.calm {
					reads.patience = 0
				}
				switch {
				case c.random:
					p.atAnyTime(c.reads, reads)
				case c.reads > 0:
					p.open(c.reads, reads)
				}
				w.run(30 * time.Second)
				begun := reads.answered
				jobs := p.loop(c.callers, &load{attempt: Attempt{Class: c.class}})
				for len(*ended) < 500 && w.now.Before(epoch.Add(20*time.Minute)) {
					w.run(time.Second)
				}
				for len(*ended) < 500 { // it is seen much later, or never
					*ended = append(*ended, time.Hour)
				}
				lags, waits = append(lags, *ended...), append(waits, reads.waits...)
				made, answered, refused = made+reads.made, answered+reads.answered+1, refused+len(w.refused)
				others += jobs.answered + reads.answered - begun
				places += 10 * (int(w.now.Sub(epoch)/time.Second) - 30)
			}
			r.atMost("s until an end is seen, p95", quantile(lags, 0.95).Seconds(), c.p95)
			if c.callers > 0 {
				r.atLeast("% of the limit for the others", percent(others, places), c.used)
			}
			if c.reads > 0 {
				r.atLeast("% of the reads answered", min(100, percent(answered, made)), 99)
				r.atMost("s wait of the reads, p99", quantile(waits, 0.99).Seconds(), map[bool]float64{false: 1, true: 2}[c.random && c.reads < time.Second])
			}
			r.atMost("refused", float64(refused), 0)
		}})
	}
	return list
}

// sessions polls sessions that end after 5 to 60 s, each until its end is seen. It returns how long
// after their ends that was.
func (p *process) sessions(n int) *[]time.Duration {
	lags := new([]time.Duration)
	for range n {
		ends := epoch.Add(5*time.Second + time.Duration(p.random.Int64N(int64(55*time.Second))))
		polls := &load{attempt: Attempt{Class: Poll}, takes: func() (time.Duration, time.Duration) {
			return 50 * ms, 50*ms + min(30*time.Second, max(0, ends.Sub(p.now)))
		}}
		var again func(bool)
		again = func(bool) {
			if p.now.Before(ends) {
				p.call(polls, again)
			} else {
				*lags = append(*lags, p.now.Sub(ends))
			}
		}
		p.after(time.Microsecond, func() { again(true) })
	}
	return lags
}

// mixedDeadlines are six groups of calls, together 1.5 times the limit.
func mixedDeadlines() (list []figure) {
	for _, tail := range []float64{0.1, 0} {
		for _, shift := range []time.Duration{7 * ms, 0, 61 * ms} {
			list = append(list, figure{fmt.Sprintf("1 to 30 s, %g %% after 2.5 s, %s from one another", 100*tail, shift), func(r *report) {
				w := newWorld(10)
				w.gate, w.latency = w.gateOf("sliding log", standard), w.tailed(100*ms, 2500*ms, tail)
				p := w.process(standard)
				var groups []*load
				for _, seconds := range []int{1, 2, 5, 10, 20, 30} {
					w.run(shift)
					groups = append(groups, p.open(time.Second*6/15, &load{patience: time.Duration(seconds) * time.Second}))
				}
				w.run(10 * time.Minute)
				for _, g := range groups {
					r.atLeast(fmt.Sprintf("%% with %s", g.patience), percent(g.answered, g.made), 55-100*tail)
				}
			}})
		}
	}
	return list
}

func TestMain(m *testing.M) { testkit.Main(m) }
