package monitoringtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const noMatchingChecks = "No matching checks were found."

func (s *Service) triggerV2(c *call) answer { return s.trigger(c, false) }

func (s *Service) triggerV1(c *call) answer { return s.trigger(c, true) }

// trigger starts a session for each check that matches.
func (s *Service) trigger(c *call, v1 bool) answer {
	o, problem := c.bodyOf(schema{"target": members, "refreshCache": boolean})
	if problem != nil {
		return problem.answer()
	}
	var target object
	o.get("target", &target)
	if problem := (schema{"matchTags": array, "checkId": ids(v1)}).check(target, "target."); problem != nil {
		return problem.answer()
	}
	groups, wanted, problem := readTarget(target, v1)
	if problem != nil {
		return problem.answer()
	}
	sessions := []sessionItem{}
	var subjects []string
	for _, candidate := range s.checks {
		if !s.eligible(candidate) || len(groups) > 0 && !s.matches(candidate, groups) || len(wanted) > 0 && !wanted[candidate.spec.ID] {
			continue
		}
		started := s.start(candidate, c.now)
		i := started.item(c.now)
		i.Status = string(monitoring.SessionStarted)
		sessions = append(sessions, i)
		subjects = append(subjects, candidate.spec.ID, candidate.spec.Name)
	}
	if len(sessions) == 0 {
		return fail(http.StatusNotFound, noMatchingChecks)
	}
	s.journal.did(c.operation, subjects...)
	return reply(http.StatusCreated, map[string]any{"sessions": sessions})
}

// readTarget reads the filters of a trigger. The older path family takes single values
// where lists are expected.
func readTarget(target object, v1 bool) (groups [][]string, wanted set, problem *bad) {
	var outer []json.RawMessage
	target.get("matchTags", &outer)
	for i, raw := range outer {
		at := fmt.Sprintf("target.matchTags[%d]", i)
		var tags []string
		var tag string
		switch {
		case json.Unmarshal(raw, &tags) == nil && tags != nil:
		case v1 && json.Unmarshal(raw, &tag) == nil:
			tags = []string{tag}
		default:
			return nil, nil, badBody(at, "must be an array of strings")
		}
		if len(tags) == 0 || slices.Contains(tags, "") || slices.Contains(tags, "!") {
			return nil, nil, badBody(at, "must hold tags that are not empty")
		}
		groups = append(groups, tags)
	}
	if target["checkId"] != nil {
		list := []string{target.text("checkId")}
		if list[0] == "" && json.Unmarshal(target["checkId"], &list) != nil {
			return nil, nil, badBody("target.checkId", "must be an array of strings")
		}
		wanted = make(set, len(list))
		for i, id := range list {
			if !v1 && !isUUID(id) {
				return nil, nil, badBody(fmt.Sprintf("target.checkId[%d]", i), "must be a valid GUID")
			}
			wanted[id] = true
		}
	}
	return groups, wanted, nil
}

func ids(v1 bool) kind {
	if v1 {
		return array | text
	}
	return array
}

// eligible reports whether a check can be started: it and its group are activated, and
// it is of a kind that has sessions.
func (s *Service) eligible(c *check) bool {
	if c.spec.Deactivated || c.spec.Type == monitoring.CheckTypeHeartbeat {
		return false
	}
	g := s.groups[c.spec.GroupID]
	return g == nil || g["activated"] == nil || g.is("activated")
}

// matches reports whether a check, or its group, has all tags of one of the groups of
// tags. A leading ! wants a tag to be absent.
func (s *Service) matches(c *check, groups [][]string) bool {
	tags := c.spec.Tags
	if g := s.groups[c.spec.GroupID]; g != nil {
		tags = append(slices.Clone(tags), g.list("tags")...)
	}
	return slices.ContainsFunc(groups, func(all []string) bool {
		return !slices.ContainsFunc(all, func(tag string) bool {
			if tag[0] == '!' {
				return slices.Contains(tags, tag[1:])
			}
			return !slices.Contains(tags, tag)
		})
	})
}

const noSuchSession = "No such check session."

func (s *Service) getSessionV2(c *call) answer {
	if !isUUID(c.params[0]) {
		return badParam("checkSessionId", "must be a valid GUID").answer()
	}
	x := s.sessionsByID[c.params[0]]
	if x == nil {
		return fail(http.StatusNotFound, noSuchSession)
	}
	return ok(x.view(c.now))
}

// getSessionV1 reads a session through the older path family, which knows no cancelled
// ones.
func (s *Service) getSessionV1(c *call) answer {
	x := s.sessionsByID[c.params[0]]
	if x == nil {
		return fail(http.StatusNotFound, noSuchSession)
	}
	v := x.view(c.now)
	if v.Status == string(monitoring.SessionCancelled) {
		v.Status = string(monitoring.SessionTimedOut)
	}
	return ok(v)
}

// defaultMaxWait is how long a completion request that does not say is held.
const defaultMaxWait = 30

// awaitSession holds a request until the session ends or the time is over.
func (s *Service) awaitSession(ctx context.Context, c *call) (answer, error) {
	if !isUUID(c.params[0]) {
		return badParam("checkSessionId", "must be a valid GUID").answer(), nil
	}
	seconds := defaultMaxWait
	if text := c.query.Get("maxWaitSeconds"); text != "" || c.query.Has("maxWaitSeconds") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 30 {
			return badQuery("maxWaitSeconds", "must be an integer between 1 and 30").answer(), nil
		}
		seconds = n
	}
	until := c.now.Add(time.Duration(seconds) * time.Second)
	for {
		s.mu.Lock()
		x := s.sessionsByID[c.params[0]]
		if x == nil {
			s.mu.Unlock()
			return fail(http.StatusNotFound, noSuchSession), nil
		}
		now, end, changed := time.Now(), x.end(), x.changed
		if x.done(now) {
			v := x.view(now)
			s.mu.Unlock()
			return ok(v), nil
		}
		s.mu.Unlock()
		if !now.Before(until) {
			return fail(http.StatusRequestTimeout, "Check session is still in progress."), nil
		}
		if end.After(until) {
			end = until
		}
		if err := sleepOr(ctx, end.Sub(now), changed); err != nil {
			return answer{}, err
		}
	}
}

// sleepOr is sleep that ends early when the channel is closed.
func sleepOr(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// cancelSession cancels what runs of a session, or some of its sequences. Only runs of
// PLAYWRIGHT checks can be cancelled; others go on.
func (s *Service) cancelSession(c *call) answer {
	o, problem := c.bodyOf(schema{"sequenceId": array})
	if problem != nil {
		return problem.answer()
	}
	var sequences []string
	if raw, given := o["sequenceId"]; given {
		if json.Unmarshal(raw, &sequences) != nil || len(sequences) == 0 || !allUUIDs(sequences) {
			return badBody("sequenceId", "must be an array of at least 1 valid GUID").answer()
		}
	}
	id := c.params[0]
	if !isUUID(id) {
		return badParam("checkSessionId", "must be a valid GUID").answer()
	}
	x := s.sessionsByID[id]
	if x == nil {
		return fail(http.StatusNotFound, noSuchSession)
	}
	s.journal.did(c.operation, id, x.spec.CheckID, x.spec.Name)
	if x.spec.Type != monitoring.CheckTypePlaywright || x.done(c.now) {
		return noContent()
	}
	for _, r := range x.runs {
		if r.end().After(c.now) && (sequences == nil || slices.Contains(sequences, r.sequence)) {
			r.cancelled = c.now
		}
	}
	close(x.changed)
	x.changed = make(chan struct{})
	return noContent()
}

func allUUIDs(list []string) bool {
	for _, s := range list {
		if !isUUID(s) {
			return false
		}
	}
	return true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}
