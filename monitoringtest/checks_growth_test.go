package monitoringtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestChecksAreAddedInTimeThatGrowsLikeTheirNumber(t *testing.T) {
	testkit.SkipUnderRace(t)
	add := func(checks int) time.Duration {
		return testkit.Least(func() {
			svc := monitoringtest.New()
			for range checks {
				svc.AddCheck(monitoringtest.Check{})
			}
		})
	}
	require.Less(t, add(2000), 60*add(125), "sixteen times as many take about twenty times as long")
}
