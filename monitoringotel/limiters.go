package monitoringotel

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// limiters are those of the clients that were made with the same options, once each. The clients
// hold it, and the meter does not: so it is garbage when they are.
type limiters struct {
	mu   sync.Mutex
	list []monitoring.Limiter
}

// add is the limiter hook of the clients.
func (l *limiters) add(limiter monitoring.Limiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.list, func(known monitoring.Limiter) bool { return reflect.ValueOf(known).Comparable() && known == limiter }) {
		l.list = append(l.list, limiter)
	}
}

func (l *limiters) all() []monitoring.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// gauges are the metrics of limiters.
type gauges struct {
	common                    []attribute.KeyValue
	limit, pause, share       metric.Float64ObservableGauge
	available, waiters, route metric.Int64ObservableGauge
}

// observeLimiters observes the limiters that are added to what it returns, at each collection.
func observeLimiters(meter metric.Meter, common []attribute.KeyValue) (*limiters, error) {
	g, errs := &gauges{common: common}, [6]error{}
	g.limit, errs[0] = meter.Float64ObservableGauge("monitoring.limiter.limit", metric.WithUnit("{request}/s"),
		metric.WithDescription("Requests in a second that a limit allows."))
	g.available, errs[1] = meter.Int64ObservableGauge("monitoring.limiter.available", metric.WithUnit("{request}"),
		metric.WithDescription("Requests that could be sent at once now."))
	g.pause, errs[2] = meter.Float64ObservableGauge("monitoring.limiter.pause", metric.WithUnit("s"),
		metric.WithDescription("How long the pause after a 429 still lasts."))
	g.share, errs[3] = meter.Float64ObservableGauge("monitoring.limiter.share", metric.WithUnit("1"),
		metric.WithDescription("The part of the limit that this process uses, because others use the account."))
	g.waiters, errs[4] = meter.Int64ObservableGauge("monitoring.limiter.waiters", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that wait for the common limit or for that of a route."))
	g.route, errs[5] = meter.Int64ObservableGauge("monitoring.limiter.route.waiters", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts of a route that wait for its own limit."))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	l := &limiters{}
	observed := weak.Make(l)
	registration, err := meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		if l := observed.Value(); l != nil {
			for _, limiter := range l.all() {
				g.observe(to, limiter.State(), time.Now())
			}
		}
		return nil
	}, g.limit, g.available, g.pause, g.share, g.waiters, g.route)
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(l, func(r metric.Registration) { _ = r.Unregister() }, registration)
	return l, nil
}

func (g *gauges) observe(to metric.Observer, s monitoring.LimiterState, now time.Time) {
	g.observeLimit(to, monitoring.RouteState{
		Operation: "account", Limit: s.Limit, Available: s.Available, PausedUntil: s.PausedUntil, Share: s.Share,
	}, now)
	for _, class := range []monitoring.AttemptClass{monitoring.ClassOrdinary, monitoring.ClassBackground, monitoring.ClassPoll} {
		to.ObserveInt64(g.waiters, int64(s.WaitersByClass[class]), g.with(classKey.String(className(class))))
	}
	for _, route := range s.Routes {
		route.Operation = nameOf(route.Operation)
		g.observeLimit(to, route, now)
		to.ObserveInt64(g.route, int64(route.Waiters), g.with(limitKey.String(route.Operation)))
	}
}

// observeLimit observes the limit of the account or of a route.
func (g *gauges) observeLimit(to metric.Observer, s monitoring.RouteState, now time.Time) {
	with := g.with(limitKey.String(s.Operation))
	to.ObserveFloat64(g.pause, max(0, s.PausedUntil.Sub(now).Seconds()), with)
	if s.Limit.Per > 0 { // otherwise there is no limit, or it is not known
		to.ObserveFloat64(g.limit, float64(s.Limit.Requests)/s.Limit.Per.Seconds(), with)
	}
	if s.Available != math.MaxInt {
		to.ObserveInt64(g.available, int64(s.Available), with)
	}
	if s.Share > 0 {
		to.ObserveFloat64(g.share, s.Share, with)
	}
}

func (g *gauges) with(attributes ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(attributes, g.common...)...)
}
