package updates_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// methodOf calls a method of a value without arguments.
func methodOf(v reflect.Value, name string) []reflect.Value { return v.MethodByName(name).Call(nil) }

func TestACheckWithTheSettingsOfItsGroupIsNeitherWrittenBackNorCopied(t *testing.T) {
	const refused = "check: was read with the settings of its group, which would become its own: use Edit"
	with := monitoring.CheckListOptions{ApplyGroupSettings: true}
	one := func(t *testing.T, list func(func(monitoring.Check, error) bool)) (found monitoring.Check) {
		for check, err := range list {
			require.NoError(t, err)
			found = check
		}
		return found
	}
	for create := range createsOfKinds(t, "") {
		suffix := suffixOf(create)
		if suffix == "" { // a group
			continue
		}
		svc := monitoringtest.New()
		group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Locations: []monitoring.Region{"us-east-1"}, Tags: []string{"group"}})
		id := svc.AddCheck(monitoringtest.Check{Name: "Check", Type: monitoring.CheckType(kindOf(suffix)), GroupID: group, Tags: []string{"own"}})
		client, ctx := kit.Fake(t, svc), t.Context()
		page, err := client.Checks.List(ctx, with)
		require.NoError(t, err)
		got, err := client.Checks.GetWith(ctx, id, monitoring.CheckGetOptions{ApplyGroupSettings: true})
		require.NoError(t, err)
		queried, err := client.Checks.Get(ctx, id, monitoring.WithQuery("applyGroupSettings", "true"))
		require.NoError(t, err)
		for how, check := range map[string]monitoring.Check{
			"a page of checks": page.Items[0], "all checks": one(t, client.Checks.All(ctx, with)), "a read": *got, "a read with a query": *queried,
			"all checks of a group": one(t, client.CheckGroups.AllChecks(ctx, group, monitoring.ListOptions{})),
		} {
			svc.ResetRequests()
			of := methodOf(reflect.ValueOf(check), "As"+suffix)
			require.True(t, of[1].Bool(), "%s %s", suffix, how)
			update, again := methodOf(of[0], "ToUpdate")[0], methodOf(of[0], "ToCreate")[0]
			over := reflect.New(update.Type()) // an update of the caller's own that the create fills
			over.MethodByName("Set").Call([]reflect.Value{again})
			stored, err := monitoring.MarshalWithSecrets(update.Interface())
			require.NoError(t, err)
			plan := reflect.New(update.Type())
			require.NoError(t, json.Unmarshal(stored, plan.Interface()))
			for what, body := range map[string]reflect.Value{"update": update, "create": again, "update that was set": over.Elem(), "plan": plan.Elem()} {
				name, args := "Update"+suffix, []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(id), body}
				if what == "create" {
					name, args = "Create"+suffix, []reflect.Value{args[0], args[2]}
				}
				for step, out := range map[string][]reflect.Value{"Validate": methodOf(body, "Validate"), name: reflect.ValueOf(client.Checks).MethodByName(name).Call(args)} {
					err, _ := out[len(out)-1].Interface().(error)
					require.ErrorAs(t, err, new(*monitoring.ValidationError), "%s %s of %s: %s", suffix, what, how, step)
					require.ErrorContains(t, err, refused)
				}
			}
			require.Empty(t, svc.Requests())
		}

		edited, err := client.Checks.Edit(ctx, id, func(s *monitoring.CheckSettings) error { s.Muted = new(true); return nil })
		require.NoError(t, err, "an edit reads the check as it is")
		require.Equal(t, []string{"own"}, edited.Tags)
		plain, err := client.Checks.Get(ctx, id)
		require.NoError(t, err)
		own := methodOf(methodOf(reflect.ValueOf(*plain), "As"+suffix)[0], "ToUpdate")[0]
		require.Nil(t, methodOf(own, "Validate")[0].Interface(), "a check that was read without them is written back")
		_, err = client.Checks.Edit(ctx, id, func(s *monitoring.CheckSettings) error { s.Muted = new(false); return nil }, monitoring.WithQuery("applyGroupSettings", "true"))
		require.ErrorContains(t, err, refused, "an edit that reads it with them, too, is refused")
	}
}

// kindOf returns the kind of checks whose methods end so.
func kindOf(suffix string) string {
	return strings.ReplaceAll(strings.ToUpper(suffix), "MULTISTEP", string(monitoring.CheckTypeMultiStep))
}
