package redislimit

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

// records is a log.
type records struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// moves is what is done to the clock of a Redis.
var moves = []time.Duration{
	-2 * time.Second, -20 * time.Second, -time.Minute, -time.Hour, 2 * time.Second, 20 * time.Second, time.Minute, time.Hour,
	-100 * time.Millisecond, -500 * time.Millisecond, -time.Second, 100 * time.Millisecond, 500 * time.Millisecond, time.Second,
}

// logged starts processes with four callers and a log each.
func (f *fleet) logged(processes int) (logs []*records) {
	f.processes = processes
	for range processes {
		log := &records{}
		logs = append(logs, log)
		f.options = []Option{WithLogger(slog.New(slog.NewTextHandler(log, nil)))}
		f.saturated(1, 4, 0)
	}
	return logs
}

// movedClocks has a case for each move of Redis's clock, on fleets of several sizes.
func movedClocks() (list []figure) {
	for _, n := range []int{8, 2, 4} {
		for _, limit := range bothLimits {
			for _, by := range moves {
				list = append(list, figure{fmt.Sprintf("%d processes, set by %s", n, by), limit, func(f *fleet, r *report) {
					logs := f.logged(n)
					from := 2*limit.Per + 3*time.Second
					f.until(from)
					f.redis.moveClock(by)
					f.until(from + 2*limit.Per)
					r.atLeast("% of the next window", f.used(from, from+limit.Per), 90)
					r.atLeast("later", f.used(from+limit.Per, from+2*limit.Per), 90)
					r.atMost("refused", float64(len(f.refused)), 0)
					r.atMost("longest gap", f.gap(from, from+2*limit.Per).Seconds(), 1)
					least, most := math.MaxInt, 0
					for _, log := range logs {
						said := strings.Count(log.text.String(), "Redis's clock was set")
						least, most = min(least, said), max(most, said, strings.Count(log.text.String(), "\n"))
					}
					if by.Abs() > time.Second {
						r.atLeast("records of it of a process, the fewest", float64(least), 1)
					}
					r.atMost("records of a process, the most", float64(most), 1)
				}})
			}
		}
	}
	return list
}

// slewedClocks are set right little by little for three minutes, as ntpd does by up to 500
// millionths and chrony by up to 83,000. A clock that runs fast makes the window of Redis shorter.
func slewedClocks() (list []figure) {
	for _, limit := range bothLimits {
		for _, c := range []struct {
			millionths int
			refused    float64
		}{{5000, 0}, {83_000, 3}, {-83_000, 0}} {
			list = append(list, figure{fmt.Sprintf("8 processes, slewed by %d millionths", c.millionths), limit, func(f *fleet, r *report) {
				f.logged(8)
				f.until(2 * limit.Per)
				for range 1800 {
					f.redis.moveClock(time.Duration(c.millionths) * 100 * time.Nanosecond)
					time.Sleep(100 * time.Millisecond)
				}
				over := f.at()
				f.until(over + limit.Per)
				r.atLeast("% during it", f.used(2*limit.Per, over), 85)
				r.atLeast("in the next window", f.used(over, over+limit.Per), 85)
				r.atMost("% refused", 100*float64(len(f.refused))/float64(len(f.refused)+len(f.sent)), c.refused)
				r.atMost("longest gap", f.gap(2*limit.Per, over).Seconds(), 2) // a 429 is a pause
			}})
		}
	}
	return list
}

// Each process says once what has happened.
func TestAClockThatWasMovedIsLogged(t *testing.T) {
	for by, want := range map[time.Duration]string{
		-time.Minute: `level=WARN msg="redislimit: Redis's clock was set back, so each process tells again which places it has used" by=1m0s`,
		time.Hour:    `level=WARN msg="redislimit: Redis's clock was set forward, so each process tells again which places it has used" by=1h0m0s`,
	} {
		t.Run(by.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(t, hundred)
				logs := f.logged(2)
				f.until(15 * time.Second)
				f.redis.moveClock(by)
				f.until(30 * time.Second)
				for _, log := range logs {
					require.Contains(t, log.text.String(), want)
					require.Equal(t, 1, strings.Count(log.text.String(), "\n"), log.text.String())
				}
				f.end()
			})
		})
	}
}

// A process that stood still, such as a machine that was suspended, says that Redis's clock was set
// forward. Others have commanded since, so it is not believed.
func TestAProcessThatStoodStillDoesNotBeginAnEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, hundred)
		f.processes = 4
		f.saturated(4, 4, 0)
		f.until(15 * time.Second)
		l := f.members[0].l.leases[0]
		l.mu.Lock()
		era := l.heard.Era
		l.clock.ahead += 20_000
		l.move(-20_000)
		l.mu.Unlock()
		f.until(40 * time.Second)
		require.Equal(t, era, f.members[1].l.leases[0].heard.Era)
		require.InDelta(t, f.redis.clock(), l.now(), 50)
		require.GreaterOrEqual(t, f.used(20*time.Second, 40*time.Second), 90.0)
		require.Empty(t, f.refused)
		f.end()
	})
}

// A limiter has a limit for each route besides, each with data of its own on the same Redis. One
// that is used only now and then sees the clock moved when others have long said it.
func TestAClockThatWasMovedIsLoggedOnceForAllLimits(t *testing.T) {
	for _, by := range []time.Duration{-time.Minute, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			f, log := newFleet(t, hundred), &records{}
			f.processes = 1
			p := f.start(WithLogger(slog.New(slog.NewTextHandler(log, nil))))
			alerts := monitoring.AttemptRequest{Operation: "GET /v1/alert-notifications"}
			p.call(0, alerts)
			f.until(5 * time.Second)
			f.redis.moveClock(by)
			p.call(0, monitoring.AttemptRequest{})
			f.until(30 * time.Second)
			p.call(0, alerts)
			f.until(60 * time.Second)
			require.Equal(t, 1, strings.Count(log.text.String(), "Redis's clock was set"), log.text.String())
			f.redis.moveClock(-by)
			p.call(0, alerts)
			f.until(90 * time.Second)
			p.call(0, monitoring.AttemptRequest{})
			f.until(100 * time.Second)
			require.Equal(t, 2, strings.Count(log.text.String(), "Redis's clock was set"), "each move is told: %s", log.text.String())
			f.end()
		})
	}
}
