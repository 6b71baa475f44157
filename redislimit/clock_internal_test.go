package redislimit

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// records is a log of all processes of a fleet.
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

// movedClocks has a case for each move of Redis's clock, on fleets of several sizes.
func movedClocks() (list []figure) {
	for _, n := range []int{8, 2, 4} {
		for _, limit := range bothLimits {
			for _, by := range moves {
				list = append(list, figure{fmt.Sprintf("%d processes, set by %s", n, by), limit, func(f *fleet, r *report) {
					log := &records{}
					f.options, f.processes = []Option{WithLogger(slog.New(slog.NewTextHandler(log, nil)))}, n
					f.saturated(n, 4, 0)
					from := 2*limit.Per + 3*time.Second
					f.until(from)
					f.redis.moveClock(by)
					f.until(from + 2*limit.Per)
					r.atLeast("% of the next window", f.used(from, from+limit.Per), 90)
					r.atLeast("later", f.used(from+limit.Per, from+2*limit.Per), 90)
					r.atMost("refused", float64(len(f.refused)), 0)
					r.atMost("longest gap", f.gap(from, from+2*limit.Per).Seconds(), 1)
					said := strings.Count(log.text.String(), "Redis's clock was set")
					if by.Abs() > time.Second {
						r.atLeast("processes that say it", float64(said), float64(n))
					}
					r.atMost("records", float64(said), float64(n))
				}})
			}
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
				f, log := newFleet(t, hundred), &records{}
				f.processes = 2
				f.options = []Option{WithLogger(slog.New(slog.NewTextHandler(log, nil)))}
				f.saturated(2, 4, 0)
				f.until(15 * time.Second)
				f.redis.moveClock(by)
				f.until(30 * time.Second)
				require.Equal(t, 2, strings.Count(log.text.String(), want), log.text.String())
				require.Equal(t, 2, strings.Count(log.text.String(), "\n"), log.text.String())
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
