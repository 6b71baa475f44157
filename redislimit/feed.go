package redislimit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/redis/go-redis/v9"
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
// and the second one may come early only if starving reports true. urgent says that the time
// may still get shorter, so the sleep must end if the goroutine is woken.
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
	l.ledger.forget(now)
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

// ask sends a command and handles the reply. If the reply takes too long, the process goes
// on with its local share meanwhile. The reason is told when the command has ended, because
// it is not known before.
func (l *Limiter) ask(req *request) {
	ctx, cancel := context.WithTimeout(l.ctx, 4*l.timeout)
	defer cancel()
	var r *reply
	var sent time.Time
	var err error
	ended, told := make(chan struct{}), make(chan struct{})
	slow := time.AfterFunc(l.timeout, func() {
		defer close(told)
		l.mu.Lock()
		var change *ModeChange
		if l.ctx.Err() == nil {
			change = l.goLocal(time.Now(), ErrSlow)
		}
		l.mu.Unlock()
		if change == nil {
			return
		}
		select {
		case <-ended:
			change.Err = l.why(err)
		case <-ctx.Done():
			change.Err = l.why(ctx.Err())
		}
		l.tell(change)
	})
	l.mu.Lock()
	l.commands = [2]time.Time{l.commands[1], time.Now()}
	l.mu.Unlock()
	r, sent, err = l.send(ctx, req)
	close(ended)
	if !slow.Stop() {
		<-told
	}

	l.mu.Lock()
	now := time.Now()
	var change *ModeChange
	if l.ctx.Err() == nil {
		change = l.replied(req, r, err, sent, now)
		l.dispatch(now)
	}
	l.mu.Unlock()
	l.tell(change)
}

// why returns the reason of a command that has not ended in time. A Redis client that retries
// until then says only that the time is over. A new connection says whether Redis can be reached.
func (l *Limiter) why(err error) error {
	if err == nil {
		return ErrSlow
	}
	if errors.Is(err, context.Canceled) { // by Close
		err = context.DeadlineExceeded
	}
	if c, ok := l.client.(*redis.Client); ok && timedOut(err) {
		ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
		defer cancel()
		o := c.Options()
		conn, failed := o.Dialer(ctx, o.Network, o.Addr)
		if failed != nil {
			err = failed
		} else {
			_ = conn.Close()
		}
	}
	if timedOut(err) {
		return fmt.Errorf("%w: %w", ErrSlow, err)
	}
	return err
}

func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// send sends a command with the time, by Redis's clock, at which it was sent. If nothing is known
// of this clock, a command that comes too late by all means asks for its time first.
func (l *Limiter) send(ctx context.Context, req *request) (r *reply, sent time.Time, err error) {
	l.mu.Lock()
	known := l.clock.known()
	l.mu.Unlock()
	if !known {
		sent = time.Now()
		r, err := l.exchange(ctx, &request{})
		if err != nil {
			return nil, sent, err
		}
		l.mu.Lock()
		l.clock.sync(sent, time.Now(), r.Now)
		l.mu.Unlock()
	}
	l.mu.Lock()
	sent = time.Now()
	req.Sent = l.clock.latest(sent)
	l.mu.Unlock()
	r, err = l.exchange(ctx, req)
	return r, sent, err
}

// replied handles the reply to a command. It returns the change of the mode, if there is one.
func (l *Limiter) replied(req *request, r *reply, err error, sent, now time.Time) *ModeChange {
	if err != nil {
		return l.goLocal(now, err)
	}
	late := now.Sub(sent) > l.timeout
	if r.Late {
		l.tooLate(req, r, sent, now)
		if late {
			return l.goLocal(now, ErrSlow)
		}
		return nil
	}
	l.clock.sync(sent, now, r.Now)
	l.again = false
	l.era, l.seq, l.active = r.Era, r.Seq, r.Active
	l.ledger.drop(len(req.News))
	for i, asked := range req.Lines {
		line := asked.line
		if line.pause.news == asked.Refused {
			line.pause.news = nil
		}
		if r.Spent == 0 {
			l.learn(line, r.Lines[i], asked.Need, now)
		}
	}
	switch {
	case r.Spent > 0:
		return l.goLocal(now, ErrWindowSpent)
	case late:
		return l.goLocal(now, ErrSlow)
	}
	if l.good++; l.mode == ModeUnknown || l.good >= goodReplies {
		return l.setMode(ModeShared, nil)
	}
	return nil
}

// tooLate handles the reply to a command that came too late to do anything. The next one
// follows at once.
func (l *Limiter) tooLate(req *request, r *reply, sent, now time.Time) {
	if l.again { // two in a row: now it takes longer to get to Redis than ever before
		l.clock = redisClock{epoch: l.clock.epoch}
	}
	l.clock.sync(sent, now, r.Now)
	l.again = true
	for _, asked := range req.Lines {
		asked.line.asked = false
	}
}

// learn handles the part of a reply that is about a line.
func (l *Limiter) learn(line *line, r replyLine, need int, now time.Time) {
	line.paces = nil
	for _, p := range r.Paces {
		line.paces = append(line.paces, paced{l.clock.reached(p[0]), 1000 * p[1]})
	}
	line.share = r.Share
	if r.Paused > 0 {
		line.giveUpHeld()
		line.pause.until = later(line.pause.until, now.Add(span(r.Paused)))
		if line == l.lines[0] {
			for _, other := range l.lines[1:] {
				other.giveUpHeld()
			}
		}
	}
	var places []place
	usable := min(grace(line.limit), grace(l.limit))
	for _, t := range r.times() {
		places = append(places, place{
			at: t, from: l.clock.reached(float64(t)), until: l.clock.notPassed(float64(t) + ms(usable)),
		})
	}
	line.asked = need > len(places)
	if l.mode == ModeLocal { // too late: the local share was used in place of them
		line.returned = append(line.returned, r.times()...)
		return
	}
	line.hold(places)
}

// goodbye returns the places of this process and removes it from those that get places in
// turn. Redis does not know the places of the local share, so they need not be returned.
func (l *Limiter) goodbye() {
	l.mu.Lock()
	if l.mode != ModeShared {
		l.mu.Unlock()
		return
	}
	req := &request{ID: l.id, Era: l.era, Seq: l.seq, Patience: ms(max(patience, l.timeout)), Lead: ms(lead), Ghost: ms(ghost), Bye: true}
	for _, line := range l.lines {
		line.giveUpHeld()
		l.ledger.unused(line, time.Now())
		req.Lines = append(req.Lines, requestLine{
			Name: line.name, Limit: line.limit.Requests, Span: ms(window(line.limit)), Burst: burst(line.limit), line: line,
		})
	}
	l.ledger.tell(req, &l.clock)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	_, _, _ = l.send(ctx, req) // if it fails, the places expire by themselves
}
