package updates_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestAnItemThatIsAddedOrRemovedIsOneChange(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{`["a","a"]`, `["a","a","a"]`, []string{`tags[2]: added "a"`}},
		{`["a","a","a"]`, `["a","a"]`, []string{`tags[2]: removed "a"`}},
		{`["a","b","c"]`, `["a","c"]`, []string{`tags[1]: removed "b"`}},
		{`["b","c"]`, `["a","b","c"]`, []string{`tags[0]: added "a"`}},
		{`["a","b","c"]`, `["a","x","c"]`, []string{`tags[1]: "b" -> "x"`}},
		{`["a","b"]`, `["c"]`, []string{`tags[0]: "a" -> "c"`, `tags[1]: removed "b"`}},
		{`["a"]`, `["b","c"]`, []string{`tags[0]: "a" -> "b"`, `tags[1]: added "c"`}},
		{`[]`, `["a"]`, []string{`tags[0]: added "a"`}},
		{`[ "a" ]`, `["a"]`, nil},
	} {
		before, after := readGroup(t, `{"name":"n","tags":`+c.before+`}`), readGroup(t, `{"name":"n","tags":`+c.after+`}`)
		var got []string
		for _, change := range after.ToUpdate().DiffFrom(&before) {
			got = append(got, change.String())
		}
		require.Equal(t, c.want, got, "%s %s", c.before, c.after)
	}
}

func TestAChangeShowsAtMostAHundredCharacters(t *testing.T) {
	for length, want := range map[int]string{99: strings.Repeat("ä", 99), 100: strings.Repeat("ä", 100), 101: strings.Repeat("ä", 100) + "…"} {
		require.Equal(t, "p: added "+want, monitoring.Change{Path: "p", After: strings.Repeat("ä", length)}.String())
	}
}

func TestAListIsShownWithoutItsSecrets(t *testing.T) {
	u := monitoring.CheckGroupUpdate{Name: "n", Tags: []string{"a", "b"}, EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "x"), monitoring.NewEnvironmentVariable("B", "y")}}
	got := map[string]string{}
	for _, c := range u.Diff() {
		require.Empty(t, c.Before)
		got[c.Path] = c.After
	}
	require.Equal(t, map[string]string{
		"name": `"n"`, "tags": `["a","b"]`, "environmentVariables": `[{"key":"A","value":"[redacted]"},{"key":"B","value":"[redacted]"}]`,
	}, got)
}

// escapedShop is plainShop with other spellings of its values, in another order.
const (
	plainShop   = `{"id":7,"name":"R&D <1>","concurrency":3,"tags":["a&b","\u2028"],"localSetupScript":"if (a < b && c > d) {}","alertSettings":{"reminders":{"amount":1,"interval":10},"future":[1.50,"é"]},"environmentVariables":[{"key":"URL","value":"https://x.test/?a=1&b=2"},{"key":"LAST","value":"<>","future":9007199254740993}]}`
	escapedShop = `{"environmentVariables":[{"value":"https:\/\/x.test\/?a=1\u0026b=2","key":"\u0055RL"},{"future":9007199254740993.0,"key":"LAST","value":"\u003c\u003E"}],"tags":["a\u0026b","` + "\u2028" + `"],"alertSettings":{"future":[15e-1,"\u00e9"],"reminders":{"interval":1e1,"amount":1.0}},"localSetupScript":"if (a \u003c b \u0026\u0026 c \u003e d) {}","concurrency":3.0,"name":"R\u0026D <1>","id":7}`
)

func TestAnotherSpellingOfAValueIsNoChange(t *testing.T) {
	for _, c := range [][2]string{{plainShop, plainShop}, {plainShop, escapedShop}, {escapedShop, plainShop}} {
		snapshot, live := readGroup(t, c[0]), readGroup(t, c[1])
		marshalled, err := json.Marshal(snapshot) // escapes HTML, and hides the variables
		require.NoError(t, err)
		again, err := monitoring.MarshalWithSecrets(snapshot)
		require.NoError(t, err)
		for name, g := range map[string]monitoring.CheckGroup{"as read": snapshot, "by json.Marshal": readGroup(t, string(marshalled)), "with secrets": readGroup(t, string(again))} {
			require.Empty(t, g.ToUpdate().DiffFrom(&live), name)
			_, s, client := groupOf(t, c[1])
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { *u = g.ToUpdate(); return nil })
			require.NoError(t, err)
			require.Zero(t, s.updates, "%s: an edit with a snapshot that is equal sends nothing", name)
		}
		_, s, client := groupOf(t, c[1])
		_, err = client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
			u.AlertSettings, u.EnvironmentVariables = monitoring.Value(*snapshot.AlertSettings), snapshot.EnvironmentVariables
			require.Empty(t, u.Diff())
			return nil
		})
		require.NoError(t, err)
		require.Zero(t, s.updates, "an edit with members of another spelling sends nothing")
	}
}

func TestInAChangedListOnlyTheChangedItemIsAChange(t *testing.T) {
	live := readGroup(t, escapedShop)
	u := live.ToUpdate()
	u.Tags[1] = "\u2029"
	u.EnvironmentVariables[1].Locked = new(true)
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	require.Equal(t, []monitoring.Change{
		{Path: "tags[1]", Before: "\"\u2028\"", After: "\"\u2029\""}, {Path: "environmentVariables[1].locked", Item: "LAST", After: "true"}, {Path: "alertSettings.reminders.amount", Before: "1.0", After: "2"},
	}, u.Diff())
}

func TestAValueThatDiffersALittleIsAChange(t *testing.T) {
	for before, after := range map[string]string{
		`"tags":["a&b"]`: `"tags":["a\\u0026b"]`, `"tags":["a","b"]`: `"tags":["b","a"]`, `"alertSettings":{"future":9007199254740993}`: `"alertSettings":{"future":9007199254740992}`,
		`"alertSettings":{"future":"1"}`: `"alertSettings":{"future":1}`, `"alertSettings":{"future":"\ud800"}`: `"alertSettings":{"future":"\ud801"}`, `"localSetupScript":""`: `"localSetupScript":null`,
		`"alertSettings":{"future":{"a":null}}`: `"alertSettings":{"future":{}}`,
	} {
		live, s, client := groupOf(t, `{"id":7,"name":"n",`+before+`}`)
		snapshot := readGroup(t, `{"id":7,"name":"n",`+after+`}`)
		require.Len(t, snapshot.ToUpdate().DiffFrom(live), strings.Count(before, `","`)+1, "%s and %s", before, after)
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { *u = snapshot.ToUpdate(); return nil })
		require.NoError(t, err)
		require.Equal(t, 1, s.updates, "%s and %s", before, after)
	}
}

func TestDiffFromComparesAnUpdateWithAnyObject(t *testing.T) {
	g, _, _ := groupOf(t, shop)
	own := monitoring.CheckGroupUpdate{Name: "Shop", Muted: new(true)}
	require.Equal(t, []monitoring.Change{{Path: "muted", After: "true"}}, own.DiffFrom(g))
	require.Equal(t, []monitoring.Change{{Path: "name", After: `"Shop"`}, {Path: "muted", After: "true"}}, own.DiffFrom(nil))
	require.Empty(t, monitoring.CheckGroupUpdate{Name: "Shop"}.DiffFrom(&monitoring.CheckGroup{Name: "Shop"}), "a group that was not read is compared by its fields")

	c, _, _ := browserOf(t, withheldBrowser)
	require.Empty(t, c.ToUpdate().DiffFrom(c))
	u := c.ToUpdate()
	u.EnvironmentVariables = slices.Clone(c.EnvironmentVariables)
	for i := range u.EnvironmentVariables {
		u.EnvironmentVariables[i].Value = monitoring.NewSecret("s3cret")
	}
	changes := u.DiffFrom(c)
	require.NotEmpty(t, changes)
	for _, change := range changes {
		require.True(t, change.Secret)
		require.NotContains(t, change.Before+change.After, "s3cret")
	}
	require.Contains(t, fmt.Sprint(changes), ": a withheld secret is set")
}

// Only members that the description of the body has are shown: an unknown member may be a secret.
func TestADiffDoesNotShowUnknownMembers(t *testing.T) {
	g, _, _ := groupOf(t, `{"id":7,"name":"Shop","alertChannelSubscriptions":[{"alertChannelId":1,"activated":true,"key":"s3cret"}],"alertSettings":{"newThing":null}}`)
	u := g.ToUpdate()
	u.AlertChannelSubscriptions[0].Activated = false
	require.Equal(t, "[alertChannelSubscriptions[0].activated: true -> false]", fmt.Sprint(u.Diff()))
	later, _, _ := groupOf(t, `{"id":7,"name":"Shop","alertSettings":{"newThing":5}}`)
	require.Contains(t, fmt.Sprint(later.ToUpdate().DiffFrom(g)), "alertSettings.newThing: a secret is changed", "an unknown member is treated as a secret, but it is not withheld")
}

func TestTheDiffOfAnUpdateHasEachChange(t *testing.T) {
	tests := map[string]struct {
		edit func(*monitoring.CheckGroupUpdate)
		want []string
	}{
		"nothing": {func(*monitoring.CheckGroupUpdate) {}, nil},
		"scalars and null": {func(u *monitoring.CheckGroupUpdate) { u.Name, u.Muted, u.Concurrency = "New", new(true), new(5) },
			[]string{`name: "Shop" -> "New"`, `muted: added true`, `concurrency: 3 -> 5`}},
		"null":                   {func(u *monitoring.CheckGroupUpdate) { u.AlertSettings = monitoring.Null[monitoring.AlertSettings]() }, []string{`alertSettings: {"reminders":{"amount":1}} -> null`}},
		"a nested member":        {func(u *monitoring.CheckGroupUpdate) { s, _ := u.AlertSettings.Get(); s.Reminders.Amount = new(2) }, []string{"alertSettings.reminders.amount: 1 -> 2"}},
		"an item in the middle":  {func(u *monitoring.CheckGroupUpdate) { u.Tags = []string{"a", "c"} }, []string{`tags[1]: removed "b"`}},
		"an item at the front":   {func(u *monitoring.CheckGroupUpdate) { u.Tags = []string{"x", "a", "b", "c"} }, []string{`tags[0]: added "x"`}},
		"a list that is cleared": {func(u *monitoring.CheckGroupUpdate) { u.Tags = nil }, []string{`tags[0]: removed "a"`, `tags[1]: removed "b"`, `tags[2]: removed "c"`}},
		"a secret": {func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables[1].Value = monitoring.NewSecret("s3cret-x")
		}, []string{"environmentVariables[1].value (B): a secret is changed"}},
		"a variable that is added": {func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("C", "s3cret-c"))
		}, []string{`environmentVariables[2]: added {"key":"C","value":"[redacted]"}`}},
		"a variable that loses an unknown member": {func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables = []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "s3cret-a"), u.EnvironmentVariables[1]}
		}, []string{"environmentVariables[0].future (A): removed [redacted]"}},
		"what cannot be unset": {func(u *monitoring.CheckGroupUpdate) { u.Activated = nil }, []string{"activated: removed true"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g, _, _ := groupOf(t, shop)
			u := g.ToUpdate()
			tt.edit(&u)
			var lines []string
			for _, c := range u.Diff() {
				lines = append(lines, c.String())
				require.NotContains(t, c.Before+c.After+c.Path, "s3cret")
			}
			require.Equal(t, tt.want, lines)
		})
	}
	u := monitoring.CheckGroupUpdate{Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", "s3cret")}}
	require.Equal(t, []monitoring.Change{{Path: "name", After: `"n"`}, {Path: "environmentVariables", After: `[{"key":"K","value":"[redacted]"}]`}}, u.Diff(), "a new update has only additions")
	c, _, _ := browserOf(t, withheldBrowser)
	b := c.ToUpdate()
	b.GroupID = monitoring.Nullable[int64]{}
	require.Equal(t, []monitoring.Change{{Path: "groupId", Before: "3", After: "null"}}, b.Diff())
}

func TestThePathOfAChangeIsOneLine(t *testing.T) {
	var before, after monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","alertSettings":{"a\nb":1}}`), &before))
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","alertSettings":{"a\nb":2}}`), &after))
	changes := after.ToUpdate().DiffFrom(&before)
	require.Len(t, changes, 1)
	require.Equal(t, "alertSettings.a b", changes[0].Path)
}
