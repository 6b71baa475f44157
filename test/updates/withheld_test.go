package updates_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const someWithheld = "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"

func TestAWithheldSecretIsNeverOverwritten(t *testing.T) {
	type update = monitoring.CheckGroupUpdate
	for name, c := range map[string]struct {
		change  func(*update)
		refused string // a part of a broken rule
		sent    string // or of the body
	}{
		"one of two secrets": {change: func(u *update) { u.EnvironmentVariables[2].Value = monitoring.NewSecret("p") }, refused: "withholds (TOKEN)"},
		"a variable more":    {change: func(u *update) { u.EnvironmentVariables = append(u.EnvironmentVariables, u.EnvironmentVariables[0]) }, refused: "environmentVariables[1].value: is withheld"},
		"no list":            {change: func(u *update) { u.EnvironmentVariables = nil }, refused: someWithheld},
		"an empty list":      {change: func(u *update) { u.EnvironmentVariables = []monitoring.EnvironmentVariable{} }, sent: `"environmentVariables":[]`},
		"an address":         {change: func(u *update) { u.APICheckDefaults.URL = monitoring.Value("u") }, refused: "apiCheckDefaults.headers: would overwrite what the service withholds (X-Key)"},
		"no parameters":      {change: func(u *update) { u.APICheckDefaults.QueryParameters = nil }, refused: "apiCheckDefaults.queryParameters: would overwrite what the service withholds (q)"},
		"no defaults":        {change: func(u *update) { u.APICheckDefaults = nil }, refused: "apiCheckDefaults: cannot be unset"},
		"all of the defaults": {change: func(u *update) {
			d := u.APICheckDefaults
			d.Headers[0].Value, d.QueryParameters = monitoring.NewSecret("h"), []monitoring.KeyValue{}
			d.BasicAuth = monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")})
		}, sent: `"headers":[{"key":"X-Key","value":"h","locked":true}],"queryParameters":[],"basicAuth":{"username":"u","password":"p"}`},
	} {
		g, s, client := groupOf(t, strings.Replace(withheldGroup, `"headers":[`, `"queryParameters":[{"key":"q","locked":true}],"headers":[`, 1))
		u := g.ToUpdate()
		c.change(&u)
		_, err := client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation())
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
	type u = monitoring.CheckGroupUpdate
	for name, c := range map[string]struct {
		edit func(*u) error
		want string // the list that is sent, or an error
	}{
		"both are given":   {func(u *u) error { return errors.Join(u.SetVariable(token), u.SetVariable(pin)) }, `{"key":"A","value":"a"},{"key":"TOKEN","value":"x","secret":true},{"key":"PIN","secret":true,"value":"x"}]`},
		"both are removed": {func(u *u) error { return errors.Join(u.RemoveVariable("TOKEN"), u.RemoveVariable("PIN")) }, `"environmentVariables":[{"key":"A","value":"a"}]`},
		"one is given, one goes": {func(u *u) error {
			return errors.Join(u.SetVariable(pin), u.RemoveVariable("TOKEN"), u.RemoveVariable("A"))
		}, `"environmentVariables":[{"key":"PIN","secret":true,"value":"x"}]`},
		"the last one goes": {func(u *u) error {
			return errors.Join(u.RemoveVariable("TOKEN"), u.RemoveVariable("PIN"), u.RemoveVariable("A"))
		}, `"environmentVariables":[]`},
		"another one is set":       {func(u *u) error { return u.SetVariable(monitoring.NewEnvironmentVariable("A", "b")) }, `set variable "A"` + inTheWay},
		"another one is removed":   {func(u *u) error { return u.RemoveVariable("A") }, `remove variable "A"` + inTheWay},
		"one is removed in a loop": {func(u *u) error { u.EnvironmentVariables = u.EnvironmentVariables[:2]; return u.SetVariable(token) }, "would overwrite what the service withholds (PIN): give each a value with SetVariable, remove it with RemoveVariable, or leave environmentVariables as it was read"},
		"without a value": {func(u *u) error {
			return u.SetVariable(monitoring.EnvironmentVariable{Key: "TOKEN", Value: monitoring.NewSecret("")})
		}, `set variable "TOKEN": it has no value`},
		"without a key":               {func(u *u) error { return u.SetVariable(monitoring.EnvironmentVariable{}) }, "it has no key"},
		"of a list that is not known": {func(u *u) error { *u = monitoring.CheckGroupUpdate{Name: "n"}; return u.SetVariable(token) }, "the update does not know the other variables"},
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
	b := (&monitoring.BrowserCheck{}).ToUpdate()
	require.Error(t, b.SetVariable(token), "the list was not read")
	require.NoError(t, b.RemoveVariable("TOKEN"), "there is none")
	require.Nil(t, b.EnvironmentVariables)
}

func TestASetVariableKeepsWhatIsNotSet(t *testing.T) {
	g, s, client := groupOf(t, `{"id":7,"name":"n","environmentVariables":[{"key":"A","value":"a","locked":true,"new":1},{"key":"A","value":"second"}]}`)
	u := g.ToUpdate()
	require.NoError(t, u.SetVariable(monitoring.NewEnvironmentVariable("A", "b")))
	require.NoError(t, u.SetVariable(monitoring.EnvironmentVariable{Key: "B", Value: monitoring.NewSecret("b"), Secret: new(true)}))
	require.Equal(t, "a", g.EnvironmentVariables[0].Value.Reveal(), "the group is not changed")
	_, err := client.CheckGroups.Update(t.Context(), 7, u)
	require.Contains(t, sentBy(t, s, err), `[{"key":"A","value":"b","locked":true,"new":1},{"key":"A","value":"second"},{"key":"B","value":"b","secret":true}]`)
}

func TestACompleteUpdateLeavesNothingOut(t *testing.T) {
	const doc, why = `{"id":7,"name":"n","first":{"a":1},"second":[2],"environmentVariables":[{"key":"K","value":null}]}`, ": is left out, because this package does not know it: send it with WithBodyMember"
	const withheld = "environmentVariables: is left out, because the service withholds a secret in it: give each a value with NewSecret"
	set := monitoring.WithBodyMember
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
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { u.Name = "m"; return nil }, append(c.opts, monitoring.WithCompleteUpdates())...)
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
	for answer, want := range map[string]string{
		`{"id":7,"name":"n","new":[2],` + list + `}`:             "",
		`{"name":"no answer about the group"}`:                   "",
		`{"id":7,"name":"n","new":[],"environmentVariables":[]}`: "environmentVariables, new",
		`{"id":7,"environmentVariables":[{"key":"A"}]}`:          "environmentVariables",
	} {
		client, _ := kit.Recorded(t, 200, answer)
		g, err := client.CheckGroups.Update(t.Context(), 7, before.ToUpdate())
		require.NotNil(t, g)
		if want == "" {
			require.NoError(t, err, answer)
			continue
		}
		reset := kit.ErrAs[*monitoring.WithheldResetError](t, err)
		require.Equal(t, want, strings.Join(reset.Reset, ", "), answer)
		require.True(t, reset.Object == g, "the group that came back")
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: the update was carried out, but the service no longer has what it left out ("+want+"): set it again, and use WithCompleteUpdates with this service")
	}
	client, _ := kit.Recorded(t, 200, `{"id":7,"name":"n"}`)
	_, err := client.CheckGroups.Update(t.Context(), 7, before.ToUpdate(), monitoring.WithBodyMember("environmentVariables", []any{}))
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
	u := g.ToUpdate()
	require.Equal(t, []string{"environmentVariables"}, u.Withheld())
	require.Empty(t, u.Diff())
	u.Concurrency = new(5)
	_, err := client.CheckGroups.Update(t.Context(), 7, u)
	require.Equal(t, `{"name":"Shop","concurrency":5}`, sentBy(t, s, err))

	s.updates = 0
	list := monitoring.WithBodyMember("environmentVariables", []map[string]any{{"key": "TOKEN", "value": "", "secret": true}, {"key": "PIN", "value": "", "secret": true}})
	_, err = client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), list, monitoring.WithoutValidation())
	require.Equal(t, []string{someWithheld + ": give each a value with SetVariable, remove it with RemoveVariable, or leave environmentVariables as it was read"}, refused(t, s, err))

	for i := range g.EnvironmentVariables[1:] {
		g.EnvironmentVariables[1+i].Value = monitoring.NewSecret("t")
	}
	u = g.ToUpdate()
	require.Empty(t, u.Withheld())
	require.Equal(t, "environmentVariables[1].value (TOKEN): a withheld secret is set", u.Diff()[0].String())
	_, err = client.CheckGroups.Update(t.Context(), 7, u)
	require.JSONEq(t, `{"name":"Shop","concurrency":3,"environmentVariables":[{"key":"PLAIN","value":"","secret":false},{"secret":true,"value":"t","key":"TOKEN"},{"key":"PIN","value":"t","secret":true,"x":1}]}`, sentBy(t, s, err))
}

func TestARequestCannotSetASecretVariableToTheEmptyText(t *testing.T) {
	for secret, allowed := range map[*bool]bool{nil: true, new(false): true, new(true): false} {
		list := []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "a"), {Key: "K", Value: monitoring.NewSecret(""), Secret: secret}}
		for path, call := range map[string]func(*monitoring.Client) error{
			"environmentVariables[1]": func(c *monitoring.Client) error {
				return kit.Second(c.CheckGroups.Update(t.Context(), 7, monitoring.CheckGroupUpdate{Name: "n", EnvironmentVariables: list}))
			},
			"x[1]": func(c *monitoring.Client) error {
				//lint:ignore SA1019 what is deprecated is tested, too
				return kit.Second(c.Checks.Update(t.Context(), "x", monitoring.CheckUpdate{}, monitoring.WithBodyMember("x", list)))
			},
			"v": func(c *monitoring.Client) error {
				return kit.Second(monitoring.Do[struct{}](t.Context(), c, "POST", "/v1/things", nil, map[string]any{"v": &list[1]}))
			},
		} {
			client, sent := kit.Recorded(t, 200, `{"name":"n"}`, monitoring.WithoutValidation())
			if err := call(client); allowed {
				require.NoError(t, err, path)
				require.Contains(t, sent.Sent[0].Body, `"key":"K","value":""`, path)
			} else {
				require.Equal(t, []string{path + ".value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, kit.BrokenRules(t, err))
				require.Empty(t, sent.Sent, path)
			}
		}
	}
}
