package redislimit

import (
	"math"
	"time"
)

// feed starts the goroutine that asks Redis, if it does not run. If urgent, it wakes the
// goroutine. The caller holds the lock.
func (l *Limiter) feed(urgent bool) {
	if l.closed {
		return
	}
	if !l.feeding {
		l.feeding = true
		l.routines.Go(l.feedLoop)
	}
	if urgent {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// feedLoop sends commands to Redis as long as attempts wait or there is news for Redis.
func (l *Limiter) feedLoop() {
	for {
		l.mu.Lock()
		now := time.Now()
		wait, urgent := l.untilCommand(now)
		req := (*request)(nil)
		if wait <= 0 {
			var rest bool
			if req, rest = l.request(now); rest || l.closed {
				l.feeding = false
				l.mu.Unlock()
				return
			}
		}
		l.mu.Unlock()
		switch {
		case wait > 0:
			l.sleep(wait, urgent)
		case req != nil:
			l.ask(req)
		}
		if l.ctx.Err() != nil {
			return
		}
	}
}

// untilCommand returns the time until the next command. In any second there are at most two,
// and the second one may come early only if starving reports true, or if the last one came
// too late. urgent says that the time may still get shorter, so the sleep must end if the
// goroutine is woken.
func (l *Limiter) untilCommand(now time.Time) (wait time.Duration, urgent bool) {
	soonest := l.commands[0].Add(time.Second + commandsSlack).Sub(now)
	if l.again || l.mode != ModeLocal && l.starving(now) {
		return soonest, false
	}
	return max(soonest, l.commands[1].Add(askEvery).Sub(now)), l.mode != ModeLocal
}

// starving reports whether the next command is urgent: there is a waiter for which Redis was
// not asked yet, or a 429 that Redis does not know of.
func (l *Limiter) starving(now time.Time) bool {
	for _, line := range l.lines {
		if line.pause.news != nil {
			return true
		}
		if len(line.waiting) > 0 && !line.asked && line.wanted(now, 1) > len(line.held) {
			return true
		}
	}
	return false
}

// sleep waits for a time, or until the limiter is closed or the goroutine is woken.
func (l *Limiter) sleep(wait time.Duration, wakes bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	wake := l.wake
	if !wakes {
		wake = nil
	}
	select {
	case <-timer.C:
	case <-wake:
	case <-l.ctx.Done():
	}
}

// request returns the next command. It is nil if there is nothing to send now; rest says
// that there is nothing to send later either.
func (l *Limiter) request(now time.Time) (req *request, rest bool) {
	req = l.newRequest()
	l.ledger.forget(now, l.lines[0])
	busy, news := false, l.waiters > 0
	polls := l.polls()
	for i, line := range l.lines {
		line.expire(now)
		recent := line.usedSince(now.Add(-recently))
		if len(line.waiting) == 0 && recent == 0 {
			line.giveUpHeld()
		}
		l.ledger.unused(line, now)
		wanted := line.wanted(now, polls)
		if wanted > 0 { // attempts as frequent as lately are likely to come again
			wanted += line.usedSince(now.Add(-lately))
		}
		r := requestLine{
			Name: line.name, Limit: line.limit.Requests, Span: ms(window(line.limit)), Burst: burst(line.limit),
			Need: max(0, wanted-len(line.held)), Refused: line.pause.news, line: line,
		}
		told := l.ledger.concerns(line)
		if recent > 0 || wanted > 0 {
			busy = true
			r.Extra = max(0, extra-max(0, len(line.held)-wanted))
		}
		news = news || told || r.Refused != nil || r.Need == 0 && line.asked || r.Extra > 0
		if i == 0 || wanted > 0 || recent > 0 || line.asked || told || r.Refused != nil {
			req.Lines = append(req.Lines, r)
		}
	}
	if !news {
		if busy { // ask again when some places are used up
			l.commands[1] = now
			return nil, false
		}
		return nil, true
	}
	for _, r := range req.Lines {
		r.line.asked = r.Need > 0
	}
	l.ledger.tell(req, &l.clock)
	return req, false
}

// polls returns how many long polls with a share may be sent until the next command but one.
func (l *Limiter) polls() int {
	share := 1.0
	for _, line := range l.lines {
		for _, w := range line.waiting {
			if bounded(w.attempt) {
				share = min(share, w.attempt.Share)
			}
		}
	}
	return int(math.Ceil(l.pace() * share * askEvery.Seconds()))
}
