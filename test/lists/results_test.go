package lists_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheResultsOfACheckAreReadByCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		check := svc.AddCheck(monitoringtest.Check{RunTime: time.Second})
		client := kit.Fake(t, svc)
		for range 5 {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{check}}})
			require.NoError(t, err)
			time.Sleep(time.Minute)
		}
		options := monitoring.CheckResultListOptions{Limit: 2}
		all, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options, monitoring.WithReadAhead(8)))
		require.NoError(t, err)
		require.Len(t, all, 5)
		for i := range all[1:] {
			require.True(t, all[i].CreatedAt.After(all[i+1].CreatedAt.Time))
		}

		svc.Inject(monitoringtest.Fault{Operation: "GET /v2/check-results/{checkId}", Status: 403, After: 2, Times: 1})
		first, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options))
		options.NextID = kit.ErrAs[*monitoring.PageError](t, err).NextID
		page, err := client.CheckResults.List(t.Context(), check, options)
		require.NoError(t, err)
		require.Equal(t, all, append(first, page.Items...))
		require.Equal(t, []any{false, ""}, []any{page.HasMore, page.NextID})

		page, err = client.CheckResults.List(t.Context(), check, monitoring.CheckResultListOptions{Limit: 1, Fields: []string{"id", "createdAt"}})
		require.NoError(t, err)
		require.Equal(t, monitoring.CheckResult{ID: all[0].ID, CreatedAt: all[0].CreatedAt}, page.Items[0], "a projection has what it was asked for")
		require.True(t, page.HasMore && page.NextID != "")
	})
	client, sent := kit.Recorded(t, 200, `{"length":0}`)
	require.NoError(t, kit.Second(client.CheckResults.List(t.Context(), kit.UUID1, monitoring.CheckResultListOptions{From: time.Unix(1000, 500), To: time.Unix(1001, 500)})))
	require.Equal(t, "from=1000&to=1002", sent.Sent[0].Query(t), "the period is widened to whole seconds")
}
