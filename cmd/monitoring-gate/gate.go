package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	// triggerTime is how long the response to the trigger may take after an interrupt. At 0 the ids
	// of what was started are lost; CI systems kill a program about ten seconds after the interrupt.
	triggerTime = 5 * time.Second
	// mostLinks is how many checks are announced with their links. More are a wall of text.
	mostLinks = 10
)

// gate is a run of the gate.
type gate struct {
	options
	client  *monitoring.Client
	clean   *cleaner
	show    *progress
	reasons *reasons
}

// seen is what is known of a session. reason is why its end was not seen, "" if it was.
type seen struct {
	session *monitoring.CheckSession
	reason  string
	running bool
}

// notSeen is the reason until a wait says another one.
const notSeen = "its end was not seen"

// key is the id of a session in the map of what is seen: a service may write it in another case.
func key(id string) string { return strings.ToLower(id) }

// run starts the checks or takes up sessions, waits for them, and reads what went wrong.
func (g *gate) run(ctx context.Context) *report {
	r := &report{started: time.Now(), demo: g.demo}
	known := make(map[string]*seen)
	ids := g.begin(ctx, r, known)
	if g.least > len(ids) {
		r.problems = append(r.problems, fmt.Sprintf("%s started, and -min wants %d", count(len(ids), "check")+wasWere(len(ids)), g.least))
	}
	g.reasons = newReasons(ctx, g)
	defer g.reasons.close()
	if !g.detach {
		g.wait(ctx, r, ids, known)
	}
	r.ended = time.Now()
	r.interrupted = ctx.Err() != nil
	for _, id := range ids {
		k := known[key(id)]
		c := newCheck(k.session, k.reason, g.reasons.of, g.options, g.clean)
		c.running = k.running
		r.checks = append(r.checks, c)
	}
	r.nameChecks()
	return r
}

func wasWere(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

// begin returns the ids of the sessions to wait for, each once.
func (g *gate) begin(ctx context.Context, r *report, known map[string]*seen) (ids []string) {
	if g.sessions != nil {
		return g.takeUp(ctx, known)
	}
	g.show.update("starting each check that %s", g.clean.line(g.selection()))
	request := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: g.tags, CheckIDs: g.options.ids}}
	// An interrupt that ended the trigger would leave checks behind of which nobody knows.
	lasting, stop := lingering(ctx, triggerTime)
	defer stop()
	sessions, err := []monitoring.CheckSession(nil), ctx.Err()
	if err == nil {
		sessions, err = g.client.CheckSessions.Trigger(lasting, request)
	}
	switch {
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		r.problem("nothing is known of the checks: the response to the trigger was lost. They may or may not have been started; "+
			"they were not triggered again", err)
	case ctx.Err() != nil && err != nil:
		r.problem("interrupted, before the checks were started", nil)
	case errors.Is(err, monitoring.ErrNoMatchingChecks) || err == nil && len(sessions) == 0:
		r.problem("no active check "+g.clean.line(g.selection()), nil)
	case err != nil:
		r.problem("", errors.New(g.clean.lines(err.Error())))
	}
	if missing := request.Missing(sessions); err == nil && len(sessions) > 0 && len(missing) > 0 && !g.allowMissing {
		for _, id := range missing {
			r.missing = append(r.missing, g.clean.word(id))
		}
		r.problem(g.clean.line((&monitoring.MissingChecksError{CheckIDs: missing, Named: len(g.options.ids)}).Error()), nil)
	}
	for i := range sessions {
		if s := &sessions[i]; known[key(s.CheckSessionID)] == nil {
			known[key(s.CheckSessionID)] = &seen{s, notSeen, true}
			ids = append(ids, s.CheckSessionID)
		}
	}
	g.announce("triggered", ids, known)
	return ids
}

// takeUp returns the ids of -sessions. A few are read at once, for their names.
func (g *gate) takeUp(ctx context.Context, known map[string]*seen) (ids []string) {
	for _, id := range g.sessions {
		k := &seen{&monitoring.CheckSession{CheckSessionID: id}, notSeen, true}
		known[key(id)] = k
		if len(g.sessions) <= mostLinks {
			if session, err := g.client.CheckSessions.Get(ctx, id); err == nil {
				k.session = session
			} // what is wrong is said when the session is awaited
		}
	}
	g.announce("waiting for", g.sessions, known)
	return g.sessions
}

// announce says at once what runs: how many checks, and the links of a few.
func (g *gate) announce(what string, ids []string, known map[string]*seen) {
	if len(ids) == 0 || g.detach {
		return
	}
	g.show.note(what + " " + count(len(ids), "check"))
	for _, id := range ids {
		s := known[key(id)].session
		link := g.clean.link(s.CheckSessionLink)
		if link == "" {
			link = "session " + g.clean.word(id)
		}
		name := g.clean.name(s.Name)
		if len(ids) <= mostLinks {
			g.show.note("  " + strings.TrimRight(link+"  "+name, " "))
		}
		if name == "" {
			name = g.clean.word(id)
		}
		g.show.add(id, name)
	}
}

// wait waits for the sessions. It shows each as it ends, and its reasons as they are read.
func (g *gate) wait(ctx context.Context, r *report, ids []string, known map[string]*seen) {
	if len(ids) == 0 {
		return
	}
	options := monitoring.WaitOptions{Timeout: max(g.timeout-time.Since(r.started), time.Second), CancelOnInterrupt: g.cancel}
	unfinished := 0
	for session, err := range g.client.CheckSessions.WaitAll(ctx, ids, options) {
		if err == nil {
			*known[key(session.CheckSessionID)] = seen{session: session}
			g.show.ended(g, session)
			g.reasons.read(session)
			continue
		}
		failed, ok := errors.AsType[*monitoring.SessionError](err)
		if !ok || known[key(failed.ID)] == nil {
			r.problem("", errors.New(g.clean.lines(err.Error())))
			continue
		}
		k := known[key(failed.ID)]
		if failed.Session != nil {
			k.session = failed.Session
		}
		stopped := errors.Is(err, monitoring.ErrWaitTimeout) || ctx.Err() != nil
		switch {
		case ctx.Err() != nil:
			k.reason = "interrupted before it had finished"
		case stopped:
			k.reason = "not finished within " + span(g.timeout)
		default:
			k.reason = g.clean.line(strings.TrimPrefix(failed.Error(), "monitoring: "))
			g.show.lost(failed.ID, k.reason)
		}
		if k.running = stopped && !failed.Cancelled; stopped {
			unfinished++
		}
		g.reasons.read(k.session)
	}
	if unfinished > 0 {
		text := "timeout after " + span(g.timeout)
		if ctx.Err() != nil {
			text = "interrupted"
		}
		text += fmt.Sprintf(": %d of %s had not finished", unfinished, count(len(ids), "check"))
		if g.cancel {
			text += "; they were told to stop, which those that run a PLAYWRIGHT suite do"
		}
		r.problem(text, nil)
	}
	g.show.update("reading what went wrong")
	g.reasons.finish()
}

// problem adds a sentence on what is not known, and its reason.
func (r *report) problem(text string, reason error) {
	if text != "" {
		r.problems = append(r.problems, text)
	}
	if reason != nil {
		r.problems = append(r.problems, strings.Split(reason.Error(), "\n")...)
	}
}

// lingering returns a context that ends a time after another one.
func lingering(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	lasting, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(d):
			stop()
		case <-lasting.Done():
		}
	})
	return lasting, stop
}
