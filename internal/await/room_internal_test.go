package await

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAReadTakesAPlaceOnlyIfThereIsOneToSpare(t *testing.T) {
	now := time.Now()
	polls := func(n int, after time.Duration) (due []time.Time) {
		for range n {
			due = append(due, now.Add(after))
		}
		return due
	}
	for name, c := range map[string]struct {
		places float64
		due    []time.Time
		want   bool
	}{
		"of many places": {100, nil, true},
		"not of the last ten, which are for other requests": {10.9, nil, false},
		"of the eleventh":                         {11, nil, true},
		"not if polls need all of them soon":      {50, polls(50, 0), false},
		"if there is one more":                    {51, polls(50, 0), true},
		"if it comes back before polls need all":  {11, polls(100, 12*time.Second), true},
		"not if it comes back too late":           {11, polls(100, 11*time.Second), false},
		"not if a second group of polls needs it": {60, append(polls(50, 0), polls(60, 5*time.Second)...), false},
		"if places come back between two groups":  {60, append(polls(50, 0), polls(60, 7*time.Second)...), true},
		"if polls are overdue":                    {13, polls(12, -time.Second), true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, Room{Places: c.places, Most: 100, PerSecond: 10}.spare(now, c.due))
		})
	}
}

func TestReadsAndPollsTogetherStayBelowTheLimit(t *testing.T) {
	r := Room{PerSecond: 10}
	between, ok := r.between(0)
	require.True(t, ok)
	require.InDelta(t, time.Second/9, between, 2)
	between, ok = r.between(8)
	require.True(t, ok)
	require.InDelta(t, time.Second, between, 2)
	_, ok = r.between(8.95)
	require.False(t, ok)
	_, ok = r.between(20)
	require.False(t, ok)
}
