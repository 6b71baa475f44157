package redislimit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// ask sends a command and handles the reply. If the reply takes too long, the process goes
// on with its local share meanwhile. The reason is told when the command has ended, because
// it is not known before.
func (l *Limiter) ask(req *request) {
	ctx, cancel := context.WithTimeout(l.ctx, waitsFor*l.timeout)
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
	req := l.newRequest()
	req.Bye = true
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
