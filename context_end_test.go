package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// placesOfEnd are the moments of a call in which its context can end.
var placesOfEnd = map[string]func(*testing.T) (*Client, func(context.Context) error){
	"before it begins": func(t *testing.T) (*Client, func(context.Context) error) {
		return testClient(t, faults["404"]), nil
	},
	"waiting for the limit": func(t *testing.T) (*Client, func(context.Context) error) {
		client := testClient(t, status(200, "[]"), WithRateLimit(RateLimit{Requests: 1, Per: time.Hour}))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		return client, nil
	},
	"in flight": func(t *testing.T) (*Client, func(context.Context) error) {
		return testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, context.Cause(req.Context()) // as the transport of net/http does
		})), nil
	},
	"in back-off": func(t *testing.T) (*Client, func(context.Context) error) {
		return testClient(t, faults["503 with Retry-After"], WithRetryPolicy(RetryPolicy{MaxRetries: 1000, MaxRetryAfter: time.Hour})), nil
	},
	"in an iterator": func(t *testing.T) (*Client, func(context.Context) error) {
		client := testClient(t, faults["503 with Retry-After"], WithRetryPolicy(RetryPolicy{MaxRetries: 1000, MaxRetryAfter: time.Hour}))
		return client, func(ctx context.Context) error {
			_, err := Collect(client.Variables.All(ctx, VariableListOptions{}))
			return err
		}
	},
}

func TestTheErrorOfACallWhoseContextEndedMatchesTheContextsError(t *testing.T) {
	foreign := &APIError{StatusCode: 404, Kind: ErrNoMatchingChecks}
	sentinel := errors.New("the job was cancelled")
	for place, make := range placesOfEnd {
		for name, cause := range map[string]error{
			"without a cause":                     nil,
			"with a cause":                        sentinel,
			"with an error of a call":             fmt.Errorf("group: %w", foreign),
			"with an Err value of this package":   ErrRateLimited,
			"with a cause that == cannot compare": uncomparable{"x"},
		} {
			t.Run(place+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client, do := make(t)
					if do == nil {
						do = func(ctx context.Context) error { return second(client.Locations.List(ctx)) }
					}
					ctx, cancel := context.WithCancelCause(t.Context())
					if place == "before it begins" {
						cancel(cause)
					} else {
						time.AfterFunc(time.Second, func() { cancel(cause) })
					}
					err := do(ctx)
					require.ErrorIs(t, err, context.Canceled)
					require.NotErrorIs(t, err, ErrNotFound)
					require.NotErrorIs(t, err, ErrNoMatchingChecks)
					require.NotErrorIs(t, err, ErrRateLimited)
					_, isAPI := errors.AsType[*APIError](err)
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

// An Err value as the cause of a context is not matched because of its type, so all must have it.
func TestAllErrValuesHaveOneType(t *testing.T) {
	root, _, _ := strings.Cut(readFile(t, "testdata/api.txt"), "\npackage ")
	values := regexp.MustCompile(`(?m)^var (Err\w+).*? = (.*)$`).FindAllStringSubmatch(root, -1)
	require.NotEmpty(t, values)
	for _, v := range values {
		require.Regexp(t, `^(newErrValue\(|&errValue\{)`, v[2], v[1])
	}
}

func TestADeadlineWithACauseMatchesDeadlineExceeded(t *testing.T) {
	for place, make := range placesOfEnd {
		t.Run(place, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, do := make(t)
				if do == nil {
					do = func(ctx context.Context) error { return second(client.Locations.List(ctx)) }
				}
				d := time.Second
				if place == "before it begins" {
					d = -1
				}
				ctx, stop := context.WithTimeoutCause(t.Context(), d, errors.New("the budget of the job"))
				defer stop()
				err := do(ctx)
				if place == "in back-off" || place == "in an iterator" {
					require.ErrorIs(t, err, ErrServer, "the wait would end after the deadline, so the failure is returned at once")
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
		client := testClient(t, faults["refused connection"], WithRetryPolicy(RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour}))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var response Response
		_, err := client.Locations.List(ctx, WithResponse(&response))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "connection refused")
		require.Equal(t, time.Second, response.RetryWait, "the time that was waited")

		client = testClient(t, faults["503"], WithRetryPolicy(RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour}))
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err = client.Locations.List(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "last status 503")
	})
}

func TestACancelledContextReturnsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		transport roundTripper
		call      string
		unknown   bool
	}{
		"while an attempt is in flight":               {faults["response slower than the timeout"], "read", false},
		"while a trigger is in flight":                {faults["response slower than the timeout"], "trigger", true},
		"while waiting for the next attempt":          {faults["503 with Retry-After"], "read", false},
		"while a refused trigger waits to be retried": {faults["refused connection"], "trigger", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, c.transport, WithRetryPolicy(RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: time.Hour}))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				err := kinds[c.call](ctx, client)
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, c.unknown, errors.Is(err, ErrOutcomeUnknown))
				require.Equal(t, time.Second, time.Since(began))
				require.NotContains(t, err.Error(), "timed out")
			})
		})
	}
}

func TestTheTimeoutOfAnAttemptIsNotAnEndOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return faults["response slower than the timeout"](req)
			}
			return respondWith(200, nil, "[]"), nil
		}), WithTimeout(5*time.Second))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, sent)

		sent = 0
		_, err = client.Locations.List(t.Context(), WithMaxRetries(0))
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		var timeout net.Error
		require.ErrorAs(t, err, &timeout)
		require.True(t, timeout.Timeout())
	})
}
