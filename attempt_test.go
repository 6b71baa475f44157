package monitoring

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAStreamHasNoBodyOfAnEarlierAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, inTurn(status(503, "busy"), status(200, `{"openapi":"3.0.0"}`)))
		var out bytes.Buffer
		var response Response
		require.NoError(t, client.OpenAPI(t.Context(), &out, WithResponse(&response)))
		require.Equal(t, `{"openapi":"3.0.0"}`, out.String())
		require.Nil(t, response.Body)
		require.Equal(t, 200, response.StatusCode)
	})
}

func TestTheShortestTimeoutBoundsAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, faults["response slower than the timeout"], WithTimeout(1), WithMaxRetries(0))
		require.ErrorContains(t, second(client.Locations.List(t.Context())), "the attempt timed out after 1ns")
	})
}

func TestAnAttemptLeavesNoContextBehind(t *testing.T) {
	var ctx context.Context
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		ctx = req.Context()
		return respondWith(200, nil, "[]"), ctx.Err()
	}))
	require.NoError(t, second(client.Locations.List(t.Context(), WithTimeout(time.Hour))))
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}
