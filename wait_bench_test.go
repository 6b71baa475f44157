package monitoring_test

import (
	"fmt"
	"testing"
	"testing/synctest"
)

// BenchmarkWaitAll waits for sessions of 20 s to 10 min in virtual time, at 100 ms
// latency and with the limit enforced, and reports what it costs and how late the ends
// of sessions are seen: a change of the waiting shows in the metrics, not in ns/op.
func BenchmarkWaitAll(b *testing.B) {
	for _, sessions := range []int{1, 50, 200, 300, 1000} {
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			var load *waitLoad
			for b.Loop() {
				ok := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
					Name: b.Name(),
					F:    func(t *testing.T) { synctest.Test(t, func(t *testing.T) { load = waitForMany(t, sessions) }) },
				}})
				if !ok {
					b.Fatal("the waiting failed")
				}
			}
			b.ReportMetric(float64(load.requests), "requests")
			b.ReportMetric(float64(load.refused), "429s")
			b.ReportMetric(load.lag(.5).Seconds(), "lag-p50-s")
			b.ReportMetric(load.lag(.99).Seconds(), "lag-p99-s")
			b.ReportMetric(load.lag(1).Seconds(), "lag-max-s")
		})
	}
}
