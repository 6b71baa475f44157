package objects_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// linesOf returns changes as lines.
func linesOf(changes []monitoring.Change, line func(monitoring.Change) string) (lines []string) {
	for _, c := range changes {
		lines = append(lines, line(c))
	}
	return lines
}

func TestAChangeIsShownWithTheValuesThatAreNeitherSecretNorLocked(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"BROWSER","name":"Login","script":"s()","environmentVariables":[
		{"key":"A","value":"old-a"},{"key":"L","value":"old-l","locked":true},{"key":"S","value":"old-s","secret":true},{"key":"W","value":null,"secret":true},{"key":"B","value":"old-b"}]}`)
	for i := range check.Browser.EnvironmentVariables {
		check.Browser.EnvironmentVariables[i].Value = monitoring.NewSecret("new")
	}
	check.Browser.EnvironmentVariables[4] = monitoring.NewEnvironmentVariable("C", "new")
	check.Name = "Sign in"
	changes := check.Diff()
	require.Equal(t, []string{
		`name: "Login" -> "Sign in"`,
		"environmentVariables[0].value (A): its value is changed",
		"environmentVariables[1].value (L): its value is changed",
		"environmentVariables[2].value (S): a secret is changed",
		"environmentVariables[3].value (W): a withheld secret is set",
		`environmentVariables[4]: removed {"key":"B","value":"[redacted]"}`,
		`environmentVariables[4]: added {"key":"C","value":"[redacted]"}`,
	}, linesOf(changes, monitoring.Change.String))
	require.Equal(t, []string{
		`name: "Login" -> "Sign in"`,
		`environmentVariables[0].value (A): "old-a" -> "new"`,
		"environmentVariables[1].value (L): its value is changed",
		"environmentVariables[2].value (S): a secret is changed",
		"environmentVariables[3].value (W): a withheld secret is set",
		`environmentVariables[4]: removed {"key":"B","value":"old-b"}`,
		`environmentVariables[4]: added {"key":"C","value":"new"}`,
	}, linesOf(changes, monitoring.Change.WithValues))

	spelled := kit.Returned[monitoring.Snippet](`{"id":5,"name":"\u0041","script":"a\u000ab"}`)
	spelled.Name, spelled.Script = "B", "c"
	require.Equal(t, []string{`name: "A" -> "B"`, `script: "a\nb" -> "c"`}, linesOf(spelled.Diff(), monitoring.Change.String), "as it is written otherwise")

	tagged := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n","tags":["a"]}`)
	tagged.Tags = append(tagged.Tags, "b", "b", "a")
	require.Equal(t, []string{`tags[1]: added "b"`}, linesOf(tagged.Diff(), monitoring.Change.String), "a set has it once")

	api := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","request":{"method":"GET","url":"u","headers":[{"key":"H","value":"old"}]}}`)
	api.API.Headers[0].Value = monitoring.NewSecret("new")
	require.Equal(t, "request.headers[0].value (H): its value is changed", api.Diff()[0].WithValues(), "a header does not say whether it is secret")

	own := &monitoring.Check{CheckType: monitoring.CheckTypeBrowser, Browser: &monitoring.CheckScript{
		EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("R", testkit.Canary), monitoring.NewEnvironmentVariable("T", "t")},
	}}
	require.Equal(t, []string{`environmentVariables: added [{"key":"R","value":"` + testkit.Canary + `"},{"key":"T","value":"t"}]`}, linesOf(own.Diff(), monitoring.Change.WithValues))
	testkit.RequireHidden(t, "a change that can be shown with its value", own.Diff()[0])
}
