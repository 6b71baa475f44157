package limiter

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestResponseTimesIgnoreOutliersAndOldOnes(t *testing.T) {
	var r responseTimes
	now := time.Now()
	require.Zero(t, r.most(now))
	r.add(now, time.Second)
	require.Equal(t, time.Second, r.most(now), "a single response counts")
	for range responsesFew - 2 {
		r.add(now, 50*time.Millisecond)
	}
	require.Equal(t, time.Second, r.most(now))
	r.add(now, 60*time.Millisecond)
	require.Equal(t, 60*time.Millisecond, r.most(now), "one slow response among many is an outlier")
	r.add(now, 900*time.Millisecond)
	require.Equal(t, 900*time.Millisecond, r.most(now), "two slow responses are not outliers")
	require.Equal(t, 900*time.Millisecond, r.most(now.Add(responsesFresh)))
	require.Zero(t, r.most(now.Add(responsesFresh+1)))
	r = responseTimes{}
	for range 2 {
		r.add(now, time.Second)
	}
	for range len(r.took) - 2 {
		r.add(now, 10*time.Millisecond)
	}
	require.Equal(t, time.Second, r.most(now), "all of the last ones do")
	for range 2 {
		r.add(now, 10*time.Millisecond)
	}
	require.Equal(t, 10*time.Millisecond, r.most(now), "only the last ones count")
}

func TestTheSlackIsTheSpreadOfResponseTimesWithinBounds(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		per, shortest, longest, unknown, known time.Duration
	}{
		{time.Minute, 0, 300 * ms, 800 * ms, 800 * ms},
		{2 * time.Second, 0, 0, 400 * ms, 2 * time.Second / 75},
		{2 * time.Second, 300 * ms, 300 * ms, 400 * ms, 2 * time.Second / 75},
		{2 * time.Second, 0, 100 * ms, 400 * ms, 106 * ms},
		{2 * time.Second, 200 * ms, 300 * ms, 400 * ms, 106 * ms},
		{2 * time.Second, 0, 3 * time.Second, 400 * ms, 400 * ms},
		{6 * time.Second, time.Second, 3 * time.Second, 500 * ms, 500 * ms},
	} {
		now := time.Now()
		s := waySpread{per: c.per}
		learns := func(first, last time.Duration) {
			for range spreadKnown - 1 {
				require.Equal(t, c.unknown, s.slack(now))
				s.responded(now, first)
			}
			require.Equal(t, c.unknown, s.slack(now))
			s.responded(now, last)
			require.Equal(t, c.known, s.slack(now), "%v", c)
		}
		learns(c.longest, c.shortest)
		epoch := max(5*c.per, 10*time.Second)
		require.Equal(t, c.known, s.slack(now.Add(2*epoch-1)))
		now = now.Add(3 * epoch)
		learns(c.shortest, c.longest) // it has forgotten
	}
}

func TestResponseTimesCountForTheSlackForTwoEpochs(t *testing.T) {
	now := time.Now()
	const epoch = 10 * time.Second
	for per, epoch := range map[time.Duration]time.Duration{time.Second: epoch, 4 * time.Second: 2 * epoch} {
		for after, want := range map[time.Duration]struct {
			before, known int
		}{0: {0, 10}, epoch - 1: {0, 10}, epoch: {10, 0}, 2*epoch - 1: {10, 0}, 2 * epoch: {0, 0}} {
			s := waySpread{per: per}
			for i := range 10 {
				s.responded(now, time.Duration(10+5*i)*time.Millisecond)
			}
			slack := s.slack(now.Add(after))
			require.Equal(t, []int{want.before, want.known}, []int{s.before.n, s.current.n}, after)
			if want.before+want.known > 0 {
				require.Equal(t, max(per/75, 48250*time.Microsecond), slack, after)
			} else {
				require.Equal(t, min(per/5, 500*time.Millisecond), slack, after)
			}
		}
	}
	s := waySpread{per: time.Second}
	for range 10 {
		s.responded(now, 50*time.Millisecond)
	}
	s.responded(now.Add(epoch), 10*time.Millisecond)
	s.responded(now.Add(epoch), 70*time.Millisecond)
	require.Equal(t, 64*time.Millisecond, s.slack(now.Add(epoch)), "of both")
	s.slack(now.Add(2 * epoch))
	require.Equal(t, timeRange{2, 10 * time.Millisecond, 70 * time.Millisecond}, s.before)
	require.Zero(t, s.current)
	s.slack(now.Add(4 * epoch))
	require.Zero(t, s.before)
}

func TestAnAttemptWithoutAResponseRaisesTheResponseTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		for _, c := range []struct {
			status     int
			took, want time.Duration
		}{
			{0, 2 * time.Second, 3 * time.Second},     // half as long again
			{0, 3 * time.Second, 3 * time.Second},     // not more than is expected
			{200, 4 * time.Second, 4 * time.Second},   // the time of the response
			{0, 4*time.Second + 2, 6*time.Second + 3}, // half as long again, rounded up
		} {
			l.Ended(oneOperation, Outcome{StatusCode: c.status, Duration: c.took})
			require.Equal(t, c.want, l.responses.most(oneOperation.Operation, time.Now()))
		}
		l.Ended(Attempt{Operation: "GET /v1/x", Class: Poll}, Outcome{StatusCode: 200, Duration: 30 * time.Second})
		require.Equal(t, 6*time.Second+3, l.responses.most("GET /v1/x", time.Now()), "the time of a long poll does not count")
	})
}

func TestAnOperationWithoutRecentResponsesUsesTheTimeOfAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		l.Ended(Attempt{Operation: "GET /v1/x"}, Outcome{StatusCode: 200, Duration: time.Second})
		time.Sleep(15 * time.Second)
		l.Ended(Attempt{Operation: "GET /v1/y"}, Outcome{StatusCode: 200, Duration: 3 * time.Second})
		require.Equal(t, time.Second, l.responses.most("GET /v1/x", time.Now()))
		time.Sleep(6 * time.Second)
		require.Equal(t, 3*time.Second, l.responses.most("GET /v1/x", time.Now()))
		require.Equal(t, 3*time.Second, l.responses.most("GET /v1/z", time.Now()))
	})
}

func TestResponseTimesAreKeptOfABoundedNumberOfOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		for i := range 300 {
			l.Ended(Attempt{Operation: fmt.Sprint(i)}, Outcome{StatusCode: 200, Duration: time.Second})
		}
		require.Len(t, l.responses.operations, 256)
	})
}

func TestAResponseTimeCountsForItsRouteAndForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		alerts := Attempt{Operation: "GET /v1/alert-notifications"}
		l.Ended(alerts, Outcome{StatusCode: 200, Duration: time.Second})
		l.Ended(oneOperation, Outcome{StatusCode: 200, Duration: 2 * time.Second})
		route := l.lineOf(alerts.Operation, time.Now()).pacer
		require.Equal(t, timeRange{1, time.Second, time.Second}, route.spread.current)
		require.Equal(t, timeRange{2, time.Second, 2 * time.Second}, l.common.spread.current)
	})
}
