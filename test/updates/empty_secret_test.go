//lint:file-ignore SA1019 what is deprecated is tested, too

package updates_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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
func readEverywhere(t *testing.T, list string) map[string][]monitoring.EnvironmentVariable {
	t.Helper()
	read := make(map[string][]monitoring.EnvironmentVariable)
	for path, odd := range map[string]struct{ tags, value string }{"fast": {`["a"]`, `"v"`}, "slow": {`"a"`, `5`}} {
		members := `"name":"n","tags":` + odd.tags + `,"environmentVariables":` + list + `}`
		client, _ := kit.Recorded(t, 200, `{"id":"c","checkType":"MULTI_STEP",`+members)
		browser, err := client.Checks.UpdateBrowser(t.Context(), "c", monitoring.BrowserCheckUpdate{})
		require.NoError(t, err)
		check, err := client.Checks.Update(t.Context(), "c", monitoring.CheckUpdate{})
		require.NoError(t, err)
		own, err := monitoring.Do[struct {
			Variables []monitoring.EnvironmentVariable `json:"environmentVariables"`
			Tags      json.RawMessage
		}](t.Context(), client, "GET", "/v1/checks/c", nil, nil)
		require.NoError(t, err)
		var group monitoring.CheckGroup
		require.NoError(t, json.Unmarshal([]byte(`{"id":7,`+members), &group))

		client, _ = kit.Recorded(t, 200, list[:len(list)-1]+`,{"key":"last","value":`+odd.value+`}]`)
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.NoError(t, err)
		read["a browser check, "+path], read["a check, "+path], read["a group, "+path] = browser.EnvironmentVariables, check.MultiStep.EnvironmentVariables, group.EnvironmentVariables
		read["a type of the user, "+path], read["the list of variables, "+path] = own.Variables, page.Items[:len(page.Items)-1]
	}
	var alone []monitoring.EnvironmentVariable
	require.NoError(t, json.Unmarshal([]byte(list), &alone))
	read["json.Unmarshal"] = alone
	return read
}

func TestASecretVariableWithAnEmptyValueIsWithheld(t *testing.T) {
	for form, withheld := range variableForms {
		for where, list := range readEverywhere(t, `[{"key":"first","value":""},`+form+`]`) {
			require.Len(t, list, 2, where)
			require.Equal(t, monitoring.NewSecret(""), list[0].Value, where)
			require.Equal(t, withheld, list[1].Value.IsWithheld(), "%s in %s", form, where)
		}
	}
}

func TestAVariableThatIsNotAnObjectHasItsPathInTheError(t *testing.T) {
	client, _ := kit.Recorded(t, 200, `[{"key":"K","value":""},5]`)
	_, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
	require.ErrorContains(t, err, "decode $[1]: want an object, got a number")
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
	const why = ".value: is withheld by the service: set it with NewSecret, or leave the list or object out"
	for secret, want := range map[*bool][]string{nil: nil, new(false): nil, new(true): {why}} {
		list := []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "a"), {Key: "K", Value: monitoring.NewSecret(""), Secret: secret}}
		for name, c := range map[string]struct {
			path string
			call func(*monitoring.Client) error
		}{
			"a group": {"environmentVariables[1]", func(c *monitoring.Client) error {
				return kit.Second(c.CheckGroups.Update(t.Context(), 7, monitoring.CheckGroupUpdate{Name: "n", EnvironmentVariables: list}))
			}},
			"a browser check": {"environmentVariables[1]", func(c *monitoring.Client) error {
				return kit.Second(c.Checks.UpdateBrowser(t.Context(), "x", monitoring.BrowserCheckUpdate{EnvironmentVariables: list}))
			}},
			"any check": {"environmentVariables[1]", func(c *monitoring.Client) error {
				return kit.Second(c.Checks.Update(t.Context(), "x", monitoring.CheckUpdate{EnvironmentVariables: list}))
			}},
			"a body member": {"x[1]", func(c *monitoring.Client) error {
				return kit.Second(c.Checks.Update(t.Context(), "x", monitoring.CheckUpdate{}, monitoring.WithBodyMember("x", list)))
			}},
			"a body of Do": {"v", func(c *monitoring.Client) error {
				return kit.Second(monitoring.Do[struct{}](t.Context(), c, "POST", "/v1/things", nil, map[string]any{"v": &list[1]}))
			}},
		} {
			for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithoutValidation()}} {
				client, sent := kit.Recorded(t, 200, `{"name":"n"}`, opts...)
				err := c.call(client)
				if want == nil {
					require.NoError(t, err, name)
					require.Contains(t, sent.Sent[0].Body, `"key":"K","value":""`, name)
					continue
				}
				require.Equal(t, []string{c.path + why}, kit.BrokenRules(t, err), name)
				require.Empty(t, sent.Sent, name)
			}
		}
	}
}
