package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// triggerTime is how long the response to the trigger may take after an interrupt. At 0 the ids
	// of what was started are lost; CI systems kill a program about ten seconds after the interrupt.
	triggerTime = 5 * time.Second
	// mostLinks is how many checks are announced with their links. More are a wall of text.
	mostLinks = 10
	// reasonsTime is how long the gate reads reasons after the waiting has ended: 600 of them at the
	// service's limit, which is more than a person reads.
	reasonsTime = time.Minute
	// listTime is how long the gate still lists checks then. At 0 a deactivated check is rarely named
	// if all the others end at once; what it delays is a deploy.
	listTime = 5 * time.Second
	// interruptTime is how long it reads them after an interrupt. At 0 those that are being read are
	// lost; CI systems kill a program about ten seconds after the interrupt.
	interruptTime = 2 * time.Second
	// readsAtOnce is how many sessions are read at the same time, each with up to eight requests.
	// At 1 a slow response holds the others up; 8 with three locations use the service's limit if
	// a response takes 2.4 s.
	readsAtOnce = 8
)

// gate is a run of the gate.
type gate struct {
	options
	client *monitoring.Client
	clean  *cleaner
	show   *progress
	report *report
	ids    []string         // of the sessions, each once
	known  map[string]*seen // by key

	lasting context.Context // in which what went wrong is read
	// stopListing ends the list of checks; nil if there is none.
	stopListing context.CancelFunc
	places      chan struct{} // held by sessions of which that is being read
	reads       sync.WaitGroup
	notes       *notes
	mu          sync.Mutex // guards NotRun of the report while the checks are listed
}

// seen is what is known of a session. reason is why its end was not seen, "" if it was.
type seen struct {
	session *monitoring.CheckSession
	reason  string
	running bool
}

// key is the id of a session in the map of what is seen: a service may write it in another case.
func key(id string) string { return strings.ToLower(id) }

// run starts the checks or takes up sessions, waits for them, and reads what went wrong.
func (g *gate) run(ctx context.Context) *report {
	began := time.Now()
	g.known, g.notes, g.places = make(map[string]*seen), newNotes(), make(chan struct{}, readsAtOnce)
	var stop context.CancelFunc
	g.lasting, stop = lingering(ctx, interruptTime)
	defer stop()
	refused := false
	switch {
	case g.sessions != nil:
		g.takeUp(ctx)
	case g.most > 0 && !g.areFew(ctx):
		refused = true
	default:
		g.start(ctx)
	}
	if g.tags != nil && !refused && (!g.detach || g.strict) && ctx.Err() == nil {
		listing, stopListing := context.WithCancel(g.lasting)
		g.stopListing = stopListing
		g.reads.Go(func() { g.lookForDeactivated(listing) })
	}
	if g.least > len(g.ids) && !refused {
		g.problem(fmt.Sprintf("started %s, and -min wants %d", plural(len(g.ids), "check"), g.least))
	}
	if !g.detach && len(g.ids) > 0 {
		g.wait(ctx, began)
	}
	g.report.Ended = g.report.Started.Add(time.Since(began).Truncate(time.Millisecond))
	timer := time.AfterFunc(reasonsTime, stop)
	defer timer.Stop()
	g.finishReading()
	if len(g.report.NotRun) > 0 && g.strict {
		g.problem("-strict wants every check with the tags to run; " + g.report.NotRunText())
	}
	slices.Sort(g.report.NotRun)
	for _, id := range g.ids {
		g.report.Checks = append(g.report.Checks, g.check(id))
	}
	g.readMore()
	g.report.compare(g.before)
	g.report.finish(ctx.Err() != nil)
	return g.report
}

// problem adds a text on what is not known. Each of its lines is a sentence.
func (g *gate) problem(text string) {
	g.report.Problems = append(g.report.Problems, strings.Split(g.clean.text(text), "\n")...)
}

// check is what is known of a session.
func (g *gate) check(id string) *check {
	k := g.known[key(id)]
	c := newCheck(k.session, k.reason, g.notes, g.options, g.clean)
	c.Running = k.running
	return c
}

func (g *gate) add(id string, session *monitoring.CheckSession) {
	if g.known[key(id)] == nil {
		g.known[key(id)] = &seen{session, "its end was not seen", true}
		g.ids = append(g.ids, id)
	}
}

// start starts the checks.
func (g *gate) start(ctx context.Context) {
	g.show.update("starting each check that " + g.clean.line(g.selection()))
	request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: g.tags, CheckIDs: g.options.ids}}
	// An interrupt that ended the trigger would leave checks behind of which nobody knows.
	lasting, stop := lingering(ctx, triggerTime)
	defer stop()
	sessions, err := []monitoring.CheckSession(nil), ctx.Err()
	if err == nil {
		sessions, err = g.client.CheckSessions.Trigger(lasting, request)
	}
	missing := request.Missing(sessions)
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
	case len(missing) > 0 && !g.allowMissing:
		g.problem((&monitoring.MissingChecksError{CheckIDs: missing, Named: len(g.options.ids)}).Error())
		for _, id := range missing {
			g.report.Missing = append(g.report.Missing, g.clean.word(id))
		}
	}
	for i := range sessions {
		g.add(sessions[i].CheckSessionID, &sessions[i])
	}
	g.compareIDs(sessions)
	if g.most > 0 && len(g.ids) > g.most {
		g.problem(fmt.Sprintf("started %s, and -max allows %d", plural(len(g.ids), "check"), g.most))
	}
	g.announce("triggered ")
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
		tags := slices.Concat(c.Tags, ofGroup[monitoring.ValueOr(c.GroupID, 0)])
		if monitoring.ValueOr(c.Activated, true) && slices.ContainsFunc(g.tags, func(group []string) bool { return matches(tags, group) }) {
			n++
		}
	}
	return n, nil
}

// compareIDs says if the answer to a trigger of ids is about other checks, or about fewer, also where
// it does not say which. Sessions that are there twice count once.
func (g *gate) compareIDs(sessions []monitoring.CheckSession) {
	asked := make(map[string]bool)
	for _, id := range g.options.ids {
		asked[key(id)] = true
	}
	if len(asked) == 0 || len(sessions) == 0 {
		return
	}
	nameless := false
	for _, s := range sessions {
		if nameless = nameless || s.CheckID == ""; s.CheckID != "" && !asked[key(s.CheckID)] {
			g.problem("the service started a check that was not asked for: " + g.clean.nameOf(&s))
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
		session := &monitoring.CheckSession{CheckSessionID: id}
		if len(g.sessions) <= mostLinks {
			if read, err := g.client.CheckSessions.Get(ctx, id); err == nil {
				session = read
			} // what is wrong is said when the session is awaited
		}
		g.add(id, session)
	}
	g.announce("waiting for ")
}

// announce says at once what runs: how many checks, and the links of a few.
func (g *gate) announce(what string) {
	if len(g.ids) == 0 || g.detach {
		return
	}
	text, running := what+plural(len(g.ids), "check"), make([]open, len(g.ids))
	for i, id := range g.ids {
		s := g.known[key(id)].session
		name := g.clean.nameOf(s)
		running[i] = open{id, name}
		if len(g.ids) <= mostLinks {
			text += "\n  " + name + "  " + cmp.Or(g.clean.link(s.CheckSessionLink), "session "+g.clean.word(id))
		}
	}
	g.show.wait(text, running)
}

// wait waits for the sessions. It shows each as it ends, and its reasons as they are read.
func (g *gate) wait(ctx context.Context, began time.Time) {
	options := monitoring.WaitOptions{Timeout: max(g.timeout-time.Since(began), time.Second), CancelUnfinished: g.cancel}
	text, unfinished := "timeout after "+span(g.timeout), 0
	for session, err := range g.client.CheckSessions.WaitAll(ctx, g.ids, options) {
		if err == nil {
			k := g.known[key(session.CheckSessionID)]
			if was := k.session.CheckID; was != "" && session.CheckID != "" && key(was) != key(session.CheckID) {
				*k = seen{k.session, "the service answered about another check", false}
			} else {
				*k = seen{session: session}
			}
			g.ended(session.CheckSessionID)
			continue
		}
		failed, ok := errors.AsType[*monitoring.SessionError](err)
		if !ok || g.known[key(failed.ID)] == nil {
			g.problem(err.Error())
			continue
		}
		k := g.known[key(failed.ID)]
		k.session = cmp.Or(failed.Session, k.session)
		switch {
		case ctx.Err() != nil:
			text, k.reason = "interrupted", "interrupted before it had finished"
		case errors.Is(err, monitoring.ErrWaitTimeout):
			k.reason = "not finished within " + span(g.timeout)
		default:
			k.reason, k.running = g.clean.line(strings.TrimPrefix(failed.Error(), "monitoring: ")), false
			g.ended(failed.ID)
			continue
		}
		unfinished++
		k.running = !failed.Cancelled
		g.read(failed.ID)
	}
	if unfinished > 0 {
		text += fmt.Sprintf(": %d of %s had not finished", unfinished, plural(len(g.ids), "check"))
		if g.cancel {
			text += "; they were told to stop, which those that run a PLAYWRIGHT suite do"
		}
		g.problem(text)
	}
}

// finishReading waits for what is still being read, but not for ever.
func (g *gate) finishReading() {
	g.show.update("reading what went wrong")
	if g.stopListing != nil {
		defer time.AfterFunc(listTime, g.stopListing).Stop()
	}
	g.reads.Wait()
}

// ended shows how a session ended, and why as soon as that is known.
func (g *gate) ended(id string) {
	c := g.check(id)
	g.show.ended(id, c)
	if !g.read(id) && !c.Verdict.OK() {
		g.show.explained(id, c)
	}
}

// read starts to read why a session did not pass, and shows it then. It does so while others still
// run: an interrupt does not lose it. It reports whether there is something to read.
func (g *gate) read(id string) bool {
	session := g.known[key(id)].session
	failing, verdict := session.FailedRuns(), session.Verdict()
	if verdict.OK() || verdict == monitoring.VerdictCancelled || len(failing) == 0 {
		return false
	}
	g.reads.Go(func() {
		select {
		case g.places <- struct{}{}:
			defer func() { <-g.places }()
		case <-g.lasting.Done():
		}
		results, err := g.client.CheckSessions.FetchFailingResults(g.lasting, session)
		g.keep(g.clean.nameOf(session), failing, results, err)
		g.show.explained(id, g.check(id))
	})
	return true
}

// keep keeps what was read of the results of a check. The errors are those of the results that are nil, in their order.
func (g *gate) keep(name string, failing []monitoring.CheckSessionResult, results []*monitoring.CheckResult, err error) {
	errs := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		errs = joined.Unwrap()
	}
	for i, result := range results {
		d := details{reasons: []string{}}
		switch {
		case result != nil:
			d.reasons = g.clean.reasons(result.Messages())
			if g.paged {
				d.evidence = newEvidence(result, g.clean)
			}
		case g.lasting.Err() != nil:
			d.reasons = append(d.reasons, notRead+" before the gate ended")
		default:
			d.reasons = append(d.reasons, unreadable+g.clean.line(errs[0].Error()))
			errs = errs[1:]
		}
		g.notes.add(name+"\x00"+failing[i].RunLocation, failing[i].CheckResultID, d)
	}
}

// lingering returns a context that ends a time after another one.
func lingering(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	lasting, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(d, stop) })
	return lasting, stop
}
