package monitoring

import (
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
