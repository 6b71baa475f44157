package redislimit

import "time"

// redisClock converts times of Redis's clock, in milliseconds, to local ones. Redis's clock
// was read between a command and its reply, so that the offset is known between two bounds.
// Local times are monotonic: steps of the local clock do not matter.
type redisClock struct {
	epoch     time.Time // local times count from here
	low, high float64   // bounds of Redis's clock at the epoch
	synced    time.Time
}

// drift is how much two clocks may drift apart, in milliseconds per second.
const drift = 0.5

// sync notes that a command that was sent at a time had its reply at another.
func (c *redisClock) sync(sent, got time.Time, now float64) {
	low, high := now-ms(got.Sub(c.epoch)), now-ms(sent.Sub(c.epoch))
	if !c.synced.IsZero() {
		wider := drift * got.Sub(c.synced).Seconds()
		lowest, highest := max(low, c.low-wider), min(high, c.high+wider)
		if lowest <= highest { // else one of the clocks made a step
			low, high = lowest, highest
		}
	}
	c.low, c.high, c.synced = low, high, got
}

// reached is the first local time at which Redis's clock has certainly reached a time.
func (c *redisClock) reached(t float64) time.Time { return c.epoch.Add(span(t - c.low)) }

// notPassed is the last local time at which Redis's clock has certainly not passed a time.
func (c *redisClock) notPassed(t float64) time.Time { return c.epoch.Add(span(t - c.high)) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func span(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
