package redislimit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go"
)

// Times in milliseconds that were tuned; those of the script stand there.
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
)

const (
	timeout  = 250 * time.Millisecond // of a reply, until Redis is away; or twice the usual time of one
	givenUp  = time.Second            // of a reply, until nobody waits for it any more
	goodbyes = 400 * time.Millisecond // of the last commands of Close
)

// slack is by how much the window is longer than that of the limit, because requests may come
// closer together on their way. Below: requests are refused. Above: less of the limit is used.
func slack(per time.Duration) time.Duration { return min(per/4, 300*time.Millisecond+per/75) }

// hold is how long after its time a place may be used. Then it is given back.
func (l *lease) hold() float64 { return min(1000, l.window/8) }

// request is what is to be told and asked now.
func (l *lease) request() *request {
	now := time.Now()
	r := &request{
		patience: l.clock.patience(), seen: l.seen, era: l.era, share: l.share, next: l.next, leaves: l.leaves,
		used: l.untold(), back: slices.Clone(l.back), refused: max(0, ms(l.paused.Sub(now))),
	}
	if l.clock.known {
		r.sent = l.clock.redis(now)
	}
	if l.alone <= r.sent {
		r.want = max(0, l.attempts-len(l.held))
	}
	if len(l.used)+len(l.held) > 0 {
		r.programs = l.programs
	}
	return r
}

// ask sends a command and takes the reply. One is under way at a time. If there is no reply in
// time, the process need not wait for it, but it is told why only when the command has ended.
func (l *lease) ask() {
	l.mu.Lock()
	if l.busy || l.closed {
		l.mu.Unlock()
		return
	}
	l.routines.Add(1)
	defer l.routines.Done()
	l.drop(l.now())
	r, sent, paused := l.request(), time.Now(), l.paused
	l.busy, l.asked = true, sent
	slow := time.AfterFunc(duration(r.patience), func() {
		l.mu.Lock()
		l.away = true
		news := monitoring.SupplyNews{Programs: l.programs}
		l.mu.Unlock()
		l.changed(news)
	})
	l.mu.Unlock()

	ctx, cancel := context.WithTimeout(l.ctx, givenUp)
	lines, err := l.run(ctx, l.keys, r.args(l))
	cancel()
	slow.Stop()
	var heard reply
	if err == nil {
		heard, err = parse(lines)
	}
	if slow, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err); ok && slow.Timeout() {
		err = fmt.Errorf("it did not reply in time: %w", err)
	}

	l.mu.Lock()
	l.busy = false
	if l.closed {
		l.mu.Unlock()
		return
	}
	news := monitoring.SupplyNews{}
	if err == nil {
		l.clock.sync(sent, time.Now(), heard.now)
	}
	switch {
	case err != nil:
		l.away = true
	case heard.late && r.sent > 0:
		l.again = sent.Add(duration(retry))
	case !heard.late:
		if l.away = false; l.paused.Equal(paused) {
			l.paused = time.Time{}
		}
		news = l.hear(r, heard)
	}
	news.Programs = l.programs
	l.plan()
	l.mu.Unlock()
	if !heard.late {
		l.watch.commanded(err)
	}
	l.changed(news)
}

// hear takes a reply to a request.
func (l *lease) hear(r *request, heard reply) (news monitoring.SupplyNews) {
	lost := l.era != heard.era && len(l.used)+len(l.held) > 0
	for _, list := range [][]place{l.used, l.held} {
		for i, p := range list {
			list[i].told = !lost && (p.told || slices.Contains(r.used, p))
		}
	}
	l.alone = heard.now + heard.alone
	l.back = l.back[len(r.back):]
	l.seen, l.era, l.programs = heard.up, heard.era, max(1, heard.programs)
	l.line, l.lineAt, l.count, l.spent = heard.line, heard.now, heard.count, 0
	for i, age := range l.line {
		l.line[i] = heard.now - age
	}
	for i, at := range heard.places {
		if number := r.next + int64(i); number >= l.next { // it has not used this name alone meanwhile
			l.held = append(l.held, place{number: number, at: at, told: true})
			l.next, l.last = number+1, max(l.last, at)
		}
	}
	l.waits = len(heard.places) > 0 && heard.places[len(heard.places)-1] > heard.now
	if l.again = (time.Time{}); r.want > 0 && len(heard.places) == 0 && heard.alone <= 0 {
		l.again = time.Now().Add(duration(retry))
	}
	if heard.cuts != l.cuts && heard.pause > 0 {
		news.PausedUntil, news.Share = time.Now().Add(duration(heard.pause)), heard.share
	}
	l.cuts = heard.cuts
	return news
}

// goodbye gives back what is not used, and tells what was.
func (l *lease) goodbye(ctx context.Context) {
	l.mu.Lock()
	if l.timer != nil {
		l.timer.Stop()
	}
	for _, p := range l.held {
		l.back = append(l.back, p.number)
	}
	l.held = nil
	r := l.request()
	r.want = -1
	asks := l.clock.known && !l.away
	l.mu.Unlock()
	if asks {
		_, _ = l.run(ctx, l.keys, r.args(l)) // if it fails, the places are lost for one window
	}
}
