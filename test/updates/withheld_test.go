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

// Each change is made to the group before ToUpdate, and to its update.
func TestAWithheldSecretIsNeverOverwritten(t *testing.T) {
	type vars = []monitoring.EnvironmentVariable
	type defaults = monitoring.APICheckDefaults
	setAll := func(list vars, value string) {
		for i := range list {
			list[i].Value = monitoring.NewSecret(value)
		}
	}
	for name, c := range map[string]struct {
		change  func(*vars, *defaults)
		refused string // a part of a broken rule
		sent    string // or of the body
	}{
		"one of two secrets": {change: func(v *vars, _ *defaults) { (*v)[2].Value = monitoring.NewSecret("p") }, refused: "withholds (TOKEN)"},
		"a variable more":    {change: func(v *vars, _ *defaults) { *v = append(*v, (*v)[0]) }, refused: "environmentVariables[1].value: is withheld"},
		"empty values":       {change: func(v *vars, _ *defaults) { setAll(*v, "") }, refused: someWithheld},
		"no list":            {change: func(v *vars, _ *defaults) { *v = nil }, refused: someWithheld},
		"an empty list":      {change: func(v *vars, _ *defaults) { *v = vars{} }, sent: `"environmentVariables":[]`},
		"each is given":      {change: func(v *vars, _ *defaults) { setAll(*v, "x") }, sent: `{"key":"TOKEN","value":"x","secret":true},{"key":"PIN","secret":true,"value":"x"}]`},
		"an address":         {change: func(_ *vars, d *defaults) { d.URL = monitoring.Value("u") }, refused: "apiCheckDefaults.headers: would overwrite what the service withholds (X-Key)"},
		"a header and the password": {change: func(_ *vars, d *defaults) {
			d.Headers[0].Value = monitoring.NewSecret("h")
			d.BasicAuth = monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")})
		}, sent: `"headers":[{"key":"X-Key","value":"h","locked":true}],"basicAuth":{"username":"u","password":"p"}`},
		"no headers and no credentials": {change: func(_ *vars, d *defaults) {
			d.Headers, d.BasicAuth = []monitoring.KeyValue{}, monitoring.Null[monitoring.BasicAuth]()
		}, sent: `"headers":[],"basicAuth":null`},
	} {
		for where, write := range map[string]func(*monitoring.CheckGroup, *monitoring.Client) error{
			"the group": func(g *monitoring.CheckGroup, client *monitoring.Client) error {
				c.change(&g.EnvironmentVariables, &g.APICheckDefaults)
				return kit.Second(client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), monitoring.WithoutValidation()))
			},
			"its update": func(g *monitoring.CheckGroup, client *monitoring.Client) error {
				u := g.ToUpdate()
				c.change(&u.EnvironmentVariables, u.APICheckDefaults)
				return kit.Second(client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation()))
			},
		} {
			g, s, client := groupOf(t, withheldGroup)
			err := write(g, client)
			if c.refused != "" {
				require.Contains(t, strings.Join(refused(t, s, err), "\n"), c.refused, "%s: %s", name, where)
				continue
			}
			body := sentBy(t, s, err)
			require.Contains(t, body, c.sent, "%s: %s", name, where)
			require.NotContains(t, body, `"value":null`)
		}
	}
	u := readGroup(t, `{"name":"n","apiCheckDefaults":{"queryParameters":[{"key":"k","locked":true}]}}`).ToUpdate()
	require.Equal(t, []string{"apiCheckDefaults"}, u.Withheld(), "a parameter without a value")
	u.APICheckDefaults.QueryParameters = nil
	require.ErrorContains(t, u.Validate(), "apiCheckDefaults.queryParameters: would overwrite")
	u.APICheckDefaults = nil
	require.ErrorContains(t, u.Validate(), "apiCheckDefaults: cannot be unset")
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

func TestWithheldNamesWhatIsLeftOut(t *testing.T) {
	g := readGroup(t, `{"id":7,"zone":{"a":1},"Tags":["x"],"Muted":true,"muted":false,"a\nb":1,"name":"n","environmentVariables":[{"key":"K","value":null}],"apiCheckDefaults":{"basicAuth":{"username":"u","password":null},"future":1}}`)
	require.Equal(t, []string{"apiCheckDefaults", "environmentVariables", "zone", "Muted", "a b"}, g.ToUpdate().Withheld(), "names are shown safely")
	for _, write := range []func(any) ([]byte, error){monitoring.MarshalWithSecrets, json.Marshal} {
		require.Equal(t, g.ToUpdate().Withheld(), again(t, &g, write).ToUpdate().Withheld(), "of a snapshot")
	}
	require.Empty(t, monitoring.CheckGroup{Name: "n"}.ToUpdate().Withheld(), "nothing was read")
	for i, file := range []string{"get-v1-check-group", "put-v1-checks-browser", "put-v1-checks-api", "put-v1-checks-tcp"} {
		u := updateOf(kinds[i].read(t, []byte(kit.File(t, "testdata/responses/"+file+".all-members.json"))))
		require.Empty(t, u.Withheld(), "members that only responses have do not count")
		require.Empty(t, u.Diff(), file)
	}
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
