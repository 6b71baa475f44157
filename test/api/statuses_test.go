package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestANullInTheListOfStatusesIsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []monitoring.CheckStatus
	}{
		"between others": {`[null, {"name": "a", "hasFailures": true}, null, {"name": "b"}]`, []monitoring.CheckStatus{{Name: "a", HasFailures: true}, {Name: "b"}}},
		"alone":          {`[null]`, []monitoring.CheckStatus{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := kit.Respond(t, "get-v1-check-statuses", 200, c.body)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestTheRunOfAStatusMayBeANumber(t *testing.T) {
	got, err := kit.Respond(t, "get-v1-check-statuses", 200, `[{"name": "a", "lastCheckRunId": 1787131964310}]`)
	require.NoError(t, err)
	require.Equal(t, []monitoring.CheckStatus{{Name: "a", LastCheckRunID: new("1787131964310")}}, got)
}

func TestAStatusThatIsNullIsNil(t *testing.T) {
	for _, body := range []string{"null", "\ufeff\n null "} {
		client, _ := kit.Recorded(t, 200, body)
		status, err := client.CheckStatuses.Get(t.Context(), kit.UUID1)
		require.NoError(t, err)
		require.Nil(t, status)
	}
}
