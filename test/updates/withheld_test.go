package updates_test

import (
	"cmp"
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

const someWithheld = "environmentVariables: would overwrite secrets that the service withholds (TOKEN, PIN)"

func TestAWithheldSecretIsNeverOverwritten(t *testing.T) {
	type update = monitoring.CheckGroup
	for name, c := range map[string]struct {
		change  func(*update)
		refused string // a part of a broken rule
		sent    string // or of the body
	}{
		"one of two secrets": {change: func(u *update) { u.EnvironmentVariables[2].Value = monitoring.NewSecret("p") }, refused: "withholds (TOKEN)"},
		"a variable more":    {change: func(u *update) { u.EnvironmentVariables = append(u.EnvironmentVariables, u.EnvironmentVariables[0]) }, refused: someWithheld},
		"no list":            {change: func(u *update) { u.EnvironmentVariables = nil }, refused: someWithheld},
		"an empty list":      {change: func(u *update) { u.EnvironmentVariables = []monitoring.EnvironmentVariable{} }, sent: `"environmentVariables":[]`},
		"an address":         {change: func(u *update) { u.APICheckDefaults.URL = monitoring.Value("u") }, refused: "apiCheckDefaults.headers: would overwrite secrets that the service withholds (X-Key)"},
		"no parameters":      {change: func(u *update) { u.APICheckDefaults.QueryParameters = nil }, refused: "apiCheckDefaults.queryParameters: would overwrite secrets that the service withholds (q)"},
		"no defaults":        {change: func(u *update) { u.APICheckDefaults = nil }, refused: "apiCheckDefaults: cannot be unset"},
		"all of the defaults": {change: func(u *update) {
			d := u.APICheckDefaults
			d.Headers[0].Value, d.QueryParameters = monitoring.NewSecret("h"), []monitoring.KeyValue{}
			d.BasicAuth = monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")})
		}, sent: `"queryParameters":[],"headers":[{"key":"X-Key","value":"h","locked":true}],"basicAuth":{"username":"u","password":"p"}`},
	} {
		g, s, client := groupOf(t, strings.Replace(withheldGroup, `"headers":[`, `"queryParameters":[{"key":"q","locked":true}],"headers":[`, 1))
		u := g.Clone()
		c.change(u)
		_, err := client.CheckGroups.Update(t.Context(), u, monitoring.WithoutValidation())
		if c.refused != "" {
			require.Contains(t, strings.Join(refused(t, s, err), "\n"), c.refused, name)
		} else {
			require.Contains(t, sentBy(t, s, err), c.sent, name)
		}
	}
}

func TestAVariableIsSetOrRemovedWhereTheServiceWithholdsOthers(t *testing.T) {
	token, pin := monitoring.EnvironmentVariable{Key: "TOKEN", Value: monitoring.NewSecret("x")}, monitoring.EnvironmentVariable{Key: "PIN", Value: monitoring.NewSecret("x")}
	const inTheWay = `: the service withholds TOKEN, PIN, and an update replaces the whole list: first give each a value with SetVariable, or remove it with RemoveVariable`
	type u = monitoring.CheckGroup
	for name, c := range map[string]struct {
		edit func(*u) error
		want string // the list that is sent, or an error
	}{
		"both are given":   {func(u *u) error { return errors.Join(u.SetVariable(token), u.SetVariable(pin)) }, `{"key":"A","value":"a"},{"key":"TOKEN","secret":true,"value":"x"},{"key":"PIN","secret":true,"value":"x"}]`},
		"both are removed": {func(u *u) error { return errors.Join(u.RemoveVariable("TOKEN"), u.RemoveVariable("PIN")) }, `"environmentVariables":[{"key":"A","value":"a"}]`},
		"one is given, one goes": {func(u *u) error {
			return errors.Join(u.SetVariable(pin), u.RemoveVariable("TOKEN"), u.RemoveVariable("A"))
		}, `"environmentVariables":[{"key":"PIN","secret":true,"value":"x"}]`},
		"the last one goes": {func(u *u) error {
			return errors.Join(u.RemoveVariable("TOKEN"), u.RemoveVariable("PIN"), u.RemoveVariable("A"))
		}, `"environmentVariables":[]`},
		"another one is set":       {func(u *u) error { return u.SetVariable(monitoring.NewEnvironmentVariable("A", "b")) }, `set variable "A"` + inTheWay},
		"another one is removed":   {func(u *u) error { return u.RemoveVariable("A") }, `remove variable "A"` + inTheWay},
		"one is removed in a loop": {func(u *u) error { u.EnvironmentVariables = u.EnvironmentVariables[:2]; return u.SetVariable(token) }, "would overwrite secrets that the service withholds (PIN): give each a value with SetVariable, remove it with RemoveVariable, or leave environmentVariables as it was read"},
		"without a value": {func(u *u) error {
			return u.SetVariable(monitoring.EnvironmentVariable{Key: "TOKEN", Value: monitoring.NewSecret("")})
		}, `set variable "TOKEN": no value`},
		"without a key":               {func(u *u) error { return u.SetVariable(monitoring.EnvironmentVariable{}) }, "the key is empty"},
		"of a list that is not known": {func(u *u) error { *u = monitoring.CheckGroup{ID: 7, Name: "n"}; return u.SetVariable(token) }, "the check group was read without its variables"},
	} {
		_, s, client := groupOf(t, withheldGroup)
		_, err := client.CheckGroups.Edit(t.Context(), 7, c.edit)
		if strings.Contains(c.want, `"key"`) || strings.HasSuffix(c.want, "[]") {
			require.Contains(t, sentBy(t, s, err), c.want, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
		require.Zero(t, s.updates, name)
	}
	b := kit.Returned[monitoring.Check](`{"id":"c","checkType":"BROWSER"}`)
	require.Error(t, b.SetVariable(token), "the list was not read")
	require.NoError(t, b.RemoveVariable("TOKEN"), "there is none")
	require.Nil(t, b.Browser.EnvironmentVariables)
}

func TestASetVariableKeepsWhatIsNotSet(t *testing.T) {
	g, s, client := groupOf(t, `{"id":7,"name":"n","environmentVariables":[{"key":"A","value":"a","locked":true,"new":1},{"key":"A","value":"second"}]}`)
	u := g.Clone()
	require.NoError(t, u.SetVariable(monitoring.NewEnvironmentVariable("A", "b")))
	require.NoError(t, u.SetVariable(monitoring.EnvironmentVariable{Key: "B", Value: monitoring.NewSecret("b"), Secret: new(true)}))
	require.Equal(t, "a", g.EnvironmentVariables[0].Value.Reveal(), "the group is not changed")
	other := *u
	require.NoError(t, other.SetVariable(monitoring.NewEnvironmentVariable("A", "c")))
	require.Equal(t, "b", u.EnvironmentVariables[0].Value.Reveal(), "a copy of the group may become another one")
	_, err := client.CheckGroups.Update(t.Context(), u)
	require.Contains(t, sentBy(t, s, err), `[{"key":"A","value":"b","locked":true,"new":1},{"key":"A","value":"second"},{"key":"B","value":"b","secret":true}]`)
}

func TestACompleteUpdateLeavesNothingOut(t *testing.T) {
	const doc, why = `{"id":7,"name":"n","first":{"a":1},"second":[2],"environmentVariables":[{"key":"K","value":null}]}`, ": would be omitted, because this package does not know it: send it with WithBodyField"
	const withheld = "environmentVariables: would be omitted, because the service withholds a secret in it: give each a value with NewSecret"
	set := monitoring.WithBodyField
	for name, c := range map[string]struct {
		opts    []monitoring.CallOption
		refused []string
		sent    string
	}{
		"one is sent":        {[]monitoring.CallOption{set("second", []int{3}), set("third", 1)}, []string{withheld, "first" + why}, ""},
		"all are sent":       {[]monitoring.CallOption{set("second", nil), set("first.a", 2), set("environmentVariables", []string{})}, nil, `{"name":"m","second":null,"first":{"a":2},"environmentVariables":[]}`},
		"without validation": {[]monitoring.CallOption{monitoring.WithoutValidation()}, []string{withheld, "first" + why, "second" + why}, ""},
	} {
		_, s, client := groupOf(t, doc)
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { u.Name = "m"; return nil }, append(c.opts, monitoring.WithStrictUpdates())...)
		if c.refused != nil {
			require.Equal(t, c.refused, refused(t, s, err), name)
		} else {
			require.JSONEq(t, c.sent, sentBy(t, s, err), name)
		}
	}
}

func TestAResetOfWhatWasLeftOutIsAnError(t *testing.T) {
	const list = `"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true}]`
	before := readGroup(t, `{"id":7,"name":"n","new":[1],`+list+`}`)
	before.Muted = new(true)
	for answer, want := range map[string]string{
		`{"id":7,"muted":true,"new":[2],` + list + `}`:               "",
		`{"name":"no answer about the group"}`:                       "",
		`{"id":7,"muted":true,"new":[],"environmentVariables":[]}`:   "environmentVariables, new",
		`{"id":7,"muted":true,"environmentVariables":[{"key":"A"}]}`: "environmentVariables",
	} {
		client, _ := kit.Recorded(t, 200, answer)
		g, err := client.CheckGroups.Update(t.Context(), before.Clone())
		require.NotNil(t, g)
		if want == "" {
			require.NoError(t, err, answer)
			continue
		}
		reset := kit.ErrAs[*monitoring.WithheldResetError](t, err)
		require.Equal(t, want, strings.Join(reset.Reset, ", "), answer)
		require.True(t, reset.Object == g, "the group that came back")
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/7: the update succeeded, but the service deleted what it omitted ("+want+"): set it again, and use WithStrictUpdates with this service")
	}
	client, _ := kit.Recorded(t, 200, `{"id":7,"muted":true}`)
	_, err := client.CheckGroups.Update(t.Context(), before.Clone(), monitoring.WithBodyField("environmentVariables", []any{}))
	require.NoError(t, err, "it was not left out")
}

// A member of an odd form needs the slow path of decoding.
func TestASecretVariableWithAnEmptyValueIsWithheld(t *testing.T) {
	for form, withheld := range map[string]bool{
		`{ "secret" : true , "locked":true, "value" : "" ,"x":[1]}`: true,
		`{"key":"K","value":"x","value":"","secret":true}`:          true,
		`{"key":"K","value":"","secret":null}`:                      false,
		`{"key":"K","value":" ","secret":true}`:                     false,
		`{"secret":true,"key":"","value":0}`:                        false,
	} {
		list := `[{"key":"first","value":""},` + form + `]`
		client, _ := kit.Recorded(t, 200, list)
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.NoError(t, err)
		read := map[string][]monitoring.EnvironmentVariable{"the list of variables": page.Items}
		for _, tags := range []string{`["a"]`, `"a"`} {
			var check monitoring.Check
			require.NoError(t, json.Unmarshal([]byte(`{"id":"c","checkType":"MULTI_STEP","name":"n","tags":`+tags+`,"environmentVariables":`+list+`}`), &check))
			read["a check with the tags "+tags] = check.MultiStep.EnvironmentVariables
		}
		for where, variables := range read {
			require.Equal(t, monitoring.NewSecret(""), variables[0].Value, where)
			require.Equal(t, withheld, variables[1].Value.IsWithheld(), "%s in %s", form, where)
		}
	}
	client, _ := kit.Recorded(t, 200, `[{"key":"K","value":""},5]`)
	require.ErrorContains(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{})), "decode $[1]: want an object, got a number")
}

// emptySecretGroup is a group of a service that shows withheld values as empty texts.
const emptySecretGroup = `{"id":7,"name":"Shop","concurrency":3,"environmentVariables":[{"key":"PLAIN","value":"","secret":false},{"secret":true,"value":"","key":"TOKEN"},{"key":"PIN","value":"","secret":true,"x":1}]}`

func TestAnEmptySecretThatWasReadIsNeverWrittenBack(t *testing.T) {
	g, s, client := groupOf(t, emptySecretGroup)
	for _, write := range []func(any) ([]byte, error){monitoring.MarshalWithSecrets, json.Marshal} {
		data, err := write(g)
		require.NoError(t, err)
		require.NotContains(t, string(data), `"value":"","secret":true`, "a withheld secret is null in every snapshot")
		require.True(t, again(t, g, write).EnvironmentVariables[1].Value.IsWithheld())
	}
	u := g.Clone()
	require.Equal(t, []string{"environmentVariables"}, leftOut(u))
	require.Empty(t, u.Diff())
	u.Concurrency = new(5)
	_, err := client.CheckGroups.Update(t.Context(), u)
	require.Equal(t, `{"name":"Shop","concurrency":5}`, sentBy(t, s, err))

	s.updates = 0
	list := monitoring.WithBodyField("environmentVariables", []map[string]any{{"key": "TOKEN", "value": "", "secret": true}, {"key": "PIN", "value": "", "secret": true}})
	_, err = client.CheckGroups.Update(t.Context(), g.Clone(), list, monitoring.WithoutValidation())
	require.Equal(t, []string{someWithheld + ": give each a value with SetVariable, remove it with RemoveVariable, or leave environmentVariables as it was read"}, refused(t, s, err))

	for i := range g.EnvironmentVariables[1:] {
		g.EnvironmentVariables[1+i].Value = monitoring.NewSecret("t")
	}
	u = g.Clone()
	require.Empty(t, leftOut(u))
	require.Equal(t, "environmentVariables[1].value (TOKEN): a withheld secret is set", u.Diff()[0].String())
	_, err = client.CheckGroups.Update(t.Context(), u)
	require.JSONEq(t, `{"name":"Shop","concurrency":3,"environmentVariables":[{"key":"PLAIN","value":"","secret":false},{"secret":true,"value":"t","key":"TOKEN"},{"key":"PIN","value":"t","secret":true,"x":1}]}`, sentBy(t, s, err))
}

// groupWith returns a group whose variables were set.
func groupWith(variables []monitoring.EnvironmentVariable) *monitoring.CheckGroup {
	group := kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n","environmentVariables":[]}`)
	group.EnvironmentVariables = variables
	return group
}

func TestARequestCannotSetASecretVariableToTheEmptyText(t *testing.T) {
	for secret, allowed := range map[*bool]bool{nil: true, new(false): true, new(true): false} {
		list := []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "a"), {Key: "K", Value: monitoring.NewSecret(""), Secret: secret}}
		for path, call := range map[string]func(*monitoring.Client) error{
			"environmentVariables[1]": func(c *monitoring.Client) error {
				return kit.Second(c.CheckGroups.Update(t.Context(), groupWith(list)))
			},
			"x[1]": func(c *monitoring.Client) error {
				return kit.Second(c.Checks.Update(t.Context(), &monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeGRPC}, monitoring.WithBodyField("x", list)))
			},
			"v": func(c *monitoring.Client) error {
				return kit.Second(monitoring.Do[struct{}](t.Context(), c, "POST", "/v1/things", nil, map[string]any{"v": &list[1]}))
			},
		} {
			id := map[string]string{"x[1]": `"x"`}[path]
			client, sent := kit.Recorded(t, 200, `{"id":`+cmp.Or(id, "7")+`}`, monitoring.WithoutValidation())
			if err := call(client); allowed {
				require.NoError(t, err, path)
				require.Contains(t, sent.Sent[0].Body, `"key":"K","value":""`, path)
			} else {
				require.Equal(t, []string{path + ".value: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"}, kit.BrokenRules(t, err))
				require.Empty(t, sent.Sent, path)
			}
		}
	}
}

func TestABodyMemberThatCannotBeSetIsAnError(t *testing.T) {
	g, s, client := groupOf(t, withheldGroup)
	update := func(name string, value any) error {
		return kit.Second(client.CheckGroups.Update(t.Context(), g.Clone(), monitoring.WithBodyField(name, value)))
	}
	for _, path := range []string{"", ".", "a.", ".a", "a..b", "a\nb", strings.Repeat("x", 501)} {
		require.ErrorContains(t, update(path, 1), "want names separated by dots", "%q", path)
	}
	require.EqualError(t, update("tags.0", 1), "monitoring: PUT /v2/check-groups/{id}: encode the body: WithBodyField tags.0: tags is not an object: set it as a whole")
	require.ErrorContains(t, update("x", make(chan int)), "WithBodyField x: json: unsupported type")
	require.Equal(t, []string{"x.value: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"}, refused(t, s, update("x", monitoring.EnvironmentVariable{Key: "K"})))
	for path, value := range map[string]any{"environmentVariables": []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "b")}, "apiCheckDefaults.url": "u"} {
		require.Contains(t, refused(t, s, update(path, value))[0], "would overwrite secrets that the service withholds")
	}
	kit.ErrAs[*monitoring.UpdateIgnoredError](t, update("environmentVariables", nil)) // it is sent, and this service ignores it
	require.NoError(t, update(strings.Repeat("x", 500), 1))
	require.EqualError(t, kit.Second(client.CheckGroups.Get(t.Context(), 7, monitoring.WithBodyField("a", 1))), "monitoring: GET /v1/check-groups/{id}: WithBodyField: the request has no body")
	require.ErrorContains(t, kit.Second(monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, []int{1}, monitoring.WithBodyField("a", 1))), "WithBodyField a: what it would be set in is not a JSON object")
	_, err := monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, json.RawMessage(`{"a":{"c":1.0}}`), monitoring.WithBodyField("a.b", monitoring.NewSecret("<x&y>\u2028é")),
		monitoring.WithBodyField("d&.e", 1), monitoring.WithBodyField("d&.e", map[string]any{"<f>": monitoring.NewSecretJSON(json.RawMessage(`["<&>"]`))}))
	require.Equal(t, `{"a":{"c":1.0,"b":"<x&y>`+"\u2028"+`é"},"d&":{"e":{"<f>":["<&>"]}}}`, sentBy(t, s, err), "only what JSON must escape is escaped")
}

func TestAnErrorDoesNotQuoteASecretOfAnUpdate(t *testing.T) {
	client, _ := kit.Recorded(t, 400, `{"message":"`+testkit.Canary+` is wrong"}`)
	u := readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"K","value":"`+testkit.Canary+`"}]}`)
	u.Name = "m"
	for _, err := range []error{
		kit.Second(client.CheckGroups.Update(t.Context(), u)),
		kit.Second(client.CheckGroups.Update(t.Context(), readGroup(t, `{"id":7,"name":"n"}`), monitoring.WithBodyField("token", monitoring.NewSecret(testkit.Canary)))),
	} {
		require.ErrorIs(t, err, monitoring.ErrBadRequest)
		require.NotContains(t, err.Error(), testkit.Canary)
	}
	channel := monitoring.SlackChannel(monitoring.NewSecret(testkit.Canary), "#ops")
	require.NotContains(t, kit.Second(client.AlertChannels.Create(t.Context(), channel)).Error(), testkit.Canary, "a text in a config")
}

func TestABodyMemberCannotRemoveTheFiltersOfATrigger(t *testing.T) {
	filtered := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}, CheckIDs: []string{kit.UUID1}}}
	set := func(name string, value any) []monitoring.CallOption {
		return []monitoring.CallOption{monitoring.WithBodyField(name, value)}
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
		test := monitoring.TestSessionTrigger{Name: "n", RunLocation: "eu-west-1", AllChecks: c.request.AllChecks,
			Target: monitoring.TestSessionTarget{MatchTags: c.request.Target.MatchTags, CheckIDs: c.request.Target.CheckIDs}}
		client, sent = kit.Recorded(t, http.StatusOK, `{"testSessionId":"`+kit.UUID1+`","status":"RUNNING"}`)
		err := kit.Second(client.TestSessions.Trigger(t.Context(), test, c.opts...))
		require.Equal(t, c.refused == "", err == nil, "%s of a test session: %v", name, err)
		require.Equal(t, c.refused == "", len(sent.Sent) == 1, name)
	}
}

func TestABodyMemberReplacesOnlyWhatIsAtItsPath(t *testing.T) {
	unset := readGroup(t, `{"id":7,"name":"n","muted":true}`)
	unset.Muted = nil
	for member, update := range map[string]*monitoring.CheckGroup{
		"muted":                unset,
		"environmentVariables": groupWith([]monitoring.EnvironmentVariable{{Key: "withheld"}}),
	} {
		for name, replaced := range map[string]bool{member: true, member[:len(member)-1]: false, member + "Too": false} {
			client, sent := kit.Recorded(t, http.StatusOK, `{"id":7,"name":"n"}`)
			err := kit.Second(client.CheckGroups.Update(t.Context(), update, monitoring.WithBodyField("x", 1), monitoring.WithBodyField(name, []string{})))
			require.Equal(t, replaced, len(sent.Sent) == 1, name)
			require.Equal(t, !replaced, errors.As(err, new(*monitoring.ValidationError)), "%s: %v", name, err)
		}
	}
}

func TestValuesThatTheServiceReturnedAreNotRefused(t *testing.T) {
	many := `[{"key":"","value":"v"}` + strings.Repeat(`,{"key":"K","value":"v"}`, 250) + `]`
	group := `{"id":7,"name":"n","concurrency":0,"retryStrategy":{"type":"SINGLE_RETRY","maxRetries":3},"alertSettings":{"reminders":{"amount":77}},"environmentVariables":` + many + `}`
	g, s, client := groupOf(t, group)
	u := g.Clone()
	u.Tags = []string{"new"}
	_, err := client.CheckGroups.Update(t.Context(), u)
	require.Contains(t, sentBy(t, s, err), `"tags":["new"]`)

	s.updates = 0
	u = g.Clone()
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Interval = new(3) // other members break rules, but were read like this
	u.AlertSettings = monitoring.Value(settings)
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("", "v"))
	err = kit.Second(client.CheckGroups.Update(t.Context(), u))
	require.Equal(t, []string{"environmentVariables: 252 variables are over 200"}, refused(t, s, err), "only the rules that the caller broke are listed")

	b := kit.Returned[monitoring.Check](`{"id":"c","checkType":"BROWSER","name":"n","intent":{"goal":"g","requiredOutcomes":[""]}}`)
	intent, _ := b.Intent.Get()
	intent.RequiredOutcomes = []string{"first", ""}
	b.Intent = monitoring.Value(intent)
	require.NoError(t, b.Validate(), "an item may have moved")
	intent.RequiredOutcomes = []string{"", ""}
	b.Intent = monitoring.Value(intent)
	require.ErrorContains(t, b.Validate(), "intent.requiredOutcomes[1]")
}

func TestTheUpdateOfAGroupHasNoSSLCertificates(t *testing.T) {
	u := readGroup(t, `{"id":7,"name":"n","alertSettings":{"sslCertificates":{"enabled":true,"alertThreshold":30},"reminders":{"amount":1.0}}}`)
	require.Equal(t, `{"name":"n","alertSettings":{"reminders":{"amount":1.0}}}`, bodyOf(t, u))
	require.Empty(t, u.Diff())
}

func TestAChangeOfWhatAValueWasReadFromDoesNotChangeIt(t *testing.T) {
	const doc = `{"id":7,"name":"n","tags":["a","b"],"localSetupScript":null}`
	_, _, client := groupOf(t, doc)
	var response monitoring.Response
	g, err := client.CheckGroups.Get(t.Context(), 7, monitoring.WithResponse(&response))
	require.NoError(t, err)
	copy(response.Body, strings.Repeat(" ", len(response.Body)))
	c := *g
	require.NoError(t, json.Unmarshal([]byte(`{"name":"other","tags":["x","y"]}`), &c))
	require.Equal(t, strings.Replace(doc, `"id":7,`, "", 1), bodyOf(t, g))
	require.Equal(t, monitoring.Null[string](), g.LocalSetupScript)
	require.Equal(t, `{"name":"other","tags":["x","y"]}`, kit.ToJSON(t, &c))
}

func TestAnUpdateLeavesOutNoMemberThatItKnows(t *testing.T) {
	for _, k := range kindsOfChecksAndGroups() {
		file := "get-v1-check-group"
		if k.checkType != "" {
			file = "put-v1-checks-" + strings.Split(k.operation, "/")[3]
		}
		all := kit.ParseJSON(t, kit.File(t, "testdata/responses/"+file+".all-members.json")).(map[string]any)
		if k.checkType != "" {
			all["id"], all["checkType"] = kit.UUID1, k.checkType
		}
		u := updateOf(k.read(t, text(all)))
		require.Empty(t, leftOut(u), "members that only responses have do not count")
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
		u := g.Clone()
		u.Tags[len(u.Tags)-1] = "NEW"
		for _, part := range strings.SplitAfter(member, "]") {
			require.Contains(t, bodyOf(t, u), strings.Trim(strings.TrimSuffix(part, `,"tags":["NEW"]`), ","))
		}
		require.Len(t, u.Diff(), 1)
	}
	stored := readGroup(t, `{"id":7,"name":"n","tags":["\ud800","OLD"]}`)
	stored.Tags[1] = "NEW"
	require.Equal(t, `{"id":7,"name":"n","tags":["\ud800","NEW"]}`, kit.ToJSON(t, stored), "a group that is stored, too")
	g := readGroup(t, `{"id":7,"NAME":"n","n\u0061me":"m","MUTED":true,"Tags":["a"]}`)
	require.Equal(t, "m", g.Name, "the exact name counts")
	require.Equal(t, `{"name":"m","muted":true,"tags":["a"]}`, bodyOf(t, g), "in another case they are sent by their names")
}
