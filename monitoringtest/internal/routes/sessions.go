package routes

import (
	"context"
	"net/http"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func noSession() Reply { return fail(http.StatusNotFound, noSuchSession) }

func getSessionV2(w *world.World, c *Call) Reply {
	x := w.Session(c.Params[0], c.Now)
	if x == nil {
		return noSession()
	}
	return success(w.View(x, c.Now))
}

// getSessionV1 reads a session through the older path family, which does not have
// sessions of HEARTBEAT checks.
func getSessionV1(w *world.World, c *Call) Reply {
	x := w.Session(c.Params[0], c.Now)
	if x == nil || x.Spec.Type == monitoring.CheckTypeHeartbeat {
		return noSession()
	}
	return success(w.ViewV1(x, c.Now))
}

// defaultMaxWait is how long a completion request without maxWaitSeconds is held, in
// seconds.
const defaultMaxWait = 30

// waited is a session whose end a request waits for.
type waited interface {
	Done(time.Time) bool
	End() time.Time
	Changed() <-chan struct{}
}

// awaitSession holds a request until the session ends, or maxWaitSeconds are over.
func awaitSession(ctx context.Context, w *world.World, c *Call) (Reply, error) {
	return awaitEnd(ctx, w, c, func(now time.Time) (waited, func() any) {
		if x := w.Session(c.Params[0], now); x != nil {
			return x, func() any { return w.View(x, now) }
		}
		return nil, nil
	}, noSession)
}

// awaitEnd holds a request until what is found ends. A view is made while the world is locked.
func awaitEnd(
	ctx context.Context, w *world.World, c *Call, find func(time.Time) (waited, func() any), none func() Reply,
) (Reply, error) {
	seconds := int64(defaultMaxWait)
	if text, given := c.Param("maxWaitSeconds"); given {
		seconds = Number(text)
	}
	until := c.Now.Add(time.Duration(seconds) * time.Second)
	for {
		w.Lock()
		now := w.Clock.Now()
		x, view := find(now)
		if x == nil {
			w.Unlock()
			return none(), nil
		}
		end, changed := x.End(), x.Changed()
		if x.Done(now) {
			v := view()
			w.Unlock()
			return success(v), nil
		}
		w.Unlock()
		if !now.Before(until) {
			return fail(http.StatusRequestTimeout, stillRuns), nil
		}
		if end.After(until) {
			end = until
		}
		if err := w.Clock.SleepOr(ctx, end.Sub(now), changed); err != nil {
			return Reply{}, err
		}
	}
}

// cancelSession cancels the running sequences of a session, or some of them.
func cancelSession(w *world.World, c *Call) Reply {
	x := w.Session(c.Params[0], c.Now)
	if x == nil {
		return noSession()
	}
	w.Cancel(x, c.Sent.List("sequenceId"), c.Now)
	c.did(c.Params[0], x.Spec.CheckID, x.Spec.Name)
	return noContent()
}
