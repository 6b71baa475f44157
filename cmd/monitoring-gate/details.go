package main

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/workers"
)

const (
	// mostDetailed is how many failed results the page shows with all that is known of them, by name.
	// At 20 a person who looks for one does not find it; each takes up to 30 KB of the page.
	mostDetailed = 50
	// mostTried is how many attempts before the last one are shown of each of these.
	mostTried = 3
	// mostRetried and mostSlow are how many checks that passed are worth a look.
	mostRetried, mostSlow = 10, 5
)

// details are what was read of a result.
type details struct {
	reasons  []string
	evidence *evidence
}

// facts are what was read of a check: the response times in milliseconds over which it is degraded
// and fails, and what it asks for. They are zero if they are not known.
type facts struct {
	degraded, failed float64
	asked            string
}

// notes are what was read besides the sessions. They are safe for concurrent use.
type notes struct {
	mu      sync.Mutex
	results map[string]details // by their ids
	checks  map[string]facts   // by their keys
	shown   []shownResult      // results with evidence
}

// shownResult is a result with evidence, by its name.
type shownResult struct{ name, id string }

func newNotes() *notes {
	return &notes{results: make(map[string]details), checks: make(map[string]facts)}
}

// add adds what was read of a result with a name. Evidence of many results is kept of the first
// ones by name.
func (n *notes) add(name, id string, d details) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.results[id] = d
	if d.evidence == nil {
		return
	}
	if n.shown = append(n.shown, shownResult{name, id}); len(n.shown) < 4*mostDetailed {
		return
	}
	slices.SortFunc(n.shown, func(a, b shownResult) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	for _, s := range n.shown[mostDetailed:] {
		n.results[s.id] = details{reasons: n.results[s.id].reasons}
	}
	n.shown = n.shown[:mostDetailed]
}

func (n *notes) addCheck(id string, f facts) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.checks[key(id)] = f
}

func (n *notes) result(id string) details {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.results[id]
}

func (n *notes) check(id string) facts {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.checks[key(id)]
}

// newFacts reads the facts of a check. Each kind has them at its own place, and JSON at the same.
func newFacts(check *monitoring.Check, c *cleaner) (f facts) {
	data, err := json.Marshal(check)
	if err != nil {
		return f
	}
	json.Unmarshal(rawjson.Get(data, "degradedResponseTime"), &f.degraded) // null and others are not known
	json.Unmarshal(rawjson.Get(data, "maxResponseTime"), &f.failed)
	request := rawjson.Get(data, "request")
	text := func(name string) string { return rawText(rawjson.Get(request, name)) }
	asked := joined(" ", string(check.CheckType), text("method"), text("recordType"), cmp.Or(text("url"), text("hostname"), text("query")))
	if text("port") != "" {
		asked += ":" + text("port")
	}
	if f.asked = c.address(asked); !strings.Contains(asked, " ") {
		f.asked = "" // the kind alone
	}
	return f
}

// wanted is what is to be read besides: results, by their checks in the report, and checks.
type wanted struct {
	results []wantedResult
	checks  []string
}

type wantedResult struct {
	check int // in the report
	id    string
}

// readMore reads what belongs to the first checks by name: their limits, and for a page the
// attempts before the last ones. It changes these checks of the report.
func (g *gate) readMore() {
	w, changed := g.want()
	if len(w.results)+len(w.checks) == 0 || g.lasting.Err() != nil {
		return
	}
	g.show.update("reading the details")
	workers.Each(g.lasting, len(w.results)+len(w.checks), readsAtOnce, func(ctx context.Context, i int) {
		if i < len(w.checks) {
			if check, err := g.client.Checks.Get(ctx, w.checks[i], monitoring.WithBackground()); err == nil {
				g.notes.addCheck(w.checks[i], newFacts(check, g.clean))
			}
			return
		}
		one := w.results[i-len(w.checks)]
		if d, err := g.one(ctx, g.look(g.ids[one.check]).session, one.id); err == nil {
			g.notes.add("", one.id, *d)
		}
	})
	for _, i := range changed {
		g.report.Checks[i] = g.check(g.ids[i])
	}
}

// want returns what is to be read, and the checks that it changes.
func (g *gate) want() (w wanted, changed []int) {
	type place struct {
		name  string
		check int
		at    *location
	}
	var failed, slow, retried, times []place
	for i, c := range g.report.Checks {
		for k := range c.Locations {
			l := &c.Locations[k]
			p := place{c.Name + "\x00" + l.Name, i, l}
			switch {
			case l.Said == monitoring.VerdictFailed, l.Said == monitoring.VerdictUnknown && l.id != "":
				failed = append(failed, p)
			case l.Said == monitoring.VerdictDegraded:
				slow = append(slow, p)
			case l.Attempts > 1 && l.Said.OK():
				retried = append(retried, p)
			}
			if l.Time != nil && l.Said == monitoring.VerdictPassed {
				times = append(times, p)
			}
		}
	}
	first := func(list []place, most int) []place {
		slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.name, b.name) })
		return list[:min(len(list), most)]
	}
	failed, slow, retried = first(failed, mostDetailed), first(slow, mostDetailed), first(retried, mostRetried)
	slices.SortStableFunc(times, func(a, b place) int { return cmp.Compare(*b.at.Time, *a.at.Time) })
	taken, marked := map[string]bool{"": true}, make(map[int]bool)
	for _, p := range slices.Concat(failed, slow, times[:min(len(times), 2*mostSlow)]) {
		marked[p.check] = true
		if id := g.look(g.ids[p.check]).session.checkID; !taken[key(id)] {
			taken[key(id)] = true
			w.checks = append(w.checks, id)
		}
	}
	if g.paged {
		for _, p := range slices.Concat(failed, retried) {
			marked[p.check] = true
			for _, t := range p.at.tries[max(len(p.at.tries)-mostTried, 0):] {
				if t.id != "" && !taken[t.id] {
					taken[t.id] = true
					w.results = append(w.results, wantedResult{p.check, t.id})
				}
			}
		}
	}
	for i := range g.report.Checks {
		if marked[i] {
			changed = append(changed, i)
		}
	}
	return w, changed
}
