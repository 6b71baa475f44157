package monitoring

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
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
		d := &differ{}
		d.value(schema.Lookup("PUT /v2/check-groups/{id}").Body.Member("tags").Node, "tags", []byte(c.before), []byte(c.after))
		var got []string
		for _, change := range d.changes {
			got = append(got, change.String())
		}
		require.Equal(t, c.want, got, "%s %s", c.before, c.after)
	}
}

func TestAChangeShowsAtMostAHundredCharacters(t *testing.T) {
	for length, want := range map[int]string{99: strings.Repeat("ä", 99), 100: strings.Repeat("ä", 100), 101: strings.Repeat("ä", 100) + "…"} {
		require.Equal(t, "p: added "+want, Change{Path: "p", After: strings.Repeat("ä", length)}.String())
	}
}

func TestAListIsShownWithoutItsSecrets(t *testing.T) {
	u := CheckGroupUpdate{Name: "n", Tags: []string{"a", "b"}, EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", "x"), NewEnvironmentVariable("B", "y")}}
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
		again, err := MarshalWithSecrets(snapshot)
		require.NoError(t, err)
		for name, g := range map[string]CheckGroup{"as read": snapshot, "by json.Marshal": readGroup(t, string(marshalled)), "with secrets": readGroup(t, string(again))} {
			require.Empty(t, g.ToUpdate().DiffFrom(&live), name)
			_, s, client := groupOf(t, c[1])
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error { *u = g.ToUpdate(); return nil })
			require.NoError(t, err)
			require.Zero(t, s.updates, "%s: an edit with a snapshot that is equal sends nothing", name)
		}
		u := live.ToUpdate()
		u.AlertSettings, u.EnvironmentVariables = Value(*snapshot.AlertSettings), snapshot.EnvironmentVariables
		require.Empty(t, u.Diff())
		require.False(t, changes(&u, &live))
	}
}

func TestInAChangedListOnlyTheChangedItemIsAChange(t *testing.T) {
	live := readGroup(t, escapedShop)
	u := live.ToUpdate()
	u.Tags[1] = "\u2029"
	u.EnvironmentVariables[1].Locked = new(true)
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	require.Equal(t, []Change{
		{Path: "tags[1]", Before: "\"\u2028\"", After: "\"\u2029\""}, {Path: "environmentVariables[1].locked", Item: "LAST", After: "true"}, {Path: "alertSettings.reminders.amount", Before: "1.0", After: "2"},
	}, u.Diff())
}

func TestAValueThatDiffersALittleIsAChange(t *testing.T) {
	for before, after := range map[string]string{
		`"tags":["a&b"]`: `"tags":["a\\u0026b"]`, `"tags":["a","b"]`: `"tags":["b","a"]`, `"alertSettings":{"future":9007199254740993}`: `"alertSettings":{"future":9007199254740992}`,
		`"alertSettings":{"future":"1"}`: `"alertSettings":{"future":1}`, `"alertSettings":{"future":"\ud800"}`: `"alertSettings":{"future":"\ud801"}`, `"localSetupScript":""`: `"localSetupScript":null`,
		`"alertSettings":{"future":{"a":null}}`: `"alertSettings":{"future":{}}`,
	} {
		live, snapshot := readGroup(t, `{"id":7,"name":"n",`+before+`}`), readGroup(t, `{"id":7,"name":"n",`+after+`}`)
		u := snapshot.ToUpdate()
		require.Len(t, u.DiffFrom(&live), strings.Count(before, `","`)+1, "%s and %s", before, after)
		require.True(t, changes(&u, &live))
	}
}
