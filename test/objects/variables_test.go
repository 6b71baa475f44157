package objects_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAWithheldValueOfAVariableMustBeSetBeforeAnUpdate(t *testing.T) {
	const withheld = "value: is required, and the service withholds its value: set it"
	for _, read := range []string{`{"key":"K","value":null,"locked":false,"secret":true}`, `{"key":"K","value":"","locked":false,"secret":true}`} {
		client, sent := kit.Recorded(t, 200, read)
		v, err := client.Variables.Get(t.Context(), "K")
		require.NoError(t, err)
		require.True(t, v.Value.IsWithheld())
		require.NoError(t, v.Validate(), "nothing has changed, so nothing is sent")
		require.Equal(t, []string{"value"}, v.Omitted())
		require.NoError(t, kit.Second(client.Variables.Update(t.Context(), v)))
		require.Len(t, sent.Sent, 1)

		v.Locked = new(true)
		require.Equal(t, []string{withheld}, kit.BrokenRules(t, v.Validate()))
		_, err = client.Variables.Update(t.Context(), v, monitoring.WithoutValidation())
		require.Equal(t, []string{withheld}, kit.BrokenRules(t, err))
		_, err = client.Variables.Edit(t.Context(), "K", func(v *monitoring.EnvironmentVariable) error {
			v.Locked = nil
			return nil
		})
		require.Contains(t, kit.BrokenRules(t, err), withheld)
		v.Value = monitoring.NewSecret("")
		require.Equal(t, []string{withheld}, kit.BrokenRules(t, v.Validate()), "the empty text of a secret means that it is withheld")
		require.Len(t, sent.Sent, 2)

		locked := v.Clone()
		require.NoError(t, kit.Second(client.Variables.Update(t.Context(), locked, monitoring.WithBodyField("value", "of an option"))))
		require.JSONEq(t, `{"value":"of an option","locked":true,"secret":true}`, sent.Sent[2].Body)
		sent.Sent = sent.Sent[:2]
		v.Value = monitoring.NewSecret("new")
		require.NoError(t, kit.Second(client.Variables.Update(t.Context(), v)))
		require.JSONEq(t, `{"value":"new","locked":true,"secret":true}`, sent.Sent[2].Body)
	}
}

func TestAVariableOfAFileKeepsTheValueThatTheServiceHas(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"key":"K","value":"v","locked":false,"secret":false}`)
	var wish monitoring.EnvironmentVariable
	require.NoError(t, json.Unmarshal([]byte(`{"key":"OTHER","locked":true,"value":null}`), &wish))
	_, err := client.Variables.Edit(t.Context(), "K", func(v *monitoring.EnvironmentVariable) error { return v.SetFrom(&wish) })
	require.NoError(t, err)
	require.JSONEq(t, `{"value":"v","locked":true,"secret":false}`, sent.Sent[1].Body, "neither the key nor the value is set")
	_, err = client.Variables.Create(t.Context(), wish.Template())
	require.Contains(t, kit.BrokenRules(t, err)[0], "value: has no value")
	_, err = client.Variables.Create(t.Context(), &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret(""), Secret: new(true)})
	require.Contains(t, kit.BrokenRules(t, err)[0], "value: has no value", "it would be read as withheld")
}

// A secret that is empty is one that the service withholds, in every form of it.
func TestAWishForAVariableWhoseValueIsWithheld(t *testing.T) {
	v := &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret(""), Secret: new(true)}
	require.NoError(t, v.SetFrom(&monitoring.EnvironmentVariable{Locked: new(true)}))
	require.True(t, *v.Locked)
	require.True(t, *v.Secret)
	require.True(t, v.Value.IsWithheld())
}

// A list that has never been read may have variables.
func TestSetVariableNeedsTheVariablesThatThereAre(t *testing.T) {
	var stored monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":7,"name":"n","environmentVariables":null}`), &stored))
	require.ErrorContains(t, stored.SetVariable(monitoring.NewEnvironmentVariable("K", "v")), "was read without its variables")
	withheld := kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n","environmentVariables":[{"key":"K","value":null,"secret":true}]}`)
	withheld.EnvironmentVariables = nil
	require.Contains(t, kit.BrokenRules(t, withheld.Validate())[0], "environmentVariables: cannot be unset, because the service does not accept null: set an empty list to remove its items")
	returned := kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"n","environmentVariables":null}`)
	require.NoError(t, returned.SetVariable(monitoring.NewEnvironmentVariable("K", "v")))

	group := &monitoring.CheckGroup{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A", Locked: new(true), Secret: new(true)}, {Key: "B"}}}
	require.NoError(t, group.SetVariable(monitoring.EnvironmentVariable{Key: "A", Value: monitoring.NewSecret("a"), Locked: new(false)}), "the first of those that are withheld")
	require.Equal(t, monitoring.EnvironmentVariable{Key: "A", Value: monitoring.NewSecret("a"), Locked: new(false), Secret: new(true)}, group.EnvironmentVariables[0])
	require.NoError(t, group.SetVariable(monitoring.EnvironmentVariable{Key: "B", Value: monitoring.NewSecret("b")}))
	require.NoError(t, group.SetVariable(monitoring.EnvironmentVariable{Key: "A", Value: monitoring.NewSecret("b"), Secret: new(false)}))
	require.Equal(t, monitoring.EnvironmentVariable{Key: "A", Value: monitoring.NewSecret("b"), Locked: new(false), Secret: new(false)}, group.EnvironmentVariables[0])

	client, sent := kit.Recorded(t, 200, `{}`)
	_, err := client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A"}}}, monitoring.WithBodyField("tags", []string{"a"}))
	require.Contains(t, kit.BrokenRules(t, err)[0], "environmentVariables[0].value: has no value", "an option gives it none")
	require.Empty(t, sent.Sent)

	twice := &monitoring.CheckGroup{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "K"}, monitoring.NewEnvironmentVariable("K", "v"), {Key: "L"}}}
	require.NoError(t, twice.RemoveVariable("K"), "one of them is withheld, so nobody needs the values of others yet")
	require.Equal(t, []monitoring.EnvironmentVariable{{Key: "L"}}, twice.EnvironmentVariables)
	require.ErrorContains(t, twice.SetVariable(monitoring.NewEnvironmentVariable("M", "v")), "the service withholds L")
}

// The service may unlock a variable without a flag, so a flag that was there must be said.
func TestAFlagOfAVariableCannotBeUnset(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"key":"K","value":"v","locked":true,"secret":false}`)
	_, err := client.Variables.Edit(t.Context(), "K", func(v *monitoring.EnvironmentVariable) error {
		v.Locked = nil
		return nil
	})
	require.Contains(t, kit.BrokenRules(t, err)[0], "locked: cannot be unset")
	require.Len(t, sent.Sent, 1)
}

// An item of a list is a value: what it was read from belongs to the object around it.
func TestAVariableInAListIsNoObject(t *testing.T) {
	client, _ := kit.Recorded(t, 200, `{"key":"K","value":"v","id":7}`)
	v, err := client.Variables.Get(t.Context(), "K")
	require.NoError(t, err)
	v.Value = monitoring.NewSecret("w")
	planned, err := monitoring.MarshalPlan(v)
	require.NoError(t, err)
	var plan monitoring.EnvironmentVariable
	require.NoError(t, json.Unmarshal(planned, &plan))
	require.Equal(t, "value: a secret is changed", plan.Diff()[0].String())

	var list []monitoring.EnvironmentVariable
	require.NoError(t, json.Unmarshal([]byte(`[{"key":"K","value":"v","id":7},{"key":"L"}]`), &list))
	require.Equal(t, monitoring.EnvironmentVariable{Key: "L"}, list[1])
	written, err := monitoring.MarshalWithSecrets(list)
	require.NoError(t, err)
	require.JSONEq(t, `[{"key":"K","value":"v"},{"key":"L","value":null}]`, string(written))
}
