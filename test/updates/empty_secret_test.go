//lint:file-ignore SA1019 what is deprecated is tested, too

package updates_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

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
