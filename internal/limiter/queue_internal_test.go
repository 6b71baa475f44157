package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAWaiterIsServedAsLongAsAResponseCanBeInTime(t *testing.T) {
	now := time.Now()
	at := func(d time.Duration) time.Time { return now.Add(d) }
	for _, c := range []struct {
		name               string
		patience, response time.Duration
		ample, hopeless    time.Duration
	}{
		{"the response time is unknown", 2 * time.Second, 0, 1980 * time.Millisecond, 1995 * time.Millisecond},
		{"fast responses", 2 * time.Second, 160 * time.Millisecond, 1660 * time.Millisecond, 1815 * time.Millisecond},
		{"slow responses leave half of the time", 2 * time.Second, 800 * time.Millisecond, time.Second, 1095 * time.Millisecond},
		{"responses that take nearly all of the time", time.Second, 800 * time.Millisecond, 95 * time.Millisecond, 95 * time.Millisecond},
		{"responses that take longer than that", time.Second, 2 * time.Second, -1255 * time.Millisecond, -1255 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w queued
			w.setTimes(now, at(c.patience), c.response)
			require.Equal(t, at(c.patience), w.deadline)
			require.Equal(t, at(c.ample), w.late)
			require.Equal(t, at(c.hopeless), w.hopeless)
		})
	}
}

func TestTheOldestWaiterWithAmpleTimeIsServedFirst(t *testing.T) {
	now := time.Now()
	var q placeQueue
	add := func(number uint64, patience time.Duration) *queued {
		w := &queued{number: number, line: &line{}}
		if patience > 0 {
			w.setTimes(now, now.Add(patience), 0)
		}
		q.add(w)
		return w
	}
	patient, first, second, third := add(1, 0), add(2, time.Second), add(3, 2*time.Second), add(4, 3*time.Second)
	q.advance(now)
	require.Same(t, patient, q.first())
	q.remove(patient)
	q.advance(now.Add(979 * time.Millisecond))
	require.Same(t, first, q.first())
	q.advance(now.Add(980 * time.Millisecond))
	require.Same(t, second, q.first(), "the first has too little time now")
	q.remove(second)
	q.remove(third)
	require.Same(t, first, q.first(), "it is served if there is no other")
	fourth := add(5, 990*time.Millisecond)
	q.advance(now.Add(980 * time.Millisecond))
	require.Contains(t, []*queued{first, fourth}, q.first())
	q.advance(now.Add(time.Second))
	require.Nil(t, q.first())
	require.Equal(t, 2, q.lost.Len())
	require.Empty(t, q.due)
	q.remove(first)
	q.remove(fourth)
	require.Zero(t, q.lost.Len())
}
