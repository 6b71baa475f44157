package waits_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestInvalidWaitOptionsAreErrorsAndSendNothing(t *testing.T) {
	for text, options := range map[string]monitoring.WaitOptions{
		"a share of 1.1":              {Share: 1.1},
		"a share of -1":               {Share: -1},
		"a share of NaN":              {Share: math.NaN()},
		"the timeout of -1ns":         {Timeout: -1},
		"the time of -1ns to give up": {GiveUpAfter: -1},
		"the grace of -1ns for":       {CancelGrace: -1},
	} {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{})
		svc.AddCheck(monitoringtest.Check{})
		sessions := kit.Fake(t, svc).CheckSessions
		_, err := sessions.Wait(t.Context(), id, options)
		require.ErrorContains(t, err, text)
		require.Equal(t, id, sessionError(t, err).ID)
		_, err = sessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, options)
		require.ErrorContains(t, err, "monitoring: wait: "+text)
		n := 0
		for _, err = range sessions.WaitAll(t.Context(), []string{id}, options) {
			n++
			require.ErrorContains(t, err, text)
		}
		require.Equal(t, 1, n)
		require.Empty(t, svc.Requests())
	}
}

func TestAWaitWithANilContextIsAnError(t *testing.T) {
	svc := monitoringtest.New()
	var none context.Context
	sessions := kit.Fake(t, svc).CheckSessions
	_, err := sessions.Wait(none, "x", monitoring.WaitOptions{})
	require.ErrorContains(t, err, "the context is nil")
	_, err = sessions.TriggerAndWait(none, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	require.EqualError(t, err, "monitoring: wait: the context is nil")
	for _, err := range sessions.WaitAll(none, []string{"x"}, monitoring.WaitOptions{}) {
		require.EqualError(t, err, "monitoring: wait: the context is nil")
	}
	_, err = sessions.FetchFailingResults(none, &monitoring.CheckSession{})
	require.EqualError(t, err, "monitoring: fetch failing results: the context is nil")
	_, err = kit.Fake(t, svc).RootCauseAnalyses.Wait(none, "x")
	require.EqualError(t, err, "monitoring: wait: the context is nil")
	require.Empty(t, svc.Requests())
}
