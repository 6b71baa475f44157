package waits_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const (
	opCompletion = "GET /v2/check-sessions/{checkSessionId}/completion"
	opGetSession = "GET /v2/check-sessions/{checkSessionId}"
	opTrigger    = "POST /v2/check-sessions/trigger"
	opCancel     = "POST /v1/check-sessions/{checkSessionId}/cancel"
)

func sessionError(t *testing.T, err error) *monitoring.SessionError {
	t.Helper()
	e, ok := errors.AsType[*monitoring.SessionError](err)
	require.True(t, ok, "%v", err)
	return e
}

// requireTimeout requires the error of a session that still ran after the timeout.
func requireTimeout(t *testing.T, err error) *monitoring.SessionError {
	t.Helper()
	require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, context.Canceled)
	return sessionError(t, err)
}

// gateway is a proxy between the client and the service. It cuts requests that take too long.
type gateway struct {
	behind http.RoundTripper
	cut    time.Duration // requests that take this long are cut; 0 cuts none
	with   string        // how a request is cut: 504, reset, empty or 408
	absent int           // the status of every completion; 0 passes them on

	polls, cuts atomic.Int64
}

func (g *gateway) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/completion") {
		g.polls.Add(1)
		if g.absent != 0 {
			return testkit.Respond(g.absent, nil, "<html>no such page"), nil
		}
	}
	if g.cut == 0 {
		return g.behind.RoundTrip(req)
	}
	ctx, stop := context.WithTimeout(req.Context(), g.cut)
	defer stop()
	resp, err := g.behind.RoundTrip(req.WithContext(ctx))
	if req.Context().Err() != nil || ctx.Err() == nil {
		return resp, err
	}
	g.cuts.Add(1)
	switch g.with {
	case "504":
		return testkit.Respond(504, nil, "<html>Gateway Timeout"), nil
	case "408":
		return testkit.Respond(408, nil, ""), nil
	case "empty":
		return testkit.Respond(200, nil, ""), nil
	}
	return nil, syscall.ECONNRESET
}

// behindGateway makes a client whose requests go through the gateway.
func behindGateway(t *testing.T, svc *monitoringtest.Service, g *gateway, opts ...monitoring.ClientOption) *monitoring.Client {
	g.behind = svc.Transport()
	return kit.Fake(t, svc, append(opts, monitoring.WithHTTPClient(&http.Client{Transport: g}))...)
}
