package promcheck_test

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// block returns the block of a language on a page.
func block(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + page)
	require.NoError(t, err)
	m := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	require.Len(t, m, 1, language)
	return m[0][1]
}

type rule struct {
	Alert, Expr string
	For         time.Duration
}

func rules(t *testing.T) map[string]rule {
	var file struct{ Groups []struct{ Rules []rule } }
	require.NoError(t, yaml.Unmarshal([]byte(block(t, "docs/observability.md", "yaml")), &file))
	require.Len(t, file.Groups, 1)
	byName := make(map[string]rule)
	for _, r := range file.Groups[0].Rules {
		byName[r.Alert] = r
	}
	require.Len(t, byName, 3)
	return byName
}

// targets are the queries of the dashboard.
func targets(t *testing.T) (list []target) {
	for _, p := range readDashboard(t).Panels {
		for _, target := range p.Targets {
			target.Expr = strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")
			list = append(list, target)
		}
	}
	require.Greater(t, len(list), 10)
	return list
}

// everything is a program that meets all that the metrics tell.
func everything(ctx context.Context, p program) {
	p.fake.Inject(
		monitoringtest.Fault{Operation: "GET /v1/variables", Status: http.StatusServiceUnavailable, Times: 3},
		monitoringtest.Fault{
			Operation: "GET /v1/locations", Status: http.StatusTooManyRequests, Times: 1, After: 20,
			Header: http.Header{"Retry-After": {"600"}},
		})
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		for range 10 {
			wait := monitoring.WaitOptions{Timeout: 10 * time.Second}
			p.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, wait)
		}
	})
	for range 5 {
		all.Go(func() {
			for ctx.Err() == nil {
				p.Locations.List(ctx)
				p.Variables.List(ctx, monitoring.VariableListOptions{})
				p.CheckGroups.Get(ctx, 1)
				p.CheckGroups.Get(ctx, 1, monitoring.WithBackground())
			}
		})
	}
}

// few is a limit that its callers use up.
var few = []monitoring.ClientOption{monitoring.WithRateLimit(monitoring.RateLimit{Requests: 60, Per: time.Minute})}

func TestEachMetricAndLabelOfTheQueriesIsWhatTheExporterWrites(t *testing.T) {
	s := scraped(t, 10*time.Minute, few, everything)
	written := make(map[string]map[string]bool) // the labels of a metric
	everyLabel := make(map[string]bool)
	for _, one := range s.series {
		name := one.labels.Get(model.MetricNameLabel)
		if written[name] == nil {
			written[name] = make(map[string]bool)
		}
		one.labels.Range(func(l labels.Label) { written[name][l.Name], everyLabel[l.Name] = true, true })
	}
	check := func(expression string) {
		parsed, err := parser.ParseExpr(expression)
		require.NoError(t, err, expression)
		parser.Inspect(parsed, func(node parser.Node, path []parser.Node) error {
			switch n := node.(type) {
			case *parser.VectorSelector:
				require.Contains(t, written, n.Name, expression)
				var used []string
				for _, m := range n.LabelMatchers {
					used = append(used, m.Name)
				}
				for _, outer := range path { // what is grouped or matched by is a label of what is within
					if a, ok := outer.(*parser.AggregateExpr); ok {
						used = append(used, a.Grouping...)
					}
				}
				for _, label := range used {
					require.True(t, written[n.Name][label], "%s has no label %s: %s", n.Name, label, expression)
				}
			case *parser.BinaryExpr:
				if n.VectorMatching != nil {
					for _, label := range slices.Concat(n.VectorMatching.MatchingLabels, n.VectorMatching.Include) {
						require.True(t, everyLabel[label], expression)
					}
				}
			}
			return nil
		})
	}
	for _, r := range rules(t) {
		check(r.Expr)
	}
	for _, target := range targets(t) {
		check(target.Expr)
		legends := regexp.MustCompile(`{{(\w+)}}`).FindAllStringSubmatch(target.LegendFormat, -1)
		shows := false // at some time; a pause, for example, is not always there
		for at := s.first; !at.After(s.end); at = at.Add(time.Minute) {
			for _, one := range s.query(t, target.Expr, at) {
				shows = true
				one.Metric.Range(func(l labels.Label) {
					require.True(t, slices.ContainsFunc(legends, func(m []string) bool { return m[1] == l.Name }) || l.Name == model.MetricNameLabel,
						"%s: the legend %q does not tell %s", target.Expr, target.LegendFormat, l.Name)
				})
			}
		}
		require.True(t, shows, "%s shows nothing", target.Expr)
		for _, m := range legends {
			require.True(t, everyLabel[m[1]], target.LegendFormat)
		}
	}
}

// each calls a function every five seconds until the context ends.
func each(ctx context.Context, call func()) {
	for ctx.Err() == nil {
		call()
		time.Sleep(5 * time.Second) // virtual
	}
}

func TestAnAlertFiresWhenItShouldAndNotBefore(t *testing.T) {
	for name, c := range map[string]struct {
		opts  []monitoring.ClientOption
		does  func(context.Context, program)
		fires map[string]string // the alerts with a label that they have
	}{
		"all is well": {does: func(ctx context.Context, p program) {
			id := p.fake.AddSession(monitoringtest.Session{Duration: time.Hour})
			each(ctx, func() {
				p.Locations.List(ctx)
				p.CheckGroups.Get(ctx, 1) // which is not there
				p.CheckSessions.Completion(ctx, id, monitoring.CompletionOptions{MaxWaitSeconds: 1})
				cancelled, cancel := context.WithCancel(ctx)
				cancel()
				p.Locations.List(cancelled)
			})
		}},
		"a few calls fail": {does: func(ctx context.Context, p program) {
			p.fake.Inject(monitoringtest.Fault{Status: http.StatusForbidden, Times: 3, After: 10})
			each(ctx, func() { p.Locations.List(ctx) })
		}},
		"the key is refused": {does: func(ctx context.Context, p program) {
			p.fake.Inject(monitoringtest.Fault{Status: http.StatusUnauthorized, After: 10})
			each(ctx, func() { p.Locations.List(ctx) })
		}, fires: map[string]string{"MonitoringCallsFail": `error_type="401"`}},
		"the limit is used up": {opts: few, does: func(ctx context.Context, p program) {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					for ctx.Err() == nil {
						p.Locations.List(ctx)
					}
				})
			}
			all.Wait()
		}, fires: map[string]string{"MonitoringLimitUsedUp": ""}},
		"a job in the background uses the limit up": {opts: few, does: func(ctx context.Context, p program) {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					for ctx.Err() == nil {
						p.Locations.List(ctx, monitoring.WithBackground())
					}
				})
			}
			each(ctx, func() { p.Locations.List(ctx) })
			all.Wait()
		}},
		"the outcome of the first trigger is unknown": {does: func(ctx context.Context, p program) {
			p.fake.Inject(monitoringtest.Fault{Operation: "POST /v2/check-sessions/trigger", Status: http.StatusBadGateway})
			p.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
			each(ctx, func() {
				for range 5 {
					p.Locations.List(ctx)
				}
			})
		}, fires: map[string]string{"MonitoringOutcomeUnknown": `monitoring_operation="POST /v2/check-sessions/trigger"`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scraped(t, 20*time.Minute, c.opts, c.does)
			for alert, r := range rules(t) {
				fired, since := "", time.Time{}
				for at := s.first; !at.After(s.end); at = at.Add(30 * time.Second) {
					vector := s.query(t, r.Expr, at)
					switch {
					case len(vector) == 0:
						since = time.Time{}
					case since.IsZero():
						since = at
					}
					if len(vector) > 0 && at.Sub(since) >= r.For && fired == "" {
						fired = "{" + vector[0].Metric.String() + "}"
					}
				}
				want, fires := c.fires[alert]
				require.Equal(t, fires, fired != "", "%s: %s", alert, fired)
				require.Contains(t, fired, want)
			}
		})
	}
}

// The code of both pages is that of a function which compiles.
func TestTheFiveLinesOfThePagesCompile(t *testing.T) {
	lines := func(text string) string {
		var list []string
		for line := range strings.Lines(text) {
			list = append(list, strings.TrimSpace(line))
		}
		return strings.Join(list, "\n")
	}
	code, err := os.ReadFile("../example_test.go")
	require.NoError(t, err)
	require.Contains(t, lines(string(code)), lines(block(t, "docs/observability.md", "go monitoringotel")))
	require.Contains(t, lines(string(code)), lines(block(t, "monitoringotel/README.md", "go")))
}
