package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAStrategyThatIsReadAgainKeepsNoOldMembers(t *testing.T) {
	r := RetryStrategy{Type: RetryStrategyFixed, MaxRetries: new(3), OnlyOn: []RetryCondition{"NETWORK_ERROR"}}
	require.NoError(t, r.UnmarshalJSON([]byte(` "FALLBACK" `)))
	require.Equal(t, RetryStrategy{Type: RetryStrategyFallback, literal: RetryStrategyFallback}, r)
	require.NoError(t, r.UnmarshalJSON([]byte(`{"type":"FIXED","onlyOn":"NETWORK_ERROR"}`)))
	require.Equal(t, RetryStrategy{Type: RetryStrategyFixed, OnlyOn: []RetryCondition{"NETWORK_ERROR"}}, r)
}

func TestAStrategyThatIsNotJSONIsAnError(t *testing.T) {
	for _, data := range []string{``, ` `, `"`, `"\x"`, `{`, `{"onlyOn":"`, `7`} {
		require.Error(t, new(RetryStrategy).UnmarshalJSON([]byte(data)), data)
	}
	for _, data := range []string{``, `"`, `"\x"`, `[`, `7`} {
		require.Error(t, new(oneOrMany).UnmarshalJSON([]byte(data)), data)
	}
}
