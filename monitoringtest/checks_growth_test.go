package monitoringtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestChecksAreAddedInTimeThatGrowsLikeTheirNumber(t *testing.T) {
	testkit.SkipUnderRace(t)
	add := func(checks int) float64 {
		svc := monitoringtest.New()
		return float64(testkit.Spent(func() {
			for range checks {
				svc.AddCheck(monitoringtest.Check{})
			}
		}))
	}
	add(100)
	require.Less(t, add(4000), 60*add(250), "sixteen times as many take about twenty times as long")
}
