package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// placesOfEnd are the moments of a call in which its context can end.
var placesOfEnd = map[string]func(*testing.T) *monitoring.Client{
	"before it begins": func(t *testing.T) *monitoring.Client { return kit.Client(t, testkit.Faults["404"]) },
	"waiting for the limit": func(t *testing.T) *monitoring.Client {
		client := kit.Client(t, testkit.Status(200, "[]"), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
		require.NoError(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{})))
		return client
	},
	"in flight": func(t *testing.T) *monitoring.Client {
		return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, context.Cause(req.Context()) // as the transport of net/http does
		}))
	},
	"in back-off": func(t *testing.T) *monitoring.Client {
		return kit.Client(t, testkit.Faults["503 with Retry-After"], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 1000, MaxRetryAfter: time.Hour}))
	},
}

func TestTheErrorOfACallWhoseContextEndedMatchesTheContextsError(t *testing.T) {
	foreign := &monitoring.APIError{StatusCode: 404, Kind: monitoring.ErrNoMatchingChecks}
	sentinel := errors.New("the job was cancelled")
	for place, make := range placesOfEnd {
		for name, cause := range map[string]error{
			"without a cause":                     nil,
			"with a cause":                        sentinel,
			"with an error of a call":             fmt.Errorf("group: %w", foreign),
			"with an Err value of this package":   monitoring.ErrRateLimited,
			"with a cause that == cannot compare": uncomparable{"x"},
		} {
			t.Run(place+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := make(t)
					ctx, cancel := context.WithCancelCause(t.Context())
					if place == "before it begins" {
						cancel(cause)
					} else {
						time.AfterFunc(time.Second, func() { cancel(cause) })
					}
					_, err := monitoring.Collect(client.Variables.All(ctx, monitoring.VariableListOptions{}))
					require.ErrorIs(t, err, context.Canceled)
					require.NotErrorIs(t, err, monitoring.ErrNotFound)
					require.NotErrorIs(t, err, monitoring.ErrNoMatchingChecks)
					require.NotErrorIs(t, err, monitoring.ErrRateLimited)
					_, isAPI := errors.AsType[*monitoring.APIError](err)
					require.False(t, isAPI, "the error of another call is not matched")
					require.NotErrorIs(t, err, foreign)
					if cause != nil {
						require.ErrorContains(t, err, cause.Error())
					}
					require.Equal(t, cause == sentinel, errors.Is(err, sentinel))
				})
			})
		}
	}
}

// uncomparable is an error that == cannot compare.
type uncomparable []string

func (u uncomparable) Error() string { return u[0] }

func TestACancelledContextReturnsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		fault, call string
		text        string
		unknown     bool
	}{
		"while an attempt is in flight":               {"response slower than the timeout", "read", "", false},
		"while a trigger is in flight":                {"response slower than the timeout", "trigger", "", true},
		"while waiting for the next attempt":          {"503", "read", "last status 503", false},
		"while a refused trigger waits to be retried": {"refused connection", "trigger", "the last attempt failed: ", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, testkit.Faults[c.fault], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: time.Hour}))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				err := kit.FirstOfKind[c.call](ctx, client)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorContains(t, err, c.text)
				require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
				require.Equal(t, time.Second, time.Since(began))
				require.NotContains(t, err.Error(), "the attempt timed out")
			})
		})
	}
}

func TestAnAttemptLeavesNoContextBehind(t *testing.T) {
	var ctx context.Context
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		ctx = req.Context()
		return testkit.Respond(200, nil, "[]"), ctx.Err()
	}))
	require.NoError(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithTimeout(time.Hour))))
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}
