package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net"
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
var placesOfEnd = map[string]func(*testing.T) (*monitoring.Client, func(context.Context) error){
	"before it begins": func(t *testing.T) (*monitoring.Client, func(context.Context) error) {
		return kit.Client(t, testkit.Faults["404"]), nil
	},
	"waiting for the limit": func(t *testing.T) (*monitoring.Client, func(context.Context) error) {
		client := kit.Client(t, testkit.Status(200, "[]"), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		return client, nil
	},
	"in flight": func(t *testing.T) (*monitoring.Client, func(context.Context) error) {
		return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, context.Cause(req.Context()) // as the transport of net/http does
		})), nil
	},
	"in back-off": func(t *testing.T) (*monitoring.Client, func(context.Context) error) {
		return kit.Client(t, testkit.Faults["503 with Retry-After"], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 1000, MaxRetryAfter: time.Hour})), nil
	},
	"in an iterator": func(t *testing.T) (*monitoring.Client, func(context.Context) error) {
		client := kit.Client(t, testkit.Faults["503 with Retry-After"], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 1000, MaxRetryAfter: time.Hour}))
		return client, func(ctx context.Context) error {
			_, err := monitoring.Collect(client.Variables.All(ctx, monitoring.VariableListOptions{}))
			return err
		}
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
					client, do := make(t)
					if do == nil {
						do = func(ctx context.Context) error { return kit.Second(client.Locations.List(ctx)) }
					}
					ctx, cancel := context.WithCancelCause(t.Context())
					if place == "before it begins" {
						cancel(cause)
					} else {
						time.AfterFunc(time.Second, func() { cancel(cause) })
					}
					err := do(ctx)
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

func TestADeadlineWithACauseMatchesDeadlineExceeded(t *testing.T) {
	for place, make := range placesOfEnd {
		t.Run(place, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, do := make(t)
				if do == nil {
					do = func(ctx context.Context) error { return kit.Second(client.Locations.List(ctx)) }
				}
				d := time.Second
				if place == "before it begins" {
					d = -1
				}
				ctx, stop := context.WithTimeoutCause(t.Context(), d, errors.New("the budget of the job"))
				defer stop()
				err := do(ctx)
				if place == "in back-off" || place == "in an iterator" {
					require.ErrorIs(t, err, monitoring.ErrServer, "the wait would end after the deadline, so the failure is returned at once")
					return
				}
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "the budget of the job")
				var timeout net.Error
				require.ErrorAs(t, err, &timeout)
				require.True(t, timeout.Timeout())
			})
		})
	}
}

func TestTheErrorOfABackOffThatWasEndedNamesTheLastFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.Faults["refused connection"], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour}))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var response monitoring.Response
		_, err := client.Locations.List(ctx, monitoring.WithResponse(&response))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "connection refused")
		require.Equal(t, time.Second, response.RetryWait, "the time that was waited")

		client = kit.Client(t, testkit.Faults["503"], monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour}))
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err = client.Locations.List(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "last status 503")
	})
}

func TestACancelledContextReturnsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		transport testkit.RoundTripper
		call      string
		unknown   bool
	}{
		"while an attempt is in flight":               {testkit.Faults["response slower than the timeout"], "read", false},
		"while a trigger is in flight":                {testkit.Faults["response slower than the timeout"], "trigger", true},
		"while waiting for the next attempt":          {testkit.Faults["503 with Retry-After"], "read", false},
		"while a refused trigger waits to be retried": {testkit.Faults["refused connection"], "trigger", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, c.transport, monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: time.Hour}))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				err := kit.FirstOfKind[c.call](ctx, client)
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
				require.Equal(t, time.Second, time.Since(began))
				require.NotContains(t, err.Error(), "the attempt timed out")
			})
		})
	}
}

func TestTheTimeoutOfAnAttemptIsNotAnEndOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return testkit.Faults["response slower than the timeout"](req)
			}
			return testkit.Respond(200, nil, "[]"), nil
		}), monitoring.WithTimeout(5*time.Second))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, sent)

		sent = 0
		_, err = client.Locations.List(t.Context(), monitoring.WithMaxRetries(0))
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		var timeout net.Error
		require.ErrorAs(t, err, &timeout)
		require.True(t, timeout.Timeout())
	})
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
