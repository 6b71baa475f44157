package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// runView is what a card shows of a location in which a check did not pass.
type runView struct {
	Name     string
	Verdict  monitoring.Verdict
	Said     string // such as "2.14 s, limit 2 s · 503 Service Unavailable"
	Open     bool
	Attempts []attemptView
}

// attemptView is an attempt of it. Reasons are those that the card does not have.
type attemptView struct {
	Title    string // "" if there is only one
	Verdict  monitoring.Verdict
	Reasons  []string
	Asked    string // what the check asks for, if the result does not say it
	Evidence *evidence
}

// detail chooses the failed results of which a page has all that is known, the first ones by name,
// and returns the names of the others.
func (p *page) detail() (unread []string) {
	type place struct {
		name string
		at   *location
	}
	var failed []place
	for _, c := range p.Checks {
		for i := range c.Locations {
			if l := &c.Locations[i]; l.id != "" && (l.Said == monitoring.VerdictFailed || l.Said == monitoring.VerdictUnknown) {
				failed = append(failed, place{c.Name + " in " + l.Name, l})
			}
		}
	}
	slices.SortStableFunc(failed, func(a, b place) int { return cmp.Compare(a.name, b.name) })
	p.detailed = make(map[*location]bool)
	for i, f := range failed {
		if i < mostDetailed {
			p.detailed[f.at] = true
		} else {
			unread = append(unread, f.name)
		}
	}
	return unread
}

// Runs are the locations in which a check of the card did not pass, as far as more is known of them
// than their reasons.
func (c pageCard) Runs(of *check) (list []runView) {
	p := c.Page
	for i := range of.Locations {
		l := &of.Locations[i]
		if !p.detailed[l] || l.evidence == nil && len(l.tries) == 0 && of.facts.asked == "" {
			continue
		}
		run := runView{Name: l.Name, Verdict: l.Verdict, Open: !p.opened}
		p.opened = true
		var said []string
		if l.Time != nil {
			said = append(said, l.Value())
		}
		if l.evidence != nil && l.evidence.Answered != "" {
			said = append(said, l.evidence.Answered)
		}
		if l.Attempts > 1 {
			said = append(said, plural(l.Attempts, "attempt"))
		}
		run.Said = strings.Join(said, " · ")
		first := max(len(l.tries)-mostTried, 0)
		for i, t := range l.tries[first:] {
			one := attemptView{Title: fmt.Sprintf("Attempt %d", first+i+1), Verdict: monitoring.VerdictFailed, Reasons: t.reasons, Evidence: t.evidence}
			if t.Time != nil {
				one.Title += ", " + millis(t.Time)
			}
			if t.reasons == nil {
				one.Reasons = []string{notRead}
			}
			run.Attempts = append(run.Attempts, one)
		}
		last := attemptView{Verdict: l.Verdict, Evidence: l.evidence}
		if len(l.tries) > 0 {
			last.Title = fmt.Sprintf("Attempt %d, the last one", l.Attempts)
			last.Reasons = l.Reasons
		}
		if last.Evidence == nil || last.Evidence.Asked == "" {
			last.Asked = of.facts.asked
		}
		if l.ended.IsZero() && len(l.tries) > 0 {
			last.Title = "Its retry"
		}
		run.Attempts = append(run.Attempts, last)
		list = append(list, run)
	}
	return list
}

// PassedIn names the locations in which a check passed that did not pass in others.
func (c *check) PassedIn() string {
	var names []string
	for _, l := range c.Locations {
		if l.Verdict == monitoring.VerdictPassed {
			names = append(names, l.Name)
		}
	}
	return named(names, mostPlaces)
}

const barWidth = 240

// Bar is the path of the bar of a phase.
func (e *evidence) Bar(one phase) string {
	last := e.Phases[len(e.Phases)-1]
	all := max(last.From+last.Took, 1)
	from, width := one.From/all*barWidth, max(one.Took/all*barWidth, 1)
	return fmt.Sprintf("M%s 1h%sv8h-%sz", number(min(from, barWidth-1)), number(width), number(width))
}

// worth is what is worth a look although the gate is green.
type worth struct {
	Retried, Slowest []worthRun
}

// worthRun is a location of a check, and the names of those like it.
type worthRun struct {
	location
	Check *check
	where []string
}

// Where names the locations.
func (w worthRun) Where() string { return named(w.where, mostPlaces) }

// FirstReason is why the last attempt before the one that passed has failed, if that was read.
func (w worthRun) FirstReason() string {
	for _, t := range slices.Backward(w.tries) {
		if len(t.reasons) > 0 {
			text, _, _ := strings.Cut(t.reasons[0], "\n")
			return text
		}
	}
	return ""
}

// Allowed says when the check is degraded.
func (w worthRun) Allowed() string {
	if limit := w.Check.facts.degraded; limit > 0 {
		return "degraded over " + limitText(limit)
	}
	return ""
}

// worthALook returns what is worth a look, each check once; nil if the page is not green, or there
// is nothing.
func (p *page) worthALook() *worth {
	if p.ExitCode != exitPassed || len(p.Checks) == 0 {
		return nil
	}
	w := new(worth)
	var times [2][]worthRun // of requests, and of whole runs of scripts
	for _, c := range p.Checks {
		var retried, slowest *worthRun
		for _, l := range c.Locations {
			switch {
			case l.Attempts < 2:
			case retried == nil:
				retried = &worthRun{l, c, []string{l.Name}}
			default:
				retried.where, retried.Attempts = append(retried.where, l.Name), max(retried.Attempts, l.Attempts)
			}
			if l.Time != nil && l.Verdict == monitoring.VerdictPassed && (slowest == nil || *l.Time > *slowest.Time) {
				slowest = &worthRun{l, c, []string{l.Name}}
			}
		}
		if retried != nil {
			w.Retried = append(w.Retried, *retried)
		}
		if slowest != nil {
			sort := 0
			if slices.Contains(scripted, c.Kind) {
				sort = 1
			}
			times[sort] = append(times[sort], *slowest)
		}
	}
	slices.SortStableFunc(w.Retried, func(a, b worthRun) int { return cmp.Compare(a.Check.Name, b.Check.Name) })
	w.Retried = w.Retried[:min(len(w.Retried), mostRetried)]
	for _, list := range times {
		slices.SortStableFunc(list, func(a, b worthRun) int { return cmp.Compare(*b.Time, *a.Time) })
		w.Slowest = append(w.Slowest, list[:min(len(list), mostSlow)]...)
	}
	if len(w.Retried)+len(w.Slowest) == 0 {
		return nil
	}
	return w
}
