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
	now, up      float64
	era          int64   // changes when data was lost; 0: the command came too late, and did nothing
	alone        float64 // until then processes go on alone, so that all can tell what they have used
	programs     int
	cuts         int64   // 429s so far
	pause, share float64 // after the last of them
	count        int     // places in the window
	places       []float64
	line         []float64 // the ages of nine places of the window, the oldest one first
}

func parse(text string, err error) (r reply, _ error) {
	list := []any{&r.now, &r.era, &r.alone, &r.programs, &r.cuts, &r.pause, &r.share, &r.count, &r.up, &r.places, &r.line}
	if os.IsTimeout(err) {
		err = fmt.Errorf("it did not reply in time: %w", err)
	} else if err == nil && json.Unmarshal([]byte(text), &list) != nil {
		err = fmt.Errorf("the script returned %q", text)
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

func (c *clock) redis(t time.Time) float64 { return ms(t.Sub(c.epoch)) - c.ahead }

// sync learns from a reply. If Redis's clock was set back, it begins anew.
func (c *clock) sync(sent, got time.Time, now float64) {
	here, took := ms(got.Sub(c.epoch)), ms(got.Sub(sent))
	c.ahead += (here - c.at) / 2000 // clocks may drift apart by half a millisecond in a second
	if most := here - now; !c.known || most < c.ahead || c.ahead < most-took {
		c.ahead = most
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
