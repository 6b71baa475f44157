package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// start starts the checks.
func (g *gate) start(ctx context.Context) {
	g.show.update("starting each check that " + g.clean.line(g.selection()))
	// An interrupt that ended the trigger would leave checks behind of which nobody knows.
	lasting, stop := lingering(ctx, triggerTime)
	defer stop()
	var sessions []*session
	err := ctx.Err()
	switch {
	case err != nil:
	case g.test:
		sessions, err = g.triggerTest(lasting)
	default:
		sessions, err = g.trigger(lasting)
	}
	switch {
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		g.problem("nothing is known of the checks: the response to the trigger was lost. They may or may not have been started; " +
			"they were not triggered again\n" + err.Error())
	case err != nil && ctx.Err() != nil:
		g.problem("interrupted, before the checks were started")
	case errors.Is(err, monitoring.ErrNoMatchingChecks), err == nil && len(sessions) == 0:
		g.problem("no active check " + g.clean.line(g.selection()))
	case err != nil:
		g.problem(err.Error())
	}
	for _, s := range sessions {
		g.add(s)
	}
	if !g.test { // which checks a test session has is known at its end
		g.compareIDs(sessions)
		g.compareMost()
	}
	g.announce("triggered ")
}

// trigger starts check sessions.
func (g *gate) trigger(ctx context.Context) (list []*session, err error) {
	request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: g.tags, CheckIDs: g.options.ids}}
	sessions, err := g.client.CheckSessions.Trigger(ctx, request)
	for i := range sessions {
		list = append(list, newSession(&sessions[i]))
	}
	if missing := request.Missing(sessions); err == nil && len(sessions) > 0 {
		g.lack(missing)
	}
	return list, err
}

// lack says that checks of -ids were not started.
func (g *gate) lack(missing []string) {
	if len(missing) == 0 || g.allowMissing {
		return
	}
	g.problem((&monitoring.MissingChecksError{CheckIDs: missing, Named: len(g.options.ids)}).Error())
	for _, id := range missing {
		g.report.Missing = append(g.report.Missing, g.clean.word(id))
	}
}

// compareMost says if more checks were started than -max allows.
func (g *gate) compareMost() {
	if g.most > 0 && len(g.ids) > g.most {
		g.problem(fmt.Sprintf("started %s, and -max allows %d", plural(len(g.ids), "check"), g.most))
	}
}

// compareLeast says if fewer were started than -min wants.
func (g *gate) compareLeast() {
	if g.least > len(g.ids) {
		g.problem(fmt.Sprintf("started %s, and -min wants %d", plural(len(g.ids), "check"), g.least))
	}
}

// areFew reports whether no more checks would be started than -max allows. Otherwise, or if that is
// not known, it says so.
func (g *gate) areFew(ctx context.Context) bool {
	g.show.update("counting the checks, for -max")
	counting, stop := context.WithTimeout(ctx, g.timeout)
	defer stop()
	n, err := g.matching(counting)
	switch {
	case ctx.Err() != nil:
		g.problem("interrupted, before the checks were started")
	case err != nil:
		g.problem("-max: the checks could not be counted, so nothing was started\n" + err.Error())
	case n > g.most:
		g.problem(fmt.Sprintf("-max allows %d, and %s would be started: nothing was", g.most, plural(n, "check")))
	default:
		return true
	}
	return false
}

// matching returns how many checks would be started: those of the ids, or the active ones with the
// tags, of which some may be those of their groups.
func (g *gate) matching(ctx context.Context) (n int, err error) {
	if g.tags == nil {
		ids := make(map[string]bool)
		for _, id := range g.options.ids {
			ids[key(id)] = true
		}
		return len(ids), nil
	}
	ofGroup := make(map[int64][]string)
	for group, err := range g.client.CheckGroups.All(ctx, monitoring.CheckGroupListOptions{}) {
		if err != nil {
			return 0, err
		}
		ofGroup[group.ID] = group.Tags
	}
	for c, err := range g.client.Checks.All(ctx, monitoring.CheckListOptions{}) {
		if err != nil {
			return 0, err
		}
		tags := slices.Concat(c.Tags, ofGroup[c.GroupID.Or(0)])
		if (g.deactivated || monitoring.ValueOr(c.Activated, true)) && slices.ContainsFunc(g.tags, func(group []string) bool { return matches(tags, group) }) {
			n++
		}
	}
	return n, nil
}

// compareIDs says if the answer to a trigger of ids is about other checks, or about fewer, also
// where it does not say which. Sessions that are there twice count once.
func (g *gate) compareIDs(sessions []*session) {
	asked := make(map[string]bool)
	for _, id := range g.options.ids {
		asked[key(id)] = true
	}
	if len(asked) == 0 || len(sessions) == 0 {
		return
	}
	nameless := false
	for _, s := range sessions {
		if nameless = nameless || s.checkID == ""; s.checkID != "" && !asked[key(s.checkID)] {
			g.problem("the service started a check that was not asked for: " + g.clean.nameOf(s))
		}
	}
	if nameless && len(g.ids) < len(asked) && !g.allowMissing { // otherwise the missing ones are named
		g.problem(fmt.Sprintf("%d of %d checks were started, and the answer does not say which", len(g.ids), len(asked)))
	}
}

// lookForDeactivated names the checks with the tags that the trigger has left out because they are
// deactivated. It says nothing if the key may not list checks; tags of groups are not looked at.
func (g *gate) lookForDeactivated(ctx context.Context) {
	options := monitoring.CheckListOptions{Tags: g.anyTag()}
	for c, err := range g.client.Checks.All(ctx, options, monitoring.WithBackground()) {
		if err != nil {
			return
		}
		if !monitoring.ValueOr(c.Activated, true) && slices.ContainsFunc(g.tags, func(group []string) bool { return matches(c.Tags, group) }) {
			g.mu.Lock()
			g.report.NotRun = append(g.report.NotRun, g.clean.name(c.Name))
			g.mu.Unlock()
		}
	}
}

// anyTag returns tags of which every check with the tags has at least one; nil if there are none.
func (g *gate) anyTag() (any []string) {
	for _, group := range g.tags {
		i := slices.IndexFunc(group, func(tag string) bool { return !strings.HasPrefix(tag, "!") })
		if i < 0 {
			return nil
		}
		any = append(any, group[i])
	}
	return any
}

// matches reports whether tags have every tag of a group, and none of those with a leading !.
func matches(tags, group []string) bool {
	return !slices.ContainsFunc(group, func(tag string) bool {
		name, without := strings.CutPrefix(tag, "!")
		return slices.Contains(tags, name) == without
	})
}

// takeUp takes up the ids of -sessions. A few are read at once, for their names.
func (g *gate) takeUp(ctx context.Context) {
	for _, id := range g.sessions {
		list := []*session{{id: id, verdict: monitoring.VerdictUnknown}}
		if g.test {
			list[0].test = &monitoring.TestSession{TestSessionID: id}
		}
		if len(g.sessions) <= mostLinks { // what is wrong is said when the session is awaited
			if g.test {
				if read, err := g.client.TestSessions.Get(ctx, id); err == nil {
					list = testedChecks(read)
				}
			} else if read, err := g.client.CheckSessions.Get(ctx, id); err == nil {
				list[0] = newSession(read)
			}
		}
		for _, s := range list {
			g.add(s)
		}
	}
	g.announce("waiting for ")
}

// announce says at once what runs: how many checks, and the links of a few.
func (g *gate) announce(what string) {
	if len(g.ids) == 0 || g.detach {
		return
	}
	text, running, taken := what+plural(len(g.ids), "check"), make([]open, len(g.ids)), make(map[string]bool)
	for i, id := range g.ids {
		s := g.look(id).session
		name := g.clean.nameOf(s)
		running[i] = open{id, name}
		if s.test != nil { // which has one link for its checks
			name = cmp.Or(g.clean.name(s.test.Name), "test session")
		}
		if !taken[key(s.id)] && len(taken) < mostLinks && (s.test != nil || len(g.ids) <= mostLinks) {
			taken[key(s.id)] = true
			text += "\n  " + name + "  " + cmp.Or(g.clean.link(s.link), "session "+g.clean.word(s.id))
		}
	}
	g.show.wait(text, running)
}
