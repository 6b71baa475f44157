package control

import (
	"cmp"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// This file reads the records of a seed that hang on checks and on the account.

func (r *seeding) checkAlert(n node) {
	a := r.readCheckAlert(n)
	r.add(func() { must(r.world.AddCheckAlert(a)) })
}

func (r *seeding) readCheckAlert(n node) (a monitoring.CheckAlert) {
	r.record(n, &a, []string{"created_at", "startedAt"},
		"id", "name", "checkId", "alertType", "checkType", "runLocation", "responseTime", "error", "statusCode")
	if a.ID != "" {
		r.once(n, "check alert", a.ID, r.world.HasCheckAlert(a.ID))
	}
	return a
}

func (r *seeding) errorGroup(n node) {
	g := r.readErrorGroup(n)
	if r.world.Check(g.CheckID) == nil && !r.ids["check "+g.CheckID] {
		n.member("checkId", nil).report("there is no check with the id %q", g.CheckID)
	}
	r.add(func() { must(r.world.AddErrorGroup(g)) })
}

func (r *seeding) readErrorGroup(n node) (g monitoring.ErrorGroup) {
	r.record(n, &g, []string{"firstSeen", "lastSeen"},
		"id", "checkId", "errorHash", "rawErrorMessage", "cleanedErrorMessage", "archivedUntilNextEvent", "rootCauseAnalyses")
	if g.ID != "" {
		r.once(n, "error group", g.ID, r.world.ErrorGroup(g.ID) != nil)
	}
	return g
}

func (r *seeding) testErrorGroup(n node) {
	g := r.readTestErrorGroup(n)
	r.add(func() { must(r.world.AddTestErrorGroup(g)) })
}

func (r *seeding) readTestErrorGroup(n node) (g monitoring.TestSessionErrorGroup) {
	r.record(n, &g, []string{"firstSeen", "lastSeen"}, "id", "projectId", "environments", "errorHash", "rawErrorMessage",
		"cleanedErrorMessage", "archivedUntilNextEvent", "pwtMetadata", "rootCauseAnalyses")
	if g.ID != "" {
		r.once(n, "error group of test sessions", g.ID, r.world.TestErrorGroup(g.ID) != nil)
	}
	return g
}

func (r *seeding) rootCause(n node) {
	n, ready := n.without("readyAfter")
	a := r.readRootCause(n)
	after := ready.duration()
	r.add(func() { must(r.world.AddRootCauseAnalysis(a, after)) })
}

func (r *seeding) readRootCause(n node) (a monitoring.RootCauseAnalysis) {
	r.record(n, &a, []string{"created_at"},
		"id", "status", "checkType", "provider", "model", "durationMs", "checkId", "errorGroupId", "analysis", "userContext")
	if n.member("id", n.anything()["id"]).uuid() != "" {
		known, _ := r.world.RootCauseAnalysis(a.ID, n.now)
		r.once(n, "root cause analysis", a.ID, known != nil)
	}
	return a
}

func (r *seeding) privateLocation(n node) {
	l := r.readLocation(n)
	if l.Name == "" {
		n.member("name", nil).report("is required")
	}
	r.add(func() { must(r.world.AddPrivateLocation(l)) })
}

func (r *seeding) readLocation(n node) (l monitoring.PrivateLocation) {
	r.record(n, &l, []string{"created_at", "updated_at", "lastSeen"}, "id", "name", "slugName", "icon", "keys", "proxyUrl", "agentCount",
		"minAgentVersion", "runningAgents", "projectBindings")
	if err := r.world.VetPrivateLocation(&l); err != nil {
		n.report("%w", err)
	}
	r.slugs[cmp.Or(l.SlugName, l.Name)] = true
	if l.ID != "" {
		r.once(n, "private location", l.ID, false)
	}
	return l
}

func (r *seeding) entitlements(n node) {
	if n.value == nil {
		return
	}
	var e monitoring.Entitlements
	r.decode(n, &e)
	r.add(func() { r.world.SetEntitlements(e) })
}
