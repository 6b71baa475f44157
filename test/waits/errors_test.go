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
	"unicode/utf8"

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
		"of one session":      {a, []*monitoring.SessionError{a}},
		"of two":              {errors.Join(a, b), []*monitoring.SessionError{a, b}},
		"that was wrapped":    {fmt.Errorf("gate: %w", errors.Join(b, errors.New("other"), fmt.Errorf("again: %w", a))), []*monitoring.SessionError{b, a}},
		"of other errors":     {errors.Join(errors.New("x"), context.Canceled), nil},
		"of nil":              {nil, nil},
		"that wraps nothing":  {fmt.Errorf("%s", "x"), nil},
		"of a call in a wait": {&monitoring.CallError{Err: b}, []*monitoring.SessionError{b}},
	} {
		require.Equal(t, c.want, monitoring.SessionErrors(c.err), name)
	}
}

func TestASessionErrorSaysWhenTheSessionWasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for range 2 {
			svc.AddCheck(monitoringtest.Check{Tags: []string{"slow"}, RunTime: time.Hour})
		}
		triggered := time.Now()
		slow := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"slow"}}}}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		_, err := kit.Fake(t, svc).CheckSessions.TriggerAndWait(ctx, slow, monitoring.WaitOptions{})
		late := monitoring.SessionErrors(err)
		require.Len(t, late, 2)
		for _, e := range late {
			require.NotNil(t, e.Session)
			require.True(t, e.SeenAt.Equal(triggered), "the trigger is the last response about it")
		}
		_, err = kit.Fake(t, svc).CheckSessions.Wait(t.Context(), late[0].ID, monitoring.WaitOptions{Timeout: time.Minute})
		require.WithinDuration(t, time.Now(), requireTimeout(t, err).SeenAt, 5*time.Second, "the session was read at the timeout")
	})
	svc := monitoringtest.New()
	_, err := kit.Fake(t, svc).CheckSessions.Wait(t.Context(), "00000000-0000-4000-8000-000000000000", monitoring.WaitOptions{})
	require.Zero(t, sessionError(t, err).SeenAt, "the session was never seen")
}

func TestASessionErrorShowsAStatusThatIsNotKnownAsSuch(t *testing.T) {
	const key, account = "sk_live/42+secret", "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	for name, c := range map[string]struct{ status, want string }{
		"a known one is shown as it is":        {"PROGRESS_FAILED", ", last seen PROGRESS_FAILED: "},
		"another one is quoted":                {"PAUSED", `, last seen with unknown status "PAUSED": `},
		"nor the end of the quotation":         {`A" ok\`, `unknown status "A\" ok\\": `},
		"a line break is a space":              {"A\r\nB", `unknown status "A  B": `},
		"and so are escapes and bidi":          {"A\x1b[2JB\u202eC\u200bD\u2028E\xffF", `unknown status "A [2JB C D E F": `},
		"40 characters are shown whole":        {strings.Repeat("ä", 40), `unknown status "` + strings.Repeat("ä", 40) + `": `},
		"and never more":                       {strings.Repeat("ä", 41), `unknown status "` + strings.Repeat("ä", 39) + `…": `},
		"one without a character to show":      {"\x00\x01", `unknown status "": `},
		"the key is removed":                   {"is " + key, `unknown status "is [redacted]": `},
		"escaped as in JSON":                   {`is sk_live\/42\u002bsecret`, `unknown status "is [redacted]": `},
		"the account is removed":               {account + "!", `unknown status "[redacted]!": `},
		"a secret is not cut before it is one": {strings.Repeat("x", 35) + key, `unknown status "` + strings.Repeat("x", 35) + `[red…": `},
		"nor one far behind":                   {strings.Repeat(" ", 495) + key, `unknown status "[redacted]": `},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithAPIKey(key))
				body, err := json.Marshal(map[string]any{"sessions": []map[string]string{{
					"checkSessionId": "00000000-0000-4000-8000-000000000001", "startedAt": "2026-08-19T10:15:00.120Z", "status": c.status,
				}}})
				require.NoError(t, err)
				svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: string(body)}, monitoringtest.Fault{Operation: opCompletion, Status: 503}, monitoringtest.Fault{Operation: opGetSession, Status: 503})
				_, err = kit.Fake(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: time.Minute}, monitoring.WithAccount(account))
				require.ErrorContains(t, requireTimeout(t, err), c.want)
				require.True(t, utf8.ValidString(err.Error()))
			})
		})
	}
	t.Run("also in an error that a caller makes", func(t *testing.T) {
		err := &monitoring.SessionError{ID: "1\n2", Session: &monitoring.CheckSession{Status: "\x1b[1m" + monitoring.CheckSessionStatus(strings.Repeat("x", 500))}, Err: context.Canceled}
		require.EqualError(t, err, `monitoring: wait for check session "1\n2", last seen with unknown status "[1m`+strings.Repeat("x", 36)+`…": context canceled`)
	})
}

func TestTheTextOfASessionErrorHasWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		err    *monitoring.SessionError
		text   string
		reason error
	}{
		{nil, "monitoring: wait for check session: no error", nil},
		{&monitoring.SessionError{ID: "a"}, "monitoring: wait for check session: no error", nil},
		{&monitoring.SessionError{ID: "a", Err: io.EOF}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&monitoring.SessionError{ID: "a", Err: io.EOF, Session: &monitoring.CheckSession{}}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&monitoring.SessionError{ID: "a", Err: io.EOF, Session: &monitoring.CheckSession{Status: monitoring.SessionProgress}},
			`monitoring: wait for check session "a", last seen PROGRESS: EOF`, io.EOF},
	} {
		require.EqualError(t, c.err, c.text)
		require.Equal(t, c.reason, c.err.Unwrap())
	}
}
