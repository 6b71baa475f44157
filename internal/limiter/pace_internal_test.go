package limiter

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNoWindowHasMorePlacesThanTheLimit takes every place at once, with rests and places that are
// given back.
func TestNoWindowHasMorePlacesThanTheLimit(t *testing.T) {
	for _, limit := range []Rate{{600, time.Minute, 0}, {600, time.Minute, 600}, {1, time.Second, 1}, {7, 3 * time.Second, 7}, {5, 1234 * time.Nanosecond, 5}, {100, 2 * time.Second, 16}} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 1))
			p := newPacer(limit, epoch)
			var taken []time.Time
			for now := epoch; now.Before(epoch.Add(5 * limit.Per)); {
				if wait := p.until(now, 0, []demand{nobody, attempts}[random.IntN(2)]); wait > 0 {
					now = now.Add(wait)
					continue
				}
				token := p.take(now, Ordinary)
				if random.IntN(4*limit.Requests) == 0 {
					p.giveBack(now, token)
					continue
				}
				taken = append(taken, now)
				if n := len(taken) - limit.Requests; n > 0 {
					require.GreaterOrEqual(t, now.Sub(taken[n-1]), limit.Per, "place %d", len(taken))
				}
				if random.IntN(4*limit.Requests) == 0 {
					now = now.Add(time.Duration(random.Int64N(int64(limit.Per))))
				}
			}
			require.Greater(t, len(taken), 2*limit.Requests)
		})
	}
}

func TestTheSteadyPaceLastsUntilTheOldestPlacesComeBack(t *testing.T) {
	for name, c := range map[string]struct {
		taken map[time.Duration]int // places, by seconds
		now   time.Duration
		want  float64
	}{
		"a burst is paid back over the window":       {map[time.Duration]int{0: 100}, 0, 501 / 60.12},
		"later, too":                                 {map[time.Duration]int{0: 100, 10: 83}, 10, 418 / 50.12},
		"a whole window leaves nothing":              {map[time.Duration]int{0: 600}, 0, 1 / 60.12},
		"of two bursts the one that leaves less":     {map[time.Duration]int{0: 300, 30: 200}, 30, 101 / 30.12},
		"the second one, if much comes back between": {map[time.Duration]int{0: 550, 50: 50}, 50, 1 / 10.12},
		"places that have come back do not count":    {map[time.Duration]int{0: 500, 30: 100}, 61, 501 / 29.12},
	} {
		w := newWindow(600, time.Minute, epoch)
		for _, seconds := range slices.Sorted(maps.Keys(c.taken)) {
			for range c.taken[seconds] {
				w.take(epoch.Add(seconds * time.Second))
			}
		}
		now := epoch.Add(c.now * time.Second)
		require.InDelta(t, c.want, w.steady(now), c.want/500, name)
		free := w.free(now)
		w.giveBack(now)
		require.Equal(t, free+min(1, c.taken[c.now]), w.free(now), "there is one more, if one was taken")
		require.Equal(t, 600, w.free(now.Add(time.Hour)), name)
	}
}

func TestTheWindowIsLongerByTheSpreadOfResponseTimes(t *testing.T) {
	for _, c := range []struct {
		per              time.Duration
		fastest, slowest time.Duration
		unknown, known   time.Duration
	}{
		{time.Minute, 0, 300 * ms, 800 * ms, 800 * ms},
		{time.Second, 300 * ms, 300 * ms, 250 * ms, time.Second / 75},
		{time.Second, 200 * ms, 300 * ms, 250 * ms, 111 * ms},
		{time.Second, 0, 3 * time.Second, 250 * ms, 250 * ms},
		{6 * time.Second, time.Second, 3 * time.Second, 500 * ms, 500 * ms},
	} {
		var times responseTimes
		for range slackKnown - 1 {
			times.add(epoch, c.fastest)
			require.Equal(t, c.unknown, slack(c.per, &times))
		}
		times.add(epoch, c.slowest)
		require.Equal(t, c.known, slack(c.per, &times), "%v", c)
	}
}

func TestPlacesWithoutARestComeNoFasterThanTheWindowAndTheShareAllow(t *testing.T) {
	for name, c := range map[string]struct {
		share     float64
		used      int // of the window, at once
		contended bool
		want      float64 // places in a second
	}{
		"the even pace":                      {1, 0, true, 600 / 60.8},
		"less after a burst":                 {1, 500, true, 101 / 60.69},
		"the even pace in a rest":            {1, 500, false, 600 / 60.8},
		"the share in a rest":                {0.5, 500, false, 300 / 60.8},
		"less than the share, after a burst": {0.5, 500, true, 101 / 60.69},
	} {
		p := newPacer(standard, epoch)
		for range c.used {
			p.window.take(epoch)
		}
		p.learned.share, p.learned.grown = c.share, epoch
		p.fill(epoch, map[bool]demand{true: attempts}[c.contended])
		require.InDelta(t, c.want, float64(p.bucket.Limit()), 0.01, name)
		require.Equal(t, c.share < 1, p.bucket.Burst() == 1, name)
	}
}

func TestALongRefusalCountsFromTheLastOneAndWhatIsStillInTheWindow(t *testing.T) {
	for name, c := range map[string]struct {
		used  int           // places of the window
		after time.Duration // from then to the refusal
		want  float64
	}{
		"the refusal lasts a third of all the time": {0, time.Minute, 2.0 / 3},
		"what was used just now":                    {540, 20 * time.Second, longOfUsed * 0.9},
		"what has come back by now does not count":  {540, 2 * time.Minute, 0.8},
	} {
		common := newPacer(standard, epoch)
		for range c.used {
			common.window.take(epoch)
		}
		now := epoch.Add(c.after)
		p := newLearningPacer(common, now) // of a route: what the account had before counts for it
		p.refused(now, now, 30*time.Second)
		now = now.Add(30 * time.Second)
		p.learned.responded(now, now)
		require.InDelta(t, c.want, p.learned.share, 0.001, name)
	}
}

func TestThePlacesOfAPacer(t *testing.T) {
	for used, want := range map[int]int{0: 100, 500: 100, 501: 99, 599: 1, 600: 0} {
		p := newPacer(standard, epoch)
		for range used {
			p.window.take(epoch)
		}
		require.Equal(t, want, p.places(epoch, attempts), used)
	}
	p := newPacer(standard, epoch)
	p.bucket.ReserveN(epoch, 97)
	require.Equal(t, 3, p.places(epoch, attempts), "tokens")
	p.learned.probing, p.learned.until = true, epoch
	require.Equal(t, 1, p.places(epoch, attempts), "the first attempt after a pause goes alone")
	p.learned.until = epoch.Add(1)
	require.Zero(t, p.places(epoch, attempts))
}

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
		"only one of many, and it is an outlier": {append([]time.Duration{time.Minute}, slices.Repeat([]time.Duration{20 * ms}, 19)...), 40 * ms},
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
	s = newScheduler(standard, epoch)
	s.ended(epoch, x, Outcome{Duration: 20 * ms})
	require.Equal(t, unansweredLeast, s.probably(x.Operation, epoch), "who had only a moment left shows more than that")
}
