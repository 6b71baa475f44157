package redislimit

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	seam "github.com/monitoring-api/monitoring-go/lease"
)

// newLease is a lease that knows Redis's clock, with a limit of 100 in 10 seconds for n processes.
func newLease(t *testing.T, n int) *lease {
	f := newFleet(t, hundred)
	f.processes = n
	p := f.start()
	l := p.l.leases[0]
	l.clock.sync(time.Now(), time.Now(), 1000)
	l.away, l.asked = true, time.Now()
	f.set(-1, errors.New("connection refused"))
	t.Cleanup(p.kill)
	return l
}

func TestAPlaceThatIsUsedLateIsToldWithTheTimeOfItsUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, 8)
		l.held = []place{{number: 1, at: 1000, told: true}, {number: 2, at: 1180, told: true}, {number: 3, at: 1190, told: true}}
		l.next = 4
		require.Equal(t, 1, l.Places(), "the others come later")
		time.Sleep(200 * time.Millisecond)
		require.Equal(t, 3, l.Places())
		require.Equal(t, int64(1), l.Take())
		require.Equal(t, int64(2), l.Take())
		require.Equal(t, []place{{number: 1, at: 1200}}, l.untold(), "50 ms are within the slack")
		l.GiveBack(2)
		require.Equal(t, int64(2), l.Take(), "another attempt has it")
		time.Sleep(3 * time.Second)
		l.Until()
		require.Equal(t, []int64{3}, l.back, "it was not used in time")
		l.GiveBack(99)
		require.Empty(t, l.held, "nobody has it")
		l.held = []place{{number: 9, at: l.now() + 100, told: true}}
		require.Zero(t, l.Places(), "it comes later")
		require.NoError(t, l.Close())
	})
}

func TestAProcessOnItsOwnGoesOnAtItsPartOfThePaceAndPaysBackABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, 8)
		l.heard.Era, l.last, l.heard.Now = 1, 1000, 1000
		require.InDelta(t, 8*l.even, l.own(1000)-l.last, 1e-9)
		l.share = 0.5
		require.InDelta(t, 16*l.even, l.own(1000)-l.last, 1e-9)
		l.share, l.heard.Count = 1, 60 // all at once
		for range 9 {
			l.heard.Line = append(l.heard.Line, 0)
		}
		require.InDelta(t, 8*l.window/41, l.own(1000)-l.last, 1e-9, "41 until they come back")
		l.spent = 16
		require.InDelta(t, 8*l.window/25, l.own(1000)-l.last, 1e-9, "and others have used some of them")
		l.heard.Line, l.spent = nil, 0
		for range 3 {
			time.Sleep(l.Until())
			l.Take()
		}
		require.Equal(t, 24, l.spent, "others use as many")
		require.Len(t, l.untold(), 3)
		require.NoError(t, l.Close())
	})
}

func TestProcessesThatBeginAloneTogetherPartWays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		least, most := time.Hour, time.Duration(0)
		for range 30 {
			l := newLease(t, 8)
			require.Zero(t, l.Until())
			l.Take()
			least, most = min(least, l.Until()), max(most, l.Until())
			require.NoError(t, l.Close())
		}
		require.Greater(t, most-least, 400*time.Millisecond)
		require.GreaterOrEqual(t, least, 800*time.Millisecond)
		few := newLease(t, 400)
		require.Positive(t, few.Until(), "a part of less than one place does not begin at once")
		require.NoError(t, few.Close())
	})
}

func TestTheNextCommandIsSentWhenItIsNeeded(t *testing.T) {
	for _, c := range []struct {
		name     string
		attempts int
		set      func(l *lease)
		after    time.Duration
	}{
		{"before the lease is used up, so that the reply is there in time", 3, func(*lease) {}, 340 * time.Millisecond},
		{"when a place is given back that nobody wants", 0, func(*lease) {}, 1500 * time.Millisecond},
		{"when Redis expects it", 1, func(l *lease) { l.last = 2000 }, 1250 * time.Millisecond},
		{"a quarter of a second after the last one if a place was used alone", 1, func(l *lease) {
			l.used = []place{{number: 7, at: 900}}
		}, 250 * time.Millisecond},
		{"after a second if the last one brought nothing", 1, func(l *lease) { l.held, l.vain = nil, true }, time.Second},
		{"also if a place is left", 2, func(l *lease) { l.vain = true }, time.Second},
		{"but at once if those who have come since leave fewer to others", 1, func(l *lease) {
			l.held, l.vain, l.leaves = nil, true, 8
		}, 0},
		{"after a second if Redis is away", 1, func(l *lease) { l.held, l.away = nil, true }, time.Second},
		{"when processes no longer go on alone", 1, func(l *lease) { l.held, l.heard.Alone = nil, 1400 }, 400 * time.Millisecond},
		{"and not before, if a place is left", 2, func(l *lease) { l.heard.Alone = 1800 }, 800 * time.Millisecond},
		{"at once after a 429", 1, func(l *lease) { l.paused = time.Now().Add(time.Second) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLease(t, 8)
				require.Equal(t, 16, l.limit.Burst, "a sixth of the limit")
				sent := make(chan time.Time, 1)
				l.run = func(ctx context.Context, _ []string, _ []any) (string, error) {
					select {
					case sent <- time.Now():
					default:
					}
					<-ctx.Done()
					return "", ctx.Err()
				}
				began := time.Now()
				l.mu.Lock()
				l.away, l.clock.usual = false, 100
				l.held = []place{{number: 1, at: 1500, told: true}}
				c.set(l)
				l.mu.Unlock()
				l.Want(c.attempts, 0, 1)
				require.Equal(t, c.after, (<-sent).Sub(began).Truncate(time.Millisecond))
				require.NoError(t, l.Close())
			})
		})
	}
}

func TestAReplyIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, 4)
		l.heard.Era, l.next = 7, 3
		l.used = []place{{number: 1, at: 900, told: true}, {number: 2, at: 950}}
		r := l.request(0)
		require.Equal(t, []place{{number: 2, at: 950}}, r.used)
		l.next = 4 // it has used one alone meanwhile
		l.hear(r, reply{Now: 1000, Era: 7, Programs: 6, Places: []float64{1100, 1200}})
		require.Equal(t, []place{{number: 4, at: 1200, told: true}}, l.held, "the first name is in use")
		require.Equal(t, int64(5), l.next)
		require.Empty(t, l.untold())
		require.Equal(t, 6, l.heard.Programs)
		require.True(t, l.grows, "others may still come")
		l.hear(l.request(0), reply{Now: 1000, Era: 7, Programs: 6})
		require.False(t, l.grows)
		news := l.hear(l.request(0), reply{Now: 1000, Era: 8, Alone: 4000, Programs: 6, Cuts: 1, Pause: 500, Share: 0.9})
		require.Len(t, l.untold(), 3, "data was lost, so all is told again, and what will be used")
		require.Equal(t, 4000.0, l.heard.Alone)
		require.Equal(t, seam.SupplyNews{PausedUntil: time.Now().Add(500 * time.Millisecond), Share: 0.9}, news)
		require.Zero(t, l.hear(l.request(0), reply{Now: 1000, Era: 8, Cuts: 1, Pause: 500, Share: 0.9}), "it is told once")
		first, second := time.Now().Add(time.Second), time.Now().Add(time.Minute)
		l.paused = first
		r = l.request(0)
		l.paused = second
		l.hear(r, reply{Now: 1000, Era: 8})
		require.Equal(t, second, l.paused, "Redis has not heard of it yet")
		l.hear(l.request(0), reply{Now: 1000, Era: 8})
		require.Zero(t, l.paused)
		require.NoError(t, l.Close())
	})
}

// Who asks in vain waits a second, unless another answer may come earlier.
func TestAReplyThatBringsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, 4)
		for _, c := range []struct {
			name  string
			want  int
			heard reply
			vain  bool
		}{
			{"data that was lost", 1, reply{Now: 1000, Era: 7}, false},
			{"no place", 1, reply{Now: 1000, Era: 7}, true},
			{"nobody wanted one", 0, reply{Now: 1000, Era: 7}, false},
			{"a place", 1, reply{Now: 1000, Era: 7, Places: []float64{1000}}, false},
			{"processes go on alone", 1, reply{Now: 1000, Era: 7, Alone: 1001}, false},
			{"they no longer do", 1, reply{Now: 1000, Era: 7, Alone: 1000}, true},
			{"the command came late", 0, reply{Now: 1000}, true},
			{"and maybe the clock was moved", 1, reply{Now: 1_000_000}, false},
		} {
			l.hear(l.request(c.want), c.heard)
			require.Equal(t, c.vain, l.vain, c.name)
		}
		require.NoError(t, l.Close())
	})
}

func TestTheTimesOfALeaseMoveWithTheClock(t *testing.T) {
	l := &lease{used: []place{{at: 1}}, held: []place{{at: 2}}}
	l.move(10)
	require.Equal(t, []float64{11, 12, 0}, []float64{l.used[0].at, l.held[0].at, l.last}, "there was no last place")
	l.last = 3
	l.move(10)
	require.Equal(t, 13.0, l.last)
}

// A timer may fire once more after it was stopped.
func TestOneCommandIsUnderWayAndNoneAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, 4)
		commands := 0
		l.run = func(context.Context, []string, []any) (string, error) {
			commands++
			return "", errors.New("connection refused")
		}
		l.busy = true
		l.ask()
		require.Zero(t, commands)
		l.busy = false
		require.NoError(t, l.Close())
		commands = 0 // it has said goodbye
		l.ask()
		require.Zero(t, commands)
	})
}

// One of ten that is missing keeps its part, most of them do not, nor does one that has just come.
func TestTheScriptKeepsThePartOfOneThatIsMissing(t *testing.T) {
	client := clientOf(t, startRedis(t).addr())
	micros := int64(1_800_000_000_000_000)
	twin := newTwin(func() float64 { return float64(micros/1e6)*1000 + float64(micros%1e6)/1000 })
	twin.lasts = true
	keys := []string{"{m}p", "{m}w", "{m}h", "{m}s"}
	next := make([]int64, 12)
	// pass lets processes ask in turn, each once a second.
	pass := func(rounds int, processes ...int) {
		for range rounds {
			for _, i := range processes {
				micros += int64(1_000_000 / len(processes))
				r := command{
					id: fmt.Sprint("p", i), limit: 100, window: 10433, burst: 1,
					sent: twin.clock(), patience: 250, next: next[i], share: 1, want: 3,
				}
				args := r.args()
				want, err := twin.run(t.Context(), keys, args)
				require.NoError(t, err)
				got, err := withTime.Run(t.Context(), client, keys, append(args, micros/1e6, micros%1e6)...).Text()
				require.NoError(t, err)
				require.Equal(t, want, got)
				reply, err := parse(got, nil, r.want, hundred)
				require.NoError(t, err)
				next[i] += int64(len(reply.Places))
			}
		}
	}
	waiting := func() (names []string) {
		for _, m := range client.ZRangeWithScores(t.Context(), keys[1], 0, -1).Val() {
			names = append(names, m.Member.(string))
		}
		return names
	}
	pass(6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	pass(8, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	require.Contains(t, waiting(), "p0", "it may be cut off")
	pass(1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	pass(4, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	require.NotContains(t, waiting(), "p10", "it had just come")
	pass(10, 1, 2, 3, 4)
	require.ElementsMatch(t, []string{"p1", "p2", "p3", "p4"}, waiting(), "the others have probably ended")
	for i, key := range keys {
		want := 80866 * time.Millisecond // two windows and a minute
		if key == "{m}s" {
			want = 8 * 24 * time.Hour
		}
		require.InDelta(t, want.Seconds(), client.PTTL(t.Context(), key).Val().Seconds(), 5, i)
	}
}
