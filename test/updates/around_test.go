package updates_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAnEditOfASnippetSendsItWhole(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":5,"name":"n","script":"old()","language":"js","created_at":"2026-06-01","updated_at":null}`)
	_, err := client.Snippets.Edit(t.Context(), 5, func(u *monitoring.SnippetUpdate) error {
		require.Equal(t, []string{"language"}, u.Withheld())
		return nil
	})
	require.NoError(t, err)
	require.Len(t, sent.Sent, 1, "nothing was changed")
	_, err = client.Snippets.Edit(t.Context(), 5, func(u *monitoring.SnippetUpdate) error {
		u.Name = "m"
		require.Equal(t, `name: "n" -> "m"`, u.Diff()[0].String())
		return nil
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"m","script":"old()"}`, sent.Sent[2].Body)
}

func TestAPlanForASnippetIsAppliedUnlessItHasChangedSince(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	id := svc.AddSnippet(monitoring.Snippet{Name: "n", Script: "old()"})
	read, err := client.Snippets.Get(t.Context(), id)
	require.NoError(t, err)
	update := read.ToUpdate()
	update.Script = "new()"
	data, err := monitoring.MarshalWithSecrets(update)
	require.NoError(t, err)
	var plan monitoring.SnippetUpdate
	require.NoError(t, json.Unmarshal(data, &plan))
	applied, err := client.Snippets.Apply(t.Context(), id, plan)
	require.NoError(t, err)
	require.Equal(t, "new()", applied.Script)
	require.Empty(t, plan.DiffFrom(applied))
	_, err = client.Snippets.Apply(t.Context(), id, plan)
	changed := kit.ErrAs[*monitoring.ChangedError](t, err)
	require.Equal(t, `script: "old()" -> "new()"`, changed.Changes[0].String())
	require.ErrorContains(t, err, "monitoring: apply the update to snippet ")
}
