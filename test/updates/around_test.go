package updates_test

import (
	"encoding/json"
	"fmt"
	"strings"
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
	changed := kit.ErrAs[*monitoring.StaleUpdateError](t, err)
	require.Equal(t, `script: "old()" -> "new()"`, changed.Changes[0].String())
	require.ErrorContains(t, err, "monitoring: update snippet ")
}

const officeWithProxy = `{"id":"` + kit.UUID1 + `","name":"Office","slugName":"office","icon":"castle","proxyUrl":"https://u:p@proxy.test","keys":[],"agentCount":2,"created_at":"2026-06-01"}`

func TestAnEditOfAPrivateLocationSendsItWholeAndNoProxyThatTheResponseDoesNotHave(t *testing.T) {
	proxy := monitoring.Value(monitoring.NewSecret("https://u:p@new.test"))
	for name, test := range map[string]struct {
		read, want string
		edit       func(*monitoring.PrivateLocation)
	}{
		"a name":  {officeWithProxy, `{"name":"n","icon":"castle","proxyUrl":"https://u:p@proxy.test"}`, func(u *monitoring.PrivateLocation) { u.Name = "n" }},
		"a proxy": {officeWithProxy, `{"name":"Office","icon":"castle","proxyUrl":"https://u:p@new.test"}`, func(u *monitoring.PrivateLocation) { u.ProxyURL = proxy }},
		"no proxy": {officeWithProxy, `{"name":"Office","icon":"castle","proxyUrl":null}`, func(u *monitoring.PrivateLocation) {
			u.ProxyURL = monitoring.Null[monitoring.Secret]()
		}},
		"nothing":                   {officeWithProxy, "", func(*monitoring.PrivateLocation) {}},
		"a name without a proxy":    {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","icon":"castle","proxyUrl":null}`, `{"name":"n","icon":"castle"}`, func(u *monitoring.PrivateLocation) { u.Name = "n" }},
		"a name without an icon":    {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a"}`, `{"name":"n"}`, func(u *monitoring.PrivateLocation) { u.Name = "n" }},
		"a proxy that was not read": {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","proxyUrl":null}`, `{"name":"a","proxyUrl":"https://u:p@new.test"}`, func(u *monitoring.PrivateLocation) { u.ProxyURL = proxy }},
		"a proxy that is removed": {`{"id":"` + kit.UUID1 + `","name":"a","slugName":"a","proxyUrl":null}`, `{"name":"a","proxyUrl":null}`, func(u *monitoring.PrivateLocation) {
			u.ProxyURL = monitoring.Null[monitoring.Secret]()
		}},
	} {
		client, sent := kit.Recorded(t, 200, test.read)
		_, err := client.PrivateLocations.Edit(t.Context(), kit.UUID1, func(u *monitoring.PrivateLocation) error {
			require.Empty(t, u.Omitted(), name)
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
	client, sent := kit.Recorded(t, 200, officeWithProxy)
	now, err := client.PrivateLocations.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	data, err := json.Marshal(now)
	require.NoError(t, err)
	var snapshot monitoring.PrivateLocation
	require.NoError(t, json.Unmarshal(data, &snapshot))
	require.Empty(t, snapshot.DiffFrom(now))
	snapshot.Name = "new"
	_, err = client.PrivateLocations.Update(t.Context(), &snapshot)
	require.Contains(t, kit.BrokenRules(t, err), "proxyUrl: is missing, and an update would reset it: set it, or use Edit")
	sent.Sent = nil
	_, err = client.PrivateLocations.Edit(t.Context(), kit.UUID1, func(l *monitoring.PrivateLocation) error { return l.SetFrom(&snapshot) })
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"new","icon":"castle","proxyUrl":"https://u:p@proxy.test"}`, sent.Sent[1].Body)
}

// A service that shows a proxy later than it withheld it keeps it, if what was read before is
// written.
func TestACopyThatWasReadWithoutAProxySaysSo(t *testing.T) {
	hiding, _ := kit.Recorded(t, 200, strings.Replace(officeWithProxy, `"https://u:p@proxy.test"`, "null", 1))
	before, err := hiding.PrivateLocations.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	before.Name = "new"
	client, sent := kit.Recorded(t, 200, officeWithProxy)
	now, err := client.PrivateLocations.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	const stays = "proxyUrl: not changed, because the object was read without it"
	require.Equal(t, stays, before.DiffFrom(now)[1].String())
	restore := func(l *monitoring.PrivateLocation) error {
		*l = *before
		return nil
	}
	sent.Sent = nil
	require.NoError(t, kit.Second(client.PrivateLocations.Edit(t.Context(), kit.UUID1, restore)))
	require.JSONEq(t, `{"name":"new","icon":"castle"}`, sent.Sent[1].Body)
	complete := kit.Client(t, testkit.Status(200, officeWithProxy), monitoring.WithStrictUpdates())
	err = kit.Second(complete.PrivateLocations.Edit(t.Context(), kit.UUID1, restore))
	require.ErrorContains(t, err, "proxyUrl: would be omitted, because the object was read without it")
}

func TestAPlanThatRemovesAProxyRemovesIt(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "a", ProxyURL: monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))})
	read, err := client.PrivateLocations.Get(t.Context(), id)
	require.NoError(t, err)
	read.ProxyURL = monitoring.Null[monitoring.Secret]()
	planned := again(t, read, plan)
	require.True(t, planned.ProxyURL.IsNull())
	require.Equal(t, read.Diff(), planned.Diff())
	applied, err := client.PrivateLocations.Update(t.Context(), planned, monitoring.WithUnchanged())
	require.NoError(t, err)
	require.True(t, applied.ProxyURL.IsZero())
}
