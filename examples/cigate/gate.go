package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// runGate triggers the checks, waits for them and reads what went wrong.
func runGate(ctx context.Context, client *monitoring.Client, o options, safe *safe, stderr *cli.Screen) *report {
	r := &report{started: time.Now()}
	progress := cli.NewProgress(stderr)
	defer progress.Stop()
	progress.Update("triggering each check that %s", o.selection())
	reasons := newReasons(ctx, client, safe)
	defer reasons.close()
	sessions, joined := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: o.tags, CheckIDs: o.ids}},
		monitoring.WaitOptions{
			OnTriggered: func(sessions []*monitoring.CheckSession) { announce(progress, safe, sessions) },
			OnProgress: func(p monitoring.WaitProgress) {
				if p.Session != nil && judge(p.Session, o.failOnDegraded) == failed {
					reasons.read(p.Session)
				}
				show(progress, safe, p)
			},
			Timeout:           o.timeout, // unfinished sessions are returned with their present status
			CancelOnInterrupt: o.cancel,
		},
	)
	r.took = time.Since(r.started)
	err := joined
	if missing, ok := errors.AsType[*monitoring.MissingChecksError](err); ok {
		if !o.allowMissing {
			r.problems = append(r.problems, safe.line(missing.Error()))
		}
		err = nil
		for _, e := range monitoring.SessionErrors(joined) { // without the missing ones
			err = errors.Join(err, e)
		}
	}
	r.interrupted = ctx.Err() != nil
	for _, problem := range problems(ctx, err, sessions, o) {
		r.problems = append(r.problems, safe.line(problem))
	}

	unfinished := sessionErrors(err)
	for id, err := range unfinished {
		switch {
		case errors.Is(err, monitoring.ErrWaitTimeout):
			unfinished[id] = fmt.Errorf("not finished within %s", cli.Span(o.timeout))
		case ctx.Err() != nil:
			unfinished[id] = errors.New("interrupted before it had finished")
		default:
			unfinished[id] = errors.New(safe.line(err.Error()))
		}
	}
	var bad []*monitoring.CheckSession
	for _, session := range sessions {
		c := newCheck(safe.session(session), unfinished[session.CheckSessionID], o.failOnDegraded)
		if c.verdict == failed {
			bad = append(bad, session)
		}
		r.checks = append(r.checks, c)
	}
	if len(bad) > 0 {
		progress.Update("reading what went wrong in %s", cli.Count(len(bad), "check"))
		reasons.finish(bad)
	}
	for _, c := range r.checks {
		c.addMessages(reasons.of)
	}
	r.nameChecks()
	return r
}

// problems returns why outcomes are not known.
func problems(ctx context.Context, err error, sessions []*monitoring.CheckSession, o options) []string {
	unfinished := len(sessionErrors(err))
	switch {
	case err == nil:
		return nil
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		return []string{
			"nothing is known of the checks: the response to the trigger was lost. They may or may not have been started; " +
				"they were not triggered again.",
			err.Error(),
		}
	case errors.Is(err, monitoring.ErrNoMatchingChecks):
		return []string{"no active check " + o.selection()}
	case errors.Is(err, monitoring.ErrWaitTimeout) || ctx.Err() != nil:
		text := "interrupted"
		if ctx.Err() == nil {
			text = fmt.Sprintf("timeout after %s", cli.Span(o.timeout))
		}
		if sessions == nil {
			return []string{text + ", before the checks were triggered"}
		}
		text += fmt.Sprintf(": %d of %s had not finished", unfinished, cli.Count(len(sessions), "check"))
		if o.cancel && unfinished > 0 {
			text += "; they were told to stop, which those that run a PLAYWRIGHT suite do"
		}
		return []string{text}
	}
	return strings.Split(err.Error(), "\n")
}

// sessionErrors returns the errors of the sessions that could not be awaited, by session id.
func sessionErrors(err error) map[string]error {
	found := make(map[string]error)
	var list []error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	} else if err != nil {
		list = []error{err}
	}
	for _, err := range list {
		if e, ok := errors.AsType[*monitoring.SessionError](err); ok {
			found[e.ID] = e.Err
		}
	}
	return found
}

// announce shows what was triggered: how many checks, their names and links.
func announce(progress *cli.Progress, safe *safe, sessions []*monitoring.CheckSession) {
	progress.Note("triggered " + cli.Count(len(sessions), "check") + ":")
	for _, session := range sessions {
		c := check{session: safe.session(session)}
		link := c.session.CheckSessionLink
		if link == "" {
			link = "session " + c.session.CheckSessionID
		}
		progress.Note("  " + c.name() + "  " + link)
	}
}

// show shows the progress. It is called when the waiting begins, when a check finishes, and
// when the status of a running check changes.
func show(progress *cli.Progress, safe *safe, p monitoring.WaitProgress) {
	switch {
	case p.Session != nil:
		session := safe.session(p.Session)
		progress.Line(string(session.Status), fmt.Sprintf("%s (%s)", session.Name, cli.Seconds(p.Session.Duration())))
	case p.Err != nil:
		progress.Line("UNKNOWN", safe.line(p.Err.Error()))
	}
	text := fmt.Sprintf("%s %d of %s", bar(p.Finished, p.Total), p.Finished, cli.Count(p.Total, "check"))
	if n := p.ByStatus[monitoring.SessionFailed] + p.ByStatus[monitoring.SessionTimedOut]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if n := p.ByStatus[monitoring.SessionDegraded]; n > 0 {
		text += fmt.Sprintf(", %d degraded", n)
	}
	if n := p.ByStatus[monitoring.SessionProgressFailed]; n > 0 {
		text += fmt.Sprintf(", %d failing so far", n)
	}
	progress.Update("%s", text)
}

func bar(done, total int) string {
	const width = 24
	filled := 0
	if total > 0 {
		filled = done * width / total
	}
	return "[" + strings.Repeat("#", filled) + strings.Repeat(".", width-filled) + "]"
}
