package redislimit

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/monitoring-api/monitoring-go"
)

//go:embed script.lua
var source string

var script = redis.NewScript(source)

// connect makes the limiter run the script with a client of its own that has the settings of
// another one, ends with the context and does not retry: a place that comes late is of no use.
func (l *Limiter) connect(client redis.UniversalClient) {
	l.end = func() error { return nil }
	switch c := client.(type) {
	case *redis.Client:
		client = quietClient(c.Options())
		l.end = client.Close
	case *redis.ClusterClient:
		o := *c.Options()
		o.MaxRetries, o.ContextTimeoutEnabled, o.NewClient = -1, true, quietClient
		client = redis.NewClusterClient(&o)
		l.end = client.Close
	}
	l.run = func(ctx context.Context, keys []string, args []any) (string, error) {
		return script.Run(ctx, client, keys, args...).Text()
	}
}

func quietClient(options *redis.Options) *redis.Client {
	o := *options
	o.MaxRetries, o.ContextTimeoutEnabled, o.DialerRetries, o.PoolSize, o.MinIdleConns = -1, true, 1, 4, 0
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	dial := o.Dialer
	if dial == nil {
		dial = redis.NewDialer(&o)
	}
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil { // the pool would write it to a log
			conn, _ = net.Pipe()
			conn = unreachable{conn, err}
		}
		return conn, nil
	}
	return redis.NewClient(&o)
}

// unreachable is a connection that could not be made: each use of it returns the error.
type unreachable struct {
	net.Conn
	err error
}

func (c unreachable) Read([]byte) (int, error)  { return 0, c.err }
func (c unreachable) Write([]byte) (int, error) { return 0, c.err }

// reply is what Redis says.
type reply struct {
	Now      float64   `json:"now"`
	Era      int64     `json:"era"`   // of this time; 0: the command came too late, and did nothing
	Alone    float64   `json:"alone"` // until then processes go on alone, so that all can tell what they have used
	Programs int       `json:"programs"`
	Cuts     int64     `json:"cuts"`  // 429s so far
	Pause    float64   `json:"pause"` // after the last of them
	Share    float64   `json:"share"`
	Count    int       `json:"count"` // places in the window
	Up       float64   `json:"up"`    // how long Redis was up in this era
	Places   []float64 `json:"places"`
	Line     []float64 `json:"line"` // the ages of nine places of the window, the oldest one first
}

// Bounds of what a reply may say. A reply outside of them comes from something else, such as a
// proxy, and would give a process no place, or far too many.
const (
	mostText      = 1 << 20 // of bytes
	mostProcesses = 100_000
	leastShare    = 0.001
	furthest      = 2 * time.Hour // of times, and a window: a pause is an hour at most
)

// parse reads the reply to who wants some places. An error says why Redis cannot be used.
func parse(text string, err error, want int, limit monitoring.RateLimit) (reply, error) {
	if os.IsTimeout(err) {
		return reply{}, fmt.Errorf("it did not reply in time: %w", err)
	} else if err != nil {
		return reply{}, err
	}
	r := reply{Now: math.NaN(), Era: -1, Cuts: -1, Count: -1, Up: -1, Pause: math.NaN(), Alone: math.NaN()} // what is missing
	if len(text) > mostText || json.Unmarshal([]byte(text), &r) != nil || !r.allowed(want, limit) {
		return reply{}, fmt.Errorf("the script returned %.200q", text)
	}
	return r, nil
}

// allowed reports whether a reply can be one of the script.
func (r *reply) allowed(want int, limit monitoring.RateLimit) bool {
	far := ms(furthest + limit.Per)
	near := func(t float64) bool { return t >= -far && t <= far }
	for i, at := range r.Places {
		if !near(at-r.Now) || at < r.Now-1 || i > 0 && at < r.Places[i-1] {
			return false
		}
	}
	for i, age := range r.Line {
		if !near(age) || i > 0 && age > r.Line[i-1] {
			return false
		}
	}
	return r.Now > 0 && (r.Era == 0 || r.Era > 0 &&
		(r.Programs > 0 || want < 0) && r.Programs <= mostProcesses && r.Share >= leastShare && r.Share <= 1 &&
		r.Cuts >= 0 && r.Count >= 0 && r.Count <= 100*limit.Requests && r.Up >= 0 &&
		r.Alone <= r.Now+far && r.Pause <= far &&
		r.Places != nil && len(r.Places) <= max(0, want) && r.Line != nil && (len(r.Line) == 0 || len(r.Line) == 9))
}

// clock knows what Redis's clock says. It is never ahead of it, so no place is used too early.
type clock struct {
	epoch time.Time
	ahead float64 // of the clock here: the least that a reply has shown, because replies take time
	at    float64 // when that was so
	usual float64 // the time of a reply
	known bool
}

func (c *clock) redis(t time.Time) float64 { return ms(t.Sub(c.epoch)) - c.ahead }

// jump is how far a reply shows Redis's clock to be ahead of what is known of it: one of the two
// clocks was moved, or stood still. It is 0 if none was.
func (c *clock) jump(got time.Time, now float64) float64 {
	if jump := now - c.redis(got); c.known && jump > c.patience() {
		return jump
	}
	return 0
}

// sync learns from a reply, and returns by how much a time has become another one.
func (c *clock) sync(sent, got time.Time, now float64) (moved float64) {
	before := c.ahead
	here, took := ms(got.Sub(c.epoch)), ms(got.Sub(sent))
	c.ahead += (here - c.at) / 2000 // clocks may drift apart by half a millisecond in a second
	if most := here - now; !c.known || most < c.ahead || c.ahead < most-took {
		c.ahead = most
	}
	c.at, c.known = here, true
	c.usual += (took - c.usual) / 4
	return before - c.ahead
}

// slowReply is the time of a reply to count on: one that takes half as long again as usual is still
// in time.
func (c *clock) slowReply() float64 { return 1.5 * c.usual }

// patience is how long a command may take until it is taken for lost.
func (c *clock) patience() float64 { return max(ms(timeout), 2*c.usual) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// duration is a time of at least 0, rounded up.
func duration(ms float64) time.Duration {
	return time.Duration(math.Ceil(max(0, ms) * float64(time.Millisecond)))
}
