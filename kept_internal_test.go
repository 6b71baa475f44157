package monitoring

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

func TestOnlyARetryStrategyMayBeAString(t *testing.T) {
	const data = `{"name":"n","alertSettings":{"reminders":"FALLBACK"},"retryStrategy":"FALLBACK"}`
	for typ, want := range map[reflect.Type]bool{reflect.TypeFor[RetryStrategy](): true, reflect.TypeFor[Reminders](): false} {
		require.Equal(t, want, keeping.Traits(typ).OrText, typ)
	}
	var g CheckGroup
	require.Error(t, json.Unmarshal([]byte(data), &g), "reminders are an object")
}

func TestReadKeptKeepsTheJSONOfNestedObjects(t *testing.T) {
	read, err := readKept(reflect.TypeFor[AlertSettings](), []byte(`{"reminders":{"amount":1.0}}`))
	require.NoError(t, err)
	settings := read.(*AlertSettings)
	require.Nil(t, keep.Of(settings.kept))
	require.Equal(t, `{"amount":1.0}`, string(keep.Of(settings.Reminders.kept)))

	for _, typ := range []reflect.Type{reflect.TypeFor[AlertSettings](), reflect.TypeFor[retryObject]()} {
		_, err = readKept(typ, []byte(`{`))
		require.Error(t, err, typ)
	}
}
