package monitoring

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to tens of megabytes between two garbage collections. The tests
// allocate much and keep little, so by default they would collect garbage most of the time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// rounds returns the number of rounds of a test of random values: n, or a tenth of it with the
// race detector.
func rounds[N int | uint64](n N) N {
	if underRace {
		return max(n/10, 1)
	}
	return n
}

// figures returns the cases of a figure, and only the first one with the race detector: it makes
// simulations slow and does not change their figures.
func figures[T any](cases ...T) []T {
	if underRace {
		return cases[:1]
	}
	return cases
}

// skipUnderRace skips a large simulation, or a long computation in one goroutine, with the race
// detector. Other tests run the same code there.
func skipUnderRace(t *testing.T) {
	if underRace {
		t.Skip("too long with the race detector")
	}
}
