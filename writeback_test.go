package monitoring

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

const withheldGroup = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b"],"description":"x",
	"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true},{"key":"PIN","secret":true}],
	"apiCheckDefaults":{"url":"https://shop.test","headers":[{"key":"X-Key","value":null,"locked":true}],"basicAuth":{"username":"u","password":null}}}`

const withheldBrowser = `{"id":"b","name":"Shop","checkType":"BROWSER","activated":true,"description":null,"groupId":3,"script":"s()",
	"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true}]}`

func groupOf(t *testing.T, text string) (*CheckGroup, *writeBackServer, *Client) {
	t.Helper()
	s := &writeBackServer{doc: parse([]byte(text)).(map[string]any), node: schema.Lookup("PUT /v2/check-groups/{id}").Body}
	client := s.client(t)
	return s.readGroup(t, client), s, client
}

func browserOf(t *testing.T, text string) (*BrowserCheck, *writeBackServer, *Client) {
	t.Helper()
	s := &writeBackServer{doc: parse([]byte(text)).(map[string]any), node: schema.Lookup("PUT /v1/checks/browser/{id}").Body}
	client := s.client(t)
	return s.readBrowser(t, client), s, client
}

// sentBy requires that an update was sent, and returns its body.
func sentBy(t *testing.T, s *writeBackServer, err error) string {
	t.Helper()
	require.NoError(t, err)
	return s.body
}

// refused requires that a request was not sent, and returns the broken rules.
func refused(t *testing.T, s *writeBackServer, err error) []string {
	t.Helper()
	var invalid *ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Zero(t, s.updates)
	return texts(invalid)
}

func TestAWithheldSecretIsNeverOverwritten(t *testing.T) {
	tests := map[string]struct {
		before func(*CheckGroup)
		after  func(*CheckGroup, *CheckGroupUpdate)
		want   []string // parts of the broken rules
		sent   string   // or the variables or defaults that are sent
	}{
		"no change": {},
		"a variable is appended to the update": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
			},
			want: []string{"environmentVariables[1].value: is withheld", "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"},
		},
		"a variable is appended to the group": {
			before: func(g *CheckGroup) {
				g.EnvironmentVariables = append(g.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
			},
			want: []string{"environmentVariables[1].value: is withheld", "environmentVariables[2].value: is withheld", "(TOKEN, PIN)"},
		},
		"one of two withheld values is set": {
			before: func(g *CheckGroup) { g.EnvironmentVariables[1].Value = NewSecret("t") },
			want:   []string{"environmentVariables[2].value: is withheld", "(PIN)"},
		},
		"the values of the others are set on the update": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				u.EnvironmentVariables = []EnvironmentVariable{NewEnvironmentVariable("TOKEN", "t")}
			},
			want: []string{"(PIN)"},
		},
		"every withheld value is set": {
			before: func(g *CheckGroup) {
				g.EnvironmentVariables[1].Value, g.EnvironmentVariables[2].Value = NewSecret("t"), NewSecret("p")
			},
			sent: `"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":"t","secret":true},{"key":"PIN","secret":true,"value":"p"}]`,
		},
		"a withheld variable is filtered out": {
			before: func(g *CheckGroup) { g.EnvironmentVariables = g.EnvironmentVariables[:1] },
			want:   []string{"(TOKEN, PIN)"},
		},
		"all variables are deleted": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) { u.EnvironmentVariables = []EnvironmentVariable{} },
			sent:  `"environmentVariables":[]`,
		},
		"the variables and defaults are copied": {
			after: func(g *CheckGroup, u *CheckGroupUpdate) {
				d := g.APICheckDefaults
				u.APICheckDefaults, u.EnvironmentVariables = &d, slices.Clone(g.EnvironmentVariables)
			},
		},
		"the variables are made again from their keys and empty values": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				for i, v := range u.EnvironmentVariables {
					u.EnvironmentVariables[i] = NewEnvironmentVariable(v.Key, v.Value.Reveal())
				}
			},
			want: []string{"environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"},
		},
		"the variables are unset": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) { u.EnvironmentVariables = nil },
			want:  []string{"environmentVariables: cannot be unset", "(TOKEN, PIN)"},
		},
		"the defaults are unset": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) { u.APICheckDefaults = nil },
			want:  []string{"apiCheckDefaults: cannot be unset", "(X-Key)", "(password)"},
		},
		"a variable is renamed": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) { u.EnvironmentVariables[1].Key = "SECOND" },
			want:  []string{"(TOKEN, PIN)"},
		},
		"each variable is locked": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				for i := range u.EnvironmentVariables {
					u.EnvironmentVariables[i].Locked = new(true)
				}
			},
			want: []string{"(TOKEN, PIN)"},
		},
		"every withheld value is set on the update": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				u.EnvironmentVariables[1].Value, u.EnvironmentVariables[2].Value = NewSecret("t"), NewSecret("p")
			},
			sent: `"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":"t","secret":true},{"key":"PIN","secret":true,"value":"p"}]`,
		},
		"a member of the defaults is changed": {
			before: func(g *CheckGroup) { g.APICheckDefaults.URL = Value("https://new.test") },
			want:   []string{"apiCheckDefaults.headers[0].value: is withheld"},
		},
		"the defaults are replaced": {
			after: func(_ *CheckGroup, u *CheckGroupUpdate) {
				u.APICheckDefaults = &APICheckDefaults{URL: Value("u"), Headers: []KeyValue{}}
			},
			want: []string{"apiCheckDefaults.basicAuth: would overwrite what the service withholds (password)"},
		},
		"a header and the password are set": {
			before: func(g *CheckGroup) {
				g.APICheckDefaults.Headers[0].Value = NewSecret("h")
				g.APICheckDefaults.BasicAuth = Value(BasicAuth{Username: "u", Password: NewSecret("p")})
			},
			sent: `"apiCheckDefaults":{"url":"https://shop.test","headers":[{"key":"X-Key","value":"h","locked":true}],"basicAuth":{"username":"u","password":"p"}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g, s, client := groupOf(t, withheldGroup)
			if tt.before != nil {
				tt.before(g)
			}
			u := g.ToUpdate()
			if tt.after != nil {
				tt.after(g, &u)
			}
			_, err := client.CheckGroups.Update(t.Context(), 7, u, WithoutValidation())
			if tt.want != nil {
				said := strings.Join(refused(t, s, err), "\n")
				for _, part := range tt.want {
					require.Contains(t, said, part)
				}
				require.Equal(t, texts(errAs[*ValidationError](t, u.Validate())), texts(errAs[*ValidationError](t, err)))
				return
			}
			body := sentBy(t, s, err)
			require.NotContains(t, body, `"value":null`)
			require.NotContains(t, body, `"password":null`)
			require.Contains(t, body, tt.sent)
			left := []string{"description"} // no member of a group that this package knows
			for _, member := range []string{"environmentVariables", "apiCheckDefaults"} {
				if !strings.Contains(body, member) {
					left = append(left, member)
				}
			}
			require.ElementsMatch(t, left, u.Withheld())
		})
	}
	c, s, client := browserOf(t, withheldBrowser)
	u := c.ToUpdate()
	require.Equal(t, []string{"environmentVariables"}, u.Withheld())
	u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
	_, err := client.Checks.UpdateBrowser(t.Context(), "b", u)
	require.Equal(t, []string{
		"environmentVariables[1].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
		"environmentVariables: would overwrite what the service withholds (TOKEN): give each a value with NewSecret, or leave environmentVariables as it was read",
	}, refused(t, s, err))
}

func errAs[E error](t *testing.T, err error) E {
	t.Helper()
	found, ok := errors.AsType[E](err)
	require.True(t, ok, "%v", err)
	return found
}

func TestWithCompleteUpdatesRefusesAnUpdateThatLeavesOutAMember(t *testing.T) {
	g, s, client := groupOf(t, withheldGroup)
	_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), WithCompleteUpdates())
	require.ElementsMatch(t, []string{
		"environmentVariables: is left out, because the service withholds a secret in it: give each a value with NewSecret",
		"apiCheckDefaults: is left out, because the service withholds a secret in it: give each a value with NewSecret",
		"description: is left out, because this package does not know it: send it with WithBodyMember",
	}, refused(t, s, err))
	g, s, client = groupOf(t, `{"name":"n"}`)
	_, err = client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), WithCompleteUpdates())
	require.Equal(t, `{"name":"n"}`, sentBy(t, s, err))
}

func TestASnapshotInAFileRestoresTheGroup(t *testing.T) {
	const text = `{"id":7,"name":"Shop","tags":["a"],"apiCheckDefaults":{"headers":[{"key":"H","value":"s3cret"}],"basicAuth":{"username":"u","password":"p4ss"}},` +
		`"environmentVariables":[{"key":"K","value":"v4lue"}],"retryStrategy":{"type":"FIXED","futureMember":1}}`
	for name, c := range map[string]struct {
		write func(any) ([]byte, error)
		body  string
		left  []string
	}{
		"with secrets": {MarshalWithSecrets, text[:1] + text[len(`{"id":7,`):], nil},
		"without":      {json.Marshal, `{"name":"Shop","tags":["a"],"retryStrategy":{"type":"FIXED","futureMember":1}}`, []string{"environmentVariables", "apiCheckDefaults"}},
	} {
		t.Run(name, func(t *testing.T) {
			g, s, client := groupOf(t, text)
			file := filepath.Join(t.TempDir(), "snapshot.json")
			data, err := c.write(g)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, data, 0o600))
			for _, absent := range []string{"concurrency", "activated", "alertSettings", "null,"} {
				require.NotContains(t, string(data), absent, "an absent member is not written")
			}
			data, err = os.ReadFile(file)
			require.NoError(t, err)
			var restored CheckGroup
			require.NoError(t, json.Unmarshal(data, &restored))
			u := restored.ToUpdate()
			require.ElementsMatch(t, c.left, u.Withheld())
			_, err = client.CheckGroups.Update(t.Context(), 7, u)
			require.JSONEq(t, c.body, sentBy(t, s, err))
		})
	}
}

func TestAFieldThatWasUnsetIsSentAsNullOrEmptyOrRefused(t *testing.T) {
	c, s, client := browserOf(t, `{"name":"n","activated":true,"frequency":5,"description":"d","tags":["a"],"alertSettings":{},"environmentVariables":[{"key":"K","value":"v"}]}`)
	u := c.ToUpdate()
	u.Description, u.Tags, u.EnvironmentVariables = Nullable[string]{}, nil, nil
	_, err := client.Checks.UpdateBrowser(t.Context(), "b", u)
	require.Equal(t, `{"name":"n","activated":true,"tags":[],"alertSettings":{},"description":null,"frequency":5,"environmentVariables":[]}`, orderless(t, s, err,
		`{"name":"n","activated":true,"tags":[],"alertSettings":{},"description":null,"frequency":5,"environmentVariables":[]}`))

	s.updates = 0
	u = c.ToUpdate()
	u.Activated, u.Frequency, u.AlertSettings = nil, nil, nil
	_, err = client.Checks.UpdateBrowser(t.Context(), "b", u, WithoutValidation())
	const cannot = ": cannot be unset: the service has no null for it; set a value, or leave it as it was read"
	require.ElementsMatch(t, []string{"activated" + cannot, "frequency" + cannot, "alertSettings" + cannot}, refused(t, s, err))

	c.Description, c.Muted = nil, nil // unset in the response; muted was absent already
	_, err = client.Checks.UpdateBrowser(t.Context(), "b", c.ToUpdate())
	require.Contains(t, sentBy(t, s, err), `"description":null`)
	require.NotContains(t, s.body, "muted")
}

// orderless returns want if it is equal to the sent JSON except for the order of members.
func orderless(t *testing.T, s *writeBackServer, err error, want string) string {
	t.Helper()
	require.JSONEq(t, want, sentBy(t, s, err))
	return want
}

func TestABrowserCheckRestoresNullAsNull(t *testing.T) {
	c, s, client := browserOf(t, withheldBrowser)
	s.doc["description"] = "set since"
	_, err := client.Checks.UpdateBrowser(t.Context(), "b", c.ToUpdate())
	require.NoError(t, err)
	require.Nil(t, s.doc["description"])
	require.Equal(t, "TOKEN", s.doc["environmentVariables"].([]any)[1].(map[string]any)["key"], "the withheld variable is kept")
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
	u.AlertSettings = Value(settings)
	u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("", "v"))
	err = second(client.CheckGroups.Update(t.Context(), 7, u))
	require.Equal(t, []string{"environmentVariables[251].key: is required", "environmentVariables: 252 variables are over 200"}, refused(t, s, err), "only the rules that the caller broke are listed")

	c, _, checks := browserOf(t, `{"name":"n","description":"`+strings.Repeat("x", 600)+`","retryStrategy":{"maxRetries":1},"frequency":7}`)
	require.NoError(t, second(checks.Checks.UpdateBrowser(t.Context(), "b", c.ToUpdate())))
}

func TestUnknownMembersAreWrittenBackWithTheirObject(t *testing.T) {
	const text = `{"name":"n","futureTop":1,"apiCheckDefaults":{"future":[1.50],"headers":[{"key":"a","value":"1","f":1},{"key":"b","value":"2","f":2}]},` +
		`"alertSettings":{"future":null,"reminders":{"amount":1,"future":{"x":[]}}},"retryStrategy":{"type":"FIXED","future":true,"onlyOn":"NETWORK_ERROR"},` +
		`"environmentVariables":[{"key":"K","value":"v","future":"x"}]}`
	g, s, client := groupOf(t, text)
	u := g.ToUpdate()
	h := u.APICheckDefaults.Headers
	u.APICheckDefaults.Headers = []KeyValue{h[1], {Key: "c", Value: NewSecret("3")}, h[0]}
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Amount = new(5)
	u.AlertSettings = Value(settings)
	u.RetryStrategy = Value(RetryStrategy{Type: RetryStrategyFixed})
	u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("L", "w"))
	_, err := client.CheckGroups.Update(t.Context(), 7, u)
	require.Equal(t, `{"name":"n","apiCheckDefaults":{"future":[1.50],"headers":[{"f":2,"key":"b","value":"2"},{"key":"c","value":"3"},{"f":1,"key":"a","value":"1"}]},`+
		`"environmentVariables":[{"future":"x","key":"K","value":"v"},{"key":"L","value":"w"}],`+
		`"alertSettings":{"future":null,"reminders":{"amount":5,"future":{"x":[]}}},"retryStrategy":{"type":"FIXED"}}`, sentBy(t, s, err))

	// An object that is copied into another update still has its unknown members.
	_, err = client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", AlertSettings: Value(*g.AlertSettings)})
	require.Equal(t, `{"name":"n","alertSettings":{"future":null,"reminders":{"amount":1,"future":{"x":[]}}}}`, sentBy(t, s, err))
}

func TestAVariableThatIsNotATextIsWrittenBack(t *testing.T) {
	for _, value := range []string{`0`, `1.50`, `true`, `{"a":1}`} {
		g, s, client := groupOf(t, `{"name":"n","environmentVariables":[{"key":"A","value":`+value+`}]}`)
		u := g.ToUpdate()
		u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
		_, err := client.CheckGroups.Update(t.Context(), 7, u)
		require.Contains(t, sentBy(t, s, err), `"environmentVariables":[{"key":"A","value":`+value+`},{"key":"B","value":"b"}]`)
	}
}

func TestOnlyObjectsWithUnknownMembersKeepTheirJSON(t *testing.T) {
	g, _, _ := groupOf(t, `{"name":"n","apiCheckDefaults":{"headers":[{"key":"a","value":"1"},{"key":"b","value":"2","future":1}],"basicAuth":{"username":"u","password":"p"}},"alertSettings":{"reminders":{"amount":1}}}`)
	require.True(t, g.APICheckDefaults.Headers[0] == KeyValue{Key: "a", Value: NewSecret("1")})
	require.False(t, g.APICheckDefaults.Headers[1] == KeyValue{Key: "b", Value: NewSecret("2")})
	require.Equal(t, &AlertSettings{Reminders: &Reminders{Amount: new(1)}}, g.AlertSettings)
	require.Equal(t, Value(BasicAuth{Username: "u", Password: NewSecret("p")}), g.APICheckDefaults.BasicAuth)
}

func TestReadingIntoACopyDoesNotChangeTheOriginal(t *testing.T) {
	g, s, client := groupOf(t, `{"name":"n","tags":["a","b"],"localSetupScript":null}`)
	c := *g
	require.NoError(t, json.Unmarshal([]byte(`{"name":"other","tags":["x","y"]}`), &c))
	require.Error(t, json.Unmarshal([]byte(`{"name":1}`), &c))
	require.NoError(t, json.Unmarshal([]byte(`null`), &c))
	_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate())
	require.Equal(t, `{"name":"n","tags":["a","b"],"localSetupScript":null}`, sentBy(t, s, err))
	require.Equal(t, `{"name":"other","tags":["x","y"]}`, toJSON(t, c.ToUpdate()))

	var response Response
	g, err = client.CheckGroups.Get(t.Context(), 7, WithResponse(&response))
	require.NoError(t, err)
	copy(response.Body, strings.Repeat(" ", len(response.Body)))
	require.Equal(t, `{"name":"n","tags":["a","b"],"localSetupScript":null}`, toJSON(t, g.ToUpdate()), "a change of the response body has no effect")
}

func TestTheKeptJSONIsNotShown(t *testing.T) {
	g, _, _ := groupOf(t, `{"name":"n","environmentVariables":[{"key":"K","value":"`+canary+`","copy":"`+canary+`"}],"apiCheckDefaults":{"headers":[{"key":"K","value":"`+canary+`","f":1}]}}`)
	u := g.ToUpdate()
	for name, v := range map[string]any{"a group": *g, "a pointer": g, "an update": u, "variables": g.EnvironmentVariables, "a header": g.APICheckDefaults.Headers[0], "a struct": struct{ u CheckGroupUpdate }{u}} {
		requireHidden(t, name, v)
	}
	c, _, _ := browserOf(t, `{"name":"n","environmentVariables":[{"key":"K","value":"`+canary+`","f":1}]}`)
	requireHidden(t, "a check", c)
	requireHidden(t, "an update of a check", c.ToUpdate())
}

func TestAnObjectThatWasNotReadSendsItsSetFields(t *testing.T) {
	require.Equal(t, `{"name":"n"}`, toJSON(t, CheckGroup{Name: "n"}.ToUpdate()))
	require.Equal(t, `{"name":"n","apiCheckDefaults":{"url":"u"}}`, toJSON(t, CheckGroup{Name: "n", APICheckDefaults: APICheckDefaults{URL: Value("u")}}.ToUpdate()))
	require.Equal(t, `{}`, toJSON(t, BrowserCheck{}.ToUpdate()))
	require.Empty(t, CheckGroupUpdate{Name: "n"}.Withheld())
}
