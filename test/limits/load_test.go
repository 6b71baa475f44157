package limits_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestASaturatedClientGetsNo429AndNearlyTheWholeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limitedService{latency: 300 * time.Millisecond, gate: gates.Named("fixed windows out of phase", 600, time.Minute)}
		require.Empty(t, saturate(kit.Client(t, service), 32, 5*time.Minute))
		require.Zero(t, service.refused)
		require.GreaterOrEqual(t, service.admitted, 3000*98/100)
	})
}

func TestAReadBesideAnImportInTheBackgroundIsAnsweredInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &limitedService{latency: 300 * time.Millisecond, gate: gates.Named("sliding log", 600, time.Minute)}
		client := kit.Client(t, service)
		var load sync.WaitGroup
		load.Go(func() { saturate(client, 50, 2*time.Minute, monitoring.WithBackground()) })
		for range 100 {
			time.Sleep(time.Second)
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			require.NoError(t, kit.Second(client.Locations.List(ctx)))
			stop()
		}
		load.Wait()
		require.GreaterOrEqual(t, service.admitted, 1200*98/100)
	})
}

func TestWithoutALimitNoCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := kit.Client(t, testkit.InTurn(testkit.Faults["429"], testkit.Status(200, "[]")), monitoring.WithoutRateLimit())
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(0))), monitoring.ErrRateLimited)
		for range 1000 {
			require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		}
		require.Zero(t, time.Since(began), "a 429 pauses nobody")
	})
	_, err := monitoring.NewClient(kit.Base, kit.Key, monitoring.WithoutRateLimit(), monitoring.WithRouteRateLimit("GET /v1/x", monitoring.DefaultRateLimit))
	require.EqualError(t, err, "monitoring: new client: a route cannot have a limit, because WithoutRateLimit is set")
}

func TestWithoutALimitAContextThatEndsIsTheReasonOfTheError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	source := func(context.Context, monitoring.Secret) (string, error) {
		cancel() // before the attempt asks for its place
		return kit.Key, nil
	}
	client := kit.NewClient(t, kit.Base, "", &http.Client{Transport: testkit.Status(200, "[]")}, monitoring.WithoutRateLimit(), monitoring.WithKeySource(source))
	err := kit.Second(client.Locations.List(ctx))
	require.ErrorContains(t, err, ": context canceled") // in the wait for the key or for the place, whichever sees it first
	require.ErrorIs(t, err, context.Canceled)
}
