// Command otel shows a span for each attempt of a call: the SDK keeps the transport of
// the http.Client it is given, so that otelhttp sees every attempt, retries included.
//
//	cd examples/otel && go run .
//
// It runs on the service in a box, which fails the first two attempts.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	svc := monitoringtest.NewDemo()
	svc.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Times: 2})

	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	defer provider.Shutdown(ctx)

	// The tracing transport goes around the program's own; the SDK goes around both.
	traced := &http.Client{Transport: otelhttp.NewTransport(svc.Transport(), otelhttp.WithTracerProvider(provider))}
	client, err := monitoring.NewClient(monitoringtest.BaseURL, monitoringtest.APIKey,
		monitoring.WithAccount(monitoringtest.AccountID), monitoring.WithHTTPClient(traced))
	if err != nil {
		return err
	}

	// A span of the program's own becomes the parent of the attempts.
	ctx, span := provider.Tracer("example").Start(ctx, "list locations")
	locations, err := client.Locations.List(ctx)
	span.End()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d locations\n", len(locations))
	for _, s := range spans.GetSpans() {
		fmt.Fprintf(out, "span %q status %d\n", s.Name, status(s.Attributes))
	}
	return nil
}

func status(attributes []attribute.KeyValue) int64 {
	for _, a := range attributes {
		if a.Key == "http.response.status_code" {
			return a.Value.AsInt64()
		}
	}
	return 0
}
