package redislimit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go"
	seam "github.com/monitoring-api/monitoring-go/lease"
)

// Times that were tuned, if not said otherwise in milliseconds. Those of the script stand there.
const (
	// A place may be used so long after its time without telling Redis. Below: more commands. Above:
	// less of the slack is left for requests that overtake one another.
	late = 50
	// What is no longer needed, or was used alone, is told after so long. Below: callers who come back
	// at once cost two commands. Above: others wait for the places.
	idle = 250
	// Redis is asked again after so long if it did not reply. Below: more commands that are lost.
	// Above: the process is alone for longer.
	retry = 1000

	timeout  = 250 * time.Millisecond // of a reply, until Redis is away; or twice the usual time of one
	givenUp  = time.Second            // of a reply, until nobody waits for it any more
	goodbyes = 400 * time.Millisecond // of the last commands of Close
)

// slack is by how much the window is longer than that of the limit, because requests may come
// closer together on their way. Below: requests are refused. Above: less of the limit is used.
func slack(per time.Duration) time.Duration { return min(per/4, 300*time.Millisecond+per/75) }

// place is a place of a process. Its name is that of the process with the number.
type place struct {
	number int64
	at     float64
	told   bool // Redis knows that it was used, or will be, at this time
}

// String is a place as the script reads it.
func (p place) String() string { return fmt.Sprintf("%d:%.3f", p.number, p.at) }

// lease has the places of this process in one limit. Times are milliseconds of Redis's clock. The
// lock is that of the limiter.
type lease struct {
	*Limiter
	keys    []string
	limit   monitoring.RateLimit
	window  float64
	even    float64 // the time of a place, if the whole limit is used evenly
	hold    float64 // how long after its time a place may be used
	changed func(seam.SupplyNews)

	attempts, leaves int // that are wanted
	share            float64
	paused           time.Time // the end of a pause that is not told yet

	held []place // not used yet, the next one first
	used []place // in the last window
	back []int64 // given back, not told yet
	next int64   // the next name
	last float64 // the time of the last place

	busy  bool // a command is under way
	timer *time.Timer
	asked time.Time // when the last command was sent
	vain  bool      // it brought nothing
	grows bool      // it told of processes that are new, so others may still come

	clock clock
	moved float64 // how far Redis's clock seems to have been set forward, not told yet
	heard reply   // the last one
	spent int     // places that processes have probably used alone since then
}

// supply makes the leases of a limiter.
type supply struct{ *Limiter }

func (s supply) Source(operation string, limit seam.Limit, changed func(seam.SupplyNews)) seam.PlaceSource {
	name := fmt.Sprintf("{%s}:%s:%d/%s:%.8s:", s.key, operation, limit.Requests, limit.Per, script.Hash())
	l := &lease{
		Limiter: s.Limiter, limit: monitoring.RateLimit(limit), changed: changed, share: 1, heard: reply{Programs: s.processes},
		keys:   []string{name + "places", name + "waiting", name + "heard", name + "state"},
		window: ms(limit.Per + slack(limit.Per)), clock: clock{epoch: s.began},
	}
	l.even, l.hold = l.window/float64(limit.Requests), min(1000, l.window/8)
	l.timer = time.AfterFunc(math.MaxInt64, l.ask)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases = append(s.leases, l)
	return l
}

func (l *lease) Want(attempts, leaves int, share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vain = l.vain && leaves >= l.leaves // else there may be places for those who have come
	l.attempts, l.leaves, l.share = attempts, leaves, share
	l.plan()
}

func (l *lease) Until() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, patience := l.now(), l.clock.patience()
	if l.busy {
		patience -= now - l.clock.redis(l.asked)
	}
	l.away = l.away || patience <= 0
	l.drop(now)
	switch {
	case len(l.held) > 0:
		return duration(l.held[0].at - now)
	case l.away || now < l.heard.Alone:
		return duration(l.own(now) - now)
	}
	return duration(patience) // if the reply is late then, there may be a place without it
}

func (l *lease) Take() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	p := place{number: l.next, at: now}
	if len(l.held) > 0 {
		p, l.held = l.held[0], l.held[1:]
		if now-p.at > late {
			p.at, p.told = now, false
		}
	} else {
		l.next++
		l.spent += l.heard.Programs
		l.last = max(now, l.last)
		if l.heard.Era == 0 && len(l.used) == 0 { // processes that began together part ways
			l.last += rand.Float64() * l.even * float64(l.heard.Programs)
		}
	}
	l.used = append(l.used, p)
	l.plan()
	return p.number
}

func (l *lease) GiveBack(number int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.used, func(p place) bool { return p.number == number }); i >= 0 {
		l.held = slices.Insert(l.held, 0, l.used[i]) // another attempt may have it for a while
		l.used = slices.Delete(l.used, i, i+1)
	}
	l.plan()
}

func (l *lease) Places() int {
	if l.Until() > 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 1
	for n < len(l.held) && l.held[n].at <= l.now() {
		n++
	}
	return n
}

func (l *lease) Refused(until time.Time, share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paused, l.share = until, share
	l.plan()
}

func (l *lease) now() float64 { return l.clock.redis(time.Now()) }

// own is when the next place is that the process makes itself: its part of the pace of all, as if
// the lease went on. A burst that all have used is paid back until its places come back.
func (l *lease) own(now float64) float64 {
	n := float64(l.heard.Programs)
	step := n * l.even
	if l.last == 0 {
		l.last = now - step
		if l.heard.Programs > l.limit.Requests { // not all of them may begin at once
			l.last += rand.Float64() * step
		}
	}
	for i, age := range l.heard.Line {
		if leaves := l.heard.Now - age + l.window - max(l.last, l.heard.Now); leaves > step {
			free := l.limit.Requests - l.heard.Count - l.spent + i*(l.heard.Count-1)/8 + 1
			step = max(step, min(leaves, n*leaves/max(1, float64(free))))
		}
	}
	return l.last + step/l.share
}

// drop gives back places that were not used in time, and forgets those that left the window.
func (l *lease) drop(now float64) {
	for len(l.held) > 0 && now-l.held[0].at > l.hold {
		l.back, l.held = append(l.back, l.held[0].number), l.held[1:]
	}
	l.used = slices.DeleteFunc(l.used, func(p place) bool { return now-p.at > l.window })
}

// untold are the places of which Redis does not know when they are used.
func (l *lease) untold() []place {
	return slices.DeleteFunc(slices.Concat(l.used, l.held), func(p place) bool { return p.told })
}

// wanted is how many places the process wants: one for each attempt, and if replies take long, as
// many again as its part of the places in that time, because the attempts come back by then.
func (l *lease) wanted() int {
	return l.attempts + min(l.attempts, int(l.clock.slowReply()/l.even/float64(max(1, l.heard.Programs))))
}

// needed is when more places are, so that the reply is there before the lease is used up.
func (l *lease) needed() float64 {
	switch n := len(l.held); {
	case l.wanted() <= n:
		return math.Inf(1)
	case n > 0:
		return max(l.heard.Alone, l.held[n-1].at-l.clock.slowReply()-10)
	}
	return l.heard.Alone
}

// plan sets the timer for the next command.
func (l *lease) plan() {
	now, asked := l.now(), l.clock.redis(l.asked)
	l.drop(now)
	if l.busy || l.ctx.Err() != nil {
		return
	}
	at := l.needed()
	if l.last > l.heard.Now { // Redis expects the next command when the lease is used up
		at = min(at, l.last+idle)
	}
	if len(l.held) > 0 && l.attempts == 0 {
		at = min(at, l.held[0].at+l.hold)
	}
	if len(l.back) > 0 || l.grows && l.attempts > 0 || len(l.untold()) > 0 {
		at = min(at, asked+idle)
	}
	if !l.paused.IsZero() {
		at = now
	}
	if l.away || l.vain {
		at = max(at, asked+retry)
	}
	l.timer.Reset(duration(min(at-now, 1e12)))
}

// request is what a process tells and asks.
type request struct {
	args   []any
	used   []place
	back   int   // so many of those that were given back
	next   int64 // the first name that is free
	want   int   // -1: the process ends
	paused time.Time
}

func (l *lease) request(want int) *request {
	r := &request{used: l.untold(), back: len(l.back), next: l.next, want: want, paused: l.paused}
	r.args = []any{fmt.Sprintln(l.id, l.now(), l.clock.patience(), l.heard.Up, l.limit.Requests, l.window, l.limit.Burst, l.heard.Programs,
		l.share, r.next, r.want, l.leaves, max(0, ms(time.Until(l.paused))), l.heard.Era, l.last, l.moved), fmt.Sprint(r.used), fmt.Sprint(l.back)}
	return r
}

// ask sends a command and takes the reply. One is under way at a time. If there is no reply in
// time, the process need not wait for it, but it is told why only when the command has ended.
func (l *lease) ask() {
	l.mu.Lock()
	if l.busy || l.ctx.Err() != nil {
		l.mu.Unlock()
		return
	}
	l.routines.Add(1)
	defer l.routines.Done()
	l.drop(l.now())
	want := 0
	if l.now() > l.needed()-1 {
		want = l.wanted() - len(l.held)
	}
	r := l.request(want)
	l.busy, l.asked = true, time.Now()
	l.mu.Unlock()

	ctx, cancel := context.WithTimeout(l.ctx, givenUp)
	text, err := l.run(ctx, l.keys, r.args)
	heard, err := parse(text, err, r.want, l.limit)
	cancel()

	l.mu.Lock()
	l.busy = false
	var news seam.SupplyNews
	if err == nil {
		news = l.hear(r, heard)
	} else if l.ctx.Err() == nil {
		l.away = true
	}
	news.Programs = l.heard.Programs
	l.plan()
	l.mu.Unlock()
	if (err != nil || heard.Era != 0) && l.ctx.Err() == nil {
		l.watch.commanded(err)
	}
	l.changed(news)
}

// hear takes a reply to a request. The first one says what Redis's clock is.
func (l *lease) hear(r *request, heard reply) (news seam.SupplyNews) {
	got, knew, patience := time.Now(), l.clock.known, l.clock.patience()
	l.moved = 0
	if heard.Era == 0 {
		l.moved = l.clock.jump(got, heard.Now)
		l.vain = knew && l.moved == 0
	}
	if l.moved > 0 { // the next reply says whether it was Redis's clock
		return news
	}
	by := l.clock.sync(l.asked, got, heard.Now)
	anew := heard.Era != 0 && heard.Era != l.heard.Era
	if anew || !knew {
		l.move(by)
		if knew && math.Abs(by) > patience {
			l.watch.moved(by, l.clock.ahead, patience)
		}
	}
	if heard.Era == 0 {
		return news
	}
	l.away = false
	if l.paused.Equal(r.paused) {
		l.paused = time.Time{}
	}
	for _, list := range [][]place{l.used, l.held} {
		for i, p := range list {
			list[i].told = heard.Era == l.heard.Era && (p.told || slices.Contains(r.used, p))
		}
	}
	if heard.Cuts != l.heard.Cuts && heard.Pause > 0 {
		news.PausedUntil, news.Share = time.Now().Add(duration(heard.Pause)), heard.Share
	}
	l.grows = heard.Era != l.heard.Era || heard.Programs > l.heard.Programs
	l.heard, l.spent, l.back = heard, 0, l.back[r.back:]
	for i, at := range heard.Places {
		if number := r.next + int64(i); number >= l.next { // it has not used this name alone meanwhile
			l.held = append(l.held, place{number: number, at: at, told: true})
			l.next, l.last = number+1, max(l.last, at)
		}
	}
	l.vain = r.want > 0 && len(heard.Places) == 0 && heard.Alone <= heard.Now && !anew
	return news
}

// move makes the times that are kept those of another era. In an era Redis's clock goes on evenly.
// If it is moved, the script begins another one.
func (l *lease) move(by float64) {
	for _, list := range [][]place{l.used, l.held} {
		for i := range list {
			list[i].at += by
		}
	}
	if l.last != 0 {
		l.last += by
	}
}

// goodbye gives back what is not used, and tells what was.
func (l *lease) goodbye(ctx context.Context) {
	l.mu.Lock()
	l.timer.Stop()
	l.hold = math.Inf(-1)
	l.drop(l.now())
	r := l.request(-1)
	asks := l.clock.known && !l.away
	l.mu.Unlock()
	if asks {
		_, _ = l.run(ctx, l.keys, r.args) // if it fails, the places are lost for one window
	}
}
