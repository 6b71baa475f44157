package waits_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestErrorsOfSessionsAreFoundInAnyErrorAndSayWhatIsKnown(t *testing.T) {
	a, b := &monitoring.SessionError{ID: "a"}, &monitoring.SessionError{ID: "b"}
	require.Equal(t, []*monitoring.SessionError{b, a}, monitoring.SessionErrors(fmt.Errorf("gate: %w", errors.Join(b, io.EOF, fmt.Errorf("again: %w", a)))))
	require.Empty(t, monitoring.SessionErrors(errors.Join(io.EOF, context.Canceled)))
	for status, want := range map[monitoring.CheckSessionStatus]string{
		"":                               `monitoring: wait for check session "1\n2": EOF`,
		monitoring.SessionProgressFailed: `monitoring: wait for check session "1\n2", last seen PROGRESS_FAILED: EOF`,
		"\x1b[1mx":                       `monitoring: wait for check session "1\n2", last seen with unknown status "[1mx": EOF`,
	} {
		require.EqualError(t, &monitoring.SessionError{ID: "1\n2", Err: io.EOF, Session: &monitoring.CheckSession{Status: status}}, want, "one that a caller made")
	}
}

func TestTheUnknownStatusInASessionErrorIsQuotedWithoutSecrets(t *testing.T) {
	const key, account = "sk_live/42+secret", "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	for status, want := range map[string]string{
		`A" ok`:                       `unknown status "A\" ok": `,
		strings.Repeat("ä", 40):       `unknown status "` + strings.Repeat("ä", 40) + `": `,
		strings.Repeat("ä", 41):       `unknown status "` + strings.Repeat("ä", 39) + `…": `,
		`is sk_live\/42\u002bsecret`:  `unknown status "is [redacted]": `,
		account + "!":                 `unknown status "[redacted]!": `,
		strings.Repeat("x", 35) + key: `unknown status "` + strings.Repeat("x", 35) + `[red…": `, // not cut before it is one
	} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithAPIKey(key))
			quoted, err := json.Marshal(status)
			require.NoError(t, err)
			svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: `{"sessions":[{"checkSessionId":"` + unknownID + `","startedAt":"2026-08-19T10:15:00.120Z","status":` + string(quoted) + `}]}`},
				monitoringtest.Fault{Status: 503})
			_, err = kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: time.Minute}, monitoring.WithAccount(account))
			require.ErrorContains(t, requireTimeout(t, err), want)
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
