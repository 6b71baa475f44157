package monitoring

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// variableForms are variables as services write them, and whether their value is withheld.
var variableForms = map[string]bool{
	`{"key":"K","value":"","secret":true}`:                      true,
	`{"secret":true,"value":"","key":"K"}`:                      true,
	`{ "secret" : true , "locked":true, "value" : "" ,"x":[1]}`: true,
	`{"key":"K","value":null,"secret":true}`:                    true,
	`{"key":"K","value":null}`:                                  true,
	`{"key":"K","secret":true}`:                                 true,
	`{"key":"K","value":"x","value":"","secret":true}`:          true,
	`{"key":"K","value":""}`:                                    false,
	`{"key":"K","value":"","secret":false}`:                     false,
	`{"key":"K","value":"","secret":null}`:                      false,
	`{"key":"K","value":"","locked":true}`:                      false,
	`{"key":"K","value":" ","secret":true}`:                     false,
	`{"secret":true,"key":"K","value":"known"}`:                 false,
	`{"secret":true,"key":"","value":0}`:                        false,
}

// readEverywhere reads a list of variables in each response that has one, on the fast path of
// decoding and on the slow one, which a member of an odd form needs.
func readEverywhere(t *testing.T, list string) map[string][]EnvironmentVariable {
	t.Helper()
	read := make(map[string][]EnvironmentVariable)
	for path, odd := range map[string]struct{ tags, value string }{"fast": {`["a"]`, `"v"`}, "slow": {`"a"`, `5`}} {
		members := `"name":"n","tags":` + odd.tags + `,"environmentVariables":` + list + `}`
		client, _ := newTestClient(t, 200, `{"id":"c",`+members)
		browser, err := client.Checks.UpdateBrowser(t.Context(), "c", BrowserCheckUpdate{})
		require.NoError(t, err)
		check, err := client.Checks.Update(t.Context(), "c", CheckUpdate{})
		require.NoError(t, err)
		own, err := Do[struct {
			Variables []EnvironmentVariable `json:"environmentVariables"`
			Tags      json.RawMessage
		}](t.Context(), client, "GET", "/v1/checks/c", nil, nil)
		require.NoError(t, err)
		var group CheckGroup
		require.NoError(t, json.Unmarshal([]byte(`{"id":7,`+members), &group))

		client, _ = newTestClient(t, 200, list[:len(list)-1]+`,{"key":"last","value":`+odd.value+`}]`)
		page, err := client.Variables.List(t.Context(), VariableListOptions{})
		require.NoError(t, err)
		read["a browser check, "+path], read["a check, "+path], read["a group, "+path] = browser.EnvironmentVariables, check.EnvironmentVariables, group.EnvironmentVariables
		read["a type of the user, "+path], read["the list of variables, "+path] = own.Variables, page.Items[:len(page.Items)-1]
	}
	var alone []EnvironmentVariable
	require.NoError(t, json.Unmarshal([]byte(list), &alone))
	read["json.Unmarshal"] = alone
	return read
}

func TestASecretVariableWithAnEmptyValueIsWithheld(t *testing.T) {
	for form, withheld := range variableForms {
		for where, list := range readEverywhere(t, `[{"key":"first","value":""},`+form+`]`) {
			require.Len(t, list, 2, where)
			require.Equal(t, NewSecret(""), list[0].Value, where)
			require.Equal(t, withheld, list[1].Value.IsWithheld(), "%s in %s", form, where)
		}
	}
}

func TestAVariableThatIsNotAnObjectHasItsPathInTheError(t *testing.T) {
	client, _ := newTestClient(t, 200, `[{"key":"K","value":""},5]`)
	_, err := client.Variables.List(t.Context(), VariableListOptions{})
	require.ErrorContains(t, err, "decode $[1]: want an object, got a number")
}

// emptySecretGroup is a group of a service that shows withheld values as empty texts.
const emptySecretGroup = `{"id":7,"name":"Shop","concurrency":3,"environmentVariables":[{"key":"PLAIN","value":"","secret":false},{"secret":true,"value":"","key":"TOKEN"},{"key":"PIN","value":"","secret":true,"x":1}]}`

func TestAnEmptySecretThatWasReadIsNeverWrittenBack(t *testing.T) {
	const overwrites = "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)"
	g, s, client := groupOf(t, emptySecretGroup)
	u := g.ToUpdate()
	require.Equal(t, []string{"environmentVariables"}, u.Withheld())
	require.Empty(t, u.Diff())
	u.Concurrency = new(5)
	_, err := client.CheckGroups.Update(t.Context(), 7, u, WithCompleteUpdates())
	require.Equal(t, []string{"environmentVariables: is left out, because the service withholds a secret in it: give each a value with NewSecret"}, refused(t, s, err))
	_, err = client.CheckGroups.Update(t.Context(), 7, u)
	require.Equal(t, `{"name":"Shop","concurrency":5}`, sentBy(t, s, err))

	for name, set := range map[string]func(*CheckGroupUpdate) []CallOption{
		"a variable is added": func(u *CheckGroupUpdate) []CallOption {
			u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
			return nil
		},
		"the values are set to the empty text, and another one is changed": func(u *CheckGroupUpdate) []CallOption {
			for i := range u.EnvironmentVariables {
				u.EnvironmentVariables[i].Value = NewSecret("")
			}
			u.EnvironmentVariables[0].Locked = new(true)
			return nil
		},
		"a body member has the JSON of the response": func(*CheckGroupUpdate) []CallOption {
			return []CallOption{WithBodyMember("environmentVariables", []map[string]any{{"key": "TOKEN", "value": "", "secret": true}, {"key": "PIN", "value": "", "secret": true}})}
		},
	} {
		s.updates, u = 0, g.ToUpdate()
		opts := set(&u)
		_, err := client.CheckGroups.Update(t.Context(), 7, u, append(opts, WithoutValidation())...)
		require.Contains(t, texts(errAs[*ValidationError](t, err)), overwrites+": give each a value with NewSecret, or leave environmentVariables as it was read", name)
		require.Zero(t, s.updates, name)
	}

	for i := range g.EnvironmentVariables[1:] {
		g.EnvironmentVariables[1+i].Value = NewSecret("t")
	}
	u = g.ToUpdate()
	require.Empty(t, u.Withheld())
	require.Equal(t, Change{Path: "environmentVariables[1].value", Item: "TOKEN", Before: "null", After: scrub.Redacted, Secret: true, withheld: true}, u.Diff()[0])
	_, err = client.CheckGroups.Update(t.Context(), 7, u)
	require.JSONEq(t, `{"name":"Shop","concurrency":3,"environmentVariables":[{"key":"PLAIN","value":"","secret":false},{"secret":true,"value":"t","key":"TOKEN"},{"key":"PIN","value":"t","secret":true,"x":1}]}`, sentBy(t, s, err))
}

func TestASnapshotHasAnEmptySecretAsAWithheldOne(t *testing.T) {
	g, _, _ := groupOf(t, emptySecretGroup)
	for name, write := range map[string]func(any) ([]byte, error){"with secrets": MarshalWithSecrets, "without": json.Marshal} {
		for _, v := range []any{g, *g, map[string]any{"environmentVariables": g.EnvironmentVariables}} {
			data, err := write(v)
			require.NoError(t, err)
			var again CheckGroup
			require.NoError(t, json.Unmarshal(data, &again))
			require.Len(t, again.EnvironmentVariables, 3)
			require.True(t, again.EnvironmentVariables[1].Value.IsWithheld(), "%s: %s", name, data)
			require.Equal(t, []string{"environmentVariables"}, again.ToUpdate().Withheld())
			require.NotContains(t, string(data), `"value":"","secret":true`, "a withheld secret is null in every snapshot")
		}
	}
}

func TestARequestCannotSetASecretVariableToTheEmptyText(t *testing.T) {
	const why = ".value: is withheld by the service: set it with NewSecret, or leave the list or object out"
	for secret, want := range map[*bool][]string{nil: nil, new(false): nil, new(true): {why}} {
		list := []EnvironmentVariable{NewEnvironmentVariable("A", "a"), {Key: "K", Value: NewSecret(""), Secret: secret}}
		for name, c := range map[string]struct {
			path string
			call func(*Client) error
		}{
			"a group": {"environmentVariables[1]", func(c *Client) error {
				return second(c.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", EnvironmentVariables: list}))
			}},
			"a browser check": {"environmentVariables[1]", func(c *Client) error {
				return second(c.Checks.UpdateBrowser(t.Context(), "x", BrowserCheckUpdate{EnvironmentVariables: list}))
			}},
			"any check": {"environmentVariables[1]", func(c *Client) error {
				return second(c.Checks.Update(t.Context(), "x", CheckUpdate{EnvironmentVariables: list}))
			}},
			"a body member": {"x[1]", func(c *Client) error {
				return second(c.Checks.Update(t.Context(), "x", CheckUpdate{}, WithBodyMember("x", list)))
			}},
			"a body of Do": {"v", func(c *Client) error {
				return second(Do[struct{}](t.Context(), c, "POST", "/v1/things", nil, map[string]any{"v": &list[1]}))
			}},
		} {
			for _, opts := range [][]ClientOption{nil, {WithoutValidation()}} {
				client, sent := newTestClient(t, 200, `{"name":"n"}`, opts...)
				err := c.call(client)
				if want == nil {
					require.NoError(t, err, name)
					require.Contains(t, sent.Sent[0].Body, `"key":"K","value":""`, name)
					continue
				}
				require.Equal(t, []string{c.path + why}, texts(errAs[*ValidationError](t, err)), name)
				require.Empty(t, sent.Sent, name)
			}
		}
	}
}

func TestOnlyARetryStrategyMayBeAString(t *testing.T) {
	const data = `{"name":"n","alertSettings":{"reminders":"FALLBACK"},"retryStrategy":"FALLBACK"}`
	for typ, want := range map[reflect.Type]bool{reflect.TypeFor[RetryStrategy](): true, reflect.TypeFor[Reminders](): false} {
		require.Equal(t, want, keeping.Traits(typ).OrText, typ)
	}
	var g CheckGroup
	require.Error(t, json.Unmarshal([]byte(data), &g), "reminders are an object")
}

func TestReadKeptKeepsTheJSONOfNestedObjects(t *testing.T) {
	read, err := readKept(reflect.TypeFor[AlertSettings](), []byte(`{"reminders":{"amount":1.0}}`))
	require.NoError(t, err)
	settings := read.(*AlertSettings)
	require.Nil(t, keep.Of(settings.kept))
	require.Equal(t, `{"amount":1.0}`, string(keep.Of(settings.Reminders.kept)))

	for _, typ := range []reflect.Type{reflect.TypeFor[AlertSettings](), reflect.TypeFor[retryObject]()} {
		_, err = readKept(typ, []byte(`{`))
		require.Error(t, err, typ)
	}
}
