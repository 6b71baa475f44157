package redislimit

import "time"

// redisClock converts times of Redis's clock, in milliseconds, to local times. Redis reads
// its clock between a command and its reply, so the offset is known between two bounds.
// Local times are monotonic: steps of the local clock do not matter.
type redisClock struct {
	epoch     time.Time // the local time that counts as 0
	low, high float64   // bounds of Redis's clock at the epoch
	synced    time.Time
}

// sync narrows the bounds: Redis's clock was now at some moment between sent and got.
func (c *redisClock) sync(sent, got time.Time, now float64) {
	low, high := now-ms(got.Sub(c.epoch)), now-ms(sent.Sub(c.epoch))
	if c.known() {
		wider := drift * got.Sub(c.synced).Seconds()
		lowest, highest := max(low, c.low-wider), min(high, c.high+wider)
		if lowest <= highest { // otherwise one of the clocks made a step
			low, high = lowest, highest
		}
	}
	c.low, c.high, c.synced = low, high, got
}

// reached returns the first local time at which Redis's clock has certainly reached t.
func (c *redisClock) reached(t float64) time.Time { return c.epoch.Add(span(t - c.low)) }

// notPassed returns the last local time at which Redis's clock has certainly not passed t.
func (c *redisClock) notPassed(t float64) time.Time { return c.epoch.Add(span(t - c.high)) }

// latest returns the latest time that Redis's clock can have shown at a local time.
func (c *redisClock) latest(t time.Time) float64 { return ms(t.Sub(c.epoch)) + c.high }

// known reports whether Redis has ever replied.
func (c *redisClock) known() bool { return !c.synced.IsZero() }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func span(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
