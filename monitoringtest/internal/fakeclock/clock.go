// Package fakeclock is the time of the fake: what the present moment is, how long a wait takes, and
// how moments are written. Nothing else below monitoringtest reads the clock or sleeps, so a clock
// that runs otherwise changes this package alone.
package fakeclock

import (
	"context"
	"time"
)

// Clock is the time of one service. The zero value runs sessions at their own pace, and cannot be
// moved before it was started.
type Clock struct {
	// Speed is how many times faster sessions and cancels are; 0 is 1.
	Speed float64

	ahead *ahead // of the real clock; nil: it was not started
}

// Now is the present moment of the service.
func (c Clock) Now() time.Time { return time.Now().Add(c.ahead.by()) }

// Sped returns how long something takes that takes d at the speed 1.
func (c Clock) Sped(d time.Duration) time.Duration {
	if c.Speed == 0 {
		return d
	}
	return time.Duration(min(float64(d)/c.Speed, float64(longest)))
}

// longest is how long something takes at most, so that moments after it can be computed.
const longest = 100 * 365 * 24 * time.Hour

// Slowed returns how long something takes at the speed 1 that takes d.
func (c Clock) Slowed(d time.Duration) time.Duration {
	if c.Speed == 0 {
		return d
	}
	return time.Duration(float64(d) * c.Speed)
}

// Sleep waits for a time. If the context ends before, it returns the cause.
func (c Clock) Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	return c.SleepOr(ctx, d, nil)
}

// SleepOr waits for a time, or until the channel is closed. If the context ends before, it
// returns the cause.
func (c Clock) SleepOr(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	moved, done := c.ahead.watch()
	defer done()
	for until := c.Now().Add(d); d > 0; d = until.Sub(c.Now()) {
		select {
		case <-time.After(d):
		case <-moved:
		case <-early:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// format is how the service writes moments: milliseconds in UTC.
const format = "2006-01-02T15:04:05.000Z"

// Stamp writes a moment as the service does.
func Stamp(t time.Time) string { return t.UTC().Format(format) }
