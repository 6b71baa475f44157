package testkit_test

import (
	"context"
	"io"
	"net/http/httptest"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestTransportsRespondInTurn(t *testing.T) {
	transport := testkit.InTurn(testkit.Status(503, "busy"), testkit.Status(201, "made"))
	for _, want := range []struct {
		status int
		body   string
	}{{503, "busy"}, {201, "made"}, {201, "made"}} {
		response, err := transport.RoundTrip(httptest.NewRequest("GET", "/", nil))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Equal(t, want.status, response.StatusCode)
		require.Equal(t, want.body, string(body))
		require.EqualValues(t, len(want.body), response.ContentLength)
		require.NotNil(t, response.Header)
	}
}

// A program may send again what was certainly not written, so faults must say it.
func TestFaultsSayWhetherTheRequestWasWritten(t *testing.T) {
	unwritten := map[string]bool{
		"refused connection": true, "reset before the request is written": true, "TLS failure": true, "TLS alert": true, "dial timeout": true, "DNS failure": true,
	}
	for name, fault := range testkit.Faults {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				connecting, written := 0, 0
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
					GetConn:      func(string) { connecting++ },
					WroteRequest: func(httptrace.WroteRequestInfo) { written++ },
				})
				response, err := fault(httptest.NewRequestWithContext(ctx, "POST", "https://monitoring.test/", nil))
				require.Equal(t, err == nil, response != nil, "either a response or an error")
				require.Equal(t, 1, connecting)
				require.Equal(t, !unwritten[name], written == 1)
				_, err = fault(httptest.NewRequestWithContext(ctx, "POST", "https://monitoring.test/", nil).WithContext(expired()))
				require.Equal(t, response == nil, err != nil, "also without hooks")
			})
		})
	}
}

func expired() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
