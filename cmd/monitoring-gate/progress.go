package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	liveInterval  = time.Second      // between updates of the line on a terminal
	plainInterval = 30 * time.Second // between lines elsewhere
	mostNamed     = 3                // checks that the line names
)

// progress shows on stderr what the gate does. On a terminal its last line is updated in place;
// elsewhere the line is printed now and then. Names stand last in a line, so that no width matters.
// It is safe for concurrent use.
type progress struct {
	out     io.Writer
	live    bool
	colors  bool
	started time.Time
	done    chan struct{}
	ticking sync.WaitGroup

	mu      sync.Mutex
	status  string
	order   []string          // ids of the sessions
	open    map[string]string // the names of those that run, by id
	counts  map[monitoring.Verdict]int
	under   string // the id of the session whose line was printed last
	onLine  bool   // whether the status is on the terminal
	stopped bool
}

// isTerminal reports whether the last line of an output can be updated in place.
func isTerminal(out io.Writer, getenv func(string) string) bool {
	f, ok := out.(*os.File)
	if !ok || runtime.GOOS == "windows" || getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// newProgress starts to show progress. Call stop before anything else is printed there.
func newProgress(out io.Writer, live, colors bool) *progress {
	p := &progress{
		out: out, live: live, colors: colors, started: time.Now(), done: make(chan struct{}),
		open: make(map[string]string), counts: make(map[monitoring.Verdict]int),
	}
	p.ticking.Go(p.tick)
	return p
}

func (p *progress) tick() {
	interval := plainInterval
	if p.live {
		interval = liveInterval
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.mu.Lock()
			p.showStatus()
			p.mu.Unlock()
		case <-p.done:
			return
		}
	}
}

// update sets what the gate does, if it does not wait for checks.
func (p *progress) update(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = fmt.Sprintf(format, args...)
	if p.live {
		p.showStatus()
	}
}

// note prints a line that stays.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.print(text)
}

// add adds a session that runs.
func (p *progress) add(id, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = ""
	p.order, p.open[key(id)] = append(p.order, key(id)), name
}

// ended prints the line of a session that has ended.
func (p *progress) ended(g *gate, session *monitoring.CheckSession) {
	c := newCheck(session, "", func(string) []string { return nil }, g.options, g.clean)
	p.line(session.CheckSessionID, c)
	if !c.verdict.Good() && !toBeRead(session) {
		p.explained(g, session)
	}
}

// lost prints that the end of a session will not be seen.
func (p *progress) lost(id, reason string) {
	p.mu.Lock()
	name := p.open[key(id)]
	p.mu.Unlock()
	p.line(id, &check{name: name, verdict: monitoring.VerdictUnknown})
	p.note("  " + reason)
}

func (p *progress) line(id string, c *check) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, key(id))
	p.counts[c.verdict]++
	text := fmt.Sprintf("%s %6s  ", p.paint(c.verdict), span(c.took))
	if n := c.attempts(); n > 1 {
		text += count(n, "attempt") + "  "
	}
	p.print(text + c.name)
	p.under = key(id)
}

// explained prints the reasons of a session under its line.
func (p *progress) explained(g *gate, session *monitoring.CheckSession) {
	c := newCheck(session, "", g.reasons.of, g.options, g.clean)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	if p.under != key(session.CheckSessionID) {
		p.print(fmt.Sprintf("%-9s          %s", "why", c.name))
	}
	for _, line := range lines(c.findings(), mostLines) {
		p.print("  " + line)
	}
	p.under = ""
}

// stop removes the status from the terminal, and shows nothing any more.
func (p *progress) stop() {
	close(p.done)
	p.ticking.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.stopped = true
}

func (p *progress) print(text string) {
	p.erase()
	p.under = ""
	fmt.Fprintln(p.out, text)
	if p.live {
		p.showStatus()
	}
}

// waiting says for which checks the gate waits.
func (p *progress) waiting() string {
	if len(p.open) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %s", len(p.order)-len(p.open), count(len(p.order), "check"))
	for _, v := range []monitoring.Verdict{monitoring.VerdictFailed, monitoring.VerdictUnknown, monitoring.VerdictCancelled} {
		if n := p.counts[v]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, v)
		}
	}
	var names []string
	for _, id := range p.order {
		if name := p.open[id]; name != "" && len(names) < mostNamed {
			names = append(names, name)
		}
	}
	text += ", still running: " + strings.Join(names, ", ")
	if more := len(p.open) - len(names); more > 0 {
		text += " and " + thousands(more) + " more"
	}
	return text
}

func (p *progress) showStatus() {
	text := p.status
	if text == "" {
		text = p.waiting()
	}
	if text == "" || p.stopped {
		return
	}
	text = fmt.Sprintf("waiting %s: %s", time.Since(p.started).Truncate(time.Second), text)
	if !p.live {
		p.under = ""
		fmt.Fprintln(p.out, text)
		return
	}
	// Without wrapping, the terminal cuts what is too long, and the line can be updated in place.
	fmt.Fprintf(p.out, "\r\x1b[?7l%s\x1b[K\x1b[?7h", text)
	p.onLine = true
}

func (p *progress) erase() {
	if p.onLine {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.onLine = false
	}
}

// paint returns a verdict in nine columns: green for good, red for failed, yellow for the others.
func (p *progress) paint(v monitoring.Verdict) string {
	text := fmt.Sprintf("%-9s", v)
	if !p.colors {
		return text
	}
	color := "33"
	switch v {
	case monitoring.VerdictPassed:
		color = "32"
	case monitoring.VerdictFailed:
		color = "31"
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// lines returns findings as lines, the first ones alone if they are many.
func lines(findings []finding, most int) (list []string) {
	for _, f := range findings {
		reason := strings.Split(f.reason, "\n")
		if len(f.locations) > 0 {
			reason[0] = strings.Join(f.locations, ", ") + ": " + reason[0]
		}
		for i := range reason[1:] {
			reason[i+1] = "  " + reason[i+1]
		}
		list = append(list, reason...)
	}
	if len(list) > most {
		list = append(slices.Clip(list[:most-1]), fmt.Sprintf("… and %s", count(len(list)-most+1, "more line")))
	}
	return list
}
