package redislimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// The order of the local limiter: its own table is in internal/limiter.
func TestTheOrderOfKindsIsThatOfTheLocalLimiter(t *testing.T) {
	classOf := map[rune]monitoring.AttemptClass{'P': monitoring.ClassPoll, 'b': monitoring.ClassBackground}
	for _, c := range []struct{ name, come, want string }{
		{"urgent ones first, then ordinary ones, polls and background", "bPou", "uoPb"},
		{"one in five without a deadline", "o" + strings.Repeat("u", 12), "uuuuouuuuuuuu"},
		{"a poll among ten beside those without a deadline", "PP" + strings.Repeat("o", 12), "oooooooooPoooP"},
		{"and among ten beside urgent ones", "PP" + strings.Repeat("u", 20), strings.Repeat("u", 9) + "P" + strings.Repeat("u", 9) + "Puu"},
		{"one in twenty in the background", "b" + strings.Repeat("o", 30), strings.Repeat("o", 19) + "b" + strings.Repeat("o", 11)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(t, monitoring.RateLimit{Requests: 600, Per: time.Minute, Burst: 1})
				p := f.start()
				for range 20 { // one process has a lease of some places
					p.call(0, monitoring.AttemptRequest{})
				}
				var served strings.Builder
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				var all sync.WaitGroup
				f.set(-1, errors.New("down")) // until all have come
				for p.l.Wait(ctx, monitoring.AttemptRequest{}) == nil && f.at() < 5*time.Second {
					time.Sleep(time.Millisecond)
				}
				for i, r := range c.come {
					ctx := t.Context()
					if r == 'u' {
						var end context.CancelFunc
						ctx, end = context.WithTimeout(ctx, 15*time.Second+time.Duration(i)*500*time.Millisecond)
						defer end()
					}
					all.Go(func() {
						if p.l.Wait(ctx, monitoring.AttemptRequest{Class: classOf[r]}) == nil {
							f.mu.Lock()
							served.WriteRune(r)
							f.mu.Unlock()
						}
					})
					synctest.Wait()
				}
				f.set(-1, nil)
				all.Wait()
				require.Equal(t, c.want, served.String())
				f.end()
			})
		})
	}
}

func TestLimitsOfRoutesHoldForTheFleet(t *testing.T) {
	for _, c := range []struct {
		operation string
		limit     monitoring.RateLimit
		isDefault bool
	}{
		{"GET /v1/alert-notifications", monitoring.RateLimit{Requests: 5, Per: 10 * time.Second, Burst: 5}, true},
		{"GET /v2/check-results/{checkId}", monitoring.RateLimit{Requests: 60, Per: time.Minute}, true},
		{"GET /v1/locations", monitoring.RateLimit{Requests: 7, Per: 3 * time.Second}, false},
		{"GET /v1/alert-notifications", monitoring.RateLimit{Requests: 2, Per: time.Second}, false},
		{"POST /v1/checks/{id}", monitoring.RateLimit{Requests: 30, Per: 10 * time.Second, Burst: 1}, false},
	} {
		t.Run(fmt.Sprintf("%d in %s", c.limit.Requests, c.limit.Per), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(t, hundred)
				for range 8 {
					p := f.start()
					if !c.isDefault {
						require.NoError(t, p.l.LimitRoute(c.operation, c.limit))
					}
				}
				f.limit = c.limit // what the service counts
				for _, p := range f.members {
					for range 3 {
						f.work.Go(func() {
							for p.ctx.Err() == nil {
								p.call(0, monitoring.AttemptRequest{Operation: c.operation})
							}
						})
					}
				}
				f.until(4 * c.limit.Per)
				require.Empty(t, f.refused)
				most := c.limit.Per.Seconds() / (c.limit.Per + slack(c.limit.Per)).Seconds()
				require.GreaterOrEqual(t, f.used(0, 4*c.limit.Per), 95*most)
				state := f.members[0].l.State()
				require.Equal(t, hundred, state.Limit)
				i := slices.IndexFunc(state.Routes, func(r monitoring.RouteState) bool { return r.Operation == c.operation })
				require.Equal(t, c.limit, state.Routes[i].Limit)
				require.Positive(t, state.Routes[i].Waiters)
				require.Positive(t, state.WaitersByClass[monitoring.ClassOrdinary])
				require.Equal(t, 1.0, state.Share)
				f.end()
			})
		})
	}
}

func TestA429PausesAllProcessesAndCutsTheCommonShareOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, hundred)
		f.saturated(4, 2, 0)
		f.until(5 * time.Second)
		outcome := monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 3 * time.Second, Duration: time.Millisecond}
		f.members[0].l.Ended(monitoring.AttemptRequest{}, outcome)
		f.members[1].l.Ended(monitoring.AttemptRequest{}, outcome) // it was sent before the pause, too
		f.until(6 * time.Second)
		for _, p := range f.members {
			state := p.l.State()
			require.InDelta(t, 2, time.Until(state.PausedUntil).Seconds(), 0.1)
			require.InDelta(t, 0.94, state.Share, 1e-9)
		}
		commands, _ := f.counts()
		f.until(14 * time.Second)
		paused := within(f.sent, f.began.Add(5500*time.Millisecond), f.began.Add(8*time.Second))
		require.LessOrEqual(t, paused, 4, "those of leases that were given out")
		require.Equal(t, 1.0, f.members[3].l.State().Share, "30 responses of the fleet undo it")
		require.LessOrEqual(t, f.commands-commands, 120, "the pause is told once")
		require.Empty(t, f.refused)
		f.end()
	})
}

func TestARedisThatHangsCostsACallLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, hundred)
		f.processes = 4
		f.set(-1, errCut)
		p := f.start()
		defer f.end()
		require.True(t, p.call(0, monitoring.AttemptRequest{}))
		require.LessOrEqual(t, f.waits[0][0], 400*time.Millisecond)
		require.True(t, p.call(0, monitoring.AttemptRequest{Operation: "GET /v1/alert-notifications"}))
		require.LessOrEqual(t, f.waits[0][1], 1200*time.Millisecond, "its part of the limit is one in 0.42 seconds")
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		err := p.l.Wait(ctx, monitoring.AttemptRequest{})
		require.EqualError(t, err, "waiting for the rate limit: context deadline exceeded", "an error of the limiter, not of Redis")
		began := time.Now()
		require.NoError(t, p.l.Close())
		require.Less(t, time.Since(began), time.Second)
	})
}

func TestCloseGivesPlacesBackAndEndsWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, hundred)
		p, other := f.start(), f.start()
		for range 16 {
			require.True(t, p.call(0, monitoring.AttemptRequest{}))
		}
		errs := make(chan error)
		for range 8 {
			go func() { errs <- p.l.Wait(t.Context(), monitoring.AttemptRequest{}) }()
		}
		synctest.Wait()
		require.True(t, other.call(0, monitoring.AttemptRequest{}))
		time.Sleep(10 * time.Millisecond)
		require.NoError(t, p.l.Close())
		closed := 0
		for range 8 {
			if errors.Is(<-errs, ErrClosed) {
				closed++
			}
		}
		require.Positive(t, closed)
		require.ErrorIs(t, p.l.Wait(t.Context(), monitoring.AttemptRequest{}), ErrClosed)
		require.NoError(t, p.l.Close())
		d := f.redis.data[p.l.leases[0].keys[0]]
		require.NotContains(t, d.waiting.scores, p.l.id)
		require.NotContains(t, d.heard.scores, p.l.id)
		require.Len(t, d.places.list, 17+8-closed, "no place is left that nobody uses")
		f.end()
	})
}

func TestCloseSaysGoodbyeAlsoIfACommandIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, hundred)
		f.replies = 150 * time.Millisecond
		p := f.start()
		f.work.Go(func() { p.call(0, monitoring.AttemptRequest{}) })
		time.Sleep(200 * time.Millisecond) // the first command has told the time, the second one asks for places
		require.NoError(t, p.l.Close())
		d := f.redis.data[p.l.leases[0].keys[0]]
		require.NotContains(t, d.heard.scores, p.l.id)
		f.end()
	})
}

func TestTheErrorOfRedisIsWrittenOnceForAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		f := newFleet(t, hundred)
		l, err := New(noRedis, "fleet", hundred, WithLogger(slog.New(slog.NewTextHandler(&text, nil))))
		require.NoError(t, err)
		l.run = f.link(0)
		pass := func(d time.Duration) string {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				require.NoError(t, l.Wait(t.Context(), monitoring.AttemptRequest{}))
			}
			defer text.Reset()
			return text.String()
		}
		require.Empty(t, pass(20*time.Second), "a Redis without data is no trouble")
		f.set(-1, errors.New("READONLY You can't write"))
		said := pass(20 * time.Second)
		require.Equal(t, 1, strings.Count(said, "\n"), said)
		require.Contains(t, said, "level=WARN")
		require.Contains(t, said, "READONLY You can't write")
		f.set(-1, nil)
		said = pass(20 * time.Second)
		require.Equal(t, 1, strings.Count(said, "\n"), said)
		require.Contains(t, said, "level=INFO")
		var flaps string
		for range 30 {
			f.set(-1, errStalled)
			flaps += pass(2 * time.Second)
			f.set(-1, nil)
			flaps += pass(2 * time.Second)
		}
		require.LessOrEqual(t, strings.Count(flaps, "\n"), 13, "at most one line in ten seconds")
		require.GreaterOrEqual(t, strings.Count(flaps, "\n"), 2)
		require.Contains(t, flaps, "it did not reply in time")
		require.NoError(t, l.Close())
		f.end()
	})
}

func TestWhatIsNotValidIsAnError(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	defer client.Close()
	for want, try := range map[string]func() error{
		"redislimit: the Redis client is nil":                func() error { _, err := New(nil, "k", hundred); return err },
		"redislimit: the Redis key is empty":                 func() error { _, err := New(client, "", hundred); return err },
		"redislimit: option 2 is nil":                        func() error { _, err := New(client, "k", hundred, WithProcesses(2), nil); return err },
		"redislimit: the logger is nil":                      func() error { _, err := New(client, "k", hundred, WithLogger(nil)); return err },
		"redislimit: 0 processes: want at least 1":           func() error { _, err := New(client, "k", hundred, WithProcesses(0)); return err },
		"redislimit: rate limit of 0 requests in 0s: want a": func() error { _, err := New(client, "k", monitoring.RateLimit{}); return err },
	} {
		err := try()
		require.Error(t, err)
		require.True(t, strings.HasPrefix(err.Error(), want), err)
	}
	l, err := New(client, "k", hundred)
	require.NoError(t, err)
	err = l.LimitRoute("locations", hundred)
	require.ErrorContains(t, err, "monitoring: ")
	require.Equal(t, 1, strings.Count(err.Error(), "monitoring: "), err)
	require.NoError(t, l.Close())
}

// What is no reply of the script is as if Redis was away.
func TestARepliesBounds(t *testing.T) {
	const good = `{"now":1000000,"era":900000,"alone":0,"programs":2,"cuts":0,"pause":-1000000,"share":1,"count":3,"up":500,` +
		`"places":[1000000,1000100],"line":[900,800,700,600,500,400,300,200,100]}`
	r, err := parse(good, nil, 2, hundred)
	require.NoError(t, err)
	require.Equal(t, []float64{1000000, 1000100}, r.Places)
	_, err = parse(`{"now":1000000,"era":0}`, nil, 2, hundred)
	require.NoError(t, err, "a command that came late")
	for name, text := range map[string]string{
		"no JSON":                   "a, b",
		"null":                      "null",
		"a list":                    "[1,2,3]",
		"an object of others":       `{"status":"ok"}`,
		"a share of nothing":        strings.Replace(good, `"share":1`, `"share":0`, 1),
		"a share of more than all":  strings.Replace(good, `"share":1`, `"share":1.5`, 1),
		"no programs":               strings.Replace(good, `"programs":2`, `"programs":0`, 1),
		"a million programs":        strings.Replace(good, `"programs":2`, `"programs":1000000`, 1),
		"no member programs":        strings.Replace(good, `"programs":2,`, ``, 1),
		"a pause of a day":          strings.Replace(good, `"pause":-1000000`, `"pause":86400000`, 1),
		"alone for a day":           strings.Replace(good, `"alone":0`, `"alone":87400000`, 1),
		"more places than wanted":   strings.Replace(good, `1000100]`, `1000100,1000200]`, 1),
		"a place of a day later":    strings.Replace(good, `1000100]`, `87400000]`, 1),
		"places that are null":      strings.Replace(good, `[1000000,1000100]`, `null`, 1),
		"a place before now":        strings.Replace(good, `[1000000,`, `[900000,`, 1),
		"places out of order":       strings.Replace(good, `[1000000,1000100]`, `[1000100,1000000]`, 1),
		"a line of two places":      strings.Replace(good, `900,800,700,600,500,400,300,200,100`, `900,800`, 1),
		"a line of none":            strings.Replace(good, `[900,800,700,600,500,400,300,200,100]`, `null`, 1),
		"a line that is younger":    strings.Replace(good, `900,800`, `900,901`, 1),
		"a line of a day ago":       strings.Replace(good, `[900,`, `[87400000,`, 1),
		"fewer places than none":    strings.Replace(good, `"count":3`, `"count":-1`, 1),
		"a text without an end":     good + strings.Repeat(" ", mostText),
		"a window with a million":   strings.Replace(good, `"count":3`, `"count":1000000`, 1),
		"no time":                   strings.Replace(good, `"now":1000000`, `"now":null`, 1),
		"an era before the others":  strings.Replace(good, `"era":900000`, `"era":-3`, 1),
		"fewer 429s than none":      strings.Replace(good, `"cuts":0`, `"cuts":-1`, 1),
		"a Redis that was never up": strings.Replace(good, `"up":500`, `"up":-500`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(text, nil, 2, hundred)
			require.ErrorContains(t, err, fmt.Sprintf("the script returned %.200q", text))
		})
	}
	_, err = parse(strings.Repeat("x", 100_000), nil, 2, hundred)
	require.Less(t, len(err.Error()), 300)
}

// A reply of something else is logged, and does not cost the process its part of the limit.
func TestAReplyThatIsNotOneOfTheScriptIsLikeNoRedis(t *testing.T) {
	for name, text := range map[string]string{
		"null":     "null",
		"no share": `{"now":1,"era":1,"alone":0,"programs":1,"cuts":0,"pause":0,"share":0,"count":0,"up":0,"places":[],"line":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(t, hundred)
				f.processes = 2
				var log strings.Builder
				p := f.start(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
				p.l.run = func(context.Context, []string, []any) (string, error) { return text, nil }
				p.loop(4, 0)
				f.until(4 * hundred.Per)
				require.InDelta(t, 48, f.used(0, 4*hundred.Per), 3, "a half of the limit")
				require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
				require.Contains(t, log.String(), "Redis cannot be used")
				f.end()
			})
		})
	}
}

func TestAKeyNamesTheScript(t *testing.T) {
	l, err := New(noRedis, "account-7", hundred)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("{account-7}::100/10s:%s:places", script.Hash()[:8]), l.leases[0].keys[0])
	require.NoError(t, l.Close())
}

func TestTheClockOfRedisIsNeverAhead(t *testing.T) {
	c := clock{epoch: time.Now()}
	at := func(ms float64) time.Time { return c.epoch.Add(duration(ms)) }
	c.sync(at(0), at(100), 1050)
	require.Equal(t, 1050.0, c.redis(at(100)), "the reply may have been under way all the time")
	require.Equal(t, 250.0, c.patience())
	c.sync(at(200), at(202), 1201)
	require.InDelta(t, 1201, c.redis(at(202)), 0.1, "a fast reply says more")
	c.sync(at(300), at(500), 1450)
	require.InDelta(t, 1499, c.redis(at(500)), 0.5, "a slow one does not")
	c.sync(at(600), at(602), 1401)
	require.InDelta(t, 1401, c.redis(at(602)), 0.1, "it was set back")
	for i := range 20 {
		c.sync(at(float64(1000*i+1000)), at(float64(1000*i+1300)), float64(1000*i+1950))
	}
	require.InDelta(t, 600, c.patience(), 10, "twice the usual time")
	c = clock{epoch: c.epoch}
	c.sync(at(0), at(0), 1000)
	c.sync(at(19_900), at(20_000), 20_980)
	require.InDelta(t, 20_990, c.redis(at(20_000)), 0.1, "clocks may drift apart, by 10 ms in 20 seconds")
}
