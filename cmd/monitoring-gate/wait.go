package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// wait waits for the check sessions. It shows each as it ends, and its reasons as they are read.
func (g *gate) wait(ctx context.Context, began time.Time) {
	open := 0
	for s, err := range g.client.CheckSessions.WaitAll(ctx, g.ids, g.waitOptions(began)) {
		if err == nil {
			now := newSession(s)
			k := g.look(now.id)
			if was := k.session.checkID; was != "" && now.checkID != "" && key(was) != key(now.checkID) {
				k.end(k.session, "the service answered about another check")
			} else {
				k.end(now, "")
			}
			g.ended(now.id)
			continue
		}
		failed, ok := errors.AsType[*monitoring.SessionError](err)
		if !ok || g.look(failed.ID) == nil {
			g.problem(err.Error())
			continue
		}
		k := g.look(failed.ID)
		if failed.Session != nil {
			k.session = newSession(failed.Session)
		}
		if g.unfinished(ctx, k, failed) {
			open++
			g.read(failed.ID)
		} else {
			g.ended(failed.ID)
		}
	}
	g.leave(ctx, open)
}

func (g *gate) waitOptions(began time.Time) monitoring.WaitOptions {
	return monitoring.WaitOptions{Timeout: max(g.timeout-time.Since(began), time.Second), CancelUnfinished: g.cancel}
}

// unfinished says why the end of a session was not seen, and reports whether the session goes on.
func (g *gate) unfinished(ctx context.Context, k *seen, failed *monitoring.SessionError) bool {
	switch {
	case ctx.Err() != nil:
		k.reason = "interrupted before it had finished"
	case errors.Is(failed.Err, monitoring.ErrWaitTimeout):
		k.reason = "not finished within " + span(g.timeout)
	default:
		k.end(k.session, g.clean.line(strings.TrimPrefix(failed.Error(), "monitoring: ")))
		return false
	}
	k.running = !failed.Cancelled
	return true
}

// leave says how many checks had not finished when the waiting ended.
func (g *gate) leave(ctx context.Context, unfinished int) {
	if unfinished == 0 {
		return
	}
	text := "timeout after " + span(g.timeout)
	if ctx.Err() != nil {
		text = "interrupted"
	}
	text += fmt.Sprintf(": %d of %s had not finished", unfinished, plural(len(g.ids), "check"))
	if g.cancel {
		text += "; they were told to stop, which those that run a PLAYWRIGHT suite do"
	}
	g.problem(text)
}

// finishReading waits for what is still being read, but not forever.
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

// read starts to read why a check did not pass, and shows it then. It does so while others still
// run: an interrupt does not lose it. It reports whether there is something to read.
func (g *gate) read(id string) bool {
	s := g.look(id).session
	if s.verdict.OK() || s.verdict == monitoring.VerdictCancelled || len(s.failed()) == 0 {
		return false
	}
	g.reads.Go(func() {
		select {
		case g.places <- struct{}{}:
			defer func() { <-g.places }()
		case <-g.lasting.Done():
		}
		g.fetch(s)
		g.show.explained(id, g.check(id))
	})
	return true
}

// fetch reads what happened in the runs of a check that failed, and keeps it.
func (g *gate) fetch(s *session) {
	var results []*details
	var err error
	if s.test != nil {
		var list []*monitoring.TestResult
		list, err = g.client.TestSessions.FetchFailingResults(g.lasting, s.test)
		for _, r := range list {
			results = append(results, g.detailsOfTest(r))
		}
	} else {
		var list []*monitoring.CheckResult
		list, err = g.client.CheckSessions.FetchFailingResults(g.lasting, s.check)
		for _, r := range list {
			results = append(results, g.detailsOf(r))
		}
	}
	errs := []error{err} // of the results that are nil, in their order
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		errs = joined.Unwrap()
	}
	for i, failed := range s.failed() {
		d := &details{reasons: []string{}}
		switch {
		case results[i] != nil:
			d = results[i]
		case g.lasting.Err() != nil:
			d.reasons = append(d.reasons, notRead+" before the gate ended")
		default:
			d.reasons = append(d.reasons, unreadable+g.clean.line(errs[0].Error()))
			errs = errs[1:]
		}
		g.notes.add(g.clean.nameOf(s)+"\x00"+failed.location, failed.id, *d)
	}
}

// detailsOf are the details of a result; nil of nil.
func (g *gate) detailsOf(r *monitoring.CheckResult) *details {
	if r == nil {
		return nil
	}
	d := &details{reasons: g.clean.reasons(r.Messages())}
	if g.paged {
		d.evidence = newEvidence(r, g.clean)
	}
	return d
}

// detailsOfTest are the details of a result of a test session; nil of nil.
func (g *gate) detailsOfTest(r *monitoring.TestResult) *details {
	if r == nil {
		return nil
	}
	d := g.detailsOf(&monitoring.CheckResult{
		APICheckResult: r.APICheckResult, BrowserCheckResult: r.BrowserCheckResult, MultiStepCheckResult: r.MultiStepCheckResult,
		PlaywrightCheckResult: r.PlaywrightCheckResult, AgenticCheckResult: r.AgenticCheckResult,
	})
	d.reasons = g.clean.reasons(r.Messages())
	return d
}

// one reads a result of a session.
func (g *gate) one(ctx context.Context, s *session, id string) (*details, error) {
	if s.test != nil {
		r, err := g.client.TestSessions.Result(ctx, s.id, id, monitoring.WithBackground())
		return g.detailsOfTest(r), err
	}
	r, err := g.client.CheckResults.Get(ctx, s.checkID, id, monitoring.WithBackground())
	return g.detailsOf(r), err
}
