package limiter

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// order is a scheduler without places, in which attempts of one letter each come one after the
// other. It tells in which order they are served.
type order struct {
	*scheduler
	now    time.Time
	served strings.Builder
}

func newOrder(limit Rate) *order {
	o := &order{scheduler: newScheduler(limit, epoch), now: epoch}
	for o.ask(epoch, Attempt{}, time.Time{}) == nil {
	}
	o.leave(o.others.queues[patient][0])
	return o
}

// come adds an attempt with a patience; 0 for none.
func (o *order) come(name string, a Attempt, patience time.Duration) *waiter {
	var deadline time.Time
	if patience > 0 {
		deadline = o.now.Add(patience)
	}
	w := o.ask(o.now, a, deadline)
	if w == nil {
		o.served.WriteString(name)
		return nil
	}
	w.onPlace = func() { o.served.WriteString(name) }
	return w
}

// pass lets time pass, and returns what was served in it.
func (o *order) pass(d time.Duration) string {
	for end := o.now.Add(d); ; {
		wait := o.dispatch(o.now)
		if wait == 0 || o.now.Add(wait).After(end) {
			o.now = end
			break
		}
		o.now = o.now.Add(wait)
	}
	defer o.served.Reset()
	return o.served.String()
}

func TestTheOrderOfKinds(t *testing.T) {
	classOf := map[rune]Class{'u': Ordinary, 'o': Ordinary, 'b': Background, 'P': Poll, '?': 7}
	for _, c := range []struct{ name, come, want string }{
		{"urgent ones first, then ordinary ones, polls and background", "bPou", "uoPb"},
		{"those of one kind in the order in which they come", "bPobPoo", "ooPb"[:2] + "oPPbb"},
		{"a class without a name is ordinary", "b?", "?b"},
		{"one in five without a deadline", "o" + strings.Repeat("u", 12), "uuuuouuuuuuuu"},
		{
			"a poll among ten beside those without a deadline, and among four after five seconds", strings.Repeat("P", 10) + strings.Repeat("o", 64),
			strings.Repeat("oooooooooP", 5) + strings.Repeat("oooP", 5) + "oooo",
		},
		{"and among ten beside urgent ones", "PP" + strings.Repeat("u", 20), strings.Repeat("u", 9) + "P" + strings.Repeat("u", 9) + "Puu"},
		{"one in twenty in the background", "b" + strings.Repeat("o", 30), strings.Repeat("o", 19) + "b" + strings.Repeat("o", 11)},
	} {
		for _, places := range []string{"made here", "from a source"} {
			t.Run(c.name+", places "+places, func(t *testing.T) {
				o := newOrder(Rate{Requests: 600, Per: time.Minute, Burst: 1})
				if places == "from a source" {
					d := &depot{now: func() time.Time { return o.now }}
					for i := range 140 {
						d.places = append(d.places, epoch.Add(time.Duration(i+1)*100*ms))
					}
					o.common.source = d
				}
				for i, r := range c.come {
					patience := time.Duration(0)
					if r == 'u' {
						patience = 15*time.Second + time.Duration(i)*dither
					}
					o.come(string(r), Attempt{Class: classOf[r]}, patience)
				}
				require.Equal(t, c.want, o.pass(14*time.Second))
			})
		}
	}
}

// A job with a minute for each call is no more urgent than one without a deadline.
func TestADeadlineWithin30SecondsIsUrgentAndAnotherOneIsNot(t *testing.T) {
	o := newOrder(Rate{Requests: 600, Per: time.Minute, Burst: 1})
	o.come("o", Attempt{}, 0)
	o.come("m", Attempt{}, 31*time.Second)
	o.come("u", Attempt{}, 29*time.Second)
	require.Equal(t, "uom", o.pass(time.Second))
}

// Callers in a loop never leave the line; those who leave it begin anew.
func TestPollsHaveAPlaceOfFourOnlyBesideThoseWhoHaveWaitedWithoutABreak(t *testing.T) {
	o := newOrder(Rate{Requests: 600, Per: time.Minute, Burst: 1})
	for range 200 {
		o.come("P", Attempt{Class: Poll}, 0)
	}
	for range 3 { // each time for a second less than it takes
		for range 36 {
			o.come("o", Attempt{}, 0)
		}
		require.Equal(t, strings.Repeat("oooooooooP", 4), o.pass(4100*ms))
		require.NotContains(t, o.pass(time.Second), "o", "the line is empty")
	}
}

func TestThoseOfSeveralRoutesAreServedInTheOrderInWhichTheyCome(t *testing.T) {
	limit := Rate{Requests: 600, Per: time.Minute, Burst: 10}
	o := newOrder(Rate{Requests: 600, Per: time.Minute, Burst: 1})
	for _, route := range []string{"GET /v1/a", "GET /v1/b"} {
		require.NoError(t, o.routes.limit(route, limit, o.now, func(string, *pacer) {}))
	}
	const come = "cbabacab"
	for _, route := range come {
		o.come(string(route), Attempt{Operation: "GET /v1/" + string(route)}, 0)
	}
	require.Equal(t, come, o.pass(2*time.Second))
}

func TestUrgentOnesAreServedByTheLatestMomentToStart(t *testing.T) {
	o := newOrder(Rate{Requests: 10, Per: 10 * time.Second, Burst: 1})
	slow := Attempt{Operation: "GET /v1/slow"}
	for range 3 {
		o.ended(epoch, slow, Outcome{StatusCode: 200, Duration: 6 * time.Second})
		o.ended(epoch, oneOperation, Outcome{StatusCode: 200, Duration: ms})
	}
	o.come("b", oneOperation, 12*time.Second)
	w := o.come("a", oneOperation, 8*time.Second)
	require.Equal(t, epoch.Add(8*time.Second-ms), w.latest, "the time of a response is left")
	o.come("c", slow, 20*time.Second)
	o.come("o", oneOperation, urgentWithin+1) // counts as no deadline
	o.come("s", slow, 14600*ms)               // nearly as late as one with 8 s and a fast response
	w = o.come("p", oneOperation, time.Hour)
	require.Equal(t, epoch.Add(time.Hour-ms), w.latest)
	require.Zero(t, o.come("q", Attempt{Class: Poll}, 8*time.Second).latest, "a poll may be answered at any time")
	require.Equal(t, "as", o.pass(2500*ms))
	require.Equal(t, "bcopq", o.pass(10*time.Second))
}

func TestTheOrderOfUrgentOnesDoesNotDependOnTheWallClock(t *testing.T) {
	o := newOrder(standard)
	for _, patience := range []time.Duration{4 * time.Second, 5 * time.Second} {
		w := o.come("", oneOperation, patience)
		require.InDelta(t, patience-dither/2, w.key, float64(dither/2), "the time since the epoch of the limiter")
	}
}

func TestWhoCannotBeAnsweredInTime(t *testing.T) {
	slow := Attempt{Operation: "GET /v1/slow"}
	setUp := func() *order {
		o := newOrder(Rate{Requests: 60, Per: time.Minute, Burst: 4})
		for range 3 {
			o.ended(epoch, slow, Outcome{StatusCode: 200, Duration: 3 * time.Second})
		}
		return o
	}
	o := setUp()
	o.come("h", slow, 2900*ms)
	o.come("i", slow, 2900*ms)
	require.Empty(t, o.pass(2500*ms), "gets no place that another one may need")
	o.come("j", slow, 2900*ms)
	require.Equal(t, "j", o.pass(0), "but one that is there when it comes")
	o.come("u", oneOperation, 10*time.Second)
	require.Equal(t, "u", o.pass(0), "if nobody else needs it")
	require.Equal(t, "ih", o.pass(8*time.Second), "or all of a burst, the youngest first")

	o = setUp()
	o.come("f", slow, 4500*ms)
	require.Equal(t, "f", o.pass(1100*ms), "one that can be answered gets a place")
	o.come("g", slow, 3500*ms)
	require.Empty(t, o.pass(1100*ms), "until it is too late")
	require.Len(t, o.others.queues[hopeless], 1)
}

func TestBackgroundAndPollsLeaveHalfOfTheBurst(t *testing.T) {
	for _, c := range []struct {
		class Class
		share float64
		want  int
	}{{Background, 0, 50}, {Poll, 0, 50}, {Poll, 1, 50}, {Poll, 0.5, 25}, {Poll, 0.01, 1}} {
		s := newScheduler(standard, epoch)
		ask := func() *waiter { return s.ask(epoch, Attempt{Class: c.class, Share: c.share}, time.Time{}) }
		n, w := 0, ask()
		for ; w == nil; w = ask() {
			n++
		}
		w.onPlace = func() { t.Error("one more") }
		require.Equal(t, c.want, n, c)
		for range 2 { // a third one would owe a place to the poll
			got := false
			s.ask(epoch, oneOperation, time.Time{}).onPlace = func() { got = true }
			s.dispatch(epoch)
			require.True(t, got, "an ordinary one gets a place at once")
		}
	}
}

func TestPollsKeepToTheirShare(t *testing.T) {
	for _, share := range []float64{0.1, 0.5, 0.9} {
		w := newWorld(1)
		w.gate, w.latency = w.gateOf("sliding log", standard), always(0)
		p := w.process(standard)
		p.loop(10, &load{attempt: Attempt{Class: Poll, Share: share}})
		w.run(10 * time.Minute)
		require.InDelta(t, 6000*share, len(p.sent), 60+150*share)
	}
}
