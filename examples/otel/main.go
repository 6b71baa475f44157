// Command otel shows OpenTelemetry with a client: a span for each call, a child span for each
// attempt, and metrics of calls, attempts and the rate limit.
//
//	cd examples/otel && go run .
//
// It runs against the in-process fake, which fails the first two attempts. Your own program
// can use telemetry.go as it is, with other exporters.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
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
	spans, reader := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	traces := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	defer traces.Shutdown(ctx)
	defer meters.Shutdown(ctx)
	telemetry, err := newTelemetry(traces, meters)
	if err != nil {
		return err
	}

	fake := monitoringtest.NewDemo()
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Times: 2})
	client, err := monitoring.NewClient(monitoringtest.BaseURL, monitoringtest.APIKey,
		append(telemetry.options(fake.Transport()), monitoring.WithAccount(monitoringtest.AccountID))...)
	if err != nil {
		return err
	}
	locations, err := client.Locations.List(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d locations\n", len(locations))

	printSpans(out, spans.GetSpans())
	var metrics metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &metrics); err != nil {
		return err
	}
	printMetrics(out, metrics)
	return nil
}

// printSpans prints each span of a call and below it those of its attempts.
func printSpans(out io.Writer, spans tracetest.SpanStubs) {
	for _, parent := range spans {
		if parent.Parent.IsValid() {
			continue
		}
		fmt.Fprintf(out, "span %s %s\n", parent.Name, attributes(parent, "monitoring.attempts"))
		for _, child := range spans {
			if child.Parent.SpanID() == parent.SpanContext.SpanID() {
				fmt.Fprintf(out, "  span %s %s\n", child.Name, attributes(child, "http.response.status_code", "http.request.resend_count"))
			}
		}
	}
}

func attributes(span tracetest.SpanStub, names ...string) string {
	var list []string
	for _, a := range span.Attributes {
		if slices.Contains(names, string(a.Key)) {
			list = append(list, fmt.Sprintf("%s=%s", a.Key, a.Value.String()))
		}
	}
	return strings.Join(list, " ")
}

func printMetrics(out io.Writer, metrics metricdata.ResourceMetrics) {
	for _, s := range metrics.ScopeMetrics {
		for _, m := range s.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					fmt.Fprintf(out, "metric %s %d %s\n", m.Name, p.Value, p.Attributes.Encoded(attribute.DefaultEncoder()))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					fmt.Fprintf(out, "metric %s count=%d %s\n", m.Name, p.Count, p.Attributes.Encoded(attribute.DefaultEncoder()))
				}
			}
		}
	}
}
