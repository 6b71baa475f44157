package redislimit

import (
	"math"
	"time"
)

const (
	// askEvery is how often a process with waiting attempts asks Redis.
	askEvery = 500 * time.Millisecond
	// probeEvery is how often it asks when it goes on with its local share.
	probeEvery = time.Second
	// lead is how far ahead Redis gives out places. It is more than the longest time between
	// two commands of a process, so that every process learns of its places in time.
	lead = 1250 * time.Millisecond
	// ghost is how long a process that sends no more commands still counts: it may be cut off
	// from Redis and go on with its local share.
	ghost = 15 * time.Second
	// extraLeast is how many places a process asks for in advance at least.
	extraLeast = 4
	// goodReplies is how many replies in time end the use of the local share.
	goodReplies = 2
	// patience is how long after it was sent a command still has an effect in Redis, if the
	// timeout is not longer.
	patience = 300 * time.Millisecond
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
	soonest := l.commands[0].Add(time.Second + 10*time.Millisecond).Sub(now)
	regular := l.commands[1].Add(askEvery).Sub(now)
	if l.mode == ModeLocal && !l.again {
		regular = l.commands[1].Add(probeEvery).Sub(now)
	} else if l.again || l.starving(now) {
		return max(soonest, l.commands[1].Add(2*time.Millisecond).Sub(now)), false
	}
	return max(soonest, regular), l.mode != ModeLocal
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
	req = &request{
		ID: l.id, Era: l.era, Seq: l.seq, Patience: ms(max(patience, l.timeout)), Lead: ms(lead), Ghost: ms(ghost), OnItsOwn: l.mode == ModeLocal,
	}
	l.ledger.forget(now, l.lines[0])
	busy, news := false, l.waiters > 0
	polls := l.polls()
	for i, line := range l.lines {
		line.expire(now)
		recent := line.usedSince(now.Add(-time.Second))
		if len(line.waiting) == 0 && recent == 0 {
			line.giveUpHeld()
		}
		l.ledger.unused(line, now)
		wanted := line.wanted(now, polls)
		if wanted > 0 { // attempts as frequent as lately are likely to come again
			wanted += line.usedSince(now.Add(-2 * lead))
		}
		r := requestLine{
			Name: line.name, Limit: line.limit.Requests, Span: ms(window(line.limit)), Burst: burst(line.limit),
			Need: max(0, wanted-len(line.held)), Refused: line.pause.news, line: line,
		}
		told := l.ledger.concerns(line)
		if recent > 0 || wanted > 0 {
			busy = true
			r.Extra = max(0, max(extraLeast, 2*recent)-max(0, len(line.held)-wanted))
		}
		news = news || told || r.Refused != nil || r.Need == 0 && line.asked || r.Extra > extraLeast/2
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
