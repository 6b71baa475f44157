package monitoring

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func askingToRetry(status int, retryAfter string) roundTripper {
	return func(*http.Request) (*http.Response, error) {
		return respondWith(status, http.Header{"Retry-After": {retryAfter}}, ""), nil
	}
}

func TestARetryAfterIsWaitedForUpToItsMaximum(t *testing.T) {
	for name, c := range map[string]struct {
		asked    string
		within   time.Duration // 0 for no deadline
		attempts int
		waited   time.Duration
	}{
		"as long as allowed":           {"20", 0, 2, 20 * time.Second},
		"longer than allowed":          {"20.001", 0, 1, 0},
		"a nanosecond":                 {"0.000000001", 0, 2, 1},
		"with time left after it":      {"3", 3*time.Second + 1, 2, 3 * time.Second},
		"that ends at the deadline":    {"3", 3 * time.Second, 1, 0},
		"that ends after the deadline": {"3", 2 * time.Second, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, inTurn(askingToRetry(503, c.asked), status(200, "[]")), WithRetryPolicy(RetryPolicy{MaxRetries: 3, MaxRetryAfter: 20 * time.Second}))
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if c.within > 0 {
					ctx, cancel = context.WithTimeout(ctx, c.within)
				}
				defer cancel()
				began := time.Now()
				var response Response
				_, err := client.Locations.List(ctx, WithResponse(&response))
				require.Equal(t, c.attempts == 2, err == nil, err)
				require.Equal(t, c.attempts, response.Attempts)
				require.Equal(t, c.waited, response.RetryWait)
				require.Equal(t, c.waited, time.Since(began))
			})
		})
	}
}

func TestTheErrorNamesTheLastAttemptNotAnEarlierOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, inTurn(faults["refused connection"], askingToRetry(503, "60")))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(30*time.Second, cancel)
		err := second(client.Locations.List(ctx))
		require.EqualError(t, err, "monitoring: GET /v1/locations at monitoring.test: context canceled (after 2 attempts, last status 503)")
	})
}

// listeningLimiter records the attempts that it is asked for.
type listeningLimiter struct {
	unlimited
	asked []LimitedAttempt
}

func (l *listeningLimiter) Wait(_ context.Context, a LimitedAttempt) error {
	l.asked = append(l.asked, a)
	return nil
}

func TestTheLimiterGetsTheOperationAndWhetherItIsALongPoll(t *testing.T) {
	for name, c := range map[string]struct {
		call func(*Client) error
		want LimitedAttempt
	}{
		"a read": {func(c *Client) error { return second(c.CheckGroups.Get(t.Context(), 1)) }, LimitedAttempt{Operation: "GET /v1/check-groups/{id}"}},
		"a long poll": {func(c *Client) error {
			return second(c.CheckSessions.Completion(t.Context(), uuid1, CompletionOptions{}))
		},
			LimitedAttempt{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Class: ClassPoll}},
		"an untyped call": {func(c *Client) error {
			return second(Do[any](t.Context(), c, "GET", "/v1/a b/1", url.Values{"x": {"1"}}, nil))
		},
			LimitedAttempt{Operation: "GET /v1/a%20b/1"}},
		"an untyped call with a name": {func(c *Client) error {
			return second(Do[any](t.Context(), c, "GET", "/v1/a/1", nil, nil, WithOperation("GET /v1/a/{id}")))
		}, LimitedAttempt{Operation: "GET /v1/a/{id}"}},
		"a read with a name": {func(c *Client) error { return second(c.CheckGroups.Get(t.Context(), 1, WithOperation("GET /v1/x"))) },
			LimitedAttempt{Operation: "GET /v1/x"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := &listeningLimiter{}
			require.ErrorIs(t, c.call(makeClient(t, testBase, testKey, &http.Client{Transport: faults["404"]}, WithLimiter(l))), ErrNotFound)
			require.Equal(t, []LimitedAttempt{c.want}, l.asked)
		})
	}
}
