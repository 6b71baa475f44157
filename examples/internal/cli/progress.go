package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	liveInterval  = 250 * time.Millisecond // between updates of the line on a terminal
	plainInterval = 30 * time.Second       // between lines elsewhere
	echo          = 2                      // columns that the terminal itself takes when it shows ^C
)

// Progress shows the progress of a task. On a terminal it is one line with the time so far,
// which is updated in place; elsewhere it prints the status as a plain line now and then.
// Lines printed with Line appear above it. It is safe for concurrent use.
type Progress struct {
	out     *Screen
	started time.Time
	stop    chan struct{}
	once    sync.Once
	ticking sync.WaitGroup

	mu     sync.Mutex
	status string
	shown  int // width of the line that is on the terminal
}

// NewProgress starts to show progress on out. Call Stop before anything else is printed on
// the same terminal.
func NewProgress(out *Screen) *Progress {
	p := &Progress{out: out, started: time.Now(), stop: make(chan struct{})}
	p.ticking.Go(p.tick)
	return p
}

// tick shows the status again and again, so that the time is updated.
func (p *Progress) tick() {
	interval := plainInterval
	if p.out.Live {
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
	if p.out.Live {
		p.show()
	}
}

// Line prints a status and a text as one line that stays.
func (p *Progress) Line(status, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	const column = 9 // the longest status
	status = Clean(status)
	text = strings.Repeat(" ", max(column-Width(status), 0)) + " " + Clean(text)
	if p.out.Live {
		text = Truncate(text, max(p.out.Width-Width(status), 1))
	}
	fmt.Fprintln(p.out, p.out.Paint(status)+text)
	if p.out.Live {
		p.show()
	}
}

// Note prints a text as one line that stays. Unlike a line of Line it is never cut, so that
// links in it work.
func (p *Progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.out, Clean(text))
	if p.out.Live {
		p.show()
	}
}

// Stop removes the status from the terminal. A second call does nothing.
func (p *Progress) Stop() {
	p.once.Do(func() {
		close(p.stop)
		p.ticking.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.erase()
	})
}

func (p *Progress) show() {
	if p.status == "" {
		return
	}
	line := p.status + ", " + time.Since(p.started).Truncate(time.Second).String()
	if !p.out.Live {
		fmt.Fprintln(p.out, line)
		return
	}
	line = Truncate(line, p.out.Width-1-echo) // a line that wraps cannot be updated in place
	width := Width(line)
	padding := strings.Repeat(" ", max(p.shown-width, 0)) // over the rest of the line before
	fmt.Fprint(p.out, "\r", line, padding)
	p.shown = width
}

func (p *Progress) erase() {
	if p.shown > 0 {
		fmt.Fprint(p.out, "\r", strings.Repeat(" ", p.shown+echo), "\r")
		p.shown = 0
	}
}
