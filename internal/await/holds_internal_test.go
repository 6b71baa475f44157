package await

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// poll makes one poll, which asks for what next returns. It is cut if that is at least cut.
func (h *holds) poll(now *time.Time, cut time.Duration) (asked time.Duration, wasCut bool) {
	asked = h.next()
	if asked >= cut {
		*now = now.Add(cut)
		h.wasCut(asked, cut, *now)
		return asked, true
	}
	*now = now.Add(asked)
	h.held(asked, *now)
	return asked, false
}

func TestHoldsStayBelowACutAndTryLongerOnesLessAndLessOften(t *testing.T) {
	for _, c := range []struct {
		cut   time.Duration
		below time.Duration
		// The numbers of cuts in a minute, in ten minutes and in an hour: a few at first, then
		// every 4 minutes.
		minute, ten, hour int
	}{
		{29 * time.Second, 26 * time.Second, 1, 3, 14},
		{20 * time.Second, 18 * time.Second, 2, 3, 15},
		{5 * time.Second, 4 * time.Second, 2, 4, 16},
		{1500 * time.Millisecond, time.Second, 2, 4, 16},
	} {
		t.Run(c.cut.String(), func(t *testing.T) {
			h := holds{most: maxHold}
			start := time.Now()
			now, cuts, last := start, 0, false
			counts := map[time.Duration]int{}
			for now.Sub(start) < time.Hour {
				asked, cut := h.poll(&now, c.cut)
				require.False(t, cut && last, "there are never two cuts in a row")
				if !cut {
					require.LessOrEqual(t, asked, c.below)
				}
				last = cut
				if cut {
					cuts++
				}
				for _, d := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
					if now.Sub(start) <= d {
						counts[d] = cuts
					}
				}
			}
			require.Equal(t, map[time.Duration]int{time.Minute: c.minute, 10 * time.Minute: c.ten, time.Hour: c.hour}, counts)
			require.Equal(t, c.below, min(h.next(), c.below))
		})
	}
}

func TestHoldsGrowBackIfNothingCutsThem(t *testing.T) {
	for name, c := range map[string]struct {
		cuts   int
		within time.Duration
	}{
		"after one cut, such as a restart, at once": {1, 29 * time.Second},
		"after several cuts, within minutes":        {5, 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			h := holds{most: maxHold}
			now := time.Now()
			for cuts := 0; cuts < c.cuts; {
				if _, cut := h.poll(&now, 5*time.Second); cut {
					cuts++
				}
			}
			mended := now
			for h.next() < maxHold {
				_, cut := h.poll(&now, time.Hour)
				require.False(t, cut)
				require.Less(t, now.Sub(mended), c.within)
			}
			require.Zero(t, h.cut, "the cut is forgotten")
		})
	}
}

func TestHoldsAreBetweenASecondAndTheMaximum(t *testing.T) {
	h := holds{most: maxHold}
	now := time.Now()
	h.held(maxHold, now)
	require.Equal(t, maxHold, h.next())
	h.wasCut(30*time.Second, 35*time.Second, now)
	require.Equal(t, 27*time.Second, h.next(), "a poll that took longer than asked for also shortens them")
	for range 2 {
		h.wasCut(time.Second, time.Second, now)
		require.Equal(t, time.Second, h.next())
	}
	h.held(3*time.Second, now)
	require.Equal(t, 6*time.Second, h.next(), "a longer poll was held: the cut is forgotten")
	h.held(time.Second, now)
	require.Equal(t, 6*time.Second, h.next(), "a shorter poll changes nothing")
}
