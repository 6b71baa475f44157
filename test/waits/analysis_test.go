package waits_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestWaitForARootCauseAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CheckType: monitoring.CheckTypeAPI, Analysis: &monitoring.Analysis{RootCause: "c"}}, 50*time.Second)
		svc.Inject(monitoringtest.Fault{Status: 503, After: 1, Times: 2})
		client := kit.Fake(t, svc)
		began := time.Now()
		var response monitoring.Response
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), id, monitoring.WithResponse(&response))
		require.NoError(t, err)
		require.Zero(t, response, "it makes several calls")
		require.True(t, analysis.Completed())
		require.Equal(t, "c", analysis.Analysis.RootCause)
		require.Less(t, time.Since(began), 66*time.Second)
		require.Less(t, len(svc.Requests()), 14, "the requests back off")

		slow := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Hour)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		analysis, err = client.RootCauseAnalyses.Wait(ctx, slow)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")

		_, err = client.RootCauseAnalyses.Wait(t.Context(), monitoringtest.UUID("nothing"))
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.NotContains(t, err.Error()[1:], "monitoring:", "there is one prefix")
	})
}

func TestWaitForARootCauseAnalysisObeysRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		fault monitoringtest.Fault
		want  []time.Duration
	}{
		"of a pending analysis":    {monitoringtest.Fault{Header: http.Header{"Retry-After": {"40"}}, Times: 2}, []time.Duration{0, 40 * time.Second, 80 * time.Second}},
		"raised to a second":       {monitoringtest.Fault{Header: http.Header{"Retry-After": {"0"}}, Times: 3}, []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}},
		"bounded by MaxRetryAfter": {monitoringtest.Fault{Header: http.Header{"Retry-After": {"3600"}}, Times: 1}, []time.Duration{0, 2 * time.Minute}},
		"of a failure": {
			monitoringtest.Fault{Status: 503, Header: http.Header{"Retry-After": {"300"}}, Times: 1}, []time.Duration{0, 2 * time.Minute},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Analysis: &monitoring.Analysis{}}, c.want[len(c.want)-1])
				svc.Inject(c.fault)
				began := time.Now()
				_, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
				require.NoError(t, err)
				var got []time.Duration
				for _, r := range svc.Requests() {
					got = append(got, r.Time.Sub(began))
				}
				require.Equal(t, c.want, got)
			})
		})
	}
}

func TestTheErrorOfAWaitForARootCauseAnalysisNamesTheLastFailure(t *testing.T) {
	down := monitoringtest.Fault{Status: 503, After: 1}
	for name, c := range map[string]struct {
		fault  monitoringtest.Fault
		within time.Duration
		want   string
		is     error
	}{
		"at the deadline":    {down, 10 * time.Second, "context deadline exceeded: the last request failed: GET ", context.DeadlineExceeded},
		"also during a read": {monitoringtest.Fault{Delay: time.Hour, After: 1}, 10 * time.Second, "context deadline exceeded", context.DeadlineExceeded},
		"after five minutes": {down, time.Hour, "gave up: every request failed for 5m", monitoring.ErrServer},
		"if it has no id":    {monitoringtest.Fault{Status: 200, Body: "{}", After: 1}, 10 * time.Second, "context deadline exceeded: the last request failed: the response has no status", context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, 2*time.Hour)
				svc.Inject(c.fault)
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(ctx, id)
				require.ErrorIs(t, err, c.is)
				require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": "+c.want)
				require.Equal(t, c.fault.Status == 503, errors.Is(err, monitoring.ErrServer))
				require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")
			})
		})
	}
}

func TestAnAnalysisThatTheServiceStillWorksOnIsNotComplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Analysis: &monitoring.Analysis{}}, time.Second)
		svc.Inject(monitoringtest.Fault{Status: 202, Body: `{"id":"` + id + `","status":"COMPLETED"}`, Times: 3})
		_, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, svc.Requests(), 4, "the status of the response decides")
	})
}

func TestARootCauseAnalysisWithAnotherIDIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Hour)
		svc.Inject(monitoringtest.Fault{Status: 200, Body: `{"id":"00000000-0000-4000-8000-000000000009","status":"COMPLETED"}`})
		_, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
		require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": the response has another id")
	})
}
