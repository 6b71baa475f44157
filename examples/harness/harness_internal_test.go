package harness

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The operations that the tests count, as the API document writes them.
const (
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
)

// production makes a service with these checks, which all have the tag that the gate is asked for,
// and a client of it.
func production(t *testing.T, checks ...monitoringtest.Check) (*monitoringtest.Service, *monitoring.Client) {
	svc, client := monitoringtest.Run(t)
	for _, check := range checks {
		check.Tags = []string{"production"}
		svc.AddCheck(check)
	}
	return svc, client
}

// Everything inside synctest.Test runs in a bubble with a virtual clock. When every goroutine
// in the bubble waits, the clock jumps to the next event. So ten minutes of polling take
// milliseconds, and times can be asserted to the second. Two rules:
//
//   - make the service and the client inside the bubble;
//   - use Service.Client or Service.Transport, which work in memory. Service.Start has a
//     real listener, and a goroutine that reads from a network keeps the clock from
//     jumping.
func TestTheGateWaitsTenMinutesForASlowSuite(t *testing.T) {
	began := time.Now() // outside of the bubble: the real clock
	synctest.Test(t, func(t *testing.T) {
		svc, client := production(t,
			monitoringtest.Check{Name: "Login", RunTime: 3 * time.Second},
			monitoringtest.Check{Name: "Storefront suite", Type: monitoring.CheckTypePlaywright, RunTime: 10 * time.Minute})
		svc.AddCheck(monitoringtest.Check{Name: "Not ours", Tags: []string{"staging"}})

		started := time.Now() // inside of the bubble: the virtual clock
		_, err := DeployGate(t.Context(), client, []string{"production"}, time.Hour)

		require.NoError(t, err)
		require.Equal(t, 10*time.Minute, time.Since(started), "as long as the slowest check")
		// The service counts what was really carried out, also by the name of a check.
		require.Equal(t, 1, svc.ExecutedOn(opTrigger, "Storefront suite"))
		require.Zero(t, svc.ExecutedOn(opTrigger, "Not ours"))
		// It also counts the requests: one long poll in 30 seconds for each session.
		require.LessOrEqual(t, svc.Count(opCompletion), 22)
	})
	t.Logf("ten minutes took %s", time.Since(began).Round(time.Millisecond))
}

// The most important test of a harness is a table of all outcomes of checks.
func TestTheGateForEachOutcome(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome monitoring.CheckSessionStatus
		want    error // nil opens the gate
	}{
		{"a check that passed opens the gate", "PASSED", nil},
		{"a slow check opens it, too", "DEGRADED", nil},
		{"a check that failed does not", "FAILED", ErrChecksFailed},
		{"nor does one that ran out of time", "TIMED_OUT", ErrChecksFailed},
		{"nor one that was cancelled, of which nothing is known", "CANCELLED", ErrUnfinished},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, client := production(t, monitoringtest.Check{Name: "Login"}, monitoringtest.Check{Name: "Checkout", Outcome: tt.outcome})

				_, err := DeployGate(t.Context(), client, []string{"production"}, time.Hour)

				require.ErrorIs(t, err, tt.want)
				if err != nil {
					require.ErrorContains(t, err, "Checkout")
				}
			})
		})
	}
}

// A deploy is often started again. Outcomes sets how the first and the second run end.
func TestTheGateOpensOnceTheCheckRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := production(t, monitoringtest.Check{Outcomes: []monitoring.CheckSessionStatus{"FAILED", "PASSED"}})
		_, err := DeployGate(t.Context(), client, []string{"production"}, time.Hour)
		require.ErrorIs(t, err, ErrChecksFailed)
		_, err = DeployGate(t.Context(), client, []string{"production"}, time.Hour)
		require.NoError(t, err)
	})
}

// Timeouts work in virtual time, too. After a timeout the verdict has the outcomes of the
// finished checks, and the present status of the others with the results of the locations
// that have finished.
func TestAGateThatTimesOutSaysHowFarItCame(t *testing.T) {
	for _, tt := range []struct {
		name    string
		checks  []monitoringtest.Check
		want    error
		verdict Verdict
	}{
		{
			"checks that go on are unfinished, and those that passed have passed",
			[]monitoringtest.Check{{Name: "Login"}, {Name: "Import", RunTime: time.Hour}}, ErrUnfinished,
			Verdict{Good: []string{"Login"}, Unfinished: []string{"Import (eu-central-1: no result yet)"}},
		},
		{
			"a check that failed closes the gate, whatever the others would do",
			[]monitoringtest.Check{{Name: "Login", Outcome: "FAILED"}, {Name: "Import", RunTime: time.Hour}}, ErrChecksFailed,
			Verdict{Failed: []string{"Login (eu-central-1: failed)"}, Unfinished: []string{"Import (eu-central-1: no result yet)"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, client := production(t, tt.checks...)
				started := time.Now()

				verdict, err := DeployGate(t.Context(), client, []string{"production"}, 5*time.Minute)

				require.ErrorIs(t, err, tt.want)
				require.Equal(t, tt.want == ErrUnfinished, errors.Is(err, monitoring.ErrWaitTimeout), "the error says why the end is not known")
				require.Equal(t, tt.verdict, verdict)
				require.Equal(t, 5*time.Minute, time.Since(started))
			})
		})
	}
}

// Ctrl-C in a terminal, or canceling a CI job, ends the context.
func TestAnInterruptEndsTheGateAtOnceAndKeepsWhatIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := production(t, monitoringtest.Check{Name: "Login"}, monitoringtest.Check{Name: "Import", RunTime: time.Hour})
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, interrupt)
		started := time.Now()

		verdict, err := DeployGate(ctx, client, []string{"production"}, time.Hour)

		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, ErrUnfinished)
		require.Equal(t, []string{"Login"}, verdict.Good)
		require.Equal(t, time.Minute, time.Since(started))
	})
}

// If a connection breaks after the trigger has arrived, the checks run, but the response
// with their sessions is lost. Sending the trigger again would run all checks twice. So the
// SDK returns ErrOutcomeUnknown, and the harness decides. Inject simulates this.
func TestAConnectionLostAfterTheTriggerIsNotTriggeredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := production(t, monitoringtest.Check{Name: "Login"})
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Kind: monitoringtest.FaultResetAfter})

		_, err := DeployGate(t.Context(), client, []string{"production"}, time.Hour)

		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Equal(t, 1, svc.ExecutedOn(opTrigger, "Login"))
	})
}

// The SDK handles other faults without code of yours: a connection that breaks while
// waiting, a service that is down for a while, a rate limit.
func TestOtherFaultsAreRetried(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault monitoringtest.Fault
	}{
		{"connections that break while waiting", monitoringtest.Fault{Operation: opCompletion, Kind: monitoringtest.FaultResetAfter, Times: 3}},
		{"a service that is down for a while", monitoringtest.Fault{Operation: opCompletion, Status: 503, Times: 10}},
		{"a trigger over the rate limit", monitoringtest.Fault{Operation: opTrigger, Status: 429, Header: map[string][]string{"Retry-After": {"7"}}, Times: 1}},
		{"a trigger that makes no connection", monitoringtest.Fault{Operation: opTrigger, Kind: monitoringtest.FaultRefuse, Times: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, client := production(t, monitoringtest.Check{Name: "Login", RunTime: time.Minute})
				svc.Inject(tt.fault)

				_, err := DeployGate(t.Context(), client, []string{"production"}, time.Hour)

				require.NoError(t, err)
				require.Equal(t, 1, svc.ExecutedOn(opTrigger, "Login"))
			})
		})
	}
}
