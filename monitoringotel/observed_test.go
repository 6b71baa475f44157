package monitoringotel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// observed is a client of an in-process fake, and its spans and metrics.
type observed struct {
	*monitoring.Client
	t      *testing.T
	fake   *monitoringtest.Service
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
}

func observe(t *testing.T, opts ...monitoring.ClientOption) *observed {
	t.Helper()
	return observeWith(t, nil, opts...)
}

func observeWith(t *testing.T, own []monitoringotel.Option, opts ...monitoring.ClientOption) *observed {
	t.Helper()
	o := &observed{t: t, fake: monitoringtest.NewDemo(), spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	options, err := monitoringotel.Options(append(own,
		monitoringotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(o.spans))),
		monitoringotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(o.reader))))...)
	require.NoError(t, err)
	o.Client, err = o.fake.Client(append(options, opts...)...)
	require.NoError(t, err)
	return o
}

// tree returns the spans of the calls and of their attempts, in the order in which they ended.
func (o *observed) tree() (parents tracetest.SpanStubs, children map[trace.SpanID]tracetest.SpanStubs) {
	children = make(map[trace.SpanID]tracetest.SpanStubs)
	for _, s := range o.spans.GetSpans() {
		if s.Parent.IsValid() {
			children[s.Parent.SpanID()] = append(children[s.Parent.SpanID()], s)
		} else {
			parents = append(parents, s)
		}
	}
	return parents, children
}

// point is a point of a metric: the sum of a counter, the value of a gauge, or count and sum of a
// histogram.
type point struct {
	attributes map[string]any
	value      float64
	count      uint64
}

// points collects a metric.
func (o *observed) points(name string) (list []point) {
	var all metricdata.ResourceMetrics
	require.NoError(o.t, o.reader.Collect(context.Background(), &all))
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			if m.Name != name {
				continue
			}
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					list = append(list, point{values(p.Attributes.ToSlice()), float64(p.Value), 0})
				}
			case metricdata.Gauge[int64]:
				for _, p := range data.DataPoints {
					list = append(list, point{values(p.Attributes.ToSlice()), float64(p.Value), 0})
				}
			case metricdata.Gauge[float64]:
				for _, p := range data.DataPoints {
					list = append(list, point{values(p.Attributes.ToSlice()), p.Value, 0})
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					list = append(list, point{values(p.Attributes.ToSlice()), p.Sum, p.Count})
				}
			default:
				o.t.Fatalf("%s is a %T", name, data)
			}
		}
	}
	return list
}

// one returns the point of a metric that has exactly these attributes.
func (o *observed) one(name string, attributes map[string]any) point {
	o.t.Helper()
	all := o.points(name)
	for _, p := range all {
		if len(p.attributes) == len(attributes) {
			same := true
			for key, value := range attributes {
				same = same && p.attributes[key] == value
			}
			if same {
				return p
			}
		}
	}
	require.Fail(o.t, "no such point", "%s with %v in %v", name, attributes, all)
	return point{}
}

func values(list []attribute.KeyValue) map[string]any {
	found := make(map[string]any)
	for _, a := range list {
		found[string(a.Key)] = a.Value.AsInterface()
	}
	return found
}
