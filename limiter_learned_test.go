package monitoring

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPauseThatOutlastsTheDeadlineIsInTheError(t *testing.T) {
	for _, operation := range []string{"", "GET /v1/locations", "GET /v1/alert-notifications"} {
		t.Run(operation, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(DefaultRateLimit)
				refuse(l, operation, 90*time.Second)
				until := time.Now().Add(90 * time.Second)
				ctx, stop := within(t, 3*time.Second)
				defer stop()
				began := time.Now()
				err := l.WaitFor(ctx, LimitedAttempt{Operation: operation})
				require.Equal(t, 3*time.Second, time.Since(began))
				require.ErrorIs(t, err, ErrRateLimited)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.EqualError(t, err, "waiting for the rate limit: the service responded with 429, so that nothing is sent until "+
					until.Format(time.RFC3339)+": context deadline exceeded")
			})
		})
	}
}

func TestTheLimiterPausesAsLongAsItWasAsked(t *testing.T) {
	for asked, c := range map[time.Duration]struct{ least, most time.Duration }{
		0:                {600 * time.Millisecond, 900 * time.Millisecond},
		7 * time.Second:  {7 * time.Second, 7 * time.Second},
		time.Hour:        {time.Hour, time.Hour},
		time.Hour + 1:    {600 * time.Millisecond, 900 * time.Millisecond},
		24 * time.Hour:   {600 * time.Millisecond, 900 * time.Millisecond},
		-5 * time.Second: {600 * time.Millisecond, 900 * time.Millisecond},
	} {
		t.Run(asked.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(DefaultRateLimit)
				began := time.Now()
				l.Throttled(asked)
				require.NoError(t, l.Wait(t.Context()))
				require.GreaterOrEqual(t, time.Since(began), c.least)
				require.LessOrEqual(t, time.Since(began), c.most)
			})
		})
	}
}

func TestTheClientCutsAnAskedPause(t *testing.T) {
	require.Equal(t, time.Minute, pauseAsked(time.Minute, 2*time.Minute))
	require.Equal(t, 2*time.Minute, pauseAsked(time.Hour, 2*time.Minute))
	require.Zero(t, pauseAsked(24*time.Hour, 2*time.Minute), "absurd")
}

func TestOneAttemptGoesAloneAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		l.Throttled(5 * time.Second)
		var left []time.Duration
		var mu sync.Mutex
		var all sync.WaitGroup
		began := time.Now()
		for range 5 {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context()))
				mu.Lock()
				left = append(left, time.Since(began))
				mu.Unlock()
				time.Sleep(400 * time.Millisecond) // the response
				l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 200, Duration: 400 * time.Millisecond})
			})
		}
		all.Wait()
		require.Equal(t, 5*time.Second, left[0])
		require.Equal(t, 5400*time.Millisecond, left[1], "when the first has its response")
		require.Less(t, left[4], 6*time.Second)

		l.Throttled(5 * time.Second)
		began = time.Now()
		require.NoError(t, l.Wait(t.Context()))
		require.NoError(t, l.Wait(t.Context()))
		require.Equal(t, 6*time.Second, time.Since(began), "or after a second without a response")
	})
}

func TestRefusalsOfAttemptsSentBeforeThePauseMakeItNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		l.Throttled(2 * time.Second)
		until := l.State().PausedUntil
		l.Throttled(0)
		require.Equal(t, until, l.State().PausedUntil)
		time.Sleep(3 * time.Second)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, Duration: 4 * time.Second})
		require.Zero(t, l.State().PausedUntil)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 429, Duration: 4 * time.Second, RetryAfter: 9 * time.Second})
		require.Equal(t, time.Now().Add(9*time.Second), l.State().PausedUntil, "unless the service asks for it")
	})
}

func TestThePausesOfRefusalsInARowBecomeLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(DefaultRateLimit)
		var before time.Duration
		for range 10 {
			began := time.Now()
			l.Throttled(0)
			require.NoError(t, l.Wait(t.Context()))
			pause := time.Since(began)
			require.Greater(t, pause, before*8/10)
			require.Less(t, pause, 38*time.Second)
			before = pause
		}
		require.Greater(t, before, 30*time.Second-1)
		l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: 200})
		time.Sleep(10 * time.Second)
		began := time.Now()
		l.Throttled(0)
		require.NoError(t, l.Wait(t.Context()))
		require.Less(t, time.Since(began), 9*time.Second, "and short again after a good one")
	})
}
