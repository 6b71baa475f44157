package monitoring

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
		"not of the last ten, which are for other calls": {10.9, nil, false},
		"not if polls need all of them soon":             {50, polls(50, 0), false},
		"if there is one more":                           {51, polls(50, 0), true},
		"if it comes back before polls need all":         {11, polls(100, 12*time.Second), true},
		"not if it comes back too late":                  {11, polls(100, 11*time.Second), false},
		"not if a second group of polls needs it":        {60, append(polls(50, 0), polls(60, 5*time.Second)...), false},
		"if places come back between two groups":         {60, append(polls(50, 0), polls(60, 7*time.Second)...), true},
		"if polls are overdue":                           {13, polls(12, -time.Second), true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, room{places: c.places, most: 100, perSecond: 10}.spare(now, c.due))
		})
	}
}

func TestReadsAndPollsTogetherStayBelowTheLimit(t *testing.T) {
	r := room{perSecond: 10}
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

// stated is a limiter with the state that a test sets.
type stated struct {
	unlimited
	state LimiterState
}

func (l stated) State() LimiterState { return l.state }

func TestTheRoomOfAWaitIsTheStateOfTheLimiter(t *testing.T) {
	now := time.Now()
	minute := RateLimit{Requests: 120, Per: time.Minute, Burst: 30}
	for name, c := range map[string]struct {
		state LimiterState
		share float64
		want  room
	}{
		"of a limiter with a state":       {LimiterState{Limit: minute, Places: 7}, 0, room{7, 30, 2}},
		"with the whole share":            {LimiterState{Limit: minute, Places: 7}, 1, room{7, 30, 2}},
		"with half of it":                 {LimiterState{Limit: minute, Places: 7}, 0.5, room{7, 30, 1}},
		"in a pause":                      {LimiterState{Limit: minute, Places: 7, PausedUntil: now.Add(1)}, 0, room{0, 30, 2}},
		"after a pause":                   {LimiterState{Limit: minute, Places: 7, PausedUntil: now}, 0, room{7, 30, 2}},
		"of a limit of one request":       {LimiterState{Limit: RateLimit{Requests: 1, Per: time.Second}}, 0, room{0, 1, 1}},
		"of a limit of a very short time": {LimiterState{Limit: RateLimit{Requests: 6, Per: 1}}, 0, room{0, 1, 6e9}},
		"of a limiter without a state":    {LimiterState{}, 0, room{0, 100, 10}},
		"of a limit without a time":       {LimiterState{Limit: RateLimit{Requests: 5}}, 0, room{0, 100, 10}},
		"of a limit without a number":     {LimiterState{Limit: RateLimit{Per: time.Hour}}, 0, room{0, 100, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testClient(t, status(500, ""), WithLimiter(stated{state: c.state})).CheckSessions.newWaiter(WaitOptions{Share: c.share}, nil)
			require.Equal(t, c.want, w.room(now))
		})
	}
}
