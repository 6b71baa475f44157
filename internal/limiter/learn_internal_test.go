package limiter

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
				l := newAccount(standard)
				refuse(l, operation, 90*time.Second)
				until := time.Now().Add(90 * time.Second)
				ctx, stop := within(t, 3*time.Second)
				defer stop()
				began := time.Now()
				err := l.Wait(ctx, Attempt{Operation: operation})
				require.Equal(t, 3*time.Second, time.Since(began))
				require.Equal(t, &EndedError{Err: context.DeadlineExceeded, PausedUntil: until}, err)
			})
		})
	}
}

func TestThePauseIsTheRetryAfterUpToAnHour(t *testing.T) {
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
				l := newAccount(standard)
				began := time.Now()
				refuse(l, "", asked)
				require.NoError(t, l.Wait(t.Context(), Attempt{}))
				require.GreaterOrEqual(t, time.Since(began), c.least)
				require.LessOrEqual(t, time.Since(began), c.most)
			})
		})
	}
}

func TestAfterAPauseOneAttemptIsSentAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		refuse(l, "", 5*time.Second)
		var left []time.Duration
		var mu sync.Mutex
		var all sync.WaitGroup
		began := time.Now()
		for range 5 {
			all.Go(func() {
				require.NoError(t, l.Wait(t.Context(), Attempt{}))
				mu.Lock()
				left = append(left, time.Since(began))
				mu.Unlock()
				time.Sleep(400 * time.Millisecond) // the response
				l.Ended(Attempt{}, Outcome{StatusCode: 200, Duration: 400 * time.Millisecond})
			})
		}
		all.Wait()
		require.Equal(t, 5*time.Second, left[0])
		require.Equal(t, 5400*time.Millisecond, left[1], "the others follow when the first has its response")
		require.Less(t, left[4], 6*time.Second)

		refuse(l, "", 5*time.Second)
		began = time.Now()
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		require.Equal(t, 6*time.Second, time.Since(began), "without a response the others follow after a second")
	})
}

func TestRefusalsOfEarlierAttemptsDoNotLengthenThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		refuse(l, "", 2*time.Second)
		until := l.State().PausedUntil
		refuse(l, "", 0)
		require.Equal(t, until, l.State().PausedUntil)
		time.Sleep(3 * time.Second)
		l.Ended(Attempt{}, Outcome{StatusCode: 429, Duration: 4 * time.Second})
		require.Zero(t, l.State().PausedUntil)
		l.Ended(Attempt{}, Outcome{StatusCode: 429, Duration: 4 * time.Second, RetryAfter: 9 * time.Second})
		require.Equal(t, time.Now().Add(9*time.Second), l.State().PausedUntil, "a Retry-After lengthens it")
	})
}

func TestPausesOfRefusalsInARowBecomeLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		var before time.Duration
		for range 10 {
			began := time.Now()
			refuse(l, "", 0)
			require.NoError(t, l.Wait(t.Context(), Attempt{}))
			pause := time.Since(began)
			require.Greater(t, pause, before*8/10)
			require.Less(t, pause, 38*time.Second)
			before = pause
		}
		require.Greater(t, before, 30*time.Second-1)
		l.Ended(Attempt{}, Outcome{StatusCode: 200})
		time.Sleep(10 * time.Second)
		began := time.Now()
		refuse(l, "", 0)
		require.NoError(t, l.Wait(t.Context(), Attempt{}))
		require.Less(t, time.Since(began), 9*time.Second, "after a success the pause is short again")
	})
}

func TestHowFastAShareGrowsBack(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name    string
		until   time.Duration // after the last refusals
		back    float64       // to where it grows back
		resumed time.Duration
		want    float64 // of 0.5, in a second
	}{
		{"slowly at first", time.Second, 0, 0, 0.0003},
		{"slowly for 100 s", 100 * time.Second, 0, 0, 0.0003},
		{"faster from then on", 112500 * time.Millisecond, 0, 0, 0.0003 + 0.0125},
		{"fast after 125 s", 125 * time.Second, 0, 0, 0.0003 + 0.025},
		{"not faster later", time.Hour, 0, 0, 0.0003 + 0.025},
		{"back to where it was in ten seconds", 11 * time.Second, 0.6, 10*time.Second + 1, 0.05},
		{"not before the pause is over for ten seconds", 11 * time.Second, 0.6, 10 * time.Second, 0.0003},
		{"not beyond where it was", 11 * time.Second, 0.52, time.Minute, 0.02},
		{"slowly if it is back where it was", 11 * time.Second, 0.5, time.Minute, 0.0003},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := learned{share: 0.5, until: now.Add(-c.until), resumed: now.Add(-c.resumed), cuts: cuts{back: c.back}}
			require.InDelta(t, c.want, l.growth(now), 1e-12)
		})
	}
}

func TestAShareGrowsForTheTimeSinceItsLastGrowth(t *testing.T) {
	now := time.Now()
	for _, c := range []struct{ until, grown, want float64 }{
		{10, 0, 0.5 + 10*0.0003},   // seconds before now
		{2.5, 0, 0.5 + 2.5*0.0003}, // parts of a second count
		{10, 4, 0.5 + 4*0.0003},    // the rest was added before
		{-1, 0, 0.5}, {0, 0, 0.5},  // not in the pause
		{100000, 0, 1}, // at most 1
	} {
		ago := func(s float64) time.Time { return now.Add(-time.Duration(s * float64(time.Second))) }
		l := learned{share: 0.5, until: ago(c.until), resumed: now}
		if c.grown > 0 {
			l.grown = ago(c.grown)
		}
		l.grow(now)
		require.InDelta(t, c.want, l.share, 1e-9)
		l.grow(now)
		require.InDelta(t, c.want, l.share, 1e-9, "the same time does not count twice")
	}
}

func TestHowLongAPauseWithoutARetryAfterIs(t *testing.T) {
	for _, c := range []struct {
		pace, share float64
		strikes     int
		least       time.Duration
	}{
		{1000, 1, 0, 600 * time.Millisecond},
		{1000, 1, 1, 1200 * time.Millisecond},
		{1000, 1, 5, 19200 * time.Millisecond},
		{1000, 1, 6, 30 * time.Second},
		{1000, 1, 1_000_000, 30 * time.Second},
		{5, 1, 0, time.Second},
		{5, 0.5, 0, 2 * time.Second},
		{5, 0.5, 2, 8 * time.Second},
		{0.01, 1, 0, 30 * time.Second},
	} {
		l := learned{pace: c.pace, share: c.share, strikes: c.strikes}
		shortest, longest := time.Hour, time.Duration(0)
		for range 5000 {
			pause := l.backOff()
			shortest, longest = min(shortest, pause), max(longest, pause)
		}
		require.GreaterOrEqual(t, shortest, c.least)
		require.Less(t, shortest, c.least*1001/1000)
		require.Less(t, longest, c.least*5/4)
		require.Greater(t, longest, c.least*1249/1000)
	}
}

func TestTheFirstAttemptAfterAPauseIsAProbeForASecond(t *testing.T) {
	now := time.Now()
	l := learned{share: 1, probing: true, until: now}
	l.took(now)
	l.took(now.Add(time.Millisecond))
	require.Equal(t, 2, l.served)
	require.Equal(t, time.Second, l.hold(now))
	require.Equal(t, time.Duration(1), l.hold(now.Add(time.Second-1)))
	l.endProbe(now.Add(time.Second - 1))
	require.True(t, l.probing)
	require.Zero(t, l.hold(now.Add(time.Second)))
	require.True(t, l.probing, "a question changes nothing")
	l.endProbe(now.Add(time.Second))
	require.False(t, l.probing, "the probe is over, even without a response")
	require.Equal(t, []int{0, 2}, []int{l.served, l.earlier})

	l = learned{share: 1, probing: true, until: now}
	l.took(now)
	l.gaveBack()
	require.Zero(t, l.hold(now), "the next attempt is the probe")
	l.endProbe(now.Add(time.Second))
	require.True(t, l.probing)
	require.Zero(t, l.served)
}

func TestOnlyTheResponseToAProbeEndsRefusals(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		probing bool
		sent    time.Duration
		want    bool
	}{
		"one that was sent at the end of the pause": {true, 0, true},
		"not one that was sent before":              {true, -1, false},
		"not one without refusals":                  {false, time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			before := now.Add(-time.Minute)
			l := learned{share: 1, until: now, began: now, resumed: before, probing: c.probing, served: 7}
			l.responded(now.Add(time.Minute), now.Add(c.sent))
			require.Equal(t, c.want, l.resumed != before)
			require.Equal(t, c.want, l.served == 0)
			require.Equal(t, c.probing && !c.want, l.probing)
		})
	}
}

func TestARefusalCutsTheShareAfterItHasGrown(t *testing.T) {
	now := time.Now()
	l := learned{share: 0.5, pace: 10, until: now.Add(-10 * time.Second), resumed: now.Add(-10 * time.Second), served: 1000}
	l.refused(now, now, time.Second, 0)
	require.InDelta(t, 0.503, l.before, 1e-9)
	require.InDelta(t, 0.503*0.94, l.share, 1e-9)
	l.limit(0)
	require.Equal(t, 0.005, l.share, "a small share is always left")
	l.limit(0.3)
	require.Equal(t, 0.005, l.share, "a bound does not raise the share")
}

func TestTheShareIsCutAndGrowsBack(t *testing.T) {
	now := time.Now()
	l := newLearned(10, now.Add(-time.Hour))
	l.served = 1000
	l.refused(now, now, 10*time.Second, 1)
	require.InDelta(t, 0.94, l.share, 1e-9, "cut by the minimum")
	l.responded(now.Add(10*time.Second), now.Add(10*time.Second))
	require.InDelta(t, 0.94, l.share, 1e-9, "ten seconds in an hour do not matter")
	at := now.Add(20 * time.Second)
	l.served, l.earlier = 9, 9
	l.refused(at, at, time.Second, 0)
	require.InDelta(t, 0.94*0.7, l.share, 0.01, "cut by the maximum")
	at = now.Add(30 * time.Second)
	l.responded(at, at)
	l.served, l.earlier = 30, 24
	l.refused(at, at, time.Second, 0)
	require.InDelta(t, 0.66*0.9, l.share, 0.01, "cut by 5.4 in 54")
	l.responded(at.Add(time.Second), at.Add(time.Second))
	l.served, l.earlier = 0, 0
	l.refused(at.Add(2*time.Second), at.Add(2*time.Second), time.Second, 0.6)
	require.InDelta(t, 0.6*0.94, l.share, 0.02, "not below the used part of the window, and then by the minimum")
	l.grow(at.Add(2 * time.Hour))
	require.Equal(t, 1.0, l.share)
}

func TestTheLengthOfRefusalsSaysHowMuchToCut(t *testing.T) {
	now := time.Now()
	for off, want := range map[time.Duration]float64{
		5 * time.Second:  0.94, // too short to tell
		6 * time.Second:  60.0 / 66,
		20 * time.Second: 0.75,
		10 * time.Minute: 0.1, // bounded: it depends on the callers
	} {
		l := newLearned(10, now.Add(-time.Minute))
		l.served = 600
		l.refused(now, now, off, 0)
		l.responded(now.Add(off), now.Add(off))
		require.InDelta(t, want, l.share, 1e-9, off)
	}
}
