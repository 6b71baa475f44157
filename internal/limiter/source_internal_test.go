package limiter

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// depot is a source that has a place at each of some times, and tells what it is told.
type depot struct {
	now    func() time.Time
	places []time.Time
	taken  int64
	given  []int64
	wished []string
	told   []string
	news   func(News)
}

func (d *depot) Want(attempts, leaves int, share float64) {
	d.wished = append(d.wished, fmt.Sprintf("%d leave %d share %.2f", attempts, leaves, share))
}

func (d *depot) Until() time.Duration {
	if len(d.places) == 0 {
		return math.MaxInt64
	}
	return max(0, d.places[0].Sub(d.now()))
}

func (d *depot) Take() int64 {
	d.places = d.places[1:]
	d.taken++
	return d.taken
}

func (d *depot) GiveBack(place int64) { d.given = append(d.given, place) }

func (d *depot) Places() (n int) {
	for _, at := range d.places {
		if !at.After(d.now()) {
			n++
		}
	}
	return n
}

func (d *depot) Refused(until time.Time, share float64) {
	d.told = append(d.told, fmt.Sprintf("%s share %.2f", until.Sub(d.now()), share))
}

// said returns what was wished since it was last asked.
func (d *depot) said() []string {
	defer func() { d.wished = nil }()
	return d.wished
}

// supplied is an account whose limits have a depot each, the common one first.
func supplied(t *testing.T, routes map[string]Rate) (*Account, map[string]*depot) {
	depots := make(map[string]*depot)
	a, err := New(standard, routes, func(operation string, limit Rate, changed func(News)) Source {
		depots[operation] = &depot{now: time.Now, news: changed}
		return depots[operation]
	})
	require.NoError(t, err)
	return a, depots
}

// come starts an attempt that waits, and returns what ends it and what it got.
func come(t *testing.T, a *Account, attempt Attempt) (end func(), got chan error) {
	ctx, end := context.WithCancel(t.Context())
	got = make(chan error, 1)
	go func() { got <- a.Wait(ctx, attempt) }()
	synctest.Wait()
	return end, got
}

func TestASourceIsWantedByThoseWhoCouldUseItsPlace(t *testing.T) {
	const route = "GET /v1/alert-notifications"
	synctest.Test(t, func(t *testing.T) {
		a, depots := supplied(t, map[string]Rate{route: {Requests: 5, Per: 10 * time.Second}})
		common, alerts := depots[""], depots[route]
		endBackground, background := come(t, a, Attempt{Class: Background})
		require.Equal(t, []string{"1 leave 50 share 1.00"}, common.said(), "half of the burst is left to others")
		endOrdinary, ordinary := come(t, a, Attempt{})
		require.Equal(t, []string{"2 leave 0 share 1.00"}, common.said())
		_, alert := come(t, a, Attempt{Operation: route})
		require.Empty(t, common.said(), "one that has no place in the limit of its route is of no use yet")
		require.Equal(t, []string{"0 leave 0 share 1.00", "1 leave 0 share 1.00"}, alerts.said())
		alerts.places = []time.Time{time.Now()}
		alerts.news(News{})
		require.Equal(t, []string{"3 leave 0 share 1.00"}, common.said())
		common.places = []time.Time{time.Now().Add(time.Second)}
		common.news(News{})
		time.Sleep(time.Second)
		require.NoError(t, <-ordinary)
		synctest.Wait()
		require.Equal(t, []string{"2 leave 0 share 1.00"}, common.said())
		common.places = []time.Time{time.Now()}
		common.news(News{})
		require.NoError(t, <-alert)
		require.Equal(t, int64(1), alerts.taken)
		synctest.Wait()
		require.Equal(t, []string{"1 leave 50 share 1.00"}, common.said())
		endBackground()
		require.Error(t, <-background)
		require.Equal(t, []string{"0 leave 0 share 1.00"}, common.said())
		endOrdinary()
		endPoll, poll := come(t, a, Attempt{Class: Poll})
		endBackground, background = come(t, a, Attempt{Class: Background})
		endOrdinary, ordinary = come(t, a, Attempt{})
		require.Equal(t, []string{"1 leave 50 share 1.00", "2 leave 50 share 1.00", "3 leave 0 share 1.00"}, common.said(), "each of them counts")
		for end, ended := range map[*func()]<-chan error{&endPoll: poll, &endBackground: background, &endOrdinary: ordinary} {
			(*end)()
			require.Error(t, <-ended)
		}
		common.said()

		require.NoError(t, a.LimitRoute(route, standard))
		require.NotSame(t, alerts, depots[route], "another limit has a source of its own")
		for range 4 {
			a.Ended(Attempt{Operation: "GET /v1/slow"}, Outcome{StatusCode: 200, Duration: 5 * time.Second})
		}
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		require.Error(t, a.Wait(ctx, Attempt{Operation: "GET /v1/slow"}))
		require.Equal(t, []string{"1 leave 99 share 1.00", "0 leave 0 share 1.00"}, common.said(), "a response would be late")
	})
}

func TestASourceOfARouteBoundsWhatIsWantedOfTheCommonOne(t *testing.T) {
	const route = "GET /v1/alert-notifications"
	synctest.Test(t, func(t *testing.T) {
		a, depots := supplied(t, map[string]Rate{route: {Requests: 5, Per: 10 * time.Second}})
		common, alerts := depots[""], depots[route]
		endFirst, _ := come(t, a, Attempt{Operation: route})
		endSecond, _ := come(t, a, Attempt{Operation: route})
		require.Equal(t, []string{"1 leave 0 share 1.00", "2 leave 0 share 1.00"}, alerts.said())
		alerts.places = []time.Time{time.Now()}
		alerts.news(News{})
		require.Equal(t, []string{"0 leave 0 share 1.00", "1 leave 0 share 1.00"}, common.said(), "two wait, and one of them has a place of the route")
		require.NoError(t, a.LimitRoute(route, standard))
		require.Equal(t, []string{"0 leave 0 share 1.00"}, alerts.said(), "another source has its place")
		require.Equal(t, []string{"2 leave 0 share 1.00"}, depots[route].said())
		endFirst()
		endSecond()
		synctest.Wait()
	})
}

func TestAPlaceOfASourceThatIsNotUsedGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, depots := supplied(t, nil)
		end, got := come(t, a, Attempt{})
		depots[""].places = []time.Time{time.Now()}
		end()
		depots[""].news(News{}) // at the same moment
		if err := <-got; err != nil {
			require.Equal(t, depots[""].taken, int64(len(depots[""].given)))
		}
	})
	d := &depot{now: func() time.Time { return epoch }, places: []time.Time{epoch}}
	s := newScheduler(standard, epoch)
	s.common.source = d
	w := s.ask(epoch, Attempt{}, time.Time{})
	require.Nil(t, w, "there was a place")
	w = s.ask(epoch, Attempt{}, time.Time{})
	w.onPlace = func() {}
	d.places = []time.Time{epoch}
	require.Zero(t, s.dispatch(epoch))
	s.giveBack(w)
	require.Equal(t, []int64{2}, d.given)
	require.Equal(t, 0, s.state(epoch).Places)
	d.places = []time.Time{epoch, epoch, epoch.Add(1)}
	require.Equal(t, 2, s.state(epoch).Places)
}

func TestA429IsToldToTheSourceOnceAndCutsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, depots := supplied(t, nil)
		d := depots[""]
		refused := Outcome{StatusCode: 429, RetryAfter: 3 * time.Second, Duration: ms}
		a.Ended(Attempt{}, refused)
		a.Ended(Attempt{}, refused)
		require.Equal(t, []string{"3s share 0.94"}, d.told)
		until := time.Now().Add(4 * time.Second)
		d.news(News{PausedUntil: until, Share: 0.94, Programs: 8})
		require.Equal(t, until, a.State().PausedUntil, "another program was refused, too")
		require.Equal(t, 0.94, a.State().Share, "by a service that had refused already")
		time.Sleep(4*time.Second + ms)
		for range 3 {
			a.Ended(Attempt{}, Outcome{StatusCode: 200})
		}
		require.InDelta(t, 0.94+3*8*growForResponse, a.State().Share, 1e-9, "eight programs had such responses")
		a.Ended(Attempt{}, Outcome{StatusCode: 200})
		require.Equal(t, 1.0, a.State().Share, "32 responses undo the cut")
		d.news(News{PausedUntil: until, Share: 0.5, Programs: 8})
		require.Equal(t, 1.0, a.State().Share, "a pause that is over is no news")
		d.news(News{PausedUntil: time.Now().Add(time.Second), Share: 0.9, Programs: 8})
		require.Equal(t, 0.9, a.State().Share)
		for range 4 {
			a.Ended(Attempt{}, Outcome{StatusCode: 200})
		}
		require.Equal(t, 0.9, a.State().Share, "they were sent before the pause")
		time.Sleep(time.Second + ms)
		for range 4 {
			a.Ended(Attempt{}, Outcome{StatusCode: 200})
		}
		require.Equal(t, 1.0, a.State().Share, "the cut of another program is undone, too")
		require.Len(t, d.told, 1)
	})
}
