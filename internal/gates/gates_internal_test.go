package gates

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// begun is the time from which the tests count.
var begun = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// admits asks a gate at some seconds, and returns one letter for each: y or n.
func admits(g Gate, seconds ...float64) (got string) {
	for _, s := range seconds {
		if g.Admit(begun.Add(time.Duration(s * float64(time.Second)))) {
			got += "y"
		} else {
			got += "n"
		}
	}
	return got
}

func TestWhatAGateAdmits(t *testing.T) {
	const window = 10 * time.Second
	open := func() Gate { return &SlidingLog{Most: 1000, Window: window} }
	for _, c := range []struct {
		name string
		gate Gate
		at   []float64
		want string
	}{
		{"a sliding log counts the last window", &SlidingLog{Most: 2, Window: window}, []float64{0, 3, 9.9, 10, 12.9, 13, 13}, "yynynyn"},
		{"refused requests do not count in it", &SlidingLog{Most: 1, Window: window}, []float64{0, 9, 9.9, 10}, "ynny"},
		{"fixed windows begin to count at their begin", &FixedWindows{Most: 2, Window: window, Begin: begun}, []float64{0, 9, 9.9, 10, 10, 10, 20}, "yynyyny"},
		{"which may be earlier", &FixedWindows{Most: 2, Window: window, Begin: begun.Add(-7 * time.Second)}, []float64{0, 1, 2, 3, 4, 5}, "yynyyn"},
		{"a bucket is full at first", &TokenBucket{Most: 3, Window: window}, []float64{0, 0, 0, 0}, "yyyn"},
		{"and is refilled evenly", &TokenBucket{Most: 2, Window: window}, []float64{0, 0, 4.9, 5, 9.9, 10}, "yynyny"},
		{"up to its size", &TokenBucket{Most: 2, Window: window}, []float64{0, 0, 60, 60, 60}, "yyyyn"},
		{"outages are at the end of each interval", &Outages{Gate: open(), Begin: begun, Until: begun.Add(25 * time.Second), Every: window, Lasting: time.Second},
			[]float64{0, 8.9, 9, 9.9, 10, 19.5, 29.5}, "yynnyny"},
		{"outside of them the other gate decides", &Outages{Gate: &SlidingLog{Most: 1, Window: window}, Begin: begun, Every: window, Lasting: time.Second},
			[]float64{0, 1}, "yn"},
		{"random outages end", &RandomOutages{Gate: open(), Begin: begun, Until: begun.Add(time.Minute), Mean: 1, Lasting: time.Minute},
			[]float64{1, 30, 59.9, 60}, "nnny"},
		{"and are rare if their mean is long", &RandomOutages{Gate: open(), Begin: begun, Until: begun.Add(time.Minute), Mean: 1e6 * time.Hour, Lasting: time.Second},
			[]float64{0, 30, 59}, "yyy"},
		{"one of so many is refused", &Unreliable{Gate: open(), Of: 3, Until: begun.Add(6 * time.Second)}, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, "yynyynyyy"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, admits(c.gate, c.at...)) })
	}
}

func TestALimitSaysWhenItWillHaveRoom(t *testing.T) {
	const window = 10 * time.Second
	for _, c := range []struct {
		name  string
		limit Limit
		taken []float64
		at    float64
		want  float64
	}{
		{"a sliding log that has room", &SlidingLog{Most: 2, Window: window}, []float64{0}, 1, 0},
		{"one that is full, when its first request is old", &SlidingLog{Most: 2, Window: window}, []float64{0, 3}, 4, 6},
		{"and then its second one", &SlidingLog{Most: 2, Window: window}, []float64{0, 3, 10}, 11, 2},
		{"a fixed window that has room", &FixedWindows{Most: 2, Window: window, Begin: begun}, []float64{9}, 9, 0},
		{"one that is full, when the next begins", &FixedWindows{Most: 1, Window: window, Begin: begun.Add(-7 * time.Second)}, []float64{4}, 5, 8},
		{"a bucket with a token", &TokenBucket{Most: 2, Window: window}, []float64{0}, 0, 0},
		{"one with half a token, when it is whole", &TokenBucket{Most: 2, Window: window}, []float64{0, 0}, 2.5, 2.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, at := range c.taken {
				require.Equal(t, "y", admits(c.limit, at))
			}
			for range 2 { // asking takes nothing
				wait := c.limit.Wait(begun.Add(time.Duration(c.at * float64(time.Second))))
				require.Equal(t, time.Duration(c.want*float64(time.Second)), wait)
			}
			require.Equal(t, "y", admits(c.limit, c.at+c.want))
		})
	}
}

func TestRandomRefusalsHaveTheirPart(t *testing.T) {
	g := &Unreliable{Gate: &SlidingLog{Most: 100_000, Window: time.Hour}, Of: 5, Random: true, Until: begun.Add(time.Hour)}
	admitted := 0
	for range 100_000 {
		if g.Admit(begun) {
			admitted++
		}
	}
	require.InDelta(t, 80_000, admitted, 1500) // ten times the standard deviation
}
