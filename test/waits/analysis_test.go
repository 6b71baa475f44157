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
		"if it is accepted":  {monitoringtest.Fault{Status: 202, Body: `{"status":"COMPLETED"}`}, 10 * time.Second, "context deadline exceeded", context.DeadlineExceeded, true},
		"after a long pause": {monitoringtest.Fault{Header: http.Header{"Retry-After": {"3600"}}, Times: 1}, 3 * time.Minute, "context deadline exceeded", context.DeadlineExceeded, true},
		"if it is another":   {monitoringtest.Fault{Status: 200, Body: `{"id":"` + unknownID + `","status":"COMPLETED"}`}, time.Hour, "the response has another id", nil, false},
		"if there is none":   {monitoringtest.Fault{Status: 404}, time.Hour, "GET ", monitoring.ErrNotFound, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			id := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, 2*time.Hour)
			svc.Inject(c.fault)
			ctx, stop := context.WithTimeout(t.Context(), c.within)
			defer stop()
			began := time.Now()
			analysis, err := kit.Fake(t, svc).RootCauseAnalyses.Wait(ctx, id)
			if c.is != nil {
				require.ErrorIs(t, err, c.is, name)
			}
			require.ErrorContains(t, err, "monitoring: wait for root cause analysis \""+id+"\": "+c.want, name)
			require.NotContains(t, err.Error()[1:], "monitoring:", "there is one prefix")
			if c.seen {
				require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status, "as last seen")
			}
			if c.fault.Header != nil {
				require.Equal(t, 2*time.Minute, svc.Requests()[1].Time.Sub(began), "MaxRetryAfter")
			}
		})
	}
}
