package updates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAFieldThatWasUnsetIsSentAsNullOrEmptyOrRefused(t *testing.T) {
	c, s, client := browserOf(t, `{"name":"n","activated":true,"frequency":5,"description":"d","tags":["a"],"alertSettings":{},"environmentVariables":[{"key":"K","value":"v"}]}`)
	u := c.ToUpdate()
	u.Activated, u.Frequency, u.AlertSettings = nil, nil, nil
	err := kit.Second(client.Checks.UpdateBrowser(t.Context(), "b", u, monitoring.WithoutValidation()))
	const cannot = ": cannot be unset: the service has no null for it; set a value, or leave it as it was read"
	require.ElementsMatch(t, []string{"activated" + cannot, "frequency" + cannot, "alertSettings" + cannot}, refused(t, s, err))

	c.Description, c.Muted, c.Tags, c.EnvironmentVariables = nil, nil, nil, nil // unset in the response; muted was absent already
	_, err = client.Checks.UpdateBrowser(t.Context(), "b", c.ToUpdate())
	require.JSONEq(t, `{"name":"n","activated":true,"tags":[],"alertSettings":{},"description":null,"frequency":5,"environmentVariables":[]}`, sentBy(t, s, err))
}

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

	c, _, _ := browserOf(t, `{"name":"n","intent":{"goal":"g","requiredOutcomes":[""]}}`)
	b := c.ToUpdate()
	intent, _ := b.Intent.Get()
	intent.RequiredOutcomes = []string{"first", ""}
	b.Intent = monitoring.Value(intent)
	require.NoError(t, b.Validate(), "an item may have moved")
	intent.RequiredOutcomes = []string{"", ""}
	b.Intent = monitoring.Value(intent)
	require.ErrorContains(t, b.Validate(), "intent.requiredOutcomes[1]")
}

func TestUnknownMembersAreWrittenBackWithTheirObject(t *testing.T) {
	g, s, client := groupOf(t, `{"name":"n","futureTop":1,"apiCheckDefaults":{"future":[1.50],"headers":[{"key":"a","value":"1","f":1},{"key":"b","value":"2","f":2}]},`+
		`"alertSettings":{"future":null,"reminders":{"amount":1,"future":{"x":[]}}},"retryStrategy":{"type":"FIXED","future":true,"onlyOn":"NETWORK_ERROR"}}`)
	u := g.ToUpdate()
	h := u.APICheckDefaults.Headers
	u.APICheckDefaults.Headers = []monitoring.KeyValue{h[1], {Key: "c", Value: monitoring.NewSecret("3")}, h[0]}
	u.AlertSettings = monitoring.Value(*g.AlertSettings)
	g.AlertSettings.Reminders.Amount = new(5)
	u.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed})
	_, err := client.CheckGroups.Update(t.Context(), 7, u)
	require.Equal(t, `{"name":"n","apiCheckDefaults":{"future":[1.50],"headers":[{"key":"b","value":"2","f":2},{"key":"c","value":"3"},{"key":"a","value":"1","f":1}]},`+
		`"alertSettings":{"future":null,"reminders":{"amount":5,"future":{"x":[]}}},"retryStrategy":{"type":"FIXED"}}`, sentBy(t, s, err))
}

func TestTheUpdateOfAGroupHasNoSSLCertificates(t *testing.T) {
	u := readGroup(t, `{"name":"n","alertSettings":{"sslCertificates":{"enabled":true,"alertThreshold":30},"reminders":{"amount":1.0}}}`).ToUpdate()
	require.Equal(t, `{"name":"n","alertSettings":{"reminders":{"amount":1.0}}}`, bodyOf(t, u))
	require.Empty(t, u.Diff())
}

func TestOnlyObjectsWithUnknownMembersKeepTheirJSON(t *testing.T) {
	g, _, _ := groupOf(t, `{"name":"n","apiCheckDefaults":{"headers":[{"key":"a","value":"1"},{"key":"b","value":"2","future":1}],"basicAuth":{"username":"u","password":"p"}},"alertSettings":{"reminders":{"amount":1}}}`)
	require.True(t, g.APICheckDefaults.Headers[0] == monitoring.KeyValue{Key: "a", Value: monitoring.NewSecret("1")})
	require.False(t, g.APICheckDefaults.Headers[1] == monitoring.KeyValue{Key: "b", Value: monitoring.NewSecret("2")})
	require.Equal(t, &monitoring.AlertSettings{Reminders: &monitoring.Reminders{Amount: new(1)}}, g.AlertSettings)
	require.Equal(t, monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")}), g.APICheckDefaults.BasicAuth)
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

func TestAChangeOfOneUpdateDoesNotChangeAnother(t *testing.T) {
	g := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members")
	before := kit.ToJSON(t, g)
	first, second := g.ToUpdate(), g.ToUpdate()
	want := kit.ToJSON(t, second)
	first.Tags[0] = "x"
	first.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("x")
	settings, _ := first.AlertSettings.Get()
	settings.Reminders.Amount = new(99)
	require.Equal(t, want, kit.ToJSON(t, second))
	require.Equal(t, before, kit.ToJSON(t, g))
}

func TestAnObjectThatWasNotReadSendsItsSetFields(t *testing.T) {
	for want, update := range map[string]any{
		`{"name":"n"}`: monitoring.CheckGroup{Name: "n"}.ToUpdate(),
		`{"name":"n","tags":["a"],"apiCheckDefaults":{"url":"u"},"concurrency":2}`: monitoring.CheckGroup{Name: "n", Concurrency: 2, Tags: []string{"a"}, APICheckDefaults: monitoring.APICheckDefaults{URL: monitoring.Value("u")}}.ToUpdate(),
		`{"script":"s"}`: monitoring.BrowserCheck{BrowserForm: monitoring.BrowserForm{Script: new("s")}}.ToUpdate(),
	} {
		require.JSONEq(t, want, kit.ToJSON(t, update))
	}
	g := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members")
	g.Activated, g.Muted, g.BrowserCheckDefaults = false, new(false), new("")
	for _, zero := range []string{`"activated":false`, `"muted":false`, `"browserCheckDefaults":""`} {
		require.Contains(t, bodyOf(t, g.ToUpdate()), zero, "a field that is set to zero after reading")
	}
	g = kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.fallback")
	require.Equal(t, `"FALLBACK"`, kit.ToJSON(t, g.RetryStrategy))
	g.RetryStrategy.Type, g.RetryStrategy.MaxRetries = monitoring.RetryStrategyFixed, new(2)
	require.Equal(t, `{"type":"FIXED","maxRetries":2}`, kit.ToJSON(t, g.RetryStrategy), "only FALLBACK is sent as a string")
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
		client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n"}`)
		_, err := client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation())
		require.NoError(t, err)
		for _, part := range strings.SplitAfter(member, "]") {
			require.Contains(t, sent.Sent[0].Body, strings.Trim(strings.TrimSuffix(part, `,"tags":["NEW"]`), ","))
		}
		require.Len(t, u.Diff(), 1)
	}
	g := readGroup(t, `{"id":7,"NAME":"n","n\u0061me":"m","MUTED":true,"Tags":["a"]}`)
	require.Equal(t, "m", g.Name, "the exact name counts")
	require.Equal(t, `{"name":"m","muted":true,"tags":["a"]}`, bodyOf(t, g.ToUpdate()), "in another case they are sent by their names")
}
