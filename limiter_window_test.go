package monitoring

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
