package routes

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// cursorOf makes the cursor of a page of results of a check: the id of its first result, with a
// mark before it that shows that the service has made it.
func cursorOf(check, result string) string {
	sum := sha256.Sum256([]byte("results of " + check + " from " + result))
	return hex.EncodeToString(sum[:markLength/2]) + result
}

const markLength = 16

// firstOf returns the id in a cursor, and whether the service has made the cursor for this check.
func firstOf(check, cursor string) (result string, own bool) {
	if len(cursor) < markLength {
		return "", false
	}
	return cursor[markLength:], cursorOf(check, cursor[markLength:]) == cursor
}

// listResults responds with a page of the results of a check. The cursor has the id of the first
// result of the next page, so results that are added meanwhile change nothing. If that result was
// forgotten, it is the end.
func listResults(w *world.World, c *Call) Reply {
	limit, next := 10, any(nil)
	if text, given := c.Param("limit"); given {
		limit = int(Number(text))
	}
	from, begun := "", true
	if cursor, given := c.Param("nextId"); given {
		if from, begun = firstOf(c.Params[0], cursor); !begun {
			return refusedQuery("nextId", "must be the nextId of a page of these results")
		}
		begun = false
	}
	if name := c.unknownField(); name != "" {
		return refusedQuery("fields", strconv.Quote(name)+" is not a field of a result")
	}
	w.Settle(c.Now) // which notes errors
	entries := []world.Fields{}
	for _, f := range w.ResultsOf(c.Params[0], c.Now) {
		begun = begun || f.ID == from
		if !begun {
			continue
		}
		result := w.Whole(f)
		if !c.selectsResult(f, result) {
			continue
		}
		if len(entries) == limit {
			next = cursorOf(c.Params[0], f.ID)
			break
		}
		entries = append(entries, c.project(result))
	}
	return success(world.Fields{"length": len(entries), "entries": entries, "nextId": next})
}
