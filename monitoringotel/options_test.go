package monitoringotel_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestInvalidOptionsAreErrors(t *testing.T) {
	for want, o := range map[string]monitoringotel.Option{
		"option 2 is nil":            nil,
		"the tracer provider is nil": monitoringotel.WithTracerProvider(nil),
		"the meter provider is nil":  monitoringotel.WithMeterProvider(nil),
		"the propagator is nil":      monitoringotel.WithPropagator(nil),
	} {
		_, err := monitoringotel.Options(monitoringotel.WithAttributes(), o)
		require.EqualError(t, err, "monitoringotel: "+want)
	}
	options, err := monitoringotel.Options() // of the global providers, which make nothing here
	require.NoError(t, err)
	client, err := monitoringtest.NewDemo().Client(options...)
	require.NoError(t, err)
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
}

// TestSecretsReachNoSpanAndNoMetric reads all that OpenTelemetry's exporters write.
func TestSecretsReachNoSpanAndNoMetric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var spansOut, metricsOut bytes.Buffer // metrics are also collected in the background
		spans, err := stdouttrace.New(stdouttrace.WithWriter(&spansOut))
		require.NoError(t, err)
		metrics, err := stdoutmetric.New(stdoutmetric.WithWriter(&metricsOut))
		require.NoError(t, err)
		meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics)))
		options, err := monitoringotel.Options(
			monitoringotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))),
			monitoringotel.WithMeterProvider(meters), monitoringotel.WithPropagator(propagation.TraceContext{}))
		require.NoError(t, err)
		fake := monitoringtest.NewDemo()
		client, err := fake.Client(append(options, monitoring.WithHeader("X-Token", "h3ader-s3cret"), monitoring.WithMaxRetries(1))...)
		require.NoError(t, err)
		ctx, account := t.Context(), "/v1/accounts/"+monitoringtest.AccountID
		secrets := []string{monitoringtest.APIKey, monitoringtest.AccountID, "h3ader-s3cret", "v4riable-value", "s1gned-value", "qu3ry-value"}

		_, err = client.Entitlements.Get(ctx, monitoringtest.AccountID)
		require.NoError(t, err)
		// A 429 of an untyped path makes a limit of a route with that path.
		fake.Handle("GET "+account+"/x", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }))
		_, err = monitoring.Do[any](ctx, client, "GET", account+"/x", nil, nil, monitoring.WithQuery("signature", "qu3ry-value"))
		require.ErrorIs(t, err, monitoring.ErrRateLimited)
		// The service says in its error what it got.
		echo := func(status int, text string) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				w.Write([]byte(`{"statusCode":400,"error":"Bad Request","message":"got ` + text + `"}`))
			})
		}
		fake.Handle("POST /v1/variables", echo(400, "v4riable-value with "+monitoringtest.APIKey))
		_, err = client.Variables.Create(ctx, &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("v4riable-value")})
		require.ErrorIs(t, err, monitoring.ErrBadRequest)
		// Signed addresses, one that is followed and one that is not.
		for _, to := range []string{"https://monitoring.test/v1/files/7?X-Signature=s1gned-value", "https://storage.test/f?X-Signature=s1gned-value"} {
			fake.Handle("GET /v1/locations", http.RedirectHandler(to, http.StatusTemporaryRedirect))
			fake.Handle("GET /v1/files/7", echo(400, "s1gned"))
			_, err = client.Locations.List(ctx)
			require.Error(t, err)
		}
		time.Sleep(time.Second) // virtual
		require.NoError(t, meters.Shutdown(ctx))

		text := spansOut.String() + metricsOut.String()
		for _, shown := range []string{
			"/v1/accounts/{accountId}/entitlements", "GET /v1/accounts/[redacted]/x", "monitoring.limiter.pause", "POST /v1/variables",
			"https://monitoring.test/v1/locations", "http.client.request.duration",
		} {
			require.Contains(t, text, shown)
		}
		for _, secret := range secrets {
			require.NotContains(t, text, secret)
		}
	})
}

// A module with a version of its own cannot use what the other one may change at any time.
func TestTheModuleUsesTheReleasedVersionAndNoInternalPackage(t *testing.T) {
	data, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	require.Contains(t, string(data), "\n\tgithub.com/monitoring-api/monitoring-go v"+monitoring.Version+"\n")
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			require.NotContains(t, i.Path.Value, "/internal/", name)
		}
	}
}
