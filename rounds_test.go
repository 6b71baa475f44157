package monitoring

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
	if testkit.UnderRace {
		return max(n/10, 1)
	}
	return n
}

// figures is testkit.Figures.
func figures[T any](cases ...T) []T { return testkit.Figures(cases...) }

// skipUnderRace is testkit.SkipUnderRace.
func skipUnderRace(t *testing.T) { testkit.SkipUnderRace(t) }
