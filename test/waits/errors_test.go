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
	for name, c := range map[string]struct {
		err  error
		want []*monitoring.SessionError
	}{
		"that was wrapped":    {fmt.Errorf("gate: %w", errors.Join(b, errors.New("other"), fmt.Errorf("again: %w", a))), []*monitoring.SessionError{b, a}},
		"of other errors":     {errors.Join(errors.New("x"), context.Canceled), nil},
		"of nil":              {nil, nil},
		"of a call in a wait": {&monitoring.CallError{Err: b}, []*monitoring.SessionError{b}},
	} {
		require.Equal(t, c.want, monitoring.SessionErrors(c.err), name)
	}
}

func TestASessionErrorSaysWhenTheSessionWasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		triggered := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		sessions := kit.Fake(t, svc).CheckSessions
		_, err := sessions.TriggerAndWait(ctx, all, monitoring.WaitOptions{})
		late := kit.ErrAs[*monitoring.SessionError](t, err)
		require.True(t, late.SeenAt.Equal(triggered), "the trigger is the last response about it")
		_, err = sessions.Wait(t.Context(), late.ID, monitoring.WaitOptions{Timeout: time.Minute})
		require.WithinDuration(t, time.Now(), requireTimeout(t, err).SeenAt, 5*time.Second, "the session was read at the timeout")
		_, err = sessions.Wait(t.Context(), unknownID, monitoring.WaitOptions{})
		require.Zero(t, kit.ErrAs[*monitoring.SessionError](t, err).SeenAt, "the session was never seen")
	})
}

func TestTheTextOfASessionErrorHasWhatIsKnown(t *testing.T) {
	seen := func(status monitoring.CheckSessionStatus) *monitoring.CheckSession {
		return &monitoring.CheckSession{Status: status}
	}
	for _, c := range []struct {
		err    *monitoring.SessionError
		text   string
		reason error
	}{
		{nil, "monitoring: wait for check session: no error", nil},
		{&monitoring.SessionError{ID: "a"}, "monitoring: wait for check session: no error", nil},
		{&monitoring.SessionError{ID: "a", Err: io.EOF}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&monitoring.SessionError{ID: "a", Err: io.EOF, Session: seen("")}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&monitoring.SessionError{ID: "a", Err: io.EOF, Session: seen("PROGRESS_FAILED")}, `monitoring: wait for check session "a", last seen PROGRESS_FAILED: EOF`, io.EOF},
		{&monitoring.SessionError{ID: "1\n2", Err: io.EOF, Session: seen("\x1b[1m" + monitoring.CheckSessionStatus(strings.Repeat("x", 500)))},
			`monitoring: wait for check session "1\n2", last seen with unknown status "[1m` + strings.Repeat("x", 36) + `…": EOF`, io.EOF},
	} {
		require.EqualError(t, c.err, c.text)
		require.Equal(t, c.reason, c.err.Unwrap())
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
