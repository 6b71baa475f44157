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

// rounds is how many times a load is simulated that depends on chance: three times if all loads are.
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
		{"an even pace from the second window on", evenPace()},
		{"a few callers with 2 s", fewCallers()},
		{"small limits", smallLimits()},
		{"classes: a call a second with 2 s beside others", classesOfCalls()},
		{"mixed deadlines, 1.5 times the limit", mixedDeadlines()},
		{"neighbours: processes without a common limiter", neighbours()},
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
			r.atLeast("answered in the first minute", float64(answered[3]), 200)
			r.atLeast("in the second", float64(answered[4]), 230)
			r.atLeast("in the third", float64(answered[5]), 230)
			r.atMost("refused when it ends", float64(len(w.refused)), 6)
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
		{"polls of 1,000 sessions", 1000, load{attempt: Attempt{Class: Poll}, takes: always(30 * time.Second)}, 0.5, 98},
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

// neighbours are processes that know nothing of one another, for twenty minutes after the first
// two.
func neighbours() (list []figure) {
	const d = 20 * time.Minute
	run := func(seed uint64, n int, gate string, retryAfter time.Duration) (refused, fair, used, failed float64) {
		w := newWorld(seed)
		w.gate, w.latency, w.retryAfter = w.gateOf(gate, standard), w.upTo(300*ms), retryAfter
		processes := make([]*process, n)
		for i := range processes {
			processes[i] = w.process(standard)
			processes[i].loop(16, &load{})
		}
		from := epoch.Add(2 * time.Minute)
		w.run(d + 2*time.Minute)
		var x, xx float64
		for _, p := range processes {
			good := float64(len(p.answered) - len(before(p.answered, from)))
			x, xx = x+good, xx+good*good
			failed += float64(p.failed)
		}
		admitted, denied := len(w.admitted)-len(before(w.admitted, from)), len(w.refused)-len(before(w.refused, from))
		return percent(denied, admitted+denied), x * x / float64(n) / xx, percent(admitted, 600*int(d/time.Minute)), failed
	}
	for _, n := range []int{8, 2, 4} {
		for _, gate := range []string{"token bucket", "fixed windows", "sliding log"} {
			for _, retryAfter := range []time.Duration{0, exact, 5 * time.Second} {
				list = append(list, figure{fmt.Sprintf("%d processes, %s, %s", n, gate, header(retryAfter)), func(r *report) {
					var sums [4]float64
					for seed := range rounds() {
						refused, fair, used, failed := run(seed, n, gate, retryAfter)
						for i, x := range []float64{refused, fair, used, failed} {
							sums[i] += x / float64(rounds())
						}
					}
					r.atMost("% refused", sums[0], 6)
					r.atLeast("Jain", sums[1], 0.85)
					r.atLeast("% of the limit", sums[2], 95)
					r.atMost("failed", sums[3], 0)
				}})
			}
		}
	}
	return list
}

// changing is another gate in each five minutes.
type changing struct{ gates []gates.Gate }

func (c changing) Admit(now time.Time) bool {
	return c.gates[min(int(now.Sub(epoch)/(5*time.Minute)), len(c.gates)-1)].Admit(now)
}

func changes() (list []figure) {
	for _, gate := range gateNames {
		for _, retryAfter := range []time.Duration{0, 5 * time.Second} {
			list = append(list, figure{fmt.Sprintf("600, 300, 600 in a minute, %s, %s", gate, header(retryAfter)), func(r *report) {
				var sum float64
				failed := 0
				for seed := range rounds() {
					w := newWorld(seed)
					half := Rate{Requests: 300, Per: time.Minute}
					w.gate = changing{[]gates.Gate{w.gateOf(gate, standard), w.gateOf(gate, half), w.gateOf(gate, standard)}}
					w.latency, w.retryAfter = w.upTo(300*ms), retryAfter
					p := w.process(standard)
					p.loop(16, &load{})
					w.run(15 * time.Minute)
					c := counts(w.admitted, epoch.Add(10*time.Minute), 5*time.Second, 60)
					sum += 5 * float64(slices.IndexFunc(c, func(n int) bool { return n >= 45 }))
					failed += p.failed
				}
				r.atMost("s until 90 % is used again", sum/float64(rounds()), 75)
				r.atMost("failed", float64(failed), 0)
			}})
		}
	}
	return list
}

// outages refuse everything now and then for half an hour, whatever the pace is.
func outages() (list []figure) {
	for _, c := range []struct {
		every time.Duration
		least float64
	}{{10 * time.Second, 60}, {5 * time.Second, 40}} {
		for _, gate := range gateNames {
			list = append(list, figure{fmt.Sprintf("every %s, %s", c.every, gate), func(r *report) {
				const lasting = 500 * ms
				d := time.Duration(rounds()) * 10 * time.Minute
				w := newWorld(11)
				w.gate = &gates.Outages{Gate: w.gateOf(gate, standard), Begin: epoch, Until: epoch.Add(time.Hour), Every: c.every, Lasting: lasting}
				w.latency = w.upTo(150 * ms)
				w.process(standard).loop(16, &load{})
				w.run(d)
				r.atLeast("% of what is left of the limit", percent(len(w.admitted), 600*int(d/time.Minute))/(1-lasting.Seconds()/c.every.Seconds()), c.least)
			}})
		}
	}
	return list
}

// usedUp are calls without a deadline in a minute that others have used up.
func usedUp() (list []figure) {
	for _, retryAfter := range []time.Duration{0, exact, 5 * time.Second} {
		for _, c := range []struct {
			calls  int
			within float64
		}{{20, 120}, {1, 90}} {
			for _, gate := range []string{"fixed windows", "sliding log"} {
				list = append(list, figure{fmt.Sprintf("%d calls, %s, %s", c.calls, gate, header(retryAfter)), func(r *report) {
					w := newWorld(12)
					w.gate, w.latency, w.retryAfter = &gates.SlidingLog{Most: 600, Window: time.Minute}, w.upTo(300*ms), retryAfter
					if gate == "fixed windows" {
						w.gate = &gates.FixedWindows{Most: 600, Window: time.Minute, Begin: epoch}
					}
					for range 600 {
						w.gate.Admit(epoch)
					}
					p, l := w.process(standard), &load{}
					for range c.calls {
						p.call(l, func(bool) {})
					}
					w.run(10 * time.Minute)
					r.atLeast("answered", float64(l.answered), float64(c.calls))
					r.atMost("s, the longest", l.longest.Seconds(), c.within)
				}})
			}
		}
	}
	return list
}

func TestMain(m *testing.M) { testkit.Main(m) }
