package monitoringotel_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// newClient is the code of docs/observability.md.
func newClient(url, key, account string) (*monitoring.Client, error) {
	options, err := monitoringotel.Options() // of the providers of package otel, or of yours
	if err != nil {
		return nil, err
	}
	return monitoring.NewClient(url, key, append(options, monitoring.WithAccount(account))...)
}

var _ = newClient

func ExampleOptions() {
	spans := tracetest.NewInMemoryExporter() // yours is otlptracehttp, say
	options, err := monitoringotel.Options(monitoringotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))))
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := monitoringtest.NewDemo().Client(options...) // or monitoring.NewClient(address, key, options...)
	if err != nil {
		fmt.Println(err)
		return
	}
	client.Locations.List(context.Background())
	for _, span := range spans.GetSpans() {
		fmt.Println(span.SpanKind, span.Name, span.Status.Code)
	}
	// Output:
	// client GET /v1/locations Unset
	// internal GET /v1/locations Unset
}
