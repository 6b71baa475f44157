package redislimit

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// scripted sends single commands of its own making to the script.
type scripted struct {
	*Limiter
	t *testing.T
}

func newScripted(t *testing.T, server *redisServer) scripted {
	return scripted{newLimiter(t, server.addr(), "script", scriptLimit), t}
}

// scriptLimit has a window in the script of exactly 8.3 seconds, and no burst.
var scriptLimit = monitoring.RateLimit{Requests: 40, Per: 8 * time.Second, Burst: 1}

// now returns Redis's time.
func (s scripted) now() float64 {
	now, err := s.client.Time(context.Background()).Result()
	require.NoError(s.t, err)
	return ms(now.Sub(time.UnixMilli(0)))
}

// command returns a command that was sent now and asks for places, up to a minute ahead.
func (s scripted) command(need int, told int64, entries ...news) *request {
	return &request{
		ID: s.id, Parts: parts, Era: s.era, Seq: s.seq, Sent: s.now(), Patience: ms(defaultTimeout), Lead: 60000, Ghost: ms(ghost),
		Lines: []requestLine{{Limit: s.limit.Requests, Span: ms(window(s.limit)), Burst: burst(s.limit), Need: need}},
		Told:  told, News: entries,
	}
}

func (s scripted) send(req *request) *reply {
	r, err := s.exchange(context.Background(), req)
	require.NoError(s.t, err)
	return r
}

// counted returns how many places count in the window of the common line.
func (s scripted) counted() int { return s.countedIn("w1") }

// countedIn returns how many places count in the window of a line.
func (s scripted) countedIn(line string) int {
	n, err := s.client.Eval(context.Background(), `return cmsgpack.unpack(redis.call('HGET', KEYS[1], ARGV[1])).count`, s.keys[:1], line).Int()
	require.NoError(s.t, err)
	return n
}

// settled is a Redis whose common line has an empty window.
func settled(t *testing.T) (scripted, *redisServer) {
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "script", scriptLimit.Per)
	s := newScripted(t, server)
	s.send(s.command(0, 0))
	require.NoError(t, s.client.Eval(context.Background(), `
		local w = cmsgpack.unpack(redis.call('HGET', KEYS[1], 'w1'))
		w.log, w.count = {}, 0
		return redis.call('HSET', KEYS[1], 'w1', cmsgpack.pack(w))`, s.keys[:1]).Err())
	return s, server
}

func TestPlacesThatWereUsedWithoutRedisCountAtTheirTimesAndOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		tell  func(now float64) [][]news // the news of each command, with what was told before
		told  []int64
		begin int // places that are left in the window
		after time.Duration
	}{
		{
			"used six seconds ago, they leave the window in two",
			func(now float64) [][]news { return [][]news{{{1, 30, int64(now) - 6000}}} },
			[]int64{0}, 10, 2300 * time.Millisecond,
		},
		{
			"told three times, because replies were lost",
			func(now float64) [][]news {
				one, two := news{1, 13, int64(now) - 6000}, news{1, 17, int64(now) - 5950}
				return [][]news{{one}, {one, two}, {one, two}, {two}}
			},
			[]int64{0, 0, 0, 1}, 10, 2300 * time.Millisecond,
		},
		{
			"used longer ago than the window",
			func(now float64) [][]news { return [][]news{{{1, 25, int64(now) - 20000}, {1, 30, int64(now) - 6000}}} },
			[]int64{0}, 10, 2300 * time.Millisecond,
		},
		{
			"used just now, by a clock that is ahead",
			func(now float64) [][]news { return [][]news{{{1, 36, int64(now) + 5000}}} },
			[]int64{0}, 4, 8300 * time.Millisecond,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, _ := settled(t)
			now := s.now()
			for i, entries := range test.tell(now) {
				s.send(s.command(0, test.told[i], entries...))
			}
			places := s.send(s.command(50, test.told[len(test.told)-1])).Lines[0].times()
			require.Len(t, places, 50)
			free := slices.IndexFunc(places, func(at int64) bool { return float64(at)-now > ms(test.after)-100 })
			require.LessOrEqual(t, free, test.begin, "what was used counts")
			require.GreaterOrEqual(t, free, test.begin-1, "and it counts once")
			require.InDelta(t, now+ms(test.after), float64(places[free]), 600, "it leaves the window a window after its use")
		})
	}
}

func TestPlacesOfARouteCountInTheCommonWindowAfterTheirOwnIsOver(t *testing.T) {
	t.Parallel()
	s, _ := settled(t)
	route := requestLine{Name: "GET /v1/checks", Limit: 20, Span: 2000, Burst: 1}
	req := s.command(0, 0, news{2, 12, int64(s.now()) - 6000}, news{2, 3, int64(s.now()) - 1000}, news{2, 9, int64(s.now()) - 20000})
	req.Lines = append(req.Lines, route)
	s.send(req)
	require.Equal(t, 15, s.counted())
	require.Equal(t, 3, s.countedIn("w2")-route.Limit, "a new line begins with a full window")
}

func TestACommandThatHasWaitedTakesNothingAndTellsNothing(t *testing.T) {
	t.Parallel()
	s, server := settled(t)
	admin := clientOf(t, server.addr())
	dump := func() (all []string) {
		for _, key := range s.keys {
			text, err := admin.Dump(context.Background(), key).Result()
			if err == nil {
				all = append(all, text)
			}
		}
		return all
	}
	before := dump()
	for name, sent := range map[string]float64{"sent 260 ms ago": s.now() - 260, "sent at an unknown time": 0} {
		req := s.command(5, 0, news{1, 12, int64(s.now())})
		req.Sent = sent
		r := s.send(req)
		require.True(t, r.Late, name)
		require.InDelta(t, s.now(), r.Now, 1000, "Redis's clock is all that it tells")
		require.Equal(t, before, dump(), name)
	}
	req := s.command(5, 0, news{1, 12, int64(s.now())})
	req.Sent -= 100
	require.False(t, s.send(req).Late)
	require.NotEqual(t, before, dump())
}

func TestPlacesThatWaitForAProcessOnItsOwnStandForThoseThatItUses(t *testing.T) {
	t.Parallel()
	s, _ := settled(t)
	alone := func(need int, told int64, entries ...news) {
		req := s.command(need, told, entries...)
		req.OnItsOwn = true
		require.Empty(t, s.send(req).Lines[0].times())
	}
	alone(5, 0)
	require.Equal(t, 5, s.counted(), "five places wait")
	alone(0, 0, news{1, 2, int64(s.now())})
	require.Equal(t, 5, s.counted(), "two of them are used")
	require.Len(t, s.send(s.command(0, 1)).Lines[0].times(), 3, "three are left")
	alone(0, 1, news{1, 4, int64(s.now())})
	require.Equal(t, 9, s.counted(), "none waits any more")
}

func TestANewRedisCountsWhatProcessesUseInItsFirstWindow(t *testing.T) {
	t.Parallel()
	s := newScripted(t, startRedis(t))
	require.Positive(t, s.send(s.command(3, 0)).Spent)
	require.Positive(t, s.send(s.command(3, 0, news{1, 12, int64(s.now())})).Spent)
	require.Equal(t, 12, s.counted())
}
