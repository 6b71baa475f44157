package redislimit

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed script.lua
var source string

var script = redis.NewScript(source)

// runner runs the script on a Redis.
type runner func(ctx context.Context, keys []string, args []any) ([]string, error)

func onRedis(client redis.UniversalClient) runner {
	return func(ctx context.Context, keys []string, args []any) ([]string, error) {
		return script.Run(ctx, client, keys, args...).StringSlice()
	}
}

// request is what a process tells and asks. Times are milliseconds of Redis's clock.
type request struct {
	sent     float64 // 0: nothing is known of Redis's clock
	patience float64 // when it is older than that, it does nothing
	seen     float64 // how long Redis had been up, as it last told
	era      int64   // that the process knows
	programs int     // how many processes there were, if this one has places in the window
	share    float64
	next     int64 // the first name that is free
	want     int   // -1: the process ends
	leaves   int
	refused  float64 // how long a pause after a 429 lasts; 0: there was none
	used     []place
	back     []int64
}

func (r *request) args(l *lease) []any {
	var used, back strings.Builder
	for _, p := range r.used {
		fmt.Fprintf(&used, "%d:%.3f ", p.number, p.at)
	}
	for _, number := range r.back {
		fmt.Fprintf(&back, "%d ", number)
	}
	numbers := fmt.Sprintln(l.id, r.sent, r.patience, r.seen, l.limit.Requests, l.window, l.burst, r.programs, r.share,
		r.next, r.want, r.leaves, r.refused, r.era)
	return []any{numbers, used.String(), back.String()}
}

// reply is what Redis says.
type reply struct {
	late         bool // the command came too late: nothing but now is said
	now, up      float64
	era          int64   // changes when data was lost
	alone        float64 // for so long processes go on alone then
	programs     int
	cuts         int64   // 429s so far
	pause, share float64 // after the last of them
	count        int     // places in the window
	places       []float64
	line         []float64 // the ages of nine places of the window, the oldest one first
}

func parse(lines []string) (r reply, err error) {
	if len(lines) == 1 {
		r.late = true
		_, err = fmt.Sscanf(lines[0], "late %g", &r.now)
		return r, err
	}
	if len(lines) != 3 {
		return r, fmt.Errorf("redislimit: the script returned %q", lines)
	}
	_, err = fmt.Sscan(lines[0], &r.now, &r.era, &r.alone, &r.programs, &r.cuts, &r.pause, &r.share, &r.count, &r.up)
	for i, list := range []*[]float64{&r.places, &r.line} {
		for _, text := range strings.Fields(lines[i+1]) {
			var t float64
			if _, failed := fmt.Sscan(text, &t); failed != nil {
				err = failed
			}
			*list = append(*list, t)
		}
	}
	return r, err
}

// clock knows what Redis's clock says. It is never ahead of it, so no place is used too early.
type clock struct {
	epoch time.Time
	ahead float64 // of the clock here: the least that a reply has shown, because replies take time
	at    float64 // when that was so
	usual float64 // the time of a reply
	known bool
}

// drift is by how much two clocks may drift apart: half a millisecond in a second.
const drift = 0.0005

func (c *clock) redis(t time.Time) float64 { return ms(t.Sub(c.epoch)) - c.ahead }

// sync learns from a reply. If Redis's clock was set back, it begins anew.
func (c *clock) sync(sent, got time.Time, now float64) {
	here, took := ms(got.Sub(c.epoch)), ms(got.Sub(sent))
	c.ahead += drift * (here - c.at)
	if most := here - now; !c.known || most < c.ahead || c.ahead < most-took {
		c.ahead = most
	}
	if !c.known {
		c.usual = took
	}
	c.at, c.known = here, true
	c.usual += (took - c.usual) / 4
}

// patience is how long a command may take until it is taken for lost.
func (c *clock) patience() float64 { return max(ms(timeout), 2*c.usual) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// duration is a time of at least 0, rounded up.
func duration(ms float64) time.Duration {
	return time.Duration(math.Ceil(max(0, ms) * float64(time.Millisecond)))
}
