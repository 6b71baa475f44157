package limiter

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheFirstAttemptAfterAPauseGoesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newAccount(standard)
		refuse(l, "", 5*time.Second)
		began := time.Now()
		got := make(chan time.Duration)
		for range 3 {
			go func() {
				l.Wait(t.Context(), Attempt{})
				got <- time.Since(began)
				time.Sleep(400 * ms)
				l.Ended(Attempt{}, Outcome{StatusCode: 200, Duration: 400 * ms})
			}()
		}
		require.Equal(t, 5*time.Second, <-got)
		require.Equal(t, 5400*ms, <-got, "the others follow when it has its response")
		require.Less(t, <-got, 6*time.Second)
		time.Sleep(time.Second)

		refuse(l, "", 5*time.Second)
		began = time.Now()
		for range 2 {
			require.NoError(t, l.Wait(t.Context(), Attempt{}))
		}
		require.Equal(t, 6*time.Second, time.Since(began), "or after a second")
	})
}

func TestAProbeThatIsGivenBackOrRefused(t *testing.T) {
	now := epoch
	l := newLearned(10, time.Minute, now)
	l.refused(now, now, time.Second, 0)
	now = now.Add(time.Second)
	l.took(now)
	require.Equal(t, probePatience, l.hold(now))
	l.took(now.Add(probePatience))
	require.Zero(t, l.hold(now.Add(probePatience)), "who goes because it has no response yet is no probe")
	l.gaveBack()
	require.Zero(t, l.hold(now), "the next attempt is the probe")
	l.took(now)
	share := l.share
	l.refused(now, now, 3*time.Second, 0)
	require.Equal(t, 3*time.Second, l.hold(now))
	require.Equal(t, share, l.share, "refusals in a row are one refusal")
	l.responded(now, now)
	require.True(t, l.probing, "the response to an attempt from before the pause says nothing")
	now = now.Add(3 * time.Second)
	l.responded(now, now)
	require.False(t, l.probing)
	require.Equal(t, 1, l.served, "it is the first of those that undo the cut")
	share = l.share

	until, before := l.until, now.Add(-time.Second)
	for asked, end := range map[time.Duration]time.Time{0: until, 9 * time.Second: now.Add(9 * time.Second)} {
		l.until = until
		l.refused(now, before, asked, 0)
		require.Equal(t, end, l.until, "a refusal of an attempt from before the pause only lengthens it")
		require.Equal(t, share, l.share)
	}
}

func TestHowLongAPauseIs(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		limit              Rate
		share              float64
		strikes            int
		asked, least, most time.Duration
		route              bool // whose limit is not known
	}{
		"the first one":                           {standard, 1, 0, 0, 550 * ms, 687 * ms, false},
		"the third one":                           {standard, 1, 2, 0, 2200 * ms, 2750 * ms, false},
		"at most":                                 {standard, 1, 1_000_000, 0, 20 * second, 25 * second, false},
		"longer with a small share":               {standard, 0.5, 0, 0, 1100 * ms, 1375 * ms, false},
		"at most a tenth of the window":           {Rate{Requests: 1000, Per: second}, 1, 0, 0, 100 * ms, 125 * ms, false},
		"but a place":                             {Rate{Requests: 30, Per: time.Minute}, 1, 0, 0, 2 * second, 2500 * ms, false},
		"what the service asks for":               {standard, 1, 0, 7 * second, 7 * second, 7 * second, false},
		"but not much less than without":          {standard, 0.1, 0, second, 3025 * ms, 3025 * ms, false},
		"up to an hour":                           {standard, 1, 0, time.Hour, time.Hour, time.Hour, false},
		"a longer one is a mistake and is not 0s": {standard, 1, 0, time.Hour + 1, 550 * ms, 687 * ms, false},
		"not longer with that of a route":         {standard, 0.1, 0, 0, 550 * ms, 687 * ms, true},
	} {
		shortest, longest := 2*time.Hour, time.Duration(0)
		for range 500 {
			l := newLearned(float64(c.limit.Requests)/c.limit.Per.Seconds(), c.limit.Per, epoch)
			l.share, l.strikes, l.probing, l.route = c.share, c.strikes, true, c.route
			l.refused(epoch, epoch, c.asked, 0)
			shortest, longest = min(shortest, l.until.Sub(epoch)), max(longest, l.until.Sub(epoch))
		}
		by := float64(c.most-c.least)/20 + 1000
		require.InDelta(t, c.least, shortest, by, name)
		require.InDelta(t, c.most, longest, by, name)
	}
}

func TestACutIsUndoneByTheThirtiethResponse(t *testing.T) {
	for name, c := range map[string]struct {
		off, again time.Duration // the second refusal is after 29 responses
		used       float64       // part of the window
		want       float64
	}{
		"after a short refusal":                 {5 * time.Second, 0, 0, 1},
		"not after a long one":                  {20 * time.Second, 0, 0, 0.75 + 30*growForResponse},
		"not below what was used of the window": {20 * time.Second, 0, 0.9, longOfUsed*0.9 + 30*growForResponse},
		"not below a tenth":                     {10 * time.Minute, 0, 0, 0.1 + 30*growForResponse},
		"not of the first of two":               {time.Second, time.Second, 0, 0.94 + 29*growForResponse},
		"nor after a long and more":             {20 * time.Second, time.Second, 0, 0.75 + 29*growForResponse},
	} {
		t.Run(name, func(t *testing.T) {
			now := epoch
			l := newLearned(10, time.Minute, now.Add(-time.Minute))
			refused := func(off time.Duration) {
				l.refused(now, now, off, c.used)
				now = now.Add(off)
				for range undoAfter - 1 {
					l.responded(now, now)
					l.responded(now, now.Add(-off-1)) // of an attempt from before the pause: it says nothing
				}
			}
			refused(c.off)
			if c.again > 0 {
				refused(c.again)
			}
			require.Less(t, l.share, c.want-growForResponse/2)
			l.responded(now, now)
			require.InDelta(t, c.want, l.share, growForResponse/2)
		})
	}
}

func TestAShareGrowsWithEachResponseUpToTheWholeLimit(t *testing.T) {
	l := newLearned(10, time.Minute, epoch)
	l.share, l.served = 0.5, undoAfter
	l.responded(epoch, epoch)
	require.InDelta(t, 0.50055, l.share, 1e-9)
	for range 1000 {
		l.responded(epoch, epoch)
	}
	require.Equal(t, 1.0, l.share)
}

func TestAShareNeverFallsBelowThreePlacesInAMinute(t *testing.T) {
	l, now := newLearned(10, time.Minute, epoch), epoch
	for range 300 {
		l.refused(now, now, time.Second, 0)
		now = l.until
		l.resume(now)
		require.GreaterOrEqual(t, l.share, 0.005)
	}
	require.InDelta(t, 0.005, l.share, 1e-9)
}

func TestAShareGrowsFastAfterAWindow(t *testing.T) {
	for seconds, want := range map[time.Duration]float64{
		10: 0.5, 60: 0.5, 62: 0.5 + 0.2, 66: 1, 3600: 1,
	} {
		l := newLearned(10, time.Minute, epoch)
		l.share, l.until = 0.5, epoch
		for at := range seconds { // in steps, or at once
			l.grow(epoch.Add(at * time.Second))
		}
		l.grow(epoch.Add(seconds * time.Second))
		require.InDelta(t, want, l.share, 0.001, seconds)
		l = newLearned(10, time.Minute, epoch)
		l.share, l.until = 0.5, epoch
		require.Equal(t, want == 1, l.forgotten(epoch.Add(seconds*time.Second)))
		require.InDelta(t, want, l.share, 0.001, seconds)
	}
	l := newLearned(10, time.Minute, epoch)
	l.share, l.until = 0.5, epoch.Add(time.Second)
	l.grow(epoch)
	require.Equal(t, 0.5, l.share, "not in a pause")
}

func TestRefusalsOfAttemptsFromBeforeThePauseOnlyLengthenIt(t *testing.T) {
	l := newLearned(10, time.Minute, epoch)
	l.refused(epoch, epoch, 2*time.Second, 0)
	until, share := l.until, l.share
	l.refused(epoch.Add(time.Second), epoch, 0, 0)
	require.Equal(t, until, l.until)
	at := epoch.Add(3 * time.Second)
	l.refused(at, epoch.Add(-time.Second), 0, 0)
	require.Equal(t, until, l.until)
	l.refused(at, epoch.Add(-time.Second), 9*time.Second, 0)
	require.Equal(t, at.Add(9*time.Second), l.until)
	require.Equal(t, share, l.share)
	s := newScheduler(standard, epoch)
	s.ended(epoch, oneOperation, Outcome{StatusCode: 429, RetryAfter: time.Second})
	s.ended(at, oneOperation, Outcome{StatusCode: 429, Duration: 4 * time.Second})
	require.Equal(t, 1, s.lineOf(oneOperation.Operation, at).pacer.learned.strikes, "it was sent before the first one came")
}
