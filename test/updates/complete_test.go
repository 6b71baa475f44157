package updates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestMembersThatOnlyResponsesHaveAreNotLeftOut(t *testing.T) {
	g, b := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members"), kit.Decode[*monitoring.BrowserCheck](t, "put-v1-checks-browser.all-members")
	require.NotEmpty(t, g.ProjectBindings)
	require.NotNil(t, b.AlertChannels)
	require.Empty(t, g.ToUpdate().Withheld())
	require.Empty(t, b.ToUpdate().Withheld())
	odd := readGroup(t, `{"ID":7,"Created_At":"2026-01-01","name":"n","Updated_at":"2026-01-01"}`)
	require.Empty(t, odd.ToUpdate().Withheld(), "in another case, too")
}

func TestAnUpdateNamesTheUnknownMembersThatItLeavesOut(t *testing.T) {
	const unknown = `"zone":{"a":1},"empty":[],"off":false,"none":null,"again":1,"again":null,"back":null,"back":2,"Tags":["x"],"zone2":0`
	want := []string{"zone", "empty", "off", "back", "Tags", "zone2"}
	t.Run("of a group", func(t *testing.T) {
		g := readGroup(t, `{"id":7,`+unknown+`,"name":"n","updated_at":null,"environmentVariables":[{"key":"K","value":null}],"apiCheckDefaults":{"basicAuth":{"username":"u","password":null},"future":1}}`)
		require.Equal(t, append([]string{"apiCheckDefaults", "environmentVariables"}, want...), g.ToUpdate().Withheld())
		for name, write := range map[string]func(any) ([]byte, error){"with secrets": monitoring.MarshalWithSecrets, "without": json.Marshal} {
			data, err := write(g)
			require.NoError(t, err)
			require.Equal(t, g.ToUpdate().Withheld(), readGroup(t, string(data)).ToUpdate().Withheld(), "of a snapshot %s", name)
		}
	})
	t.Run("of a browser check", func(t *testing.T) {
		var c monitoring.BrowserCheck
		require.NoError(t, json.Unmarshal([]byte(`{"id":"c","checkType":"BROWSER",`+unknown+`,"environmentVariables":[{"key":"K","value":null}]}`), &c))
		require.Equal(t, append([]string{"environmentVariables"}, want...), c.ToUpdate().Withheld())
	})
	t.Run("of nothing that was read", func(t *testing.T) {
		require.Empty(t, monitoring.CheckGroup{Name: "n"}.ToUpdate().Withheld())
	})
	t.Run("with names that are shown safely", func(t *testing.T) {
		for _, name := range readGroup(t, `{"name":"n","a\nb\u001b[31m":1}`).ToUpdate().Withheld() {
			require.Equal(t, scrub.Clean(name), name)
		}
	})
}

func TestWithCompleteUpdatesRefusesUnknownMembersThatAreNotSent(t *testing.T) {
	const doc = `{"id":7,"name":"n","first":{"a":1},"second":[2],"third":null,"created_at":"2026-01-01"}`
	const why = ": is left out, because this package does not know it: send it with WithBodyMember"
	for name, c := range map[string]struct {
		opts    []monitoring.CallOption
		refused []string
		sent    string
	}{
		"none is sent":        {nil, []string{"first" + why, "second" + why}, ""},
		"one is sent":         {[]monitoring.CallOption{monitoring.WithBodyMember("second", []int{3})}, []string{"first" + why}, ""},
		"another is sent":     {[]monitoring.CallOption{monitoring.WithBodyMember("fourth", 1)}, []string{"first" + why, "second" + why}, ""},
		"both are sent":       {[]monitoring.CallOption{monitoring.WithBodyMember("second", []int{3}), monitoring.WithBodyMember("first.a", 2)}, nil, `{"name":"n","second":[3],"first":{"a":2}}`},
		"null is sent, too":   {[]monitoring.CallOption{monitoring.WithBodyMember("second", nil), monitoring.WithBodyMember("first", nil)}, nil, `{"name":"n","second":null,"first":null}`},
		"without validation":  {[]monitoring.CallOption{monitoring.WithoutValidation()}, []string{"first" + why, "second" + why}, ""},
		"both, not validated": {[]monitoring.CallOption{monitoring.WithoutValidation(), monitoring.WithBodyMember("second", 1), monitoring.WithBodyMember("first", 1)}, nil, `{"name":"n","second":1,"first":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			g, s, client := groupOf(t, doc)
			_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), append(c.opts, monitoring.WithCompleteUpdates())...)
			if c.refused != nil {
				require.Equal(t, c.refused, refused(t, s, err))
			} else {
				require.JSONEq(t, c.sent, sentBy(t, s, err))
			}
			_, s, client = groupOf(t, doc)
			err = kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { u.Name = "m"; return nil }, append(c.opts, monitoring.WithCompleteUpdates())...))
			if c.refused != nil {
				require.Equal(t, c.refused, refused(t, s, err), "by Edit")
			} else {
				require.JSONEq(t, strings.Replace(c.sent, `"n"`, `"m"`, 1), sentBy(t, s, err))
			}
		})
	}
	g, s, client := groupOf(t, doc)
	require.NoError(t, g.ToUpdate().Validate())
	_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate())
	require.Equal(t, `{"name":"n"}`, sentBy(t, s, err), "without the option it is sent")
}

func TestWithCompleteUpdatesRefusesAnUpdateThatLeavesOutAMember(t *testing.T) {
	g, s, client := groupOf(t, withheldGroup)
	_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), monitoring.WithCompleteUpdates())
	require.ElementsMatch(t, []string{
		"environmentVariables: is left out, because the service withholds a secret in it: give each a value with NewSecret",
		"apiCheckDefaults: is left out, because the service withholds a secret in it: give each a value with NewSecret",
		"description: is left out, because this package does not know it: send it with WithBodyMember",
	}, refused(t, s, err))
	g, s, client = groupOf(t, `{"name":"n"}`)
	_, err = client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), monitoring.WithCompleteUpdates())
	require.Equal(t, `{"name":"n"}`, sentBy(t, s, err))
}
