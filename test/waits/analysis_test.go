package waits_test

import (
	"context"
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

func TestWaitForARootCauseAnalysisNamesTheLastFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Hour)
		svc.Inject(monitoringtest.Fault{Status: 503, After: 1})
		client := kit.Fake(t, svc, monitoring.WithMaxRetries(0))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		analysis, err := client.RootCauseAnalyses.Wait(ctx, id)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": context deadline exceeded: the last request failed: GET ")
		require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")

		svc.ClearFaults()
		svc.Inject(monitoringtest.Fault{Delay: time.Hour, After: 1})
		ctx, stop = context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		_, err = client.RootCauseAnalyses.Wait(ctx, id)
		require.ErrorIs(t, err, context.DeadlineExceeded, "the context ended in flight")
		require.NotErrorIs(t, err, monitoring.ErrServer)
		require.ErrorContains(t, err, "monitoring: wait for root cause analysis ")

		svc.ClearFaults()
		svc.Inject(monitoringtest.Fault{Status: 503})
		began := time.Now()
		_, err = client.RootCauseAnalyses.Wait(t.Context(), id)
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.InDelta(t, 5*time.Minute, time.Since(began), float64(15*time.Second), "it gives up after five minutes")
	})
}

func TestWaitForARootCauseAnalysisOutlastsFourMinutesOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		svc := monitoringtest.New()
		id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Analysis: &monitoring.Analysis{}}, 13*time.Minute)
		svc.Inject(monitoringtest.Fault{Status: 503, Match: func(monitoringtest.Request) bool {
			after := time.Since(began)
			return after > time.Minute && after < 6*time.Minute || after > 8*time.Minute && after < 12*time.Minute
		}})
		// The first response asks for two minutes, so the failures begin then.
		svc.Inject(monitoringtest.Fault{Header: http.Header{"Retry-After": {"120"}}, Times: 1})
		analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
		require.NoError(t, err)
		require.True(t, analysis.Completed())
	})
}
