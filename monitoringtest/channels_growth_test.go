package monitoringtest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The subscriptions of a check are read once for a list, and not once for each channel in it.
func TestAListOfChannelsGrowsLikeItsSize(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithoutRecording())
	elsewhere := make([]map[string]any, 50)
	for i := range elsewhere {
		elsewhere[i] = map[string]any{"alertChannelId": 9000 + i, "activated": true}
	}
	for range 400 {
		svc.AddCheck(monitoringtest.Check{Members: map[string]any{"alertChannelSubscriptions": elsewhere}})
	}
	for range 50 {
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
	}
	list := func(limit int) float64 {
		return testing.AllocsPerRun(3, func() {
			status, _ := sendRaw(t, svc, "GET", fmt.Sprint("/v1/alert-channels?limit=", limit), "")
			require.Equal(t, 200, status)
		})
	}
	require.Less(t, list(50), 5*list(1))
}
