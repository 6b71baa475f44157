package monitoring

import (
	"context"
	"slices"
	"time"
)

const (
	statusAge    = 30 * time.Second // the age at which a status is read again
	unseenDelay  = 5 * time.Second  // before a session is read if there is no OnProgress
	roundsAtMost = 8                // reads at once
)

// rounds reads sessions so that their statuses stay fresh, with places that no other call
// waits for. It begins when every session has had its first poll, with the one that was seen
// longest ago. If there is no OnProgress, it reads only sessions that were not seen, once.
func (w *waiter) rounds(ctx context.Context) {
	places := make(chan struct{}, roundsAtMost)
	for {
		s, pause := w.nextToRead(time.Now())
		if s == nil {
			if pause == 0 || sleep(ctx, pause) != nil {
				return
			}
			continue
		}
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		w.team.Go(func() {
			defer func() { <-places }()
			switch session, _, err := w.read(ctx, s); { // errors are left to the poll of the session
			case err == nil && session.Done():
				w.end(s, session, nil)
			case err == nil:
				w.saw(s, session)
			}
		})
	}
}

// nextToRead returns the session to read now, or nil and the pause before the next look; 0
// if none will have to be read.
func (w *waiter) nextToRead(now time.Time) (*watched, time.Duration) {
	room := w.room(now)
	w.mu.Lock()
	defer w.mu.Unlock()
	var next *watched
	var at time.Time // when next is to be read
	var due []time.Time
	polls := 0.0
	for _, s := range w.order {
		if s.over {
			continue
		}
		due = append(due, s.due)
		polls += 1 / s.every.Seconds()
		if t, ok := w.toRead(s); ok && (next == nil || t.Before(at)) {
			next, at = s, t
		}
	}
	if next == nil {
		return nil, 0
	}
	const again = 500 * time.Millisecond
	between, ok := room.between(polls)
	if !ok || w.unpolled > 0 {
		return nil, again
	}
	if wait := max(at.Sub(now), w.nextRead.Sub(now)); wait > 0 {
		return nil, wait
	}
	slices.SortFunc(due, time.Time.Compare)
	if !room.spare(now, due) {
		return nil, again
	}
	w.nextRead = now.Add(between)
	next.asked = now
	return next, 0
}

// toRead is when a session is to be read for its status; false if it is not.
func (w *waiter) toRead(s *watched) (time.Time, bool) {
	unknown := s.seen == nil && s.asked.IsZero()
	switch {
	case w.options.OnProgress == nil:
		return w.began.Add(unseenDelay), unknown
	case unknown:
		return w.began, true
	}
	return later(s.seenAt, s.asked).Add(statusAge), true
}

// progress reports the progress of the waiting to OnProgress.
func (w *waiter) progress(session *CheckSession, err error) {
	if w.options.OnProgress == nil {
		return
	}
	p := WaitProgress{
		Total: len(w.order), Finished: len(w.order) - w.left,
		ByStatus: make(map[CheckSessionStatus]int), Session: session, Err: err,
	}
	w.mu.Lock()
	now := time.Now()
	for _, s := range w.order {
		status := CheckSessionStatus("")
		if s.seen != nil {
			status = s.seen.Status
		}
		p.ByStatus[status]++
		if !s.over {
			p.OldestStatus = max(p.OldestStatus, now.Sub(s.seenAt))
		}
	}
	w.mu.Unlock()
	w.options.OnProgress(p)
}
