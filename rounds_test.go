package monitoring

import (
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// rounds is testkit.Rounds.
func rounds[N int | uint64](n N) N { return testkit.Rounds(n) }

// skipUnderRace is testkit.SkipUnderRace.
func skipUnderRace(t *testing.T) { testkit.SkipUnderRace(t) }
