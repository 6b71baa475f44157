package objects_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// Four settings of a group are enforced on its checks, or left to them. Null says which, so it is
// no other word for what is absent.
func TestNullOfASettingOfAGroupIsAValue(t *testing.T) {
	const settings = `"useGlobalAlertSettings":true,"alertSettings":{"escalationType":"RUN_BASED"},"retryStrategy":"FALLBACK","runParallel":true`
	null := func(g *monitoring.CheckGroup) {
		g.UseGlobalAlertSettings, g.RunParallel = monitoring.Null[bool](), monitoring.Null[bool]()
		g.AlertSettings, g.RetryStrategy = monitoring.Null[monitoring.AlertSettings](), monitoring.Null[monitoring.RetryStrategy]()
	}
	unset := func(g *monitoring.CheckGroup) {
		g.UseGlobalAlertSettings, g.RunParallel = monitoring.Nullable[bool]{}, monitoring.Nullable[bool]{}
		g.AlertSettings, g.RetryStrategy = monitoring.Nullable[monitoring.AlertSettings]{}, monitoring.Nullable[monitoring.RetryStrategy]{}
	}
	const nulls = `"useGlobalAlertSettings":null,"alertSettings":null,"retryStrategy":null,"runParallel":null`
	for name, c := range map[string]struct {
		read   string
		change func(*monitoring.CheckGroup)
		sent   string // "" if nothing has changed
	}{
		"values become null":        {settings, null, nulls},
		"values are unset":          {settings, unset, nulls},
		"null is null":              {nulls, null, ""},
		"null is unset":             {nulls, unset, ""},
		"what is absent is unset":   {`"muted":true`, unset, ""},
		"what is absent is null":    {`"muted":true`, null, `"muted":true,` + nulls},
		"the strategy is a text":    {nulls, fallback, `"useGlobalAlertSettings":null,"alertSettings":null,"retryStrategy":"FALLBACK","runParallel":null`},
		"the strategy is that text": {settings, fallback, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n",`+c.read+`}`)
			group, err := client.CheckGroups.Get(t.Context(), 7)
			require.NoError(t, err)
			c.change(group)
			require.Equal(t, c.sent != "", len(group.Diff()) > 0)
			_, _ = client.CheckGroups.Update(t.Context(), group)
			if c.sent == "" {
				require.Empty(t, writes(sent))
				return
			}
			require.Len(t, writes(sent), 1)
			require.JSONEq(t, `{"name":"n",`+c.sent+`}`, writes(sent)[0])
		})
	}
}

func fallback(g *monitoring.CheckGroup) {
	g.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback})
}

// A service may write the type of a strategy alone. A text has no room for more.
func TestAStrategyThatWasATextTakesASetting(t *testing.T) {
	group := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"n","retryStrategy":"LINEAR"}`)
	require.Empty(t, group.Diff())
	strategy, _ := group.RetryStrategy.Get()
	strategy.MaxRetries = new(3)
	group.RetryStrategy = monitoring.Value(strategy)
	require.Equal(t, `[retryStrategy: "LINEAR" -> {"type":"LINEAR","maxRetries":3}]`, fmt.Sprint(group.Diff()))
	require.JSONEq(t, `{"type":"LINEAR","maxRetries":3}`, kit.ToJSON(t, strategy))
}

// The settings of a file are those of the service: a text for FALLBACK, null for what is left to
// the checks.
func TestAGroupOfAFileHasTheFormOfTheService(t *testing.T) {
	const file = `{"name":"n","retryStrategy":"FALLBACK","alertSettings":null,"autoAssignAlerts":true}`
	var wish monitoring.CheckGroup
	require.NoError(t, monitoring.UnmarshalStrict([]byte(file), &wish))
	require.Equal(t, monitoring.Null[monitoring.AlertSettings](), wish.AlertSettings)
	strategy, ok := wish.RetryStrategy.Get()
	require.True(t, ok)
	require.Equal(t, monitoring.RetryStrategyFallback, strategy.Type)
	require.JSONEq(t, file, kit.ToJSON(t, &wish))
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`[{"name":"n"},{"apiCheckDefaults":{"headers":[{"kay":"K"}]}}]`), &[]monitoring.CheckGroup{}),
		"[1].apiCheckDefaults.headers[0].kay")

	client, sent := kit.Recorded(t, 201, `{"id":7,"name":"n"}`)
	require.NoError(t, kit.Second(client.CheckGroups.Create(t.Context(), &wish)))
	require.JSONEq(t, `{"name":"n","retryStrategy":"FALLBACK","alertSettings":null}`, writes(sent)[0])
	require.Contains(t, sent.Sent[0].URL, "autoAssignAlerts=true")
	require.NoError(t, kit.Second(client.CheckGroups.Create(t.Context(), wish.Template())))
	require.Contains(t, sent.Sent[1].URL, "autoAssignAlerts=true", "it is asked for")
	wish.AutoAssignAlerts = nil
	require.NoError(t, kit.Second(client.CheckGroups.Create(t.Context(), wish.Template())))
	require.Contains(t, sent.Sent[2].URL, "autoAssignAlerts=false", "a copy does not alert everybody")
}

// A query is asked for by the caller, whatever the service returns.
func TestAQueryThatTheServiceReturnsIsNotAskedForAgain(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n","muted":true,"autoAssignAlerts":true}`)
	change := func(edit func(*monitoring.CheckGroup)) error {
		sent.Sent = nil
		return kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(g *monitoring.CheckGroup) error { edit(g); return nil }))
	}
	require.NoError(t, change(func(*monitoring.CheckGroup) {}))
	require.Empty(t, writes(sent))
	_ = change(func(g *monitoring.CheckGroup) { g.Muted = new(false) })
	require.NotContains(t, sent.Sent[1].URL, "autoAssignAlerts")
	_ = change(func(g *monitoring.CheckGroup) { g.Muted, g.AutoAssignAlerts = new(false), new(false) })
	require.Contains(t, sent.Sent[1].URL, "autoAssignAlerts=false")
	require.Equal(t, []string{"autoAssignAlerts: cannot be the only change: change another field as well"},
		kit.BrokenRules(t, change(func(g *monitoring.CheckGroup) { g.AutoAssignAlerts = new(false) })))
}

// A new group has no variables that an update would delete, and neither has a copy.
func TestAVariableIsSetWhereTheOthersAreKnown(t *testing.T) {
	v := monitoring.NewEnvironmentVariable("K", "v")
	for name, c := range map[string]struct {
		group   *monitoring.CheckGroup
		unknown bool
	}{
		"a new one":                       {&monitoring.CheckGroup{Name: "n"}, false},
		"a copy":                          {kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n"}`).Template(), false},
		"one with an id":                  {&monitoring.CheckGroup{ID: 7, Name: "n"}, true},
		"one with an id and a list":       {&monitoring.CheckGroup{ID: 7, Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{}}, false},
		"a returned one without the list": {kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n"}`), true},
		"a returned one with it":          {kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n","environmentVariables":[]}`), false},
		"one whose list is null":          {kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n","environmentVariables":null}`), false},
	} {
		err := c.group.SetVariable(v)
		require.NoError(t, c.group.RemoveVariable("L"), "there is none")
		if !c.unknown {
			require.NoError(t, err, name)
			require.Equal(t, []monitoring.EnvironmentVariable{v}, c.group.EnvironmentVariables)
			continue
		}
		require.EqualError(t, err, `monitoring: set variable "K": the check group was read without its variables, and an update would delete them: use Edit`, name)
		require.Nil(t, c.group.EnvironmentVariables)
	}
}

func TestWhatAGroupHasWithoutAFieldIsSeenAndNotSent(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n","future":{"token":"s3cret"},"created_at":"soon"}`)
	group, err := client.CheckGroups.Get(t.Context(), 7)
	require.NoError(t, err)
	require.JSONEq(t, `{"future":{"token":"s3cret"},"created_at":"soon"}`, string(group.Extra.Reveal()))
	require.True(t, group.CreatedAt.IsZero())
	check, err := kit.Respond(t, "get-v1-check", 200, `{"id":"c","checkType":"TCP","name":"n","updated_at":"soon"}`)
	require.NoError(t, err)
	require.JSONEq(t, `{"updated_at":"soon"}`, string(check.(*monitoring.Check).Extra.Reveal()))
	require.Equal(t, []string{"future"}, group.Omitted())
	group.Name = "m"
	_, _ = client.CheckGroups.Update(t.Context(), group)
	require.JSONEq(t, `{"name":"m"}`, writes(sent)[0])

	var stored monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(kit.ToJSON(t, group)), &stored))
	require.Equal(t, group.Extra, stored.Extra)
	require.True(t, group.Template().Extra.IsZero())
}
