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

func TestTheWindowCountsItsPlaces(t *testing.T) {
	now := time.Now()
	at := func(s float64) time.Time { return now.Add(time.Duration(s * float64(time.Second))) }
	w := newPlaceWindow(3, 10*time.Second, now)
	require.Equal(t, 3, w.free(now))
	for i, s := range []float64{1, 2, 2} {
		require.Zero(t, w.untilFree(at(s)), i)
		w.take(at(s))
	}
	require.Zero(t, w.free(at(2)))
	require.Equal(t, 8*time.Second, w.untilFree(at(3)))
	require.Equal(t, time.Duration(1), w.untilFree(at(11).Add(-1)))
	require.Equal(t, 1, w.free(at(11)))
	require.Equal(t, 3, w.free(at(12)))

	w.take(at(20))
	w.take(at(21))
	w.giveBack(at(20.5))
	require.Equal(t, 1, w.free(at(21)), "no place was taken at this time")
	w.giveBack(at(20))
	require.Equal(t, 2, w.free(at(21)))
	w.giveBack(at(20))
	require.Equal(t, 2, w.free(at(21)), "a place is given back only once")
	require.Equal(t, 3, w.free(at(31)), "an old place is not given back again")
}

func TestTheWindowSpreadsItsLastPlaces(t *testing.T) {
	now := time.Now()
	w := newPlaceWindow(600, time.Minute, now)
	require.InDelta(t, 12.5, w.pace(now), 1e-9, "a quarter more than the even pace")
	for range 100 {
		w.take(now)
	}
	w.lookAgain = 0
	require.InDelta(t, 12.5, w.pace(now), 1e-9, "500 places for a minute are enough")
	for range 400 {
		w.take(now)
	}
	require.InDelta(t, 100.0/60, w.pace(now), 1e-9, "100 places for a minute")
	require.InDelta(t, 100.0/60, w.pace(now.Add(100*time.Millisecond)), 1e-9, "the pace is not computed for every place")
	require.InDelta(t, 2.5, w.pace(now.Add(20*time.Second)), 1e-9, "100 places for 40 s")
	require.InDelta(t, 3.125+9.25*0.625/0.75, w.pace(now.Add(28*time.Second)), 1e-9, "a little faster, for 32 s")
	require.InDelta(t, 12.5, w.pace(now.Add(30*time.Second)), 1e-9, "enough again, for 30 s")
	require.InDelta(t, 12.5, w.pace(now.Add(time.Minute)), 1e-9, "when the burst has left the window")
}
