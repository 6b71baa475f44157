package monitoringtest

import (
	"container/heap"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const noSuchSession = "No such check session."

// find returns a session that is visible to reads; nil if there is none.
func (s *state) find(id string, now time.Time) *session {
	x := s.sessionsByID[id]
	if x == nil || now.Before(x.visible) {
		return nil
	}
	return x
}

func (s *Service) getSessionV2(c *call) response {
	x := s.find(c.params[0], c.now)
	if x == nil {
		return fail(http.StatusNotFound, noSuchSession)
	}
	return success(s.view(x, c.now))
}

// getSessionV1 reads a session through the older path family, which does not have
// sessions of HEARTBEAT checks.
func (s *Service) getSessionV1(c *call) response {
	x := s.find(c.params[0], c.now)
	if x == nil || x.spec.Type == monitoring.CheckTypeHeartbeat {
		return fail(http.StatusNotFound, noSuchSession)
	}
	return success(s.viewV1(x, c.now))
}

// defaultMaxWait is how long a completion request without maxWaitSeconds is held, in
// seconds.
const defaultMaxWait = 30

// awaitSession holds a request until the session ends, or maxWaitSeconds are over.
func (s *Service) awaitSession(ctx context.Context, c *call) (response, error) {
	seconds := int64(defaultMaxWait)
	if text, given := c.param("maxWaitSeconds"); given {
		seconds = number(text)
	}
	until := c.now.Add(time.Duration(seconds) * time.Second)
	for {
		s.mu.Lock()
		now := time.Now()
		x := s.find(c.params[0], now)
		if x == nil {
			s.mu.Unlock()
			return fail(http.StatusNotFound, noSuchSession), nil
		}
		end, changed := x.end(), x.changed
		if x.done(now) {
			v := s.view(x, now)
			s.mu.Unlock()
			return success(v), nil
		}
		s.mu.Unlock()
		if !now.Before(until) {
			return fail(http.StatusRequestTimeout, "Check session is still in progress."), nil
		}
		if end.After(until) {
			end = until
		}
		if err := sleepOr(ctx, end.Sub(now), changed); err != nil {
			return response{}, err
		}
	}
}

// sleepOr is sleep that ends early when the channel is closed.
func sleepOr(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	select {
	case <-time.After(d):
	case <-early:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// cancelSession cancels the running sequences of a session, or some of them, after the
// cancel delay. Only runs of PLAYWRIGHT checks that the scheduler did not start can be
// cancelled; others go on.
func (s *Service) cancelSession(c *call) response {
	sequences, id := c.sent.list("sequenceId"), c.params[0]
	x := s.find(id, c.now)
	if x == nil {
		return fail(http.StatusNotFound, noSuchSession)
	}
	s.journal.did(c.operation, id, x.spec.CheckID, x.spec.Name)
	if x.spec.Type != monitoring.CheckTypePlaywright || x.spec.RunSource == monitoring.RunSourceScheduler {
		return noContent()
	}
	moment := c.now.Add(s.sped(s.cancelDelay))
	for _, r := range x.runs {
		if r.end().After(moment) && (sequences == nil || slices.ContainsFunc(sequences, r.isSequence)) {
			r.cancelled = moment
		}
	}
	if x.heapAt >= 0 {
		heap.Fix(&s.unsettled, x.heapAt)
	}
	close(x.changed)
	x.changed = make(chan struct{})
	return noContent()
}

// isSequence reports whether an id is that of the run's sequence.
func (r *run) isSequence(id string) bool { return strings.EqualFold(id, r.sequence) }
