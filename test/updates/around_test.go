package updates_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAnEditOfASnippetSendsItWhole(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":5,"name":"n","script":"old()","language":"js","created_at":"2026-06-01","updated_at":null}`)
	_, err := client.Snippets.Edit(t.Context(), 5, func(u *monitoring.Snippet) error {
		require.Equal(t, []string{"language"}, u.Omitted())
		return nil
	})
	require.NoError(t, err)
	require.Len(t, sent.Sent, 1, "nothing was changed")
	_, err = client.Snippets.Edit(t.Context(), 5, func(u *monitoring.Snippet) error {
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
	read.Script = "new()"
	data, err := monitoring.MarshalPlan(read)
	require.NoError(t, err)
	var plan monitoring.Snippet
	require.NoError(t, json.Unmarshal(data, &plan))
	applied, err := client.Snippets.Update(t.Context(), &plan, monitoring.WithUnchanged())
	require.NoError(t, err)
	require.Equal(t, "new()", applied.Script)
	require.Empty(t, plan.DiffFrom(applied))
	_, err = client.Snippets.Update(t.Context(), &plan, monitoring.WithUnchanged())
	changed := kit.ErrAs[*monitoring.ChangedError](t, err)
	require.Equal(t, `script: "old()" -> "new()"`, changed.Changes[0].String())
	require.ErrorContains(t, err, "monitoring: update snippet ")
}

const officeWithProxy = `{"id":"` + kit.UUID1 + `","name":"Office","slugName":"office","icon":"castle","proxyUrl":"https://u:p@proxy.test","keys":[],"agentCount":2,"created_at":"2026-06-01"}`

func TestAnEditOfAPrivateLocationSendsItWholeAndNoProxyThatTheResponseDoesNotHave(t *testing.T) {
	proxy := monitoring.Value(monitoring.NewSecret("https://u:p@new.test"))
	for name, test := range map[string]struct {
		read, want string
		edit       func(*monitoring.PrivateLocationUpdate)
	}{
		"a name":  {officeWithProxy, `{"name":"n","icon":"castle","proxyUrl":"https://u:p@proxy.test"}`, func(u *monitoring.PrivateLocationUpdate) { u.Name = "n" }},
		"a proxy": {officeWithProxy, `{"name":"Office","icon":"castle","proxyUrl":"https://u:p@new.test"}`, func(u *monitoring.PrivateLocationUpdate) { u.ProxyURL = proxy }},
		"no proxy": {officeWithProxy, `{"name":"Office","icon":"castle","proxyUrl":null}`, func(u *monitoring.PrivateLocationUpdate) {
			u.ProxyURL = monitoring.Null[monitoring.Secret]()
		}},
		"nothing":                   {officeWithProxy, "", func(*monitoring.PrivateLocationUpdate) {}},
		"a name without a proxy":    {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","icon":"castle","proxyUrl":null}`, `{"name":"n","icon":"castle"}`, func(u *monitoring.PrivateLocationUpdate) { u.Name = "n" }},
		"a name without an icon":    {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a"}`, `{"name":"n"}`, func(u *monitoring.PrivateLocationUpdate) { u.Name = "n" }},
		"a proxy that was not read": {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","proxyUrl":null}`, `{"name":"a","proxyUrl":"https://u:p@new.test"}`, func(u *monitoring.PrivateLocationUpdate) { u.ProxyURL = proxy }},
		"a proxy that is removed": {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","proxyUrl":null}`, `{"name":"a","proxyUrl":null}`, func(u *monitoring.PrivateLocationUpdate) {
			u.ProxyURL = monitoring.Null[monitoring.Secret]()
		}},
	} {
		client, sent := kit.Recorded(t, 200, test.read)
		_, err := client.PrivateLocations.Edit(t.Context(), kit.UUID1, func(u *monitoring.PrivateLocationUpdate) error {
			require.Empty(t, u.Withheld(), name)
			test.edit(u)
			shown, err := json.Marshal(u)
			require.NoError(t, err)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v %v %s", *u, *u, *u, u.Diff(), shown), "u:p", "a secret")
			return nil
		})
		require.NoError(t, err, name)
		if test.want == "" {
			require.Len(t, sent.Sent, 1, name)
			continue
		}
		require.JSONEq(t, test.want, sent.Sent[1].Body, name)
	}
}

// json.Marshal writes null for a proxy. It must not be removed when that is restored.
func TestASnapshotWithoutSecretsRemovesNoProxy(t *testing.T) {
	var now monitoring.PrivateLocation
	require.NoError(t, json.Unmarshal([]byte(officeWithProxy), &now))
	data, err := json.Marshal(now)
	require.NoError(t, err)
	var snapshot monitoring.PrivateLocation
	require.NoError(t, json.Unmarshal(data, &snapshot))
	update := snapshot.ToUpdate()
	require.Equal(t, "proxyUrl: stays as it is, because what the update was made from does not have it", update.DiffFrom(&now)[0].String())
	restore := func(u *monitoring.PrivateLocationUpdate) error {
		update.Name = "new"
		*u = update
		return nil
	}
	client, sent := kit.Recorded(t, 200, officeWithProxy)
	require.NoError(t, kit.Second(client.PrivateLocations.Edit(t.Context(), kit.UUID1, restore)))
	require.JSONEq(t, `{"name":"new","icon":"castle"}`, sent.Sent[1].Body)
	complete := kit.Client(t, testkit.Status(200, officeWithProxy), monitoring.WithCompleteUpdates())
	err = kit.Second(complete.PrivateLocations.Edit(t.Context(), kit.UUID1, restore))
	require.ErrorContains(t, err, "proxyUrl: is left out, because what the update was made from does not have it")
}

func TestAPlanThatRemovesAProxyRemovesIt(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "a", ProxyURL: monitoring.NewSecret("https://u:p@proxy.test")})
	read, err := client.PrivateLocations.Get(t.Context(), id)
	require.NoError(t, err)
	update := read.ToUpdate()
	update.ProxyURL = monitoring.Null[monitoring.Secret]()
	plan := *again(t, &update, monitoring.MarshalWithSecrets)
	require.Equal(t, update.Diff(), plan.Diff())
	applied, err := client.PrivateLocations.Apply(t.Context(), id, plan)
	require.NoError(t, err)
	require.True(t, applied.ProxyURL.IsWithheld())

	hidden := *again(t, new(monitoring.PrivateLocationUpdate{Name: "a", Icon: new("i"), ProxyURL: monitoring.Value(read.ProxyURL)}), json.Marshal)
	_, err = client.PrivateLocations.Update(t.Context(), id, hidden)
	require.ErrorContains(t, err, "proxyUrl: has no value", "json.Marshal writes null for each secret")
}
