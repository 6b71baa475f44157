// Command otel shows what monitoringotel makes of a call: a span for the call, a span for each of
// its attempts, and metrics.
//
//	cd examples/otel && go run . -demo
//
// With -demo it uses the in-process fake, which fails the first two attempts. Your own program has
// exporters that send spans and metrics somewhere; docs/observability.md has alerts for them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	demo := flag.Bool("demo", false, "use made-up data")
	flag.Parse()
	if err := run(context.Background(), *demo, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, demo bool, out io.Writer) error {
	spans, reader := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	options, err := monitoringotel.Options( // without these two: the providers of package otel
		monitoringotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))),
		monitoringotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
	if err != nil {
		return err
	}
	client, err := monitoring.NewClientFromEnv(options...)
	if demo {
		fake := monitoringtest.NewDemo()
		fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Times: 2})
		client, err = fake.Client(options...)
	}
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
		fmt.Fprintf(out, "span %s %s\n", parent.Name, encoded(attribute.NewSet(parent.Attributes...)))
		for _, child := range spans {
			if child.Parent.SpanID() == parent.SpanContext.SpanID() {
				fmt.Fprintf(out, "  span %s %s\n", child.Name, encoded(attribute.NewSet(child.Attributes...)))
			}
		}
	}
}

func encoded(set attribute.Set) string { return set.Encoded(attribute.DefaultEncoder()) }

func printMetrics(out io.Writer, metrics metricdata.ResourceMetrics) {
	for _, scope := range metrics.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					fmt.Fprintf(out, "%s %d %s\n", m.Name, p.Value, encoded(p.Attributes))
				}
			case metricdata.Gauge[int64]:
				for _, p := range data.DataPoints {
					fmt.Fprintf(out, "%s %d %s\n", m.Name, p.Value, encoded(p.Attributes))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					fmt.Fprintf(out, "%s count=%d %s\n", m.Name, p.Count, encoded(p.Attributes))
				}
			}
		}
	}
}
