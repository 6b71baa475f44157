package waits_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestSessionErrorsFindsTheErrorsOfSessionsInAnyError(t *testing.T) {
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
