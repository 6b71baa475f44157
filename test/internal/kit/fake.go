package kit

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// Fake makes a client of the in-process fake.
func Fake(t testing.TB, svc *monitoringtest.Service, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := svc.Client(opts...)
	require.NoError(t, err)
	return client
}
