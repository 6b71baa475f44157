package promcheck_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// scrapes are what Prometheus has scraped, every 15 seconds of virtual time. It is the storage of
// queries.
type scrapes struct {
	series     map[string]*series
	first, end time.Time
}

type series struct {
	labels  labels.Labels
	samples []chunks.Sample
}

const interval = 15 * time.Second

// program is a program that is scraped while it does something.
type program struct {
	*monitoring.Client
	fake *monitoringtest.Service
}

// scraped runs a program in a bubble, and scrapes it for the time given. The program does something
// from the second minute on.
func scraped(t *testing.T, lasts time.Duration, opts []monitoring.ClientOption, does func(context.Context, program)) *scrapes {
	s := &scrapes{series: make(map[string]*series)}
	synctest.Test(t, func(t *testing.T) {
		registry := client.NewRegistry()
		exporter, err := prometheus.New(prometheus.WithRegisterer(registry))
		require.NoError(t, err)
		options, err := monitoringotel.Options(monitoringotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))))
		require.NoError(t, err)
		p := program{fake: monitoringtest.NewDemo()}
		p.Client, err = p.fake.Client(append(options, opts...)...)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), lasts+time.Minute)
		defer cancel()
		done := make(chan struct{})
		go func() {
			defer close(done)
			time.Sleep(time.Minute)
			does(ctx, p)
		}()
		s.first = time.Now()
		for time.Since(s.first) < lasts {
			families, err := registry.Gather()
			require.NoError(t, err)
			s.end = time.Now()
			for _, family := range families {
				for _, m := range family.GetMetric() {
					s.add(family.GetName(), m)
				}
			}
			time.Sleep(interval)
		}
		cancel()
		<-done
	})
	return s
}

// add adds the samples of a metric, as they stand in the text that Prometheus scrapes.
func (s *scrapes) add(name string, m *dto.Metric) {
	one := func(suffix string, value float64, more ...string) {
		b := labels.NewScratchBuilder(8)
		for _, l := range m.GetLabel() {
			b.Add(l.GetName(), l.GetValue())
		}
		for i := 0; i < len(more); i += 2 {
			b.Add(more[i], more[i+1])
		}
		b.Add(model.MetricNameLabel, name+suffix)
		b.Add("job", "gate")
		b.Sort()
		all := b.Labels()
		if s.series[all.String()] == nil {
			s.series[all.String()] = &series{labels: all}
		}
		at := s.series[all.String()]
		at.samples = append(at.samples, sample{s.end.UnixMilli(), value})
	}
	switch {
	case m.Counter != nil:
		one("", m.Counter.GetValue())
	case m.Gauge != nil:
		one("", m.Gauge.GetValue())
	case m.Histogram != nil:
		buckets := append(slices.Clone(m.Histogram.GetBucket()), &dto.Bucket{
			UpperBound: new(math.Inf(1)), CumulativeCount: new(m.Histogram.GetSampleCount()),
		})
		for _, b := range buckets {
			one("_bucket", float64(b.GetCumulativeCount()), "le", fmt.Sprint(b.GetUpperBound()))
		}
		one("_sum", m.Histogram.GetSampleSum())
		one("_count", float64(m.Histogram.GetSampleCount()))
	}
}

// sample is one sample.
type sample struct {
	t int64
	f float64
}

func (s sample) ST() int64                     { return 0 }
func (s sample) T() int64                      { return s.t }
func (s sample) F() float64                    { return s.f }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

// Querier makes the scrapes a storage of queries.
func (s *scrapes) Querier(int64, int64) (storage.Querier, error) { return querier{s}, nil }

type querier struct{ *scrapes }

// Select returns the series that match, which are few.
func (q querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	set := &found{at: -1}
	for _, one := range q.series {
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(one.labels.Get(m.Name)) }) {
			set.list = append(set.list, one)
		}
	}
	slices.SortFunc(set.list, func(a, b *series) int { return labels.Compare(a.labels, b.labels) })
	return set
}

var errNotNeeded = errors.New("queries do not ask for this")

func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, errNotNeeded
}

func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, errNotNeeded
}

func (querier) Close() error { return nil }

// found is the result of Select.
type found struct {
	list []*series
	at   int
}

func (f *found) Next() bool {
	f.at++
	return f.at < len(f.list)
}

func (f *found) At() storage.Series {
	return storage.NewListSeries(f.list[f.at].labels, f.list[f.at].samples)
}
func (f *found) Err() error                        { return nil }
func (f *found) Warnings() annotations.Annotations { return nil }

// query evaluates a query at a time.
func (s *scrapes) query(t *testing.T, expression string, at time.Time) promql.Vector {
	t.Helper()
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e6, Timeout: time.Minute})
	defer engine.Close()
	q, err := engine.NewInstantQuery(t.Context(), s, nil, expression, at)
	require.NoError(t, err, expression)
	defer q.Close()
	result := q.Exec(t.Context())
	require.NoError(t, result.Err, expression)
	require.Empty(t, result.Warnings, expression)
	vector, err := result.Vector()
	require.NoError(t, err, expression)
	return vector
}
