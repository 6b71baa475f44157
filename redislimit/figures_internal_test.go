package redislimit

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

var table = flag.String("figures", "", "simulate all cases of the figures, not only the first one of each row, and write them to this file")

// report is the line of a figure.
type report struct {
	text []string
	bad  bool
}

func (r *report) atLeast(what string, got, least float64) {
	r.text = append(r.text, fmt.Sprintf("%s %.4g (at least %.4g)", what, got, least))
	r.bad = r.bad || got < least
}

func (r *report) atMost(what string, got, most float64) {
	r.text = append(r.text, fmt.Sprintf("%s %.4g (at most %.4g)", what, got, most))
	r.bad = r.bad || got > most
}

// figure is a case of a row.
type figure struct {
	name  string
	limit monitoring.RateLimit
	run   func(f *fleet, r *report)
}

var bothLimits = []monitoring.RateLimit{hundred, minute}

// TestFigures simulates fleets in virtual time: the limiter as it is, on the twin of the script,
// with a service that counts a sliding log.
func TestFigures(t *testing.T) {
	var text strings.Builder
	fmt.Fprintln(&text, "Fleets on redislimit in virtual time: go test -run TestFigures -figures figures.txt .")
	for _, row := range []struct {
		name    string
		figures []figure
	}{
		{"healthy, 4 callers in each process", healthy()},
		{"Redis replies late", lateReplies()},
		{"Redis is in trouble, 8 processes with 4 callers each", troubles(8, 5*time.Second, 0)},
		{"Redis is in trouble, 32 processes with 4 callers each", troubles(32, 0)},
		{"Redis's clock is moved, 4 callers in each process", movedClocks()},
		{"Redis's clock is slewed, 4 callers in each process", slewedClocks()},
		{"processes that end, or are new", ends()},
		{"other loads", loads()},
	} {
		fmt.Fprintf(&text, "\n%s\n", row.name)
		for i, c := range row.figures {
			if *table == "" && i%17 != 0 && row.name != "other loads" && len(row.figures) > 20 {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					f, r := newFleet(t, c.limit), &report{}
					c.run(f, r)
					f.end()
					line := strings.Join(r.text, ", ")
					fmt.Fprintf(&text, "    %d in %s, %s: %s\n", c.limit.Requests, c.limit.Per, c.name, line)
					require.False(t, r.bad, line)
				})
			})
		}
	}
	if *table != "" {
		require.NoError(t, os.WriteFile(*table, []byte(text.String()), 0o644))
	}
}

func healthy() (list []figure) {
	for _, limit := range bothLimits {
		for _, n := range []int{8, 2, 32} {
			for _, replies := range []time.Duration{time.Millisecond, 150 * time.Millisecond} {
				list = append(list, figure{fmt.Sprintf("%d processes, replies after %s", n, replies), limit, func(f *fleet, r *report) {
					f.replies = replies
					f.saturated(n, 4, 5*time.Second*time.Duration(n/8%2))
					f.until(limit.Per)
					commands, sent := f.counts()
					f.until(4 * limit.Per)
					r.atLeast("% of the first window", f.used(0, limit.Per), 90)
					r.atLeast("later", f.used(limit.Per, 4*limit.Per), 94+3*limit.Per.Minutes())
					r.atMost("refused", float64(len(f.refused)), 0)
					r.atLeast("fairness", f.jain(), 0.98)
					r.atMost("longest gap", f.gap(0, 4*limit.Per).Seconds(), 0.5)
					r.atMost("commands for a request", float64(f.commands-commands)/float64(len(f.sent)-sent), 1.5)
					r.atMost("% of calls failed", 100*float64(len(f.failed))/float64(len(f.calls)), 0.5)
				}})
			}
		}
	}
	return list
}

// lateReplies are of a Redis that is far away: from all processes, or from some.
func lateReplies() (list []figure) {
	for _, limit := range bothLimits {
		for _, c := range []struct {
			processes, callers int
			replies            time.Duration
		}{{1, 4, 300 * time.Millisecond}, {1, 1, 150 * time.Millisecond}, {2, 1, 300 * time.Millisecond}, {2, 4, 400 * time.Millisecond}, {8, 4, 500 * time.Millisecond}} {
			list = append(list, figure{fmt.Sprintf("%d processes with %d callers, replies after %s", c.processes, c.callers, c.replies), limit, func(f *fleet, r *report) {
				f.replies, f.processes = c.replies, c.processes
				f.saturated(c.processes, c.callers, 0)
				f.until(4 * limit.Per)
				r.atLeast("% of the limit", f.used(limit.Per, 4*limit.Per), 85)
				r.atMost("refused", float64(len(f.refused)), 0)
			}})
		}
		for _, c := range []struct{ processes, far int }{{8, 4}, {2, 1}, {4, 1}, {8, 1}} {
			list = append(list, figure{fmt.Sprintf("%d of %d processes with 4 callers, replies after 700ms", c.far, c.processes), limit, func(f *fleet, r *report) {
				f.far, f.longer, f.processes = c.far, 700*time.Millisecond, c.processes
				f.saturated(c.processes, 4, 0)
				f.until(4 * limit.Per)
				r.atLeast("% of the limit", f.used(limit.Per, 4*limit.Per), 80)
				r.atMost("refused", float64(len(f.refused)), 0)
			}})
		}
	}
	return list
}

func troubles(processes int, patiences ...time.Duration) (list []figure) {
	refused, full := errors.New("connection refused"), errors.New("OOM command not allowed")
	for _, trouble := range []struct {
		name string
		do   func(f *fleet, lasts time.Duration)
	}{
		{"stalled", func(f *fleet, d time.Duration) { f.set(-1, errStalled); time.Sleep(d) }},
		{"killed, data lost", func(f *fleet, d time.Duration) { f.set(-1, refused); f.redis.lose(); time.Sleep(d) }},
		{"full", func(f *fleet, d time.Duration) { f.set(-1, full); time.Sleep(d) }},
		{"flushed", func(f *fleet, d time.Duration) { f.redis.lose(); time.Sleep(d) }},
		{"replaced by a replica that lags 2 s", func(f *fleet, d time.Duration) { f.failover(); time.Sleep(d) }},
		{"cut off from one process", func(f *fleet, d time.Duration) { f.set(3, errCut); time.Sleep(d) }},
	} {
		for _, limit := range bothLimits {
			for _, lasts := range []time.Duration{15 * time.Second, time.Second, 3 * time.Second, 7 * time.Second, time.Minute} {
				for _, from := range []time.Duration{2*limit.Per + 3*time.Second, 4 * time.Second} {
					for _, patience := range patiences {
						name := fmt.Sprintf("%s for %s after %s, callers with %s", trouble.name, lasts, from, patience)
						list = append(list, figure{name, limit, func(f *fleet, r *report) {
							f.processes = processes
							f.saturated(processes, 4, patience)
							f.until(from)
							commands, sent := f.counts()
							trouble.do(f, lasts)
							f.set(-1, nil)
							f.set(3, nil)
							over := f.at()
							f.until(over + 2*limit.Per)
							least := 100.0
							for a := from; a+limit.Per <= over; a += limit.Per / 4 {
								least = min(least, f.used(a, a+limit.Per))
							}
							r.atLeast("% during it", f.used(from, over), 80)
							r.atLeast("of a window during it", least, 82.8+7.2*limit.Per.Minutes())
							paused := float64(min(1, len(f.refused))) // a 429 is a pause
							r.atLeast("after it", f.used(over, over+limit.Per), 93-5*paused)
							r.atLeast("later", f.used(over+limit.Per, over+2*limit.Per), 93)
							r.atMost("refused", float64(len(f.refused)), 2)
							r.atMost("longest gap", f.gap(from, over+2*limit.Per).Seconds(), 0.6+0.4*paused)
							r.atMost("commands for a request", float64(f.commands-commands)/float64(len(f.sent)-sent), 3.5)
							r.atMost("% of calls failed", 100*float64(len(f.failed))/float64(len(f.calls)), 0.5)
						}})
					}
				}
			}
		}
	}
	return list
}

func ends() (list []figure) {
	for _, limit := range bothLimits {
		list = append(list, figure{"half of 8 are killed", limit, func(f *fleet, r *report) {
			f.saturated(8, 4, 0)
			from := 2*limit.Per + 3*time.Second
			f.until(from)
			for _, p := range f.members[:4] {
				p.vanish()
			}
			f.until(from + 45*time.Second)
			r.atLeast("% of 15 s", f.used(from, from+15*time.Second), 75)
			r.atLeast("later", f.used(from+15*time.Second, from+45*time.Second), 90)
			r.atMost("refused", float64(len(f.refused)), 0)
		}}, figure{"WithProcesses(4) for 8", limit, func(f *fleet, r *report) {
			f.processes = 4
			f.saturated(8, 4, 0)
			f.until(2 * limit.Per)
			r.atLeast("% of the first window", f.used(0, limit.Per), 90)
			r.atMost("refused", float64(len(f.refused)), 0)
			r.atMost("longest gap", f.gap(0, 2*limit.Per).Seconds(), 0.5)
		}}, figure{"Redis is away at first", limit, func(f *fleet, r *report) {
			f.set(-1, errors.New("connection refused"))
			f.saturated(8, 4, 0)
			f.until(limit.Per)
			f.set(-1, nil)
			f.until(3 * limit.Per)
			r.atLeast("% of the first window", f.used(0, limit.Per), 84)
			r.atLeast("later", f.used(limit.Per, 3*limit.Per), 90)
			r.atMost("refused", float64(len(f.refused)), 2)
		}})
		for _, rest := range []time.Duration{5 * time.Second, 30 * time.Second} {
			list = append(list, figure{fmt.Sprintf("all of 8 are killed, and another one begins after %s", rest), limit, func(f *fleet, r *report) {
				f.saturated(8, 4, 0)
				f.until(2 * limit.Per)
				for _, p := range f.members {
					p.vanish()
				}
				time.Sleep(rest)
				p := f.start()
				for range 8 {
					p.call(0, monitoring.AttemptRequest{})
				}
				r.atMost("s for a place, the longest of 8", slices.Max(f.waits[8]).Seconds(), 1.3)
				r.atMost("refused", float64(len(f.refused)), 0)
			}})
		}
		for _, closes := range []bool{true, false} {
			for _, calls := range []int{1, 5} {
				name := fmt.Sprintf("processes with %d calls, 80 %% of the limit, Close %t", calls, closes)
				list = append(list, figure{name, limit, func(f *fleet, r *report) {
					pace := 0.8 * float64(limit.Requests) / limit.Per.Seconds() / float64(calls)
					for i := 0.0; f.at() < 4*limit.Per; i++ { // one at a random moment of its part of the time
						f.until(time.Duration((i + rand.Float64()) / pace * float64(time.Second)))
						f.work.Go(func() {
							p := f.start()
							for range calls {
								p.call(0, monitoring.AttemptRequest{})
							}
							if closes {
								_ = p.l.Close()
							}
							p.vanish()
						})
					}
					f.work.Wait()
					var all []time.Duration
					for _, w := range f.waits {
						all = append(all, w...)
					}
					r.atMost("s for a place, p50", quantile(all, 0.5).Seconds(), 0.1)
					r.atMost("refused", float64(len(f.refused)), 0)
				}})
			}
		}
	}
	return list
}

func loads() (list []figure) {
	for _, limit := range bothLimits {
		list = append(list, figure{"a call a second beside 50 callers in another process", limit, func(f *fleet, r *report) {
			f.saturated(1, 50, 0)
			p := f.start()
			f.work.Go(func() {
				for p.ctx.Err() == nil {
					time.Sleep(time.Duration(500+rand.IntN(1000)) * time.Millisecond)
					p.call(0, monitoring.AttemptRequest{})
				}
			})
			f.until(4 * limit.Per)
			r.atMost("s for a place, p50", quantile(f.waits[1], 0.5).Seconds(), 0.3)
			r.atLeast("% of the limit", f.used(limit.Per, 4*limit.Per), 94)
			r.atMost("refused", float64(len(f.refused)), 0)
		}}, figure{"a call a second beside others in the background of another process", limit, func(f *fleet, r *report) {
			background := f.start()
			for range 50 {
				f.work.Go(func() {
					for background.ctx.Err() == nil {
						background.call(0, monitoring.AttemptRequest{Class: monitoring.ClassBackground})
					}
				})
			}
			p := f.start()
			f.until(limit.Per)
			f.work.Go(func() {
				for p.ctx.Err() == nil {
					time.Sleep(time.Second)
					p.call(0, monitoring.AttemptRequest{})
				}
			})
			f.until(4 * limit.Per)
			r.atMost("s for a place, p50", quantile(f.waits[1], 0.5).Seconds(), 0.38-0.16*limit.Per.Minutes())
			r.atMost("s for a place, p95", quantile(f.waits[1], 0.95).Seconds(), 0.4)
			r.atMost("commands for a request", float64(f.commands)/float64(len(f.sent)), 1.5)
			r.atLeast("% of the limit", f.used(limit.Per, 4*limit.Per), 94)
		}}, figure{"a burst after a rest", limit, func(f *fleet, r *report) {
			p := f.start()
			f.until(limit.Per)
			for range limit.Requests / 6 {
				p.call(0, monitoring.AttemptRequest{})
				time.Sleep(2 * limit.Per / time.Duration(limit.Requests))
			}
			time.Sleep(time.Minute)
			began := len(f.waits[0])
			for range limit.Requests / 6 {
				p.call(0, monitoring.AttemptRequest{})
			}
			r.atMost("s for the last place", slices.Max(f.waits[0][began:]).Seconds(), 0.01)
		}})
	}
	for _, limit := range []monitoring.RateLimit{
		{Requests: 5, Per: 10 * time.Second}, {Requests: 10, Per: time.Second}, {Requests: 7, Per: 3 * time.Second},
		{Requests: 60, Per: time.Minute}, {Requests: 60, Per: 6 * time.Second},
		{Requests: 1000, Per: time.Minute}, {Requests: 6000, Per: time.Minute},
	} {
		processes, windows, after := []int{3, 5, 8, 12}, time.Duration(8), time.Duration(2)
		if limit.Requests > 1000 && *table == "" { // which take minutes with the race detector
			processes, windows, after = []int{3, 12}, 2, 1
		}
		for _, n := range processes {
			list = append(list, figure{fmt.Sprintf("%d processes", n), limit, func(f *fleet, r *report) {
				f.saturated(n, max(4, limit.Requests/100), 0)
				f.until(windows * limit.Per)
				r.atLeast("% of the limit", f.used(limit.Per, windows*limit.Per), 97*limit.Per.Seconds()/(limit.Per+slack(limit.Per)).Seconds())
				r.atMost("refused", float64(len(f.refused)), 0)
				r.atLeast("fairness", f.jain(), 0.95)
			}})
		}
		for _, trouble := range []struct {
			name string
			do   func(f *fleet)
		}{
			{"stalled", func(f *fleet) { f.set(-1, errStalled) }},
			{"killed, data lost", func(f *fleet) { f.set(-1, errors.New("connection refused")); f.redis.lose() }},
		} {
			name := "5 processes, " + trouble.name + " for 40s after 2.5s"
			list = append(list, figure{name, limit, func(f *fleet, r *report) { // they hardly know one another
				f.saturated(5, 4, 0)
				f.until(2500 * time.Millisecond)
				trouble.do(f)
				f.until(42500 * time.Millisecond)
				f.set(-1, nil)
				f.until(43*time.Second + after*limit.Per)
				r.atMost("refused", float64(len(f.refused)), 2)
			}})
		}
	}
	for _, few := range []struct {
		processes, cut int
		lasts          time.Duration
	}{{8, 1, 15 * time.Second}, {4, 1, 15 * time.Second}, {3, 1, 7 * time.Second}, {2, 1, 2 * time.Second}} {
		name := fmt.Sprintf("%d of %d processes cut off for %s after 2s", few.cut, few.processes, few.lasts)
		list = append(list, figure{name, hundred, func(f *fleet, r *report) {
			f.saturated(few.processes, 4, 0)
			f.until(2 * time.Second)
			f.set(1, errCut)
			f.until(2*time.Second + few.lasts)
			f.set(1, nil)
			f.until(4 * hundred.Per)
			r.atMost("refused", float64(len(f.refused)), 2)
			r.atLeast("% of the limit", f.used(hundred.Per, 4*hundred.Per), 90)
		}})
	}
	return list
}
