package exchange

import (
	"net/http"
	"sync"
	"time"
)

// Clock is the clock of the service, as far as the Date of its responses tells. Moments of the
// service are compared with it, because the clock of this machine may be minutes away. The zero
// value goes with the clock of this machine.
type Clock struct {
	mu   sync.Mutex
	last heard
}

// heard is what a Date said, and what the clocks of this machine showed then.
type heard struct{ date, mono, wall time.Time }

// Now returns the present moment of the service. The clock of this machine may be set back, and the
// monotonic one stands still while the machine sleeps: the one that shows more time counts.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	now := time.Now()
	if last.date.IsZero() {
		return now
	}
	return last.date.Add(max(now.Sub(last.mono), now.Round(0).Sub(last.wall)))
}

// hear takes the Date of a response that has just come. The newest counts. A response with an Age
// comes from a cache, and its Date is a moment of the past. A Date has whole seconds: if it is that
// of this second, nothing says that the clocks differ.
func (c *Clock) hear(h http.Header) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" {
		return
	}
	now := time.Now()
	wall := now.Round(0) // without the monotonic clock
	if ahead := date.Sub(wall); -time.Second < ahead && ahead <= 0 {
		date = wall
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = heard{date: date, mono: now, wall: wall}
}
