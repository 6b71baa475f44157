package faults_test

import (
	"context"
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
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheEndOfTheContextSaysHowLongAndWhatTheLastResponseSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(503, http.Header{"Retry-After": {"60"}}, `{"message":"maintenance of key-123 until noon"}`), nil
		}))
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("the job was stopped")
		time.AfterFunc(2*time.Second, func() { cancel(cause) })
		err := kit.Second(client.Locations.List(ctx))
		require.ErrorContains(t, err, `context canceled: the job was stopped (last status 503, ended after 2s, the last response said "maintenance of [redacted] until noon")`)
		require.ErrorIs(t, err, cause)

		ctx, stop := context.WithTimeoutCause(t.Context(), 5*time.Second, monitoring.ErrRateLimited)
		defer stop()
		err = kit.Second(kit.Client(t, testkit.Faults["response slower than the timeout"]).Locations.List(ctx))
		require.ErrorContains(t, err, "context deadline exceeded: monitoring: rate limited (ended after 5s)")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, monitoring.ErrRateLimited, "it is about another call")

		ctx, stop = context.WithCancel(t.Context())
		response := monitoring.Response{StatusCode: 200, Body: []byte("of an earlier call")}
		client = kit.Client(t, testkit.Faults["TLS alert"], monitoring.WithAttemptHook(func(context.Context, monitoring.Attempt) { stop() }))
		err = kit.Second(client.Locations.List(ctx, monitoring.WithResponse(&response)))
		require.ErrorContains(t, err, "protocol version not supported", "it failed before the context ended")
		require.NotErrorIs(t, err, context.Canceled)
		require.Equal(t, monitoring.Response{Attempts: 1}, response)
	})
}

// TestAContextThatEndsInTheBodyOfAnErrorIsInTheError has responses whose status arrives and
// whose body stalls. The status still says whether a create was carried out.
func TestAContextThatEndsInTheBodyOfAnErrorIsInTheError(t *testing.T) {
	for kind, c := range map[string]struct {
		code    int
		want    error
		unknown bool
	}{"read": {404, monitoring.ErrNotFound, false}, "create": {400, monitoring.ErrBadRequest, false}, "trigger": {503, monitoring.ErrServer, true}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			err := kit.FirstOfKind[kind](ctx, kit.Client(t, stallingAfter(c.code, `{"message":"`)))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
			require.ErrorContains(t, err, ": read the response: context deadline exceeded")
			require.ErrorContains(t, err, fmt.Sprintf("(last status %d, ended after 1s", c.code))
			require.Equal(t, `{"message":"`, string(kit.ErrAs[*monitoring.APIError](t, err).Body))

			// The time of an attempt is not the end of the context, so the status counts.
			err = kit.FirstOfKind[kind](t.Context(), kit.Client(t, stallingAfter(c.code, `{"message":"`), monitoring.WithTimeout(time.Second), monitoring.WithMaxRetries(0)))
			require.IsType(t, (*monitoring.APIError)(nil), err)
			require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
		})
	}
}

// stalled is a body that does not arrive until the context has ended.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// stallingAfter responds with the beginning of a body, whose rest does not arrive.
func stallingAfter(code int, beginning string) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		return withBody(code, -1, io.MultiReader(strings.NewReader(beginning), stalled{req.Context()})), nil
	}
}

// withBody is a response with a body of the announced length, -1 if that is unknown.
func withBody(code int, announced int64, body io.Reader) *http.Response {
	resp := testkit.Respond(code, nil, "")
	resp.ContentLength, resp.Body = announced, io.NopCloser(body)
	return resp
}
