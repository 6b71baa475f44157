package monitoringotel_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

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
