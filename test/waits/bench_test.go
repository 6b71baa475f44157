package waits_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// BenchmarkWaitAll waits for many sessions in virtual time, with 100 ms latency and the limit
// enforced. Meanwhile there is one ordinary call a second. Look at the metrics, not at ns/op: the
// number of requests, how late ends of sessions are seen (lag), and the time of ordinary calls.
func BenchmarkWaitAll(b *testing.B) {
	for _, c := range []struct {
		name        string
		sessions    int
		least, most time.Duration
	}{
		{"200 of 30 s to 10 min", 200, 30 * time.Second, 10 * time.Minute},
		{"300 of 20 s to 10 min", 300, 20 * time.Second, 10 * time.Minute},
		{"500 of 5 s to 60 s", 500, 5 * time.Second, time.Minute},
		{"1000 of 20 s to 10 min", 1000, 20 * time.Second, 10 * time.Minute},
	} {
		b.Run(c.name, func(b *testing.B) {
			var load *waitLoad
			for b.Loop() {
				ok := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
					Name: b.Name(),
					F: func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							load = waitForMany(t, manySessions{c.sessions, c.least, c.most, 100 * time.Millisecond, true, 1})
						})
					},
				}})
				if !ok {
					b.Fatal("the waiting failed")
				}
			}
			b.ReportMetric(float64(load.requests), "requests")
			b.ReportMetric(float64(load.refused), "429s")
			b.ReportMetric(quantile(load.lags, .5).Seconds(), "lag-p50-s")
			b.ReportMetric(quantile(load.lags, .95).Seconds(), "lag-p95-s")
			b.ReportMetric(quantile(load.lags, .99).Seconds(), "lag-p99-s")
			b.ReportMetric(quantile(load.calls, .5).Seconds(), "call-p50-s")
			b.ReportMetric(quantile(load.calls, .99).Seconds(), "call-p99-s")
		})
	}
}
