package routes

import (
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// errorGroupsBy lists the error groups of a kind, of which a member has the value in the path.
func errorGroupsBy(k *world.Kind, member string) func(*world.World, *Call) []*world.Document {
	return func(w *world.World, c *Call) (groups []*world.Document) {
		for _, d := range noted(w, c, k) {
			if strings.EqualFold(d.Members.Text(member), c.Params[0]) {
				groups = append(groups, d)
			}
		}
		return groups
	}
}

// noted returns the error groups of a kind once the errors of runs that have ended are noted.
func noted(w *world.World, c *Call, k *world.Kind) []*world.Document {
	w.Settle(c.Now)
	w.NoteTestErrors(c.Now)
	return w.Of(k).All
}

func listErrorGroups(k *world.Kind) Handler {
	return func(w *world.World, c *Call) Reply { return listOf(w, noted(w, c, k), (*world.World).ShownErrorGroup) }
}

func listErrorGroupsOfCheck(w *world.World, c *Call) Reply {
	return listOf(w, errorGroupsBy(world.ErrorGroups, "checkId")(w, c), (*world.World).ShownErrorGroup)
}

// listErrorGroupsOfProject responds with all of them at once.
func listErrorGroupsOfProject(w *world.World, c *Call) Reply {
	groups := []world.Object{}
	for _, d := range errorGroupsBy(world.TestErrorGroups, "projectId")(w, c) {
		groups = append(groups, w.ShownErrorGroup(d))
	}
	return success(groups)
}

func getErrorGroup(k *world.Kind) Handler {
	return func(w *world.World, c *Call) Reply {
		noted(w, c, k)
		return gets(k, (*world.World).ShownErrorGroup)(w, c)
	}
}

func patchErrorGroup(k *world.Kind) Handler {
	return func(w *world.World, c *Call) Reply {
		noted(w, c, k)
		return finds(k, func(w *world.World, c *Call, d *world.Document) Reply {
			w.ArchiveErrorGroup(d, c.Sent)
			c.did(d.ID)
			return success(w.ShownErrorGroup(d))
		})(w, c)
	}
}

func createRootCause(k *world.Kind) Handler {
	return func(w *world.World, c *Call) Reply {
		noted(w, c, k)
		return finds(k, func(w *world.World, c *Call, d *world.Document) Reply {
			id := w.StartAnalysis(d, c.Sent.Text("userContext"))
			c.did(id, d.ID)
			return pending(id)
		})(w, c)
	}
}
