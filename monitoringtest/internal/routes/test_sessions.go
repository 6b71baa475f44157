package routes

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

func noTest() Reply { return fail(http.StatusNotFound, noSuchTest) }

// triggerTest starts a test session of the checks that match. The function of the test, which may
// decide how the runs go, is called without the lock.
func triggerTest(_ context.Context, w *world.World, c *Call) (Reply, error) {
	var target world.Object
	var variables []world.Object
	c.Sent.Get("target", &target)
	c.Sent.Get("environmentVariables", &variables)
	t := world.TestTrigger{Name: c.Sent.Text("name"), Location: c.Sent.Text("runLocation"), Metadata: c.Sent["metadata"], Retries: c.testRetries()}
	w.Lock()
	if !w.KnowsLocation(t.Location) {
		w.Unlock()
		return refused(&schema.Violation{Path: "runLocation", Message: "is neither a region nor the slugName of a private location"}), nil
	}
	runs, decide := w.TestRuns(tagGroups(target), checkIDs(target), target.Is("allowDeactivated"), t, variables), w.DecideTest
	w.Unlock()
	if decide != nil {
		for _, run := range runs {
			decide(run)
		}
	}
	w.Lock()
	defer w.Unlock()
	if len(runs) == 0 {
		return fail(http.StatusNotFound, noChecks), nil
	}
	now := w.Clock.Now()
	x, err := w.StartTest(t, runs, now)
	if err != nil {
		return fail(http.StatusServiceUnavailable, err.Error()), nil
	}
	c.did(x.Subjects()...)
	return reply(http.StatusCreated, w.TestView(x, now)), nil
}

// testRetries returns the retry strategy of a test session, with what it leaves out. Without one
// there are no retries.
func (c *Call) testRetries() world.Object {
	var strategy world.Object
	if !c.Sent.Has("retryStrategy") {
		return nil
	}
	c.Sent.Get("retryStrategy", &strategy)
	if !strategy.Has("maxRetries") {
		strategy.Set("maxRetries", 2)
	}
	return world.Object{"retryStrategy": world.JSON(strategy)}
}

func getTest(w *world.World, c *Call) Reply {
	t := w.TestSession(c.Params[0], c.Now)
	if t == nil {
		return noTest()
	}
	return success(w.TestView(t, c.Now))
}

// awaitTest is awaitSession for test sessions.
func awaitTest(ctx context.Context, w *world.World, c *Call) (Reply, error) {
	return awaitEnd(ctx, w, c, func(now time.Time) (waited, func() any) {
		if t := w.TestSession(c.Params[0], now); t != nil {
			return t, func() any { return w.TestView(t, now) }
		}
		return nil, nil
	}, noTest)
}

func cancelTest(w *world.World, c *Call) Reply {
	t := w.TestSession(c.Params[0], c.Now)
	if t == nil {
		return noTest()
	}
	w.CancelTest(t, c.Sent.List("sequenceId"), c.Now)
	c.did(t.Subjects()...)
	return noContent()
}

func getTestResult(w *world.World, c *Call) Reply {
	result, there := w.TestResult(c.Params[0], c.Params[1], c.Now)
	if !there {
		return notFound()
	}
	return success(result)
}

func listTestAssets(w *world.World, c *Call) Reply {
	_, there := w.TestResult(c.Params[0], c.Params[1], c.Now)
	return c.assets(w, there)
}

// listTests responds with a page of the test sessions, the newest first. The cursor has the id of
// the first session of the next page.
func listTests(w *world.World, c *Call) Reply {
	const scope = "test sessions"
	limit, next := 20, any(nil)
	if text, given := c.Param("limit"); given {
		limit = int(Number(text))
	}
	from, begun := "", true
	if cursor, given := c.Param("nextId"); given {
		if from, begun = firstOf(scope, cursor); !begun {
			return refusedQuery("nextId", "must be the nextId of a page of this list")
		}
		begun = false
	}
	entries := []world.Fields{}
	for i := len(w.TestSessions) - 1; i >= 0; i-- {
		t := w.TestSessions[i]
		begun = begun || t.ID == from
		if !begun || w.TestSession(t.ID, c.Now) == nil {
			continue
		}
		e := w.TestEntry(t, c.Now)
		if !c.selectsTest(t, e) {
			continue
		}
		if len(entries) == limit {
			next = cursorOf(scope, t.ID)
			break
		}
		entries = append(entries, e.Fields)
	}
	return success(world.Fields{"length": len(entries), "entries": entries, "nextId": next})
}

// selectsTest reports whether the parameters of a request select a test session.
func (c *Call) selectsTest(t *world.TestSession, e world.TestEntry) bool {
	if text, given := c.Param("from"); given && t.Started().Before(time.Unix(Number(text), 0)) {
		return false
	}
	if text, given := c.Param("to"); given && !t.Started().Before(time.Unix(Number(text), 0)) {
		return false
	}
	group, ofGroup := c.Param("errorGroupId")
	ids, _ := e.Fields["errorGroupIds"].([]string)
	return c.selects("statuses", e.Status) && c.selects("branches", e.Branch) && c.selects("providers", "API") &&
		(c.selects("users", e.Owner) || c.asks("noUsers") && e.Owner == "") && (!ofGroup || slices.Contains(ids, group)) &&
		(c.selectsPart("textSearch", e.Name) || c.selectsPart("textSearch", e.Message))
}
