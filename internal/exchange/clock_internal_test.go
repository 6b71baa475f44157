package exchange

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheClockOfTheServiceIsThatOfTheNewestDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(300 * time.Millisecond)
		var clock Clock
		require.Equal(t, time.Now(), clock.Now(), "that of this machine until a Date came")
		hear := func(ahead time.Duration, more ...string) time.Duration {
			h := http.Header{"Date": {time.Now().Add(ahead).UTC().Format(http.TimeFormat)}}
			for _, name := range more {
				h.Set(name, "7")
			}
			clock.hear(h)
			return time.Until(clock.Now())
		}
		near := func(want, got time.Duration) {
			t.Helper()
			require.InDelta(t, want.Seconds(), got.Seconds(), 1)
		}
		near(15*time.Minute, hear(15*time.Minute))
		near(-3*time.Minute, hear(-3*time.Minute))
		near(-3*time.Minute, hear(9*time.Hour, "Age"))
		clock.hear(http.Header{})
		clock.hear(http.Header{"Date": {"now"}})
		near(-3*time.Minute, time.Until(clock.Now()))
		require.Zero(t, hear(0), "a Date of this second says nothing")
	})
}

// The clock of this machine may be moved after the last Date, and a monotonic one stands still
// while a machine sleeps.
func TestTheClockOfTheServiceGoesOnWhenThatOfThisMachineIsMoved(t *testing.T) {
	for name, c := range map[string]struct {
		wall, mono, want time.Duration // since the Date
	}{
		"nothing is moved":     {5 * time.Second, 5 * time.Second, 5 * time.Second},
		"it is set back":       {-time.Hour, 5 * time.Second, 5 * time.Second},
		"the machine was away": {8 * time.Hour, 5 * time.Second, 8 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			date := time.Now().Add(3 * time.Minute)
			var clock Clock
			clock.last = heard{date: date, mono: time.Now().Add(-c.mono), wall: time.Now().Add(-c.wall).Round(0)}
			require.Equal(t, c.want, clock.Now().Sub(date), name)
		})
	}
}
