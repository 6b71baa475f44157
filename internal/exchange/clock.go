package exchange

import (
	"net/http"
	"sync/atomic"
	"time"
)

// Clock is the clock of the service, as far as the Date of its responses tells. Moments of the
// service are compared with it, because the clock of this machine may be minutes away. The zero
// value goes with the clock of this machine.
type Clock struct{ ahead atomic.Int64 } // nanoseconds before the clock of this machine

// Now returns the present moment of the service.
func (c *Clock) Now() time.Time { return c.At(time.Now()) }

// At returns the moment of the service for a moment of this machine.
func (c *Clock) At(local time.Time) time.Time { return local.Add(time.Duration(c.ahead.Load())) }

// hear takes the Date of a response that has just come. The newest counts. A response with an Age
// comes from a cache, and its Date is a moment of the past. A Date has whole seconds: if it is that
// of this second, nothing says that the clocks differ.
func (c *Clock) hear(h http.Header) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" {
		return
	}
	ahead := time.Until(date)
	if -time.Second < ahead && ahead <= 0 {
		ahead = 0
	}
	c.ahead.Store(int64(ahead))
}
