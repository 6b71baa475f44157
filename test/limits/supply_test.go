package limits_test

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/lease"
)

// counter is a supply whose limits have as many places as are put into it.
type counter struct {
	limits  map[string]lease.Limit
	changed func(lease.SupplyNews)
	places  atomic.Int64
	wanted  atomic.Int64
	until   time.Time
}

func (c *counter) Source(operation string, limit lease.Limit, changed func(lease.SupplyNews)) lease.PlaceSource {
	c.limits[operation] = limit
	if operation != "" {
		route := &counter{}
		route.places.Store(math.MaxInt32)
		return route
	}
	c.changed = changed
	return c
}

func (c *counter) Want(attempts, _ int, _ float64) { c.wanted.Store(int64(attempts)) }
func (c *counter) GiveBack(int64)                  { c.places.Add(1) }
func (c *counter) Places() int                     { return int(c.places.Load()) }
func (c *counter) Refused(until time.Time, _ float64) {
	c.until = until
}

func (c *counter) Until() time.Duration {
	if c.places.Load() > 0 {
		return 0
	}
	return math.MaxInt64
}

func (c *counter) Take() int64 {
	c.places.Add(-1)
	return 0
}

func TestALimiterHasItsPlacesFromASupply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		supply := &counter{limits: make(map[string]lease.Limit)}
		supply.places.Store(1)
		l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit, monitoring.WithSupply(supply))
		require.NoError(t, err)
		require.Equal(t, map[string]lease.Limit{
			"":                                {Requests: 600, Per: time.Minute, Burst: 100},
			"GET /v1/alert-notifications":     {Requests: 5, Per: 10 * time.Second, Burst: 5},
			"GET /v2/check-results/{checkId}": {Requests: 60, Per: time.Minute, Burst: 10},
		}, supply.limits)
		require.Equal(t, 1, l.State().Available)
		require.NoError(t, l.Wait(t.Context(), monitoring.AttemptRequest{}))
		time.AfterFunc(time.Second, func() {
			assert.EqualValues(t, 1, supply.wanted.Load())
			supply.places.Add(1)
			supply.changed(lease.SupplyNews{})
		})
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), monitoring.AttemptRequest{}))
		require.Equal(t, time.Second, time.Since(began))
		l.Ended(monitoring.AttemptRequest{}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: time.Second})
		require.Equal(t, time.Now().Add(time.Second), supply.until)
		supply.changed(lease.SupplyNews{PausedUntil: time.Now().Add(time.Minute), Share: 0.5, Programs: 2})
		require.Equal(t, time.Now().Add(time.Minute), l.State().PausedUntil)
		require.Equal(t, 0.5, l.State().Share)
	})
}

func TestALimitOfARouteThatIsNotValidIsAnErrorWithOnePrefix(t *testing.T) {
	l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
	require.NoError(t, err)
	const why = `route "GET /v1/locations": rate limit of 0 requests in 0s: want a positive number and time`
	require.EqualError(t, l.LimitRoute("GET /v1/locations", monitoring.RateLimit{}), "monitoring: "+why)
	_, err = monitoring.NewClient("https://monitoring.example.com", "key", monitoring.WithLimiter(l),
		monitoring.WithRouteRateLimit("GET /v1/locations", monitoring.RateLimit{}))
	require.EqualError(t, err, "monitoring: new client: "+why)
}

func TestOptionsOfALimiterThatCannotBeMeantAreErrors(t *testing.T) {
	_, err := monitoring.NewLimiter(monitoring.DefaultRateLimit, nil)
	require.EqualError(t, err, "monitoring: new limiter: option 1 is nil")
	_, err = monitoring.NewLimiter(monitoring.DefaultRateLimit, monitoring.WithSupply(nil))
	require.EqualError(t, err, "monitoring: new limiter: the supply of the limiter is nil")
}
