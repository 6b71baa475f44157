package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// IsTerminal reports whether w is a terminal that can rewrite a line.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const (
	lineWidth     = 78                     // a longer line would wrap, and could not be rewritten
	liveInterval  = 250 * time.Millisecond // of rewriting the line
	plainInterval = 30 * time.Second       // of saying that the program is still alive
)

// Progress shows how far something has come: on a terminal one line that rewrites
// itself, with the time it has taken; elsewhere the status as a plain line now and
// then. Lines printed through it stand above. It is safe for use by many goroutines.
type Progress struct {
	out     io.Writer
	live    bool
	started time.Time
	stop    chan struct{}
	ticking sync.WaitGroup

	mu     sync.Mutex
	status string
	shown  int // width of the line that is on the terminal
}

// NewProgress starts a progress on out. Call Stop.
func NewProgress(out io.Writer) *Progress { return newProgress(out, IsTerminal(out)) }

func newProgress(out io.Writer, live bool) *Progress {
	p := &Progress{out: out, live: live, started: time.Now(), stop: make(chan struct{})}
	p.ticking.Go(p.tick)
	return p
}

// tick shows the status again and again, so that the time goes on.
func (p *Progress) tick() {
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
			p.show()
			p.mu.Unlock()
		case <-p.stop:
			return
		}
	}
}

// Update sets the status. A terminal shows it at once.
func (p *Progress) Update(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = Clean(fmt.Sprintf(format, args...))
	if p.live {
		p.show()
	}
}

// Println prints a line for good.
func (p *Progress) Println(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.out, Clean(line))
	if p.live {
		p.show()
	}
}

// Stop takes the status off the terminal.
func (p *Progress) Stop() {
	close(p.stop)
	p.ticking.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *Progress) show() {
	if p.status == "" {
		return
	}
	line := []rune(p.status + ", " + time.Since(p.started).Truncate(time.Second).String())
	if !p.live {
		fmt.Fprintln(p.out, string(line))
		return
	}
	line = line[:min(len(line), lineWidth)]
	padding := strings.Repeat(" ", max(p.shown-len(line), 0)) // over the rest of the line before
	fmt.Fprint(p.out, "\r", string(line), padding)
	p.shown = len(line)
}

func (p *Progress) erase() {
	if p.shown > 0 {
		fmt.Fprint(p.out, "\r", strings.Repeat(" ", p.shown), "\r")
		p.shown = 0
	}
}
