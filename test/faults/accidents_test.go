package faults_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// overHTTPS makes a client that retries, with the transport that clients have by default.
func overHTTPS(t *testing.T, base string) *monitoring.Client {
	client, err := monitoring.NewClient(base, "key-123", monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 2, MinBackoff: 1, MaxBackoff: 1}))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func TestHTTPSOnAPortOfPlainHTTPIsSaidInWords(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	err := kit.Second(overHTTPS(t, "https"+strings.TrimPrefix(server.URL, "http")).Locations.List(t.Context()))
	require.ErrorIs(t, err, http.ErrSchemeMismatch)
	require.ErrorContains(t, err, "http: server gave HTTP response to HTTPS client: check the scheme and the port of the base address")
	require.NotContains(t, err.Error(), "attempts")
}

func TestACertificateOfAnUnknownAuthorityIsSaidInWords(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	err := kit.Second(overHTTPS(t, server.URL).Locations.List(t.Context()))
	require.ErrorContains(t, err, "the certificate is not trusted here: trust its authority, or that of a proxy which inspects the connection: tls: ")
	require.NotContains(t, err.Error(), "attempts")
}

func TestTheEndOfTheContextSaysHowLongAndWhatTheLastResponseSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.Status(503, `{"message":"maintenance of key-123 until noon"}`), monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour}))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		err := kit.Second(client.Locations.List(ctx))
		require.ErrorContains(t, err, `context canceled (last status 503, ended after 2s, the last response said "maintenance of [redacted] until noon")`)

		client = kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, io.EOF
		}))
		ctx, cancel = context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		require.ErrorContains(t, kit.Second(client.Locations.List(ctx)), "context deadline exceeded (ended after 5s)")
	})
}
