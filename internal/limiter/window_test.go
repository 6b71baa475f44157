package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheWindowLooksAgainAfterAPartOfItsTimeOrItsPlaces(t *testing.T) {
	now := time.Now()
	for most, places := range map[int]int{100: 1, windowLook: 1, 10 * windowLook: 10} {
		const part = time.Second
		w := newPlaceWindow(most, windowLook*part, now)
		for range most / 2 {
			w.take(now)
		}
		before := w.left(now)
		require.Equal(t, before, w.left(now.Add(part-1)), "of %d", most)
		require.Greater(t, w.left(now.Add(part)), before, "of %d", most)

		before = w.left(now.Add(part))
		for i := range places {
			require.Equal(t, before, w.left(now.Add(part)), "of %d after %d", most, i)
			w.take(now.Add(part))
		}
		require.Less(t, w.left(now.Add(part)), before, "of %d", most)
	}
}

func TestPlacesOfLargeWindowsAreCountedInRuns(t *testing.T) {
	now := time.Now()
	for most, want := range map[int]int{windowRuns: 2, windowRuns + 1: 1} {
		w := newPlaceWindow(most, windowRuns*time.Second, now)
		w.take(now)
		w.take(now.Add(time.Second))
		require.Len(t, w.runs, want, most)
		require.Equal(t, time.Second, w.runs[want-1].last, "a run has the time of its last place")
		w.take(now.Add(2 * time.Second))
		require.Len(t, w.runs, want+1, "a place after that begins a new run")
		require.Equal(t, 3, w.count)
	}
}

func TestTheWindowTellsWhatABurstMayTakeAndWhatIsLeft(t *testing.T) {
	now := time.Now()
	w := newPlaceWindow(600, time.Minute, now)
	w.keeps = 0.25
	require.Equal(t, 600.0, w.burst(now))
	require.InDelta(t, 12.5, w.left(now), 1e-9)
	for range 300 {
		w.take(now)
	}
	require.InDelta(t, 150, w.burst(now), 1e-9, "150 are kept for the minute")
	require.InDelta(t, 297.0/60, w.left(now), 1e-9, "300 for the minute, except three")
	for range 150 {
		w.take(now.Add(30 * time.Second))
	}
	require.InDelta(t, 75, w.burst(now.Add(30*time.Second)), 1e-9, "75 are kept for half a minute")
	require.InDelta(t, 147.0/30, w.left(now.Add(30*time.Second)), 1e-9)
	for range 150 {
		w.take(now.Add(40 * time.Second))
	}
	require.InDelta(t, -50, w.burst(now.Add(40*time.Second)), 1e-9)
	require.InDelta(t, -3.0/20, w.left(now.Add(40*time.Second)), 1e-9)
	w.giveBack(now.Add(40 * time.Second))
	require.InDelta(t, -49, w.burst(now.Add(40*time.Second)), 1e-9, "at once")

	w = newPlaceWindow(600, time.Minute, now)
	for range 100 {
		w.take(now)
	}
	require.InDelta(t, 497/39.9, w.left(now.Add(20100*time.Millisecond)), 1e-9, "500 would do for the eager pace, but not 497")
}
