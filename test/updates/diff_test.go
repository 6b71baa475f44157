package updates_test

import (
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

func TestADiffHasALineForEachChange(t *testing.T) {
	u := readGroup(t, `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b"],"alertSettings":{"reminders":{"amount":1}},"retryStrategy":{"type":"FIXED"},
		"environmentVariables":[{"key":"R","value":"s3cret-eu"},{"key":"L","value":"l1","locked":true},{"key":"S","value":"s1","secret":true},{"key":"W","value":null,"secret":true}],
		"apiCheckDefaults":{"headers":[{"key":"H","value":"h1"},{"key":"G","value":"s3cret","future":"s3cret"}],"basicAuth":{"username":"u","password":"p1"}}}`).ToUpdate()
	u.Name, u.Activated, u.Muted, u.Concurrency, u.RetryStrategy = "New", nil, new(true), new(5), monitoring.Null[monitoring.RetryStrategy]()
	slices.Reverse(u.Tags)
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	for i := range u.EnvironmentVariables {
		u.EnvironmentVariables[i].Value = monitoring.NewSecret(strings.Repeat(u.EnvironmentVariables[i].Key, 2))
	}
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("NEW", "n1"), monitoring.EnvironmentVariable{Key: "T", Value: monitoring.NewSecret("t1"), Secret: new(true)})
	u.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("h2")
	u.APICheckDefaults.Headers = u.APICheckDefaults.Headers[:1]
	auth, _ := u.APICheckDefaults.BasicAuth.Get()
	auth.Password = monitoring.NewSecret("p2")
	u.APICheckDefaults.BasicAuth = monitoring.Value(auth)
	want := []string{
		"environmentVariables[0].value (R): its value is changed", `environmentVariables[4]: added {"key":"NEW","value":"[redacted]"}`,
		`name: "Shop" -> "New"`, "activated: removed true", `muted: added true`, `concurrency: 3 -> 5`, `retryStrategy: {"type":"FIXED"} -> null`,
		`tags: the order is changed: ["a","b"] -> ["b","a"]`, "alertSettings.reminders.amount: 1 -> 2",
		"apiCheckDefaults.headers[0].value (H): its value is changed", `apiCheckDefaults.headers[1]: removed {"key":"G","value":"[redacted]","future":"[redacted]"}`,
		"apiCheckDefaults.basicAuth.password: a secret is changed", "environmentVariables[1].value (L): its value is changed", "environmentVariables[2].value (S): a secret is changed",
		"environmentVariables[3].value (W): a withheld secret is set", `environmentVariables[5]: added {"key":"T","value":"[redacted]","secret":true}`,
	}
	require.ElementsMatch(t, want, linesOf(u.Diff()))
	require.NotContains(t, fmt.Sprintf("%+v", u.Diff()), "s3cret")
	for _, c := range u.Diff() {
		require.Equal(t, strings.Contains(c.String(), "secret is"), c.Secret, c)
	}
	want[0], want[1] = `environmentVariables[0].value (R): "s3cret-eu" -> "RR"`, `environmentVariables[4]: added {"key":"NEW","value":"n1"}`
	require.ElementsMatch(t, want, linesOf(u.DiffWithValues()), "what is neither secret nor locked is shown")

	own := monitoring.CheckGroupUpdate{Name: "Shop", Muted: new(true)}
	require.Equal(t, []string{`name: added "Shop"`, "muted: added true"}, linesOf(own.Diff()), "a new update has only additions")
	require.Equal(t, own.Diff(), own.DiffFrom(nil))
	require.Equal(t, []monitoring.Change{{Path: "muted", After: "true"}}, own.DiffFrom(&monitoring.CheckGroup{Name: "Shop"}))
	b := monitoring.BrowserCheckUpdate{EnvironmentVariables: u.EnvironmentVariables[:1]}
	require.Equal(t, []string{`environmentVariables: added [{"key":"R","value":"RR"}]`}, linesOf(b.DiffWithValues()))
}

func TestAFingerprintTellsWhetherTheSameIsWrittenAgain(t *testing.T) {
	key, g := []byte("0123456789abcdef"), readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"T","value":null,"secret":true}]}`)
	set := func(value string) monitoring.Change {
		u := g.ToUpdate()
		u.EnvironmentVariables[0].Value = monitoring.NewSecret(value)
		return u.Diff()[0]
	}
	last := set(testkit.Canary)
	require.Len(t, last.Fingerprint(key), 64)
	testkit.RequireHidden(t, "the change", last)
	require.Equal(t, last.Fingerprint(key), set(testkit.Canary).Fingerprint(key))
	require.NotEqual(t, last.Fingerprint(key), set("other").Fingerprint(key))
	require.NotEqual(t, last.Fingerprint(key), last.Fingerprint([]byte("another key of 16")))
	require.Equal(t, monitoring.Change{Path: "a[3].b", After: `"\u0061"`}.Fingerprint(key), monitoring.Change{Path: "a[4].b", After: `"a"`}.Fingerprint(key), "neither place nor spelling count")
	for _, other := range []monitoring.Change{{Path: "a", Item: "U"}, {Path: "b", Item: "T"}, {Path: "a", Item: "T", After: "1"}} {
		require.NotEqual(t, monitoring.Change{Path: "a", Item: "T"}.Fingerprint(key), other.Fingerprint(key))
	}
	require.PanicsWithValue(t, "monitoring: the key of a fingerprint has fewer than 16 bytes", func() { last.Fingerprint(key[1:]) })
}
