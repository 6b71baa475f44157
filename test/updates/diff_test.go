package updates_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func linesOf(changes []monitoring.Change) (lines []string) {
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines
}

func TestTheDiffOfAnUpdateHasEachChange(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*monitoring.CheckGroupUpdate)
		want []string
	}{
		"nothing": {func(*monitoring.CheckGroupUpdate) {}, nil},
		"scalars": {func(u *monitoring.CheckGroupUpdate) { u.Name, u.Muted, u.Concurrency = "New", new(true), new(5) },
			[]string{`name: "Shop" -> "New"`, `muted: added true`, `concurrency: 3 -> 5`}},
		"null":            {func(u *monitoring.CheckGroupUpdate) { u.AlertSettings = monitoring.Null[monitoring.AlertSettings]() }, []string{`alertSettings: {"reminders":{"amount":1}} -> null`}},
		"a nested member": {func(u *monitoring.CheckGroupUpdate) { s, _ := u.AlertSettings.Get(); s.Reminders.Amount = new(2) }, []string{"alertSettings.reminders.amount: 1 -> 2"}},
		"a variable less and one more": {func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables = append(u.EnvironmentVariables[1:], monitoring.NewEnvironmentVariable("C", "s3cret-c"))
		}, []string{`environmentVariables[0]: removed {"key":"A","value":"[redacted]","future":"[redacted]"}`, `environmentVariables[2]: added {"key":"C","value":"[redacted]"}`}},
		"variables in another order": {func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables[0].Locked = new(true)
			slices.Reverse(u.EnvironmentVariables)
		}, []string{"environmentVariables[2].locked (A): added true", `environmentVariables: the order is changed: ["A","B","S"] -> ["S","B","A"]`}},
		"what cannot be unset": {func(u *monitoring.CheckGroupUpdate) { u.Activated = nil }, []string{"activated: removed true"}},
	} {
		u := readGroup(t, shop).ToUpdate()
		tt.edit(&u)
		require.Equal(t, tt.want, linesOf(u.Diff()), name)
		require.NotContains(t, fmt.Sprint(u.Diff()), "s3cret", name)
	}
	own := monitoring.CheckGroupUpdate{Name: "Shop", Muted: new(true), EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", "s3cret")}}
	require.Equal(t, []string{`name: added "Shop"`, "muted: added true", `environmentVariables: added [{"key":"K","value":"[redacted]"}]`}, linesOf(own.Diff()), "a new update has only additions")
	require.Equal(t, own.Diff(), own.DiffFrom(nil))
	require.Equal(t, []monitoring.Change{{Path: "muted", After: "true"}}, monitoring.CheckGroupUpdate{Name: "Shop", Muted: new(true)}.DiffFrom(&monitoring.CheckGroup{Name: "Shop"}))
}

func TestValuesOfVariablesAreShownIfTheyAreNeitherSecretNorLocked(t *testing.T) {
	g := readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"R","value":"eu"},{"key":"L","value":"l1","locked":true},{"key":"S","value":"s1","secret":true},{"key":"W","value":null,"secret":true}],
		"apiCheckDefaults":{"headers":[{"key":"H","value":"h1"}],"basicAuth":{"username":"u","password":"p1"}}}`)
	u := g.ToUpdate()
	for i := range u.EnvironmentVariables {
		u.EnvironmentVariables[i].Value = monitoring.NewSecret(strings.Repeat(u.EnvironmentVariables[i].Key, 2))
	}
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("NEW", "n1"), monitoring.EnvironmentVariable{Key: "T", Value: monitoring.NewSecret("t1"), Secret: new(true)})
	u.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("h2")
	auth, _ := u.APICheckDefaults.BasicAuth.Get()
	auth.Password = monitoring.NewSecret("p2")
	u.APICheckDefaults.BasicAuth = monitoring.Value(auth)
	hidden := []string{
		"apiCheckDefaults.headers[0].value (H): its value is changed", "apiCheckDefaults.basicAuth.password: a secret is changed",
		"environmentVariables[0].value (R): its value is changed", "environmentVariables[1].value (L): its value is changed",
		"environmentVariables[2].value (S): a secret is changed", "environmentVariables[3].value (W): a withheld secret is set",
		`environmentVariables[4]: added {"key":"NEW","value":"[redacted]"}`, `environmentVariables[5]: added {"key":"T","value":"[redacted]","secret":true}`,
	}
	require.ElementsMatch(t, hidden, linesOf(u.Diff()))
	hidden[2], hidden[6] = `environmentVariables[0].value (R): "eu" -> "RR"`, `environmentVariables[4]: added {"key":"NEW","value":"n1"}`
	require.ElementsMatch(t, hidden, linesOf(u.DiffWithValues()))
	for _, c := range u.Diff() {
		require.Equal(t, strings.Contains(c.String(), "secret is"), c.Secret, c)
	}
	b := monitoring.BrowserCheckUpdate{EnvironmentVariables: u.EnvironmentVariables[:1]}
	require.Equal(t, []string{`environmentVariables: added [{"key":"R","value":"RR"}]`}, linesOf(b.DiffWithValues()))
}

func TestAFingerprintTellsWhetherTheSameIsWrittenAgain(t *testing.T) {
	key, g := []byte("0123456789abcdef"), readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"A","value":"a"},{"key":"T","value":null,"secret":true}]}`)
	set := func(key, value string) monitoring.Change {
		u := g.ToUpdate()
		u.EnvironmentVariables[1] = monitoring.EnvironmentVariable{Key: key, Value: monitoring.NewSecret(value), Secret: new(true)}
		changes := u.Diff()
		return changes[len(changes)-1]
	}
	last := set("T", testkit.Canary)
	require.Len(t, last.Fingerprint(key), 64)
	testkit.RequireHidden(t, "the change", last)
	require.Equal(t, last.Fingerprint(key), set("T", testkit.Canary).Fingerprint(key))
	for name, other := range map[string]string{"value": set("T", "other").Fingerprint(key), "variable": set("U", testkit.Canary).Fingerprint(key), "key": last.Fingerprint([]byte("another key of 16"))} {
		require.NotEqual(t, last.Fingerprint(key), other, "another %s", name)
	}
	require.Equal(t, monitoring.Change{Path: "a[3].b", After: `"\u0061"`}.Fingerprint(key), monitoring.Change{Path: "a[4].b", After: `"a"`}.Fingerprint(key), "neither place nor spelling count")
	require.Panics(t, func() { last.Fingerprint(key[1:]) })
}

// escapedShop is plainShop with other spellings of its values, in another order.
const (
	plainShop   = `{"id":7,"name":"R&D <1>","concurrency":3,"tags":["a&b","\u2028"],"localSetupScript":"if (a < b && c > d) {}","alertSettings":{"reminders":{"amount":1,"interval":10},"future":[1.50,"é"]},"environmentVariables":[{"key":"URL","value":"https://x.test/?a=1&b=2"},{"key":"LAST","value":"<>","future":9007199254740993}]}`
	escapedShop = `{"environmentVariables":[{"value":"https:\/\/x.test\/?a=1\u0026b=2","key":"\u0055RL"},{"future":9007199254740993.0,"key":"LAST","value":"\u003c\u003E"}],"tags":["a\u0026b","` + "\u2028" + `"],"alertSettings":{"future":[15e-1,"\u00e9"],"reminders":{"interval":1e1,"amount":1.0}},"localSetupScript":"if (a \u003c b \u0026\u0026 c \u003e d) {}","concurrency":3.0,"name":"R\u0026D <1>","id":7}`
)

func TestAnotherSpellingOfAValueIsNoChange(t *testing.T) {
	for _, c := range [][2]string{{plainShop, escapedShop}, {escapedShop, plainShop}} {
		snapshot := readGroup(t, c[0])
		for _, write := range []func(any) ([]byte, error){json.Marshal, monitoring.MarshalWithSecrets} { // json.Marshal escapes HTML, and hides the variables
			u := again(t, &snapshot, write).ToUpdate()
			live, s, client := groupOf(t, c[1])
			require.Empty(t, u.DiffFrom(live))
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(now *monitoring.CheckGroupUpdate) error { *now = u; return nil })
			require.NoError(t, err)
			require.Zero(t, s.updates, "an edit with a snapshot that is equal sends nothing")
		}
	}
}

// An unknown member may be a secret.
func TestADiffShowsNoUnknownMember(t *testing.T) {
	g := readGroup(t, `{"id":7,"name":"n","alertSettings":{"new":"s3cret","a\nb":1}}`)
	later := readGroup(t, `{"id":7,"name":"n","alertSettings":{"new":5,"a\nb":2}}`)
	changes := later.ToUpdate().DiffFrom(&g)
	require.Equal(t, []string{"alertSettings.new: its value is changed", "alertSettings.a b: its value is changed"}, linesOf(changes))
	require.NotContains(t, fmt.Sprintf("%+v", changes), "s3cret")
}
