package routes

import (
	"encoding/json"
	"net/http"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// listChecks lists the checks in the order in which they were added or created. Its filters see the
// settings that hold for a check, tags of its group included.
func listChecks(w *world.World, c *Call) Reply {
	applied := c.asks("applyGroupSettings")
	var states map[string]*world.CheckStatus
	if c.Query.Has("status") {
		states = w.Statuses(c.Now)
	}
	var found []*world.Check
	for _, check := range w.Checks {
		if c.selects("checkType", string(check.Type)) && world.HasTag(w.Holds(check).Tags, c.Query["tag"]) &&
			c.selectsPart("search", check.Name) &&
			c.selects("status", states[check.ID].Filter()...) &&
			(!c.Query.Has("apiCheckUrlFilterPattern") || c.selectsPart("apiCheckUrlFilterPattern", check.APIURL())) {
			found = append(found, check)
		}
	}
	return list(len(found), func(i int) json.RawMessage {
		return world.JSON(w.ReadCheck(found[i], applied, c.asks("includeDependencies")))
	})
}

func getCheck(w *world.World, c *Call) Reply {
	found := w.Check(c.Params[0])
	if found == nil {
		return notFound()
	}
	return success(w.ReadCheck(found, c.asks("applyGroupSettings"), c.asks("includeDependencies")))
}

func deleteCheck(w *world.World, c *Call) Reply {
	found := w.Check(c.Params[0])
	if found == nil {
		return notFound()
	}
	w.DeleteCheck(found, c.Now)
	c.did(found.ID, found.Name)
	return noContent()
}

// createCheck creates checks of a type, until the plan includes no more.
func createCheck(kind monitoring.CheckType) Handler {
	return func(w *world.World, c *Call) Reply {
		if w.IsFull(kind) {
			return fail(http.StatusPaymentRequired, "Payment Required")
		}
		if no := w.Overfull(); no != "" {
			return fail(http.StatusPaymentRequired, no)
		}
		if problem := w.UnknownSnippet(world.BodyOfCreate(kind), c.Sent); problem != nil {
			return refused(problem)
		}
		made := w.CreateCheck(kind, c.Sent, c.subscribes(), c.Now)
		c.did(made.ID, made.Name)
		return reply(http.StatusCreated, w.ChangedCheck(made))
	}
}

// updateCheck updates checks of a type, or of any for the deprecated update.
func updateCheck(kind monitoring.CheckType) Handler {
	return func(w *world.World, c *Call) Reply {
		found := w.Check(c.Params[0])
		if found == nil || kind != "" && found.Type != kind {
			return notFound()
		}
		if no := w.Overfull(); no != "" {
			return fail(http.StatusPaymentRequired, no)
		}
		if problem := w.UnknownSnippet(world.BodyOfUpdate(kind), c.Sent); problem != nil {
			return refused(problem)
		}
		if problem := w.UpdateCheck(found, kind, c.Sent, c.Now); problem != nil {
			return refused(problem)
		}
		c.did(found.ID, found.Name)
		return success(w.ChangedCheck(found))
	}
}
