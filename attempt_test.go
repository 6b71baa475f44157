package monitoring

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnAttemptToAnotherAddressThanTheBaseIsNotSent(t *testing.T) {
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("the request was sent")
		return nil, io.EOF
	}))
	e := &exchange{core: client.core, op: &operation{}, settings: &callSettings{}}
	for _, address := range []string{"https://evil.test/v1/locations", "http://monitoring.test/", "https://monitoring.test/../x"} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		_, err = e.RoundTrip((&http.Request{Method: "GET", URL: u}).WithContext(t.Context()))
		require.ErrorIs(t, err, ErrRedirect)
		require.Equal(t, &attemptError{err: ErrRedirect, local: true}, err)
	}
}

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

// patientLimiter is a user's limiter that never gives a place.
type patientLimiter struct{ unlimited }

func (patientLimiter) WaitFor(ctx context.Context, _ LimitedAttempt) error {
	<-ctx.Done()
	return errors.New("no place")
}

func TestAContextThatEndsInAUsersLimiterIsTheReasonOfTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := second(testClient(t, status(200, "[]"), WithLimiter(patientLimiter{})).Locations.List(ctx))
		require.EqualError(t, err, "monitoring: GET /v1/locations: waiting for the rate limit: context deadline exceeded")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrRateLimited)
	})
}

func TestTheErrorsOfThisPackageAreKnownWithWhatTheyWrap(t *testing.T) {
	wrapped := fmt.Errorf("%w", io.EOF)
	for err, want := range map[error]error{&contextEnd{}: nil, &attemptTimeout{}: nil, &placeError{}: nil, &stepError{"x", wrapped}: wrapped, &networkTimeout{wrapped}: wrapped} {
		inner, known := ours(err)
		require.True(t, known, "%T", err)
		require.Equal(t, want, inner)
	}
	_, known := ours(wrapped)
	require.False(t, known)
}

func TestATimeoutOfAnAttemptIsANetTimeout(t *testing.T) {
	for _, err := range []net.Error{&attemptTimeout{time.Second}, &networkTimeout{&net.OpError{Op: "dial", Err: timeoutError{}}}} {
		require.True(t, err.Timeout())
		//lint:ignore SA1019 it is still a part of net.Error
		require.True(t, err.Temporary())
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	}
	err := &networkTimeout{&net.OpError{Op: "dial", Err: fmt.Errorf("%w: %w", timeoutError{}, syscall.ETIMEDOUT)}}
	require.ErrorIs(t, err, syscall.ETIMEDOUT)
	op, ok := errors.AsType[*net.OpError](err)
	require.True(t, ok)
	require.Equal(t, "dial", op.Op)
	require.NotErrorIs(t, &networkTimeout{context.Canceled}, context.Canceled)
	require.ErrorIs(t, &attemptError{err: io.EOF}, io.EOF)
	require.ErrorIs(t, &stepError{"x", io.EOF}, io.EOF)
}

func TestARequestMayHaveBeenSentUnlessTheTransportOrTheErrorSaysNo(t *testing.T) {
	reset := errors.New("reset")
	for name, c := range map[string]struct {
		report func(*httptrace.ClientTrace)
		err    error
		may    bool
	}{
		"the header was written":    {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteHeaders() }, syscall.ECONNREFUSED, true},
		"the request was written":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteRequest(httptrace.WroteRequestInfo{}) }, syscall.ECONNREFUSED, true},
		"there was no connection":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x") }, reset, false},
		"no report, any error":      {nil, reset, true},
		"no report, a refusal":      {nil, fmt.Errorf("x: %w", syscall.ECONNREFUSED), false},
		"no report, a dial":         {nil, &net.OpError{Op: "dial", Err: reset}, false},
		"no report, a read":         {nil, &net.OpError{Op: "read", Err: reset}, true},
		"no report, no DNS name":    {nil, &net.DNSError{}, false},
		"no report, a certificate":  {nil, &tls.CertificateVerificationError{Err: reset}, false},
		"no report, an alert":       {nil, tls.AlertError(40), false},
		"no report, no TLS at all":  {nil, tls.RecordHeaderError{}, false},
		"no report, a remote alert": {nil, &net.OpError{Op: "remote error", Err: reset}, false},
		"no report, our own alert":  {nil, &net.OpError{Op: "local error", Err: reset}, false},
	} {
		var sent sentTrace
		if trace := sent.trace(); c.report != nil {
			c.report(trace)
		}
		require.Equal(t, c.may, sent.may(c.err), name)
	}
}
