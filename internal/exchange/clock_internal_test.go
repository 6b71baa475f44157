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
		require.Equal(t, clock.At(time.Unix(7, 0)), time.Unix(7, 0))
	})
}
