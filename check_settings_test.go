package monitoring_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestAStrategyThatIsReadAgainKeepsNoOldMembers(t *testing.T) {
	r := monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, MaxRetries: new(3), OnlyOn: []monitoring.RetryCondition{"NETWORK_ERROR"}}
	require.NoError(t, r.UnmarshalJSON([]byte(` "FALLBACK" `)))
	require.Equal(t, `"FALLBACK"`, written(t, r))
	r.Type = "LINEAR"
	require.Equal(t, `{"type":"LINEAR"}`, written(t, r), "only the type was read, and a changed one is written as an object")
	require.NoError(t, r.UnmarshalJSON([]byte(`{"type":"FIXED","onlyOn":"NETWORK_ERROR"}`)))
	require.Equal(t, monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{"NETWORK_ERROR"}}, r)
}

func TestAStrategyThatIsNotJSONIsAnError(t *testing.T) {
	for _, data := range []string{``, ` `, `"`, `"\x"`, `{`, `{"onlyOn":"`, `7`} {
		require.Error(t, new(monitoring.RetryStrategy).UnmarshalJSON([]byte(data)), data)
	}
	for _, data := range []string{``, `"`, `"\x"`, `[`, `7`} {
		require.Error(t, new(monitoring.RetryStrategy).UnmarshalJSON([]byte(`{"onlyOn":`+data+`}`)), data)
	}
}
