package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWithinWhichTimeAResponseProbablyComes(t *testing.T) {
	for name, c := range map[string]struct {
		took []time.Duration // of 20 responses, the last ones first
		want time.Duration
	}{
		"nothing is known":                       {nil, 0},
		"of a single response":                   {[]time.Duration{time.Second}, time.Second},
		"of the slowest one":                     {[]time.Duration{90 * ms, 60 * ms, 80 * ms, 70 * ms}, 90 * ms},
		"at most twice that of three of four":    {[]time.Duration{5 * time.Second, 60 * ms, 50 * ms, 40 * ms, 30 * ms}, 120 * ms},
		"two of four are slow":                   {[]time.Duration{5 * time.Second, 4 * time.Second, 50 * ms, 40 * ms}, 5 * time.Second},
		"only one of many, and it is an outlier": {append([]time.Duration{time.Minute}, repeated(20*ms, 19)...), 40 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			var r responseTimes
			for _, took := range c.took {
				r.add(epoch, took)
			}
			require.Equal(t, c.want, r.probably(epoch))
			require.Equal(t, c.want, r.probably(epoch.Add(responsesFresh)))
			require.Zero(t, r.probably(epoch.Add(responsesFresh+1)), "old ones do not count")
			for range responsesKept {
				r.add(epoch, 7*ms)
			}
			require.Equal(t, 7*ms, r.probably(epoch), "nor more than the last ones")
		})
	}
}

func repeated(d time.Duration, n int) (list []time.Duration) {
	for range n {
		list = append(list, d)
	}
	return list
}

func TestWhatTheEndOfAnAttemptShows(t *testing.T) {
	s := newScheduler(standard, epoch)
	x := Attempt{Operation: "GET /v1/x"}
	for _, c := range []struct {
		name       string
		a          Attempt
		status     int
		took, want time.Duration
	}{
		{"the time of a response", x, 200, time.Second, time.Second},
		{"of a poll, nothing", Attempt{Operation: x.Operation, Class: Poll}, 200, 30 * time.Second, time.Second},
		{"without a response, that it takes longer", x, 0, 2 * time.Second, 8 * time.Second},
		{"unless it ended earlier", x, 0, 3 * time.Second, 8 * time.Second},
	} {
		s.ended(epoch, c.a, Outcome{StatusCode: c.status, Duration: c.took})
		require.Equal(t, c.want, s.probably(x.Operation, epoch), c.name)
	}
	require.Equal(t, time.Second, s.probably("GET /v1/other", epoch), "an operation without responses has the time of all")
	require.Equal(t, time.Second, s.common.times.took[0])
	require.Equal(t, 1, s.common.times.next)
}
