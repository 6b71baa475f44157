package monitoring_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
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
		_, err := newClient(t, svc).CheckSessions.TriggerAndWait(ctx, slow, monitoring.WaitOptions{})
		late := monitoring.SessionErrors(err)
		require.Len(t, late, 2)
		for _, e := range late {
			require.NotNil(t, e.Session)
			require.True(t, e.SeenAt.Equal(triggered), "the trigger is the last response about it")
		}
		_, err = newClient(t, svc).CheckSessions.Wait(t.Context(), late[0].ID, monitoring.WaitOptions{Timeout: time.Minute})
		require.WithinDuration(t, time.Now(), requireTimeout(t, err).SeenAt, 5*time.Second, "the session was read at the timeout")
	})
	svc := monitoringtest.New()
	_, err := newClient(t, svc).CheckSessions.Wait(t.Context(), "00000000-0000-4000-8000-000000000000", monitoring.WaitOptions{})
	require.Zero(t, sessionError(t, err).SeenAt, "the session was never seen")
}
