package limits_test

import (
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// counter is a supply whose limits have as many places as are put into it.
type counter struct {
	limits  map[string]monitoring.RateLimit
	changed func(monitoring.SupplyNews)
	places  int
	wanted  int
	until   time.Time
}

func (c *counter) Source(operation string, limit monitoring.RateLimit, changed func(monitoring.SupplyNews)) monitoring.PlaceSource {
	c.limits[operation] = limit
	if operation != "" {
		return &counter{places: math.MaxInt}
	}
	c.changed = changed
	return c
}

func (c *counter) Want(attempts, _ int, _ float64) { c.wanted = attempts }
func (c *counter) GiveBack(int64)                  { c.places++ }
func (c *counter) Places() int                     { return c.places }
func (c *counter) Refused(until time.Time, _ float64) {
	c.until = until
}

func (c *counter) Until() time.Duration {
	if c.places > 0 {
		return 0
	}
	return math.MaxInt64
}

func (c *counter) Take() int64 {
	c.places--
	return 0
}

func TestALimiterHasItsPlacesFromASupply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		supply := &counter{limits: make(map[string]monitoring.RateLimit), places: 1}
		l, err := monitoring.NewLimiter(monitoring.DefaultRateLimit, monitoring.WithSupply(supply))
		require.NoError(t, err)
		limits := monitoring.DefaultRouteLimits()
		limits[""] = monitoring.DefaultRateLimit
		require.Equal(t, limits, supply.limits)
		require.Equal(t, 1, l.State().Places)
		require.NoError(t, l.Wait(t.Context(), monitoring.LimitedAttempt{}))
		time.AfterFunc(time.Second, func() {
			require.Equal(t, 1, supply.wanted)
			supply.places++
			supply.changed(monitoring.SupplyNews{})
		})
		began := time.Now()
		require.NoError(t, l.Wait(t.Context(), monitoring.LimitedAttempt{}))
		require.Equal(t, time.Second, time.Since(began))
		l.Ended(monitoring.LimitedAttempt{}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: time.Second})
		require.Equal(t, time.Now().Add(time.Second), supply.until)
		supply.changed(monitoring.SupplyNews{PausedUntil: time.Now().Add(time.Minute), Share: 0.5, Programs: 2})
		require.Equal(t, time.Now().Add(time.Minute), l.State().PausedUntil)
		require.Equal(t, 0.5, l.State().Share)
	})
}

func TestOptionsOfALimiterThatCannotBeMeantAreErrors(t *testing.T) {
	_, err := monitoring.NewLimiter(monitoring.DefaultRateLimit, nil)
	require.EqualError(t, err, "an option of the limiter is nil")
	_, err = monitoring.NewLimiter(monitoring.DefaultRateLimit, monitoring.WithSupply(nil))
	require.Equal(t, errors.New("the supply of the limiter is nil"), err)
}
