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

// rounds is testkit.Rounds.
func rounds[N int | uint64](n N) N { return testkit.Rounds(n) }

// figures is testkit.Figures.
func figures[T any](cases ...T) []T { return testkit.Figures(cases...) }

// skipUnderRace is testkit.SkipUnderRace.
func skipUnderRace(t *testing.T) { testkit.SkipUnderRace(t) }
