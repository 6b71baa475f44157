package updates_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAWithheldSecretIsNeverOverwritten(t *testing.T) {
	tests := map[string]struct {
		before func(*monitoring.CheckGroup)
		after  func(*monitoring.CheckGroup, *monitoring.CheckGroupUpdate)
		want   []string // parts of the broken rules
		sent   string   // or the variables or defaults that are sent
	}{
		"no change": {},
		"a variable is appended to the update": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("B", "b"))
			},
			want: []string{"environmentVariables[1].value: is withheld", "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"},
		},
		"a variable is appended to the group": {
			before: func(g *monitoring.CheckGroup) {
				g.EnvironmentVariables = append(g.EnvironmentVariables, monitoring.NewEnvironmentVariable("B", "b"))
			},
			want: []string{"environmentVariables[1].value: is withheld", "environmentVariables[2].value: is withheld", "(TOKEN, PIN)"},
		},
		"one of two withheld values is set": {
			before: func(g *monitoring.CheckGroup) { g.EnvironmentVariables[1].Value = monitoring.NewSecret("t") },
			want:   []string{"environmentVariables[2].value: is withheld", "(PIN)"},
		},
		"the values of the others are set on the update": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.EnvironmentVariables = []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("TOKEN", "t")}
			},
			want: []string{"(PIN)"},
		},
		"every withheld value is set": {
			before: func(g *monitoring.CheckGroup) {
				g.EnvironmentVariables[1].Value, g.EnvironmentVariables[2].Value = monitoring.NewSecret("t"), monitoring.NewSecret("p")
			},
			sent: `"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":"t","secret":true},{"key":"PIN","secret":true,"value":"p"}]`,
		},
		"a withheld variable is filtered out": {
			before: func(g *monitoring.CheckGroup) { g.EnvironmentVariables = g.EnvironmentVariables[:1] },
			want:   []string{"(TOKEN, PIN)"},
		},
		"all variables are deleted": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.EnvironmentVariables = []monitoring.EnvironmentVariable{}
			},
			sent: `"environmentVariables":[]`,
		},
		"the variables and defaults are copied": {
			after: func(g *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				d := g.APICheckDefaults
				u.APICheckDefaults, u.EnvironmentVariables = &d, slices.Clone(g.EnvironmentVariables)
			},
		},
		"the variables are made again from their keys and empty values": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				for i, v := range u.EnvironmentVariables {
					u.EnvironmentVariables[i] = monitoring.NewEnvironmentVariable(v.Key, v.Value.Reveal())
				}
			},
			want: []string{"environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"},
		},
		"the variables are unset": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = nil },
			want:  []string{"environmentVariables: cannot be unset", "(TOKEN, PIN)"},
		},
		"the defaults are unset": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) { u.APICheckDefaults = nil },
			want:  []string{"apiCheckDefaults: cannot be unset", "(X-Key)", "(password)"},
		},
		"a variable is renamed": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.EnvironmentVariables[1].Key = "SECOND"
			},
			want: []string{"(TOKEN, PIN)"},
		},
		"each variable is locked": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				for i := range u.EnvironmentVariables {
					u.EnvironmentVariables[i].Locked = new(true)
				}
			},
			want: []string{"(TOKEN, PIN)"},
		},
		"every withheld value is set on the update": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.EnvironmentVariables[1].Value, u.EnvironmentVariables[2].Value = monitoring.NewSecret("t"), monitoring.NewSecret("p")
			},
			sent: `"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":"t","secret":true},{"key":"PIN","secret":true,"value":"p"}]`,
		},
		"a member of the defaults is changed": {
			before: func(g *monitoring.CheckGroup) { g.APICheckDefaults.URL = monitoring.Value("https://new.test") },
			want:   []string{"apiCheckDefaults.headers[0].value: is withheld"},
		},
		"the defaults are replaced": {
			after: func(_ *monitoring.CheckGroup, u *monitoring.CheckGroupUpdate) {
				u.APICheckDefaults = &monitoring.APICheckDefaults{URL: monitoring.Value("u"), Headers: []monitoring.KeyValue{}}
			},
			want: []string{"apiCheckDefaults.basicAuth: would overwrite what the service withholds (password)"},
		},
		"a header and the password are set": {
			before: func(g *monitoring.CheckGroup) {
				g.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("h")
				g.APICheckDefaults.BasicAuth = monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")})
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
			_, err := client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation())
			if tt.want != nil {
				said := strings.Join(refused(t, s, err), "\n")
				for _, part := range tt.want {
					require.Contains(t, said, part)
				}
				require.Equal(t, kit.BrokenRules(t, u.Validate()), kit.BrokenRules(t, err))
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
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("B", "b"))
	_, err := client.Checks.UpdateBrowser(t.Context(), "b", u)
	require.Equal(t, []string{
		"environmentVariables[1].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
		"environmentVariables: would overwrite what the service withholds (TOKEN): give each a value with NewSecret, or leave environmentVariables as it was read",
	}, refused(t, s, err))
}

func TestNoMemberWithAWithheldSecretIsOverwritten(t *testing.T) {
	const variables, headers, parameters, basic = `"environmentVariables":[{"key":"K","value":null}]`, `"headers":[{"key":"H","value":null}]`, `"queryParameters":[{"key":"Q","value":null}]`, `"basicAuth":{"username":"u","password":null}`
	for name, c := range map[string]struct {
		read   string
		change func(*monitoring.CheckGroupUpdate, monitoring.Secret)
		unset  func(*monitoring.CheckGroupUpdate)
		clear  func(*monitoring.CheckGroupUpdate)
	}{
		"environmentVariables": {variables, func(u *monitoring.CheckGroupUpdate, s monitoring.Secret) {
			u.EnvironmentVariables = []monitoring.EnvironmentVariable{{Key: "K", Value: s}}
		},
			func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = nil },
			func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = []monitoring.EnvironmentVariable{} }},
		"apiCheckDefaults.headers": {`"apiCheckDefaults":{` + headers + `}`, func(u *monitoring.CheckGroupUpdate, s monitoring.Secret) {
			u.APICheckDefaults = &monitoring.APICheckDefaults{Headers: []monitoring.KeyValue{{Key: "H", Value: s}}}
		},
			func(u *monitoring.CheckGroupUpdate) { u.APICheckDefaults = nil },
			func(u *monitoring.CheckGroupUpdate) {
				u.APICheckDefaults = &monitoring.APICheckDefaults{Headers: []monitoring.KeyValue{}}
			}},
		"apiCheckDefaults.queryParameters": {`"apiCheckDefaults":{` + parameters + `}`, func(u *monitoring.CheckGroupUpdate, s monitoring.Secret) {
			u.APICheckDefaults = &monitoring.APICheckDefaults{QueryParameters: []monitoring.KeyValue{{Key: "Q", Value: s}}}
		},
			func(u *monitoring.CheckGroupUpdate) { u.APICheckDefaults = nil },
			func(u *monitoring.CheckGroupUpdate) {
				u.APICheckDefaults = &monitoring.APICheckDefaults{QueryParameters: []monitoring.KeyValue{}}
			}},
		"apiCheckDefaults.basicAuth": {`"apiCheckDefaults":{` + basic + `}`, func(u *monitoring.CheckGroupUpdate, s monitoring.Secret) {
			u.APICheckDefaults = &monitoring.APICheckDefaults{BasicAuth: monitoring.Value(monitoring.BasicAuth{Username: "u", Password: s})}
		},
			func(u *monitoring.CheckGroupUpdate) {
				u.APICheckDefaults.BasicAuth = monitoring.Nullable[monitoring.BasicAuth]{}
			},
			func(u *monitoring.CheckGroupUpdate) {
				u.APICheckDefaults = &monitoring.APICheckDefaults{BasicAuth: monitoring.Null[monitoring.BasicAuth]()}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			g := readGroup(t, `{"id":1,"name":"n",`+c.read+`}`)
			u := g.ToUpdate()
			require.NoError(t, u.Validate())
			c.change(&u, monitoring.NewSecret("new"))
			require.NoError(t, u.Validate())
			require.Empty(t, u.Withheld())
			c.change(&u, monitoring.Secret{})
			require.NoError(t, u.Validate(), "nothing is changed any more")
			require.Equal(t, []string{strings.Split(name, ".")[0]}, u.Withheld())
			c.unset(&u)
			require.ErrorContains(t, u.Validate(), name+": would overwrite")
			c.clear(&u)
			require.NoError(t, u.Validate(), "the whole list or object is removed on purpose")
		})
	}
}

func TestWithheldPasswordsAndHeadersAreNotOverwritten(t *testing.T) {
	for name, defaults := range map[string]string{
		"a password of null":        `{"basicAuth":{"username":"u","password":null}}`,
		"a header's value of null":  `{"headers":[{"key":"a","value":"b"},{"key":"k","value":null,"locked":true}]}`,
		"a parameter without value": `{"queryParameters":[{"key":"k","locked":true}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var group monitoring.CheckGroup
			require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"g","apiCheckDefaults":`+defaults+`}`), &group))
			update := group.ToUpdate()
			require.Equal(t, group.APICheckDefaults, *update.APICheckDefaults, "the defaults are there, but not sent")
			data, err := json.Marshal(update)
			require.NoError(t, err)
			require.JSONEq(t, `{"name":"g"}`, string(data))
		})
	}
}

func TestTheKeptJSONIsNotShown(t *testing.T) {
	g, _, _ := groupOf(t, `{"name":"n","environmentVariables":[{"key":"K","value":"`+testkit.Canary+`","copy":"`+testkit.Canary+`"}],"apiCheckDefaults":{"headers":[{"key":"K","value":"`+testkit.Canary+`","f":1}]}}`)
	u := g.ToUpdate()
	for name, v := range map[string]any{"a group": *g, "a pointer": g, "an update": u, "variables": g.EnvironmentVariables, "a header": g.APICheckDefaults.Headers[0], "a struct": struct{ u monitoring.CheckGroupUpdate }{u}} {
		testkit.RequireHidden(t, name, v)
	}
	c, _, _ := browserOf(t, `{"name":"n","environmentVariables":[{"key":"K","value":"`+testkit.Canary+`","f":1}]}`)
	testkit.RequireHidden(t, "a check", c)
	testkit.RequireHidden(t, "an update of a check", c.ToUpdate())
}
