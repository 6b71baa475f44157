package monitoring

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPlacesOfAWindowAreCountedOneByOneUpToTheMostRuns(t *testing.T) {
	now := time.Now()
	for most, want := range map[int]int{windowRuns: 2, windowRuns + 1: 1} {
		w := newPlaceWindow(most, windowRuns*time.Second, now)
		w.take(now)
		w.take(now.Add(time.Second))
		require.Len(t, w.runs, want, most)
		require.Equal(t, 2, w.count)
	}
}
