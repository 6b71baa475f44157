package limiter

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/gates"
)

// world simulates a service, the processes that use it, and the time: events happen one after the
// other, without a goroutine. An hour of a process takes about half a second.
type world struct {
	now    time.Time
	events []event // the next one comes first
	random *rand.Rand

	gate       gates.Gate
	latency    ways
	retryAfter time.Duration // of a 429; 0: there is no such header

	admitted, refused []time.Time
}

// ways returns the time of a request on its way, and the time from then to its response.
type ways func() (there, back time.Duration)

// exact is a Retry-After of as long as the gate refuses, in whole seconds.
const exact = -1

func newWorld(seed uint64) *world {
	return &world{now: epoch, random: rand.New(rand.NewPCG(seed, seed))}
}

// epoch is when each world begins.
var epoch = time.Date(2026, 7, 14, 9, 0, 0, 0, time.UTC)

type event struct {
	at time.Time
	do func()
}

// after does something later, after what was said earlier for the same time.
func (w *world) after(d time.Duration, do func()) {
	at := w.now.Add(max(d, 0))
	i := sort.Search(len(w.events), func(i int) bool { return w.events[i].at.After(at) })
	w.events = slices.Insert(w.events, i, event{at, do})
}

// run lets time pass.
func (w *world) run(d time.Duration) {
	end := w.now.Add(d)
	for len(w.events) > 0 && !w.events[0].at.After(end) {
		e := w.events[0]
		w.events = w.events[1:]
		w.now = e.at
		e.do()
	}
	w.now = end
}

// process is a process with a limiter of its own.
type process struct {
	*world
	s        *scheduler
	wakes    time.Time // the time of the timer; zero: none
	sent     []time.Time
	answered []time.Time // calls
	failed   int         // calls
}

func (w *world) process(limit Rate) *process {
	return &process{world: w, s: newScheduler(limit, w.now)}
}

// dispatch is what Account does.
func (p *process) dispatch() {
	wait := p.s.dispatch(p.now)
	p.wakes = time.Time{}
	if wait > 0 && wait < math.MaxInt64 {
		wakes := p.now.Add(wait)
		p.wakes = wakes
		p.after(wait, func() {
			if p.wakes.Equal(wakes) {
				p.dispatch()
			}
		})
	}
}

// load is one kind of calls.
type load struct {
	attempt  Attempt
	patience time.Duration // 0: without a deadline
	takes    ways          // nil: that of the world
	route    gates.Gate    // a limit of its own, besides that of the world; nil: none

	made, answered int
	waits          []time.Duration // of the first attempts that got a place
	ends           []time.Time
	longest        time.Duration // of a call
}

// call makes a call, with retries after 429s, and says at its end whether it was answered.
func (p *process) call(l *load, done func(ok bool)) {
	l.made++
	asked := p.now
	var deadline time.Time
	if l.patience > 0 {
		deadline = p.now.Add(l.patience)
	}
	p.attempt(l, asked, deadline, 0, 0, func(ok bool) {
		if ok {
			l.answered++
			l.ends = append(l.ends, p.now)
			p.answered = append(p.answered, p.now)
		} else {
			p.failed++
		}
		l.longest = max(l.longest, p.now.Sub(asked))
		done(ok)
	})
}

func (p *process) attempt(l *load, asked, deadline time.Time, n, retries int, done func(ok bool)) {
	from := p.now
	var over bool
	send := func() {
		if n == 0 {
			l.waits = append(l.waits, p.now.Sub(from))
		}
		p.send(l, deadline, func(status int, retryAfter time.Duration) {
			if status != 429 {
				done(status == 200)
				return
			}
			wait := time.Duration(p.random.Int64N(int64(500 * time.Millisecond << min(n, 6))))
			if retryAfter > 0 {
				wait = retryAfter
			}
			late := !deadline.IsZero() && deadline.Sub(p.now) <= wait
			if p.now.Sub(asked) > 2*time.Minute {
				retries++
			}
			if late || wait > 2*time.Minute || retries > 5 {
				done(false)
				return
			}
			p.after(wait, func() { p.attempt(l, asked, deadline, n+1, retries, done) })
		})
	}
	w := p.s.ask(p.now, l.attempt, deadline)
	if w == nil {
		send()
		return
	}
	w.onPlace = func() {
		over = true
		p.after(0, send)
	}
	if !deadline.IsZero() {
		p.after(deadline.Sub(p.now), func() {
			if !over {
				p.s.leave(w)
				p.dispatch()
				done(false)
			}
		})
	}
	p.dispatch()
}

// send sends an attempt that has its place.
func (p *process) send(l *load, deadline time.Time, done func(status int, retryAfter time.Duration)) {
	sent := p.now
	p.sent = append(p.sent, sent)
	takes := p.world.latency
	if l.takes != nil {
		takes = l.takes
	}
	there, back := takes()
	whole := there + back
	status, retryAfter := 0, time.Duration(0)
	p.after(there, func() { status, retryAfter = p.arrive(l.route) })
	ends := whole
	if late := !deadline.IsZero() && deadline.Sub(sent) < whole; late {
		ends = deadline.Sub(sent)
	}
	p.after(ends, func() {
		s := status
		if ends < whole {
			s = 0
		}
		p.s.ended(p.now, l.attempt, Outcome{StatusCode: s, RetryAfter: retryAfter, Duration: ends})
		p.dispatch()
		done(s, retryAfter)
	})
}

// arrive is the arrival of a request at the service.
func (w *world) arrive(route gates.Gate) (status int, retryAfter time.Duration) {
	gate := route
	if route == nil || route.Admit(w.now) {
		if gate = w.gate; gate.Admit(w.now) {
			w.admitted = append(w.admitted, w.now)
			return 200, 0
		}
	}
	w.refused = append(w.refused, w.now)
	if w.retryAfter == exact {
		return 429, (gate.(gates.Limit).Wait(w.now) + time.Second - 1) / time.Second * time.Second
	}
	return 429, w.retryAfter
}

// loop makes one call after the other, by several callers.
func (p *process) loop(callers int, l *load) *load {
	for range callers {
		var again func(bool)
		again = func(bool) { p.after(time.Microsecond, func() { p.call(l, again) }) }
		again(true)
	}
	return l
}

// open makes calls at an even pace.
func (p *process) open(every time.Duration, l *load) *load {
	var next func()
	next = func() {
		p.call(l, func(bool) {})
		p.after(every, next)
	}
	p.after(every, next)
	return l
}

// atAnyTime makes calls at random moments, one each so long on average.
func (p *process) atAnyTime(every time.Duration, l *load) {
	var next func()
	next = func() {
		p.call(l, func(bool) {})
		p.after(time.Duration(p.random.ExpFloat64()*float64(every)), next)
	}
	p.after(every, next)
}

// always takes one time, half of it there and half back.
func always(d time.Duration) ways {
	return func() (time.Duration, time.Duration) { return d / 2, d - d/2 }
}

// upTo takes a random time, and a random part of it there.
func (w *world) upTo(d time.Duration) ways { return w.between(0, d) }

func (w *world) between(least, most time.Duration) ways {
	return func() (time.Duration, time.Duration) {
		whole := least + time.Duration(w.random.Int64N(int64(most-least)+1))
		there := time.Duration(w.random.Int64N(int64(whole) + 1))
		return there, whole - there
	}
}

// exponential takes a time and a random one with a mean, half of it there.
func (w *world) exponential(least, mean time.Duration) ways {
	return func() (time.Duration, time.Duration) {
		whole := least + time.Duration(w.random.ExpFloat64()*float64(mean))
		return whole / 2, whole - whole/2
	}
}

// tailed takes one time, half of it there, and for a part of the requests the service takes longer.
func (w *world) tailed(usual, slow time.Duration, part float64) ways {
	return func() (time.Duration, time.Duration) {
		if w.random.Float64() < part {
			return usual / 2, slow - usual/2
		}
		return usual / 2, usual - usual/2
	}
}

// counts divides the time from a moment on into n periods, and counts the times in each of them.
func counts(times []time.Time, from time.Time, period time.Duration, n int) []int {
	c := make([]int, n)
	for _, at := range times {
		if i := int(at.Sub(from) / period); !at.Before(from) && i < n {
			c[i]++
		}
	}
	return c
}

// before returns the times before a moment, of sorted ones.
func before(times []time.Time, moment time.Time) []time.Time {
	i, _ := slices.BinarySearchFunc(times, moment, time.Time.Compare)
	return times[:i]
}

// since returns the times from a moment on, of sorted ones.
func since(times []time.Time, moment time.Time) []time.Time {
	return times[len(before(times, moment)):]
}

// longestGap is the longest gap between two of the times after a moment.
func longestGap(times []time.Time, after time.Time) (longest time.Duration) {
	times = times[len(before(times, after)):]
	for i := 1; i < len(times); i++ {
		longest = max(longest, times[i].Sub(times[i-1]))
	}
	return longest
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

func sum(c []int) (n int) {
	for _, x := range c {
		n += x
	}
	return n
}

func quantile(of []time.Duration, q float64) time.Duration {
	of = slices.Sorted(slices.Values(of))
	return of[min(len(of)-1, int(float64(len(of))*q))]
}
