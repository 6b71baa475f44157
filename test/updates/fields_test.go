package updates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestValuesThatTheServiceReturnedAreNotRefused(t *testing.T) {
	many := `[{"key":"","value":"v"}` + strings.Repeat(`,{"key":"K","value":"v"}`, 250) + `]`
	group := `{"name":"n","concurrency":0,"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":3},"alertSettings":{"reminders":{"amount":77}},"environmentVariables":` + many + `}`
	g, s, client := groupOf(t, group)
	u := g.ToUpdate()
	u.Tags = []string{"new"}
	_, err := client.CheckGroups.Update(t.Context(), 7, u)
	require.Contains(t, sentBy(t, s, err), `"tags":["new"]`)

	s.updates = 0
	u = g.ToUpdate()
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Interval = new(3) // other members break rules, but were read like this
	u.AlertSettings = monitoring.Value(settings)
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("", "v"))
	err = kit.Second(client.CheckGroups.Update(t.Context(), 7, u))
	require.Equal(t, []string{"environmentVariables: 252 variables are over 200"}, refused(t, s, err), "only the rules that the caller broke are listed")

	var c monitoring.BrowserCheck
	require.NoError(t, json.Unmarshal([]byte(`{"name":"n","intent":{"goal":"g","requiredOutcomes":[""]}}`), &c))
	b := c.ToUpdate()
	intent, _ := b.Intent.Get()
	intent.RequiredOutcomes = []string{"first", ""}
	b.Intent = monitoring.Value(intent)
	require.NoError(t, b.Validate(), "an item may have moved")
	intent.RequiredOutcomes = []string{"", ""}
	b.Intent = monitoring.Value(intent)
	require.ErrorContains(t, b.Validate(), "intent.requiredOutcomes[1]")
}

func TestTheUpdateOfAGroupHasNoSSLCertificates(t *testing.T) {
	u := readGroup(t, `{"name":"n","alertSettings":{"sslCertificates":{"enabled":true,"alertThreshold":30},"reminders":{"amount":1.0}}}`).ToUpdate()
	require.Equal(t, `{"name":"n","alertSettings":{"reminders":{"amount":1.0}}}`, bodyOf(t, u))
	require.Empty(t, u.Diff())
}

func TestAChangeOfWhatAValueWasReadFromDoesNotChangeIt(t *testing.T) {
	const doc = `{"name":"n","tags":["a","b"],"localSetupScript":null}`
	_, _, client := groupOf(t, doc)
	var response monitoring.Response
	g, err := client.CheckGroups.Get(t.Context(), 7, monitoring.WithResponse(&response))
	require.NoError(t, err)
	copy(response.Body, strings.Repeat(" ", len(response.Body)))
	c := *g
	require.NoError(t, json.Unmarshal([]byte(`{"name":"other","tags":["x","y"]}`), &c))
	require.Equal(t, doc, bodyOf(t, g.ToUpdate()))
	require.Equal(t, monitoring.Null[string](), g.ToUpdate().LocalSetupScript)
	require.Equal(t, `{"name":"other","tags":["x","y"]}`, bodyOf(t, c.ToUpdate()))
}

func TestAnUpdateLeavesOutNoMemberThatItKnows(t *testing.T) {
	u := monitoring.CheckGroup{Name: "n", Concurrency: 2, Tags: []string{"a"}, APICheckDefaults: monitoring.APICheckDefaults{URL: monitoring.Value("u")}}.ToUpdate()
	require.JSONEq(t, `{"name":"n","tags":["a"],"apiCheckDefaults":{"url":"u"},"concurrency":2}`, bodyOf(t, u), "of a group that was not read")
	require.Empty(t, u.Withheld())
	for i, file := range []string{"get-v1-check-group", "put-v1-checks-browser", "put-v1-checks-api", "put-v1-checks-tcp"} {
		u := updateOf(kinds[i].read(t, []byte(kit.File(t, "testdata/responses/"+file+".all-members.json"))))
		require.Empty(t, u.Withheld(), "members that only responses have do not count")
		require.Empty(t, u.Diff(), file)
	}
}

// Each is sent as it was read beside a change, which decoding it does not represent.
func TestNoByteIsHarmedByAChangeBesideIt(t *testing.T) {
	for _, member := range []string{
		`"tags":["\ud800",null,"\u0061","NEW"]`, "\"tags\":[\"\xff\",\"NEW\"]", `"concurrency":2.0,"tags":["NEW"]`,
		`"environmentVariables":[null,{"key":"A","value":"\udfff"},{"KEY":"B","Value":"b","value":"c"},{"k\u0065y":"C","value":{"a":0},"locked":null,"x":1.50}],"tags":["NEW"]`,
		`"alertSettings":{"reminders":{"amount":0.0},"Reminders":null,"x":"\ud83d"},"tags":["NEW"]`, `"retryStrategy":{"type":"FIXED","onlyOn":["\ud800"]},"tags":["NEW"]`,
	} {
		g := readGroup(t, `{"id":7,"name":"n",`+strings.Replace(member, `"NEW"`, `"OLD"`, 1)+`}`)
		u := g.ToUpdate()
		u.Tags[len(u.Tags)-1] = "NEW"
		for _, part := range strings.SplitAfter(member, "]") {
			require.Contains(t, bodyOf(t, u), strings.Trim(strings.TrimSuffix(part, `,"tags":["NEW"]`), ","))
		}
		require.Len(t, u.Diff(), 1)
	}
	g := readGroup(t, `{"id":7,"NAME":"n","n\u0061me":"m","MUTED":true,"Tags":["a"]}`)
	require.Equal(t, "m", g.Name, "the exact name counts")
	require.Equal(t, `{"name":"m","muted":true,"tags":["a"]}`, bodyOf(t, g.ToUpdate()), "in another case they are sent by their names")
}
