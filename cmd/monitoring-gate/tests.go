package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// variable is a variable of a test session, of -var or of -secret.
type variable struct {
	key, value string
	secret     bool
}

// addVar reads K=V. What is wrong is said by checkTest, without the value.
func (o *options) addVar(text string) {
	name, value, _ := strings.Cut(text, "=")
	o.vars = append(o.vars, variable{name, value, false})
}

const mostVars = 50 // of a test session

// checkTest says what is wrong with the flags of test sessions, and reads the values of -secret. No
// value is in an error.
func (o *options) checkTest() error {
	if !o.test {
		if o.location != "" || len(o.vars) > 0 || o.deactivated {
			return errors.New("-location, -var, -secret and -deactivated are for test sessions: add -test")
		}
		return nil
	}
	switch {
	case o.sessions != nil && (o.location != "" || len(o.vars) > 0 || o.deactivated):
		return errors.New("-location, -var, -secret and -deactivated are for what is started, and -sessions starts nothing")
	case o.sessions == nil && o.location == "":
		return errors.New("-test runs all checks in one place: say in which, with -location")
	case o.detach && o.least > 0:
		return errors.New("which checks a test session has is known at its end: give -min to the run with -sessions")
	case o.strict && o.deactivated:
		return errors.New("-deactivated runs the checks that -strict misses: give one of them")
	case len(o.vars) > mostVars:
		return fmt.Errorf("there are %d variables, and a test session has at most %d", len(o.vars), mostVars)
	}
	taken := make(map[string]bool)
	for i := range o.vars {
		v := &o.vars[i]
		flag := "-var " + v.key + "=…"
		if v.secret {
			flag = "-secret " + v.key
			v.value = o.getenv(v.key)
		}
		switch {
		case v.key == "":
			return errors.New("-var: want NAME=VALUE")
		case v.value == "" && v.secret:
			return fmt.Errorf("%s: set %s in the environment, it is empty or not there", flag, v.key)
		case v.value == "":
			return fmt.Errorf("-var %s: want NAME=VALUE, and the value must not be empty", v.key)
		case taken[v.key]:
			return fmt.Errorf("%s: the variable is there twice", flag)
		}
		taken[v.key] = true
	}
	return nil
}

// withVars returns a cleaner that also removes the values of variables.
func (c *cleaner) withVars(vars []variable) *cleaner {
	secrets := c.secrets
	for _, v := range vars {
		if v.secret {
			secrets = secrets.WithShort(v.value) // which words may contain, and are cut then
		} else {
			secrets = secrets.With(v.value)
		}
	}
	return &cleaner{secrets, c.account}
}

// triggerTest starts a test session. Its checks are known as far as the answer has them.
func (g *gate) triggerTest(ctx context.Context) ([]*session, error) {
	o := g.origin
	g.request = monitoring.TestSessionTrigger{
		Name: joined(" ", gateName, cmp.Or(o.Job, "tests"), o.Branch), RunLocation: g.location,
		Target: monitoring.TestSessionTarget{MatchTags: g.tags, CheckIDs: g.options.ids},
		Metadata: &monitoring.TestSessionMetadata{
			Environment: o.environment, RepoURL: o.repo, CommitID: o.Commit, CommitOwner: o.owner, CommitMessage: o.message, BranchName: o.Branch, GitHub: o.github,
		},
	}
	if g.deactivated {
		g.request.Target.AllowDeactivated = new(true)
	}
	for _, v := range g.vars {
		one := monitoring.TestSessionVariable{Key: v.key, Value: monitoring.NewSecret(v.value)}
		if v.secret {
			one.Secret = new(true)
		}
		g.request.EnvironmentVariables = append(g.request.EnvironmentVariables, one)
	}
	started, err := g.client.TestSessions.Trigger(ctx, g.request)
	if err != nil {
		return nil, err
	}
	return testedChecks(started), nil
}

// waitForTests waits for the test sessions, one after the other. It shows each check as it ends.
func (g *gate) waitForTests(ctx context.Context, began time.Time) {
	var sessions []string // each once
	for _, id := range g.ids {
		if id = g.look(id).session.id; !slices.Contains(sessions, id) {
			sessions = append(sessions, id)
		}
	}
	unfinished := 0
	for _, id := range sessions {
		options := g.waitOptions(began)
		options.OnProgress = func(p monitoring.WaitProgress) { g.progressed(p.TestSession) }
		s, err := g.client.TestSessions.Wait(ctx, id, options)
		failed, left := errors.AsType[*monitoring.SessionError](err)
		switch {
		case err == nil:
			g.endTest(s)
			continue
		case !left:
			g.problem(err.Error())
			continue
		}
		g.progressed(failed.TestSession)
		for _, check := range g.checksOf(id) {
			k := g.look(check)
			if !k.running {
				continue
			}
			if g.unfinished(ctx, k, failed) {
				unfinished++
				g.read(check)
			} else {
				g.ended(check)
			}
		}
	}
	g.leave(ctx, unfinished)
	g.compareLeast()
	g.compareMost()
}

// checksOf returns the ids of the checks of a test session.
func (g *gate) checksOf(session string) (list []string) {
	for _, id := range g.ids {
		if key(g.look(id).session.id) == key(session) {
			list = append(list, id)
		}
	}
	return list
}

// progressed notes what is known of a test session that may still run: checks of which nobody knew,
// and those that have ended.
func (g *gate) progressed(s *monitoring.TestSession) {
	if s == nil {
		return
	}
	checks := testedChecks(s)
	gone := ""
	if len(s.Results) > 0 {
		gone = g.forgetPlaceholder(s)
	}
	for _, check := range checks {
		id, added := g.add(check)
		if added {
			g.show.found(gone, open{id, g.clean.nameOf(check)})
			gone = ""
		}
		k := g.look(id)
		if !k.running {
			continue
		}
		k.session = check
		if check.ended() {
			k.end(check, "")
			g.ended(id)
		}
	}
}

// forgetPlaceholder forgets a session that stood for its checks while nobody knew them, and returns
// its id, "" if there is none.
func (g *gate) forgetPlaceholder(of *monitoring.TestSession) string {
	i := slices.IndexFunc(g.ids, func(id string) bool {
		s := g.look(id).session
		return key(s.id) == key(of.TestSessionID) && s.kind == "" && len(s.results) == 0
	})
	if i < 0 {
		return ""
	}
	gone := g.ids[i]
	g.ids = slices.Delete(g.ids, i, i+1)
	return gone
}

// endTest notes the end of a test session. A check without a final result is not known, and neither
// is anything if the session failed and no check did.
func (g *gate) endTest(s *monitoring.TestSession) {
	g.progressed(s)
	good := true
	for _, id := range g.checksOf(s.TestSessionID) {
		k := g.look(id)
		if k.running {
			k.end(k.session, "")
			g.ended(id)
		}
		good = good && g.check(id).Said.OK()
	}
	if !s.Verdict().OK() && good {
		g.problem("the test session says " + g.clean.word(string(s.Status)) + ", and no check of it says why")
	}
	if g.sessions == nil {
		g.lack(g.request.Missing(s))
		g.compareIDs(testedChecks(s))
	}
}
