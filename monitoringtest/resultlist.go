package monitoringtest

import (
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// foundResult is a result of a check in a list.
type foundResult struct {
	session *session
	attempt attempt
}

// resultsOf returns the results of a check that have been created, the newest first. Of results that
// were created at the same time the one with the greater id comes first.
func (s *state) resultsOf(checkID string, now time.Time) (list []foundResult) {
	for _, x := range s.sessions {
		if x.spec.CheckID != checkID || now.Before(x.visible) {
			continue
		}
		for _, r := range x.runs {
			for _, a := range x.attempts(r, now) {
				if a.kind != "" {
					list = append(list, foundResult{x, a})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b foundResult) int {
		if c := b.attempt.end.Compare(a.attempt.end); c != 0 {
			return c
		}
		return strings.Compare(b.attempt.id(), a.attempt.id())
	})
	return list
}

// selectsResult reports whether the parameters of a request select a result.
func (c *call) selectsResult(f foundResult, result fields) bool {
	kind, failures := monitoring.ResultFinal, result["hasFailures"] == true
	if text, given := c.param("resultType"); given {
		kind = monitoring.ResultType(text)
	}
	if text, given := c.param("hasFailures"); given && (text == "true") != failures {
		return false
	}
	if text, given := c.param("from"); given && f.attempt.end.Before(time.Unix(number(text), 0)) {
		return false
	}
	if text, given := c.param("to"); given && !f.attempt.end.Before(time.Unix(number(text), 0)) {
		return false
	}
	return (kind == monitoring.ResultAll || kind == f.attempt.kind) &&
		c.selects("location", f.attempt.run.location) && c.selects("checkType", string(f.session.spec.Type))
}

// listResults responds with a page of the results of a check. The cursor is the id of the first result
// of the next page, so results that are added meanwhile change nothing. One that is unknown, or was
// forgotten, is the end.
func (s *Service) listResults(c *call) response {
	limit, next := c.readPage().limit, any(nil)
	from, begun := c.query.Get("nextId"), !c.query.Has("nextId")
	entries := []fields{}
	for _, f := range s.resultsOf(c.params[0], c.now) {
		begun = begun || f.attempt.id() == from
		if !begun {
			continue
		}
		result := s.result(f.session, f.attempt)
		if !c.selectsResult(f, result) {
			continue
		}
		if len(entries) == limit {
			next = f.attempt.id()
			break
		}
		entries = append(entries, c.project(result))
	}
	return success(fields{"length": len(entries), "entries": entries, "nextId": next})
}

// project returns the members of a result that the parameter fields names; all without it.
func (c *call) project(result fields) fields {
	names, given := c.param("fields")
	if !given {
		return result
	}
	part := make(fields)
	for name := range strings.SplitSeq(names, ",") {
		if value, there := result[name]; there && name != "created_at" {
			part[name] = value
		} else if name == "createdAt" {
			part[name] = result["created_at"]
		}
	}
	return part
}
