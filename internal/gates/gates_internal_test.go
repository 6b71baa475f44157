package gates

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// begun is the time from which the tests count.
var begun = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// admits asks a gate at some seconds, and returns y for each admission. For a refusal it returns n,
// and of a limit the seconds until there is room.
func admits(g Gate, seconds ...float64) string {
	var got []string
	for _, s := range seconds {
		now, answer := begun.Add(time.Duration(s*float64(time.Second))), "n"
		if limit, ok := g.(Limit); ok {
			answer = fmt.Sprintf("%.3g", limit.Wait(now).Seconds()) // asking takes nothing
		}
		if g.Admit(now) {
			answer = "y"
		}
		got = append(got, answer)
	}
	return strings.Join(got, " ")
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
		{"a sliding log counts the last window", &SlidingLog{Most: 2, Window: window}, []float64{0, 3, 9.9, 10, 12.9, 13, 13}, "y y 0.1 y 0.1 y 7"},
		{"refused requests do not count in it", &SlidingLog{Most: 1, Window: window}, []float64{0, 9, 9.9, 10}, "y 1 0.1 y"},
		{"fixed windows begin to count at their begin", &FixedWindows{Most: 2, Window: window, Begin: begun}, []float64{0, 9, 9.9, 10, 10, 10, 20}, "y y 0.1 y y 10 y"},
		{"which may be earlier", &FixedWindows{Most: 2, Window: window, Begin: begun.Add(-7 * time.Second)}, []float64{0, 1, 2, 3, 4, 5}, "y y 1 y y 8"},
		{"a bucket is full at first", &TokenBucket{Most: 3, Window: window}, []float64{0, 0, 0, 0}, "y y y 3.33"},
		{"and is refilled evenly", &TokenBucket{Most: 2, Window: window}, []float64{0, 0, 4.9, 5, 9.9, 10}, "y y 0.1 y 0.1 y"},
		{"up to its size", &TokenBucket{Most: 2, Window: window}, []float64{0, 0, 60, 60, 60}, "y y y y 5"},
		{"outages are at the end of each interval", &Outages{Gate: open(), Begin: begun, Until: begun.Add(25 * time.Second), Every: window, Lasting: time.Second},
			[]float64{0, 8.9, 9, 9.9, 10, 19.5, 29.5}, "y y n n y n y"},
		{"outside of them the other gate decides", &Outages{Gate: &SlidingLog{Most: 1, Window: window}, Begin: begun, Every: window, Lasting: time.Second},
			[]float64{0, 1}, "y n"},
		{"random outages end", &RandomOutages{Gate: open(), Begin: begun, Until: begun.Add(time.Minute), Mean: 1, Lasting: time.Minute},
			[]float64{1, 30, 59.9, 60}, "n n n y"},
		{"and are rare if their mean is long", &RandomOutages{Gate: open(), Begin: begun, Until: begun.Add(time.Minute), Mean: 1e6 * time.Hour, Lasting: time.Second},
			[]float64{0, 30, 59}, "y y y"},
		{"one of so many is refused", &Unreliable{Gate: open(), Of: 3, Until: begun.Add(6 * time.Second)}, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, "y y n y y n y y y"},
		{"or each with this chance", &Unreliable{Gate: open(), Of: 1, Random: true, Until: begun.Add(time.Second)}, []float64{0, 0, 0.9, 1}, "n n n y"},
		{"whatever their number is", &Unreliable{Gate: open(), Of: 1 << 30, Random: true, Until: begun.Add(time.Second), n: -1}, []float64{0, 0, 0.9, 1}, "y y y y"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, admits(c.gate, c.at...)) })
	}
}
