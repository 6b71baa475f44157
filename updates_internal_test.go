package monitoring

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

func TestAnUpdateWhoseOriginCannotBeReadIsAnError(t *testing.T) {
	client, sent := newTestClient(t, 404, "{}")
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", made: origin{kept: keep.New([]byte("{"))}})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: encode the body: the JSON that ToUpdate started from cannot be decoded; read the object again")
	require.Empty(t, sent.Sent)
}

func TestOnlyARetryStrategyMayBeAString(t *testing.T) {
	const data = `{"name":"n","alertSettings":{"reminders":"FALLBACK"},"retryStrategy":"FALLBACK"}`
	for typ, want := range map[reflect.Type]bool{reflect.TypeFor[RetryStrategy](): true, reflect.TypeFor[Reminders](): false} {
		require.Equal(t, want, keeping.Traits(typ).OrText, typ)
	}
	var g CheckGroup
	require.Error(t, json.Unmarshal([]byte(data), &g), "reminders are an object")
}
