package updates_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestABodyMemberThatCannotBeSetIsAnError(t *testing.T) {
	g, s, client := groupOf(t, withheldGroup)
	update := func(name string, value any) error {
		return kit.Second(client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), monitoring.WithBodyMember(name, value)))
	}
	for _, path := range []string{"", ".", "a.", ".a", "a..b", "a\nb", strings.Repeat("x", 501)} {
		require.ErrorContains(t, update(path, 1), "want member names separated by dots", "%q", path)
	}
	require.EqualError(t, update("tags.0", 1), "monitoring: PUT /v2/check-groups/{id}: encode the body: body member tags.0: tags is not an object: set it as a whole")
	require.ErrorContains(t, update("x", make(chan int)), "body member x: json: unsupported type")
	require.Equal(t, []string{"x.value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, refused(t, s, update("x", monitoring.EnvironmentVariable{Key: "K"})))
	for path, value := range map[string]any{"environmentVariables": []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "b")}, "apiCheckDefaults.url": "u"} {
		require.Contains(t, refused(t, s, update(path, value))[0], "would overwrite what the service withholds")
	}
	require.NoError(t, update("environmentVariables", nil), "null is explicit")
	require.NoError(t, update(strings.Repeat("x", 500), 1))
	require.EqualError(t, kit.Second(client.CheckGroups.Get(t.Context(), 7, monitoring.WithBodyMember("a", 1))), "monitoring: GET /v1/check-groups/{id}: WithBodyMember: the request has no body")
	require.ErrorContains(t, kit.Second(monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, []int{1}, monitoring.WithBodyMember("a", 1))), "the body is not a JSON object")
	_, err := monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, json.RawMessage(`{"a":{"c":1.0}}`), monitoring.WithBodyMember("a.b", monitoring.NewSecret("<x&y>\u2028é")),
		monitoring.WithBodyMember("d&.e", 1), monitoring.WithBodyMember("d&.e", map[string]any{"<f>": monitoring.NewSecretJSON(json.RawMessage(`["<&>"]`))}))
	require.Equal(t, `{"a":{"c":1.0,"b":"<x&y>`+"\u2028"+`é"},"d&":{"e":{"<f>":["<&>"]}}}`, sentBy(t, s, err), "only what JSON must escape is escaped")
}

func TestAnErrorDoesNotQuoteASecretOfAnUpdate(t *testing.T) {
	client, _ := kit.Recorded(t, 400, `{"message":"`+testkit.Canary+` is wrong"}`)
	u := readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"K","value":"`+testkit.Canary+`"}]}`).ToUpdate()
	for _, err := range []error{
		kit.Second(client.CheckGroups.Update(t.Context(), 7, u)),
		kit.Second(client.CheckGroups.Update(t.Context(), 7, monitoring.CheckGroupUpdate{Name: "n"}, monitoring.WithBodyMember("token", monitoring.NewSecret(testkit.Canary)))),
	} {
		require.ErrorIs(t, err, monitoring.ErrBadRequest)
		require.NotContains(t, err.Error(), testkit.Canary)
	}
}

func TestABodyMemberCannotRemoveTheFiltersOfATrigger(t *testing.T) {
	filtered := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}, CheckIDs: []string{kit.UUID1}}}
	set := func(name string, value any) []monitoring.CallOption {
		return []monitoring.CallOption{monitoring.WithBodyMember(name, value)}
	}
	noTags, noIDs := set("target.matchTags", nil), set("target.checkId", []string{})
	for name, c := range map[string]struct {
		request monitoring.TriggerRequest
		opts    []monitoring.CallOption
		refused string // the path of what is refused
	}{
		"null for the target":         {filtered, set("target", nil), "target"},
		"a target with an empty text": {filtered, set("target", map[string]any{"matchTags": ""}), "target"},
		"no filter is left":           {filtered, append(noTags, noIDs...), "target"},
		"one filter is left":          {filtered, noTags, ""},
		"a group without tags":        {filtered, set("target.matchTags", [][]string{{"a"}, {}}), "target.matchTags[1]"},
		"an item that is null":        {filtered, set("target.checkId", []any{nil}), "target.checkId[0]"},
		"other filters":               {filtered, set("target", map[string]any{"newFilter": []string{"x"}}), ""},
		"all checks are meant":        {monitoring.TriggerRequest{AllChecks: true}, set("target", nil), ""},
	} {
		client, sent := kit.Recorded(t, http.StatusCreated, `{"sessions":[{"checkSessionId":"s"}]}`)
		for _, opts := range [][]monitoring.CallOption{c.opts, append(slices.Clip(c.opts), monitoring.WithoutValidation())} {
			err := kit.Second(client.CheckSessions.Trigger(t.Context(), c.request, opts...))
			if c.refused == "" {
				require.NoError(t, err, name)
				continue
			}
			violations := kit.ErrAs[*monitoring.ValidationError](t, err).Violations
			require.Len(t, violations, 1, name)
			require.Equal(t, c.refused, violations[0].Path, name)
			require.Empty(t, sent.Sent, name)
		}
	}
}

func TestABodyMemberReplacesOnlyWhatIsAtItsPath(t *testing.T) {
	g := readGroup(t, `{"id":1,"name":"n","muted":true}`)
	unset := g.ToUpdate()
	unset.Muted = nil
	for member, update := range map[string]monitoring.CheckGroupUpdate{
		"muted":                unset,
		"environmentVariables": {Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "withheld"}}},
	} {
		for name, replaced := range map[string]bool{member: true, member[:len(member)-1]: false, member + "Too": false} {
			client, sent := kit.Recorded(t, http.StatusOK, `{"id":1,"name":"n"}`)
			err := kit.Second(client.CheckGroups.Update(t.Context(), 1, update, monitoring.WithBodyMember("x", 1), monitoring.WithBodyMember(name, []string{})))
			require.Equal(t, replaced, len(sent.Sent) == 1, name)
			require.Equal(t, !replaced, errors.As(err, new(*monitoring.ValidationError)), "%s: %v", name, err)
		}
	}
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
