package limiter

import (
	"fmt"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// apart runs processes that know nothing of one another. In the twenty minutes after the first two
// it measures the part that is refused, how fair the rest is, the use of the limit, and failures.
func apart(seed uint64, processes, callers int, gate string, retryAfter time.Duration) [4]float64 {
	const d = 20 * time.Minute
	w := newWorld(seed)
	w.gate, w.latency, w.retryAfter = w.gateOf(gate, standard), w.upTo(300*ms), retryAfter
	all := make([]*process, processes)
	for i := range all {
		all[i] = w.process(standard)
		all[i].loop(callers, &load{})
	}
	from := epoch.Add(2 * time.Minute)
	w.run(d + 2*time.Minute)
	var x, xx, failed float64
	for _, p := range all {
		good := float64(len(since(p.answered, from)))
		x, xx = x+good, xx+good*good
		failed += float64(p.failed)
	}
	admitted, refused := len(since(w.admitted, from)), len(since(w.refused, from))
	return [4]float64{
		percent(refused, admitted+refused), x * x / float64(processes) / xx, percent(admitted, 600*int(d/time.Minute)), failed,
	}
}

// mean is the mean of what several rounds measure.
func mean(run func(seed uint64) [4]float64) (mean [4]float64) {
	for seed := range rounds() {
		for i, x := range run(seed) {
			mean[i] += x / float64(rounds())
		}
	}
	return mean
}

func neighbors() (list []figure) {
	for _, n := range []int{8, 2, 4} {
		for _, gate := range []string{"token bucket", "fixed windows", "sliding log"} {
			for _, retryAfter := range []time.Duration{0, exact, 5 * time.Second} {
				list = append(list, figure{fmt.Sprintf("%d processes, %s, %s", n, gate, header(retryAfter)), func(r *report) {
					is := mean(func(seed uint64) [4]float64 { return apart(seed, n, 16, gate, retryAfter) })
					r.atMost("% refused", is[0], 6)
					r.atLeast("Jain", is[1], 0.85)
					r.atLeast("% of the limit", is[2], 95)
					r.atMost("failed", is[3], 0)
				}})
			}
		}
	}
	return list
}

// smallNeighbors are processes with a few callers each. Twenty of them have three places in a
// minute each.
func smallNeighbors() (list []figure) {
	for _, c := range []struct {
		processes int
		gate      string
		refused   [2]float64 // at most, without and with a Retry-After
	}{
		{20, "token bucket", [2]float64{11.5, 17.3}}, {20, "sliding log", [2]float64{9.7, 6.1}},
		{8, "token bucket", [2]float64{5.6, 6.7}}, {8, "sliding log", [2]float64{3.7, 4.3}},
		{2, "token bucket", [2]float64{2.4, 2.4}}, {2, "sliding log", [2]float64{2.6, 2.6}},
	} {
		for i, retryAfter := range []time.Duration{0, exact} {
			list = append(list, figure{fmt.Sprintf("%d processes, %s, %s", c.processes, c.gate, header(retryAfter)), func(r *report) {
				is := mean(func(seed uint64) [4]float64 { return apart(seed, c.processes, 4, c.gate, retryAfter) })
				r.atMost("% refused", is[0], c.refused[i])
				r.atLeast("Jain", is[1], 0.75)
				r.atLeast("% of the limit", is[2], 85)
				r.atMost("failed", is[3], 0)
			}})
		}
	}
	return list
}

// inOperations are processes that know nothing of one another, with callers of some operations.
func inOperations() (list []figure) {
	for _, c := range []struct {
		processes, operations int
		retryAfter            time.Duration
		refused               float64
	}{{8, 4, 0, 9}, {8, 2, 0, 9}, {8, 16, 0, 9}, {2, 4, 0, 9}, {8, 4, exact, 9}, {8, 2, exact, 9}, {8, 16, exact, 9}, {2, 4, exact, 9}} {
		for _, gate := range []string{"token bucket", "sliding log"} {
			list = append(list, figure{fmt.Sprintf("%d processes, %d operations, %s, %s", c.processes, c.operations, gate, header(c.retryAfter)), func(r *report) {
				is := mean(func(seed uint64) [4]float64 {
					const d = 20 * time.Minute
					w := newWorld(seed)
					w.gate, w.latency, w.retryAfter = w.gateOf(gate, standard), w.upTo(300*ms), c.retryAfter
					for range c.processes {
						p := w.process(standard)
						for i := range 16 {
							p.loop(1, &load{attempt: Attempt{Operation: fmt.Sprint("GET /v1/o", i%c.operations)}})
						}
					}
					w.run(d + 2*time.Minute)
					from := epoch.Add(2 * time.Minute)
					admitted, refused := len(since(w.admitted, from)), len(since(w.refused, from))
					return [4]float64{percent(refused, admitted+refused), percent(admitted, 600*int(d/time.Minute))}
				})
				r.atMost("% refused", is[0], c.refused)
				r.atLeast("% of the limit", is[1], 90)
			}})
		}
	}
	return list
}

// besideRoutes runs ten callers beside those of some routes with a limit each, which the client
// does not know if it is not told, for twenty minutes. It measures what the ten have answered,
// which part of its limit the worst route has, and which part of all requests is refused.
func besideRoutes(seed uint64, routes, callers int, gate string, limit Rate, retryAfter time.Duration, told bool) (others, least, refused float64) {
	const d = 20 * time.Minute
	w := newWorld(seed)
	w.gate, w.latency, w.retryAfter = w.gateOf("sliding log", standard), w.upTo(300*ms), retryAfter
	p, other := w.process(standard), &load{attempt: Attempt{Operation: "GET /v1/others"}}
	p.loop(10, other)
	var all []*load
	for i := range routes {
		l := &load{attempt: Attempt{Operation: fmt.Sprint("GET /v1/r", i)}, route: w.gateOf(gate, limit)}
		if told {
			_ = p.s.routes.limit(l.attempt.Operation, limit, w.now, func(string, *pacer) {})
		}
		all = append(all, p.loop(callers, l))
	}
	w.run(d)
	least = 100
	for _, l := range all {
		least = min(least, percent(l.answered, int(d/limit.Per)*limit.Requests))
	}
	return float64(other.answered), least, percent(len(w.refused), len(w.refused)+len(w.admitted))
}

// routeLimits are limits of routes that the client does not know.
var routeLimits = []Rate{{30, time.Minute, 0}, {5, 10 * time.Second, 0}, {20, 30 * time.Second, 0}, {12, time.Minute, 0}}

// unknownRoutes are callers of routes with limits that the client does not know, beside ten others.
func unknownRoutes(callers int, routes []int, limits []Rate, others, refused float64) (list []figure) {
	for _, limit := range limits {
		for _, n := range routes {
			for _, gate := range []string{"sliding log", "fixed windows"} {
				for _, retryAfter := range []time.Duration{0, exact, 5 * time.Second} {
					list = append(list, figure{fmt.Sprintf("%d of %d in %s, %s, %s", n, limit.Requests, limit.Per, gate, header(retryAfter)), func(r *report) {
						is := mean(func(seed uint64) [4]float64 {
							others, least, refused := besideRoutes(seed, n, callers, gate, limit, retryAfter, false)
							told, _, _ := besideRoutes(seed, n, callers, gate, limit, retryAfter, true)
							return [4]float64{100 * others / told, least, refused}
						})
						r.atLeast("% of what others have if they are told", is[0], others)
						r.atLeast("% of a route's limit, the least", is[1], 70)
						r.atMost("% refused", is[2], refused)
					}})
				}
			}
		}
	}
	return list
}

// atRandom is a gate that refuses some requests whatever their pace is.
type atRandom struct {
	gates.Gate
	*world
	of int // one of so many
}

func (g atRandom) Admit(now time.Time) bool {
	return g.random.IntN(g.of) > 0 && g.Gate.Admit(now)
}

// refusedAtRandom are calls to a service that refuses one of so many requests, whatever their pace.
func refusedAtRandom() (list []figure) {
	for _, c := range []struct {
		of    int
		least float64
	}{{50, 40}, {100, 80}, {20, 12}, {7, 2.7}} {
		for _, operation := range []string{"GET /v1/x", ""} {
			who := map[string]string{"": "all operations", "GET /v1/x": "one operation"}[operation]
			list = append(list, figure{fmt.Sprintf("one of %d, %s", c.of, who), func(r *report) {
				used := mean(func(seed uint64) [4]float64 {
					w := newWorld(seed)
					w.gate, w.latency = atRandom{w.gateOf("sliding log", standard), w, c.of}, w.upTo(300*ms)
					w.process(standard).loop(16, &load{attempt: Attempt{Operation: operation}})
					w.run(3 * time.Hour)
					return [4]float64{percent(len(since(w.admitted, epoch.Add(10*time.Minute))), 600*170)}
				})
				r.atLeast("% of the limit", used[0], c.least)
			}})
		}
	}
	return list
}

// aNeighborWithBursts sends half of the limit to a token bucket, 100 requests each 20 s.
func aNeighborWithBursts() (list []figure) {
	for _, c := range []struct {
		name        string
		limit       int
		most, least float64
	}{{"a limit of 300", 300, 20, 48}, {"a limit of 240", 240, 10, 38}, {"the whole limit", 600, 92, 94}} {
		list = append(list, figure{"beside " + c.name, func(r *report) {
			w := newWorld(13)
			w.gate, w.latency = w.gateOf("token bucket", standard), w.upTo(300*ms)
			p := w.process(Rate{Requests: c.limit, Per: time.Minute})
			p.loop(16, &load{})
			refused := 0
			var burst func()
			burst = func() {
				for range 100 {
					if status, _ := w.arrive(nil); status != 200 {
						refused++
					}
				}
				w.after(20*time.Second, burst)
			}
			w.after(20*time.Second, burst)
			w.run(30 * time.Minute)
			r.atMost("% of its requests refused", percent(refused, 100*90), c.most)
			r.atLeast("% of the limit for us", percent(len(p.answered), 600*30), c.least)
		}})
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
