package monitoring

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyARetryStrategyMayBeAString(t *testing.T) {
	const data = `{"name":"n","alertSettings":{"reminders":"FALLBACK"},"retryStrategy":"FALLBACK"}`
	for typ, want := range map[reflect.Type]bool{reflect.TypeFor[RetryStrategy](): true, reflect.TypeFor[Reminders](): false} {
		require.Equal(t, want, keeping.Traits(typ).OrText, typ)
	}
	var g CheckGroup
	require.Error(t, json.Unmarshal([]byte(data), &g), "reminders are an object")
}
