package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAVariableThatCanBeCreatedCanBeReadChangedAndDeleted(t *testing.T) {
	client := kit.Fake(t, monitoringtest.NewDemo())
	for _, key := range []string{"PLAIN", "ü", "a/b", "a b", "a%2Fb", "a?b#c", "日本", "a\tb", "..a", "%2e"} {
		_, err := client.Variables.Create(t.Context(), &monitoring.EnvironmentVariable{Key: key, Value: monitoring.NewSecret("one")})
		require.NoError(t, err, "%q", key)
		v, err := client.Variables.Get(t.Context(), key)
		require.NoError(t, err, "%q", key)
		require.Equal(t, key, v.Key)
		v.Value = monitoring.NewSecret("two")
		require.NoError(t, kit.Second(client.Variables.Update(t.Context(), v)), "%q", key)
		require.NoError(t, client.Variables.Delete(t.Context(), key), "%q", key)
	}
	for _, key := range []string{".", "..", "a/../b", "./a"} {
		create := &monitoring.EnvironmentVariable{Key: key, Value: monitoring.NewSecret("v")}
		for _, err := range []error{
			create.Validate(),
			kit.Second(client.Variables.Create(t.Context(), create, monitoring.WithoutValidation())),
			kit.Second(client.Variables.Get(t.Context(), key)),
			client.Variables.Delete(t.Context(), key),
			kit.Second(client.Variables.Update(t.Context(), &monitoring.EnvironmentVariable{Key: key, Value: monitoring.NewSecret("v"), Locked: new(true), Secret: new(true)})),
			kit.Second(client.Variables.Edit(t.Context(), key, func(*monitoring.EnvironmentVariable) error { return nil })),
		} {
			require.ErrorContains(t, err, "no path could name the variable", "%q", key)
		}
	}
}
