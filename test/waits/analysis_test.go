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
	retryAfter := func(seconds string) http.Header { return http.Header{"Retry-After": {seconds}} }
	for name, c := range map[string]struct {
		after int // seconds, in which the analysis is complete
		fault monitoringtest.Fault
		want  []int // when it is read
	}{
		"although the service is down":       {5, monitoringtest.Fault{Status: 503, After: 1, Times: 1}, []int{0, 1, 2, 4, 8}},
		"after the Retry-After":              {80, monitoringtest.Fault{Header: retryAfter("40"), Times: 2}, []int{0, 40, 80}},
		"at most after MaxRetryAfter":        {60, monitoringtest.Fault{Header: retryAfter("3600"), Times: 1}, []int{0, 120}},
		"the status of the response decides": {0, monitoringtest.Fault{Status: 202, Body: `{"status":"COMPLETED"}`, Times: 2}, []int{0, 1, 3}},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{Analysis: &monitoring.Analysis{RootCause: "c"}}, time.Duration(c.after)*time.Second)
			svc.Inject(c.fault)
			began := time.Now()
			analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(t.Context(), id)
			require.NoError(t, err, name)
			require.Equal(t, "c", analysis.Analysis.RootCause)
			var got []int
			for _, r := range svc.Requests() {
				got = append(got, int(r.Time.Sub(began)/time.Second))
			}
			require.Equal(t, c.want, got, name)
		})
	}
}

func TestTheErrorOfAWaitForARootCauseAnalysisSaysWhatHappened(t *testing.T) {
	for name, c := range map[string]struct {
		fault  monitoringtest.Fault
		within time.Duration
		want   string
		is     error
		seen   bool
	}{
		"at the deadline":    {monitoringtest.Fault{Times: 1}, 10 * time.Second, "context deadline exceeded", context.DeadlineExceeded, true},
		"with a failure":     {monitoringtest.Fault{Status: 503, After: 1}, 10 * time.Second, "context deadline exceeded: the last request failed: GET ", monitoring.ErrServer, true},
		"after five minutes": {monitoringtest.Fault{Status: 503, After: 1}, time.Hour, "gave up: every request failed for 5m", monitoring.ErrServer, true},
		"if it has no id":    {monitoringtest.Fault{Status: 200, Body: "{}", After: 1}, 10 * time.Second, "context deadline exceeded: the last request failed: the response has no status", context.DeadlineExceeded, true},
		"if it is another":   {monitoringtest.Fault{Status: 200, Body: `{"id":"` + unknownID + `","status":"COMPLETED"}`}, time.Hour, "the response has another id", nil, false},
		"if there is none":   {monitoringtest.Fault{Status: 404}, time.Hour, "GET ", monitoring.ErrNotFound, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, 2*time.Hour)
				svc.Inject(c.fault)
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(ctx, id)
				if c.is != nil {
					require.ErrorIs(t, err, c.is)
				}
				require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": "+c.want)
				require.NotContains(t, err.Error()[1:], "monitoring:", "there is one prefix")
				if c.seen {
					require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")
				}
			})
		})
	}
}
