package monitoring

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesWithoutRefusalsAreAveraged(t *testing.T) {
	const s = time.Second
	now := time.Now()
	for _, c := range []struct {
		name        string
		gaps        []time.Duration
		gap, recent time.Duration
	}{
		{"the first alone", []time.Duration{10 * s}, 10 * s, 10 * s},
		{"the second counts for half", []time.Duration{10 * s, 20 * s}, 15 * s, 12500 * time.Millisecond},
		{"the fourth for a quarter", []time.Duration{10 * s, 10 * s, 10 * s, 18 * s}, 12 * s, 12 * s},
		{"later ones for a twelfth", append(repeated(10*s, 20), 22*s), 11 * s, 13 * s},
		{"more than 45 s ends a series", append(repeated(10*s, 20), 45*s+1), 45*s + 1, 45*s + 1},
		{"45 s do not", []time.Duration{15 * s, 45 * s}, 30 * s, 22500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cut cuts
			for _, gap := range c.gaps {
				require.False(t, cut.futile(now, gap, 0.9))
			}
			require.Equal(t, c.gap, cut.gap)
			require.Equal(t, c.recent, cut.recent)
		})
	}
}

func repeated(d time.Duration, n int) (list []time.Duration) {
	for range n {
		list = append(list, d)
	}
	return list
}

func TestShortTimesWithoutRefusalsShowAMistake(t *testing.T) {
	const s = time.Second
	now := time.Now()
	for _, c := range []struct {
		fair    int           // times without refusals that are not shorter
		doubted time.Duration // the length of the doubt before
		want    time.Duration
	}{
		{0, 0, time.Minute}, {1, 0, time.Minute}, {2, 0, 0},
		{0, time.Minute, 2 * time.Minute}, {0, 5 * time.Minute, 10 * time.Minute}, {0, 6 * time.Minute, 10 * time.Minute},
	} {
		var cut cuts
		require.Equal(t, 7, series(&cut, now, repeated(8*s, 7)...))
		cut.doubted = c.doubted
		for range c.fair {
			require.True(t, cut.futile(now, 8*s, 0.9))
		}
		for range 3 { // with the fourth, the average is under 0.4 of the old one
			require.True(t, cut.futile(now, 0, 0.9))
		}
		require.False(t, cut.futile(now, 0, 0.9))
		if c.want == 0 {
			require.Zero(t, cut.doubt)
		} else {
			require.Equal(t, now.Add(c.want), cut.doubt)
		}
		require.Equal(t, 1, cut.n, "a new series has begun")
	}
}

func TestASeriesNeedsSevenRefusals(t *testing.T) {
	now := time.Now()
	var cut cuts
	for n, share := range []float64{0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5} {
		require.Equal(t, n == 6, cut.futile(now, 10*time.Second, share), "refusal %d", n+1)
	}
}

func TestARatioToZeroCountsZeroAsOne(t *testing.T) {
	require.Equal(t, 0.0, ratio(0, 0))
	require.Equal(t, 5.0, ratio(5, 0))
	require.Equal(t, 5.0, ratio(5, 1))
	require.Equal(t, 2.5, ratio(5, 2))
}

func TestLongRefusalsAreComparedWithTheFirstOnes(t *testing.T) {
	const s = time.Second
	now := time.Now()
	var cut cuts
	require.False(t, cut.futileLong(now, 0.8, 50*s, 10*s))
	require.False(t, cut.futileLong(now, 0.8, 50*s, 20*s), "the share is not smaller")
	require.Equal(t, []any{0.8, 10 * s}, []any{cut.longShare, cut.longOff}, "nor greater")
	require.False(t, cut.futileLong(now, 0.81, 50*s, 20*s))
	require.Equal(t, []any{0.81, 20 * s}, []any{cut.longShare, cut.longOff})
	require.False(t, cut.futileLong(now, 0.8, 50*s, 18*s-1))
	require.Equal(t, []any{0.8, 18*s - 1}, []any{cut.longShare, cut.longOff}, "they became shorter by a tenth")
	cut = cuts{longShare: 1, longOff: 10 * s}
	require.False(t, cut.futileLong(now, longShare+1e-9, 50*s, 9*s))
	require.True(t, cut.futileLong(now, longShare, 50*s, 9*s))
	require.True(t, cut.long)
	cut = cuts{longShare: 1, longOff: 10 * s, doubt: now.Add(1)}
	require.False(t, cut.futileLong(now, 0.1, 50*s, 10*s), "it was a mistake lately")
	require.True(t, cut.futileLong(now.Add(1), 0.1, 50*s, 10*s))
}

func TestALongRefusalEndsASeriesOfShortOnes(t *testing.T) {
	now := time.Now()
	var cut cuts
	for range 3 {
		cut.futile(now, 10*time.Second, 0.9)
	}
	require.False(t, cut.futileLong(now, 0.8, 50*time.Second, 10*time.Second))
	require.Zero(t, cut.n)
	require.Equal(t, time.Minute, cut.gap)
	require.False(t, cut.futile(now, 10*time.Second, 0.5))
	require.Equal(t, 1, cut.n)
	require.Equal(t, 0.5, cut.share)
}
