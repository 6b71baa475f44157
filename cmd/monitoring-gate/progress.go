package main

import (
	"container/list"
	"fmt"
	"io"
	"os"
	"runtime"
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
	out          io.Writer
	live, colors bool
	started      time.Time
	timer        *time.Timer

	mu      sync.Mutex
	status  string                   // what the gate does, if it does not wait for checks
	open    *list.List               // of the names of what runs, in the order in which they were added
	places  map[string]*list.Element // in open, by key
	all     int
	tallies map[monitoring.Verdict]int
	under   string // the id of the session whose line was printed last
	onLine  bool   // whether the status is on the terminal
	stopped bool
}

// open is a session that runs.
type open struct{ id, name string }

// isTerminal reports whether the last line of an output can be updated in place.
func isTerminal(out io.Writer, getenv func(string) string) bool {
	f, _ := out.(*os.File) // nil, of which Stat is an error, if it is none
	if runtime.GOOS == "windows" || getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// newProgress starts to show progress. Call stop before anything else is printed there.
func newProgress(out io.Writer, live, colors bool) *progress {
	p := &progress{
		out: out, live: live, colors: colors, started: time.Now(), tallies: make(map[monitoring.Verdict]int),
		open: list.New(), places: make(map[string]*list.Element),
	}
	interval := plainInterval
	if live {
		interval = liveInterval
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(interval, func() { p.tick(interval) })
	return p
}

// tick shows the status, and again after an interval. The timer may call it once more when it is
// stopped.
func (p *progress) tick(interval time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.stopped {
		p.showStatus()
		p.timer.Reset(interval)
	}
}

// update sets what the gate does.
func (p *progress) update(status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status = status; p.live {
		p.showStatus()
	}
}

// wait shows the sessions that run, below a text.
func (p *progress) wait(text string, sessions []open) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.all = "", len(sessions)
	for _, s := range sessions {
		p.places[key(s.id)] = p.open.PushBack(s.name)
	}
	p.print(text)
}

// found adds a session that runs, in the place of another one if that is gone.
func (p *progress) found(gone string, more open) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if place := p.places[key(gone)]; place != nil {
		p.open.Remove(place)
		delete(p.places, key(gone))
		p.all--
	}
	p.all++
	p.places[key(more.id)] = p.open.PushBack(more.name)
}

// ended prints the line of a session that has ended.
func (p *progress) ended(id string, c *check) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if place := p.places[key(id)]; place != nil {
		p.open.Remove(place)
		delete(p.places, key(id))
	}
	p.tallies[c.Verdict]++
	verdict := fmt.Sprintf("%-9s", c.Verdict)
	if p.colors {
		verdict = "\x1b[" + looks[c.Verdict].terminal + "m" + verdict + "\x1b[0m"
	}
	p.print(fmt.Sprintf("%s %6s  %s%s", verdict, span(c.Took), tried(c.Attempts()), c.Name))
	p.under = key(id)
}

// explained prints why a session did not pass: under its line, or with its name.
func (p *progress) explained(id string, c *check) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.under != key(id) {
		p.print(fmt.Sprintf("%-9s          %s", "why", c.Name))
	}
	for _, line := range reasonLines(findings(c), mostLines) {
		p.print("  " + line)
	}
}

// stop removes the status from the terminal, and shows nothing any more.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer.Stop()
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
	if p.open.Len() == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %s", p.all-p.open.Len(), plural(p.all, "check"))
	for _, v := range verdicts[:3] {
		if n := p.tallies[v]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, v)
		}
	}
	var names []string
	for place := p.open.Front(); place != nil && len(names) < mostNamed; place = place.Next() {
		names = append(names, place.Value.(string))
	}
	text += ", still running: " + strings.Join(names, ", ")
	if more := p.open.Len() - len(names); more > 0 {
		text += " and " + thousands(more) + " more"
	}
	return text
}

func (p *progress) showStatus() {
	text := p.status
	if text == "" {
		text = p.waiting()
	}
	if text == "" {
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
