package main

import (
	"cmp"
	"context"
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
	ids    []string         // of what is in known, each once: of check sessions these are theirs
	known  map[string]*seen // by key; guarded by mu

	lasting context.Context // in which what went wrong is read
	// stopListing ends the list of checks; nil if there is none.
	stopListing context.CancelFunc
	places      chan struct{} // held by sessions of which that is being read
	reads       sync.WaitGroup
	notes       *notes
	mu          sync.Mutex // also guards NotRun of the report while the checks are listed

	origin  origin
	request monitoring.TestSessionTrigger // of -test
}

// seen is what is known of a session. reason is why its end was not seen, "" if it was.
type seen struct {
	session *session
	reason  string
	running bool
}

// end notes that the session has ended, or that nobody waits for it any more for a reason.
func (k *seen) end(s *session, reason string) { *k = seen{s, reason, false} }

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
	if g.tags != nil && !refused && !g.deactivated && (!g.detach || g.strict) && ctx.Err() == nil {
		listing, stopListing := context.WithCancel(g.lasting)
		g.stopListing = stopListing
		g.reads.Go(func() { g.lookForDeactivated(listing) })
	}
	if !refused && !g.test {
		g.compareLeast()
	}
	switch {
	case g.detach || len(g.ids) == 0:
	case g.test:
		g.waitForTests(ctx, began)
	default:
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
	k := g.look(id)
	c := newCheck(k.session, k.reason, g.notes, g.options, g.clean)
	c.Running = k.running
	if k.session.test != nil {
		c.test = cmp.Or(g.clean.name(k.session.test.Name), "test session")
	}
	return c
}

// look returns what is known by an id, nil if there is nothing.
func (g *gate) look(id string) *seen {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.known[key(id)]
}

// add adds a session that runs, unless it is known.
func (g *gate) add(s *session) (id string, added bool) {
	id = s.ownID()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known[key(id)] != nil {
		return id, false
	}
	g.known[key(id)] = &seen{s, "its end was not seen", true}
	g.ids = append(g.ids, id)
	return id, true
}

// lingering returns a context that ends a time after another one.
func lingering(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	lasting, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(d, stop) })
	return lasting, stop
}
