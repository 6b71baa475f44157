//lint:file-ignore SA1019 what is deprecated is tested, too

package requests_test

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// requestTypes returns every struct that is part of a body: the requests that methods take, and all
// structs in them.
func requestTypes() []reflect.Type {
	var types []reflect.Type
	var collect func(reflect.Type)
	collect = func(typ reflect.Type) {
		switch {
		case kit.IsNullable(typ):
			collect(kit.NullableOf(typ))
		case typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice:
			collect(typ.Elem())
		case typ.Kind() == reflect.Struct && !slices.Contains(types, typ):
			types = append(types, typ)
			for f := range typ.Fields() {
				if member := memberName(f); member != "" {
					collect(f.Type)
				}
			}
		}
	}
	for _, typ := range validators() {
		collect(typ)
	}
	return types
}

// memberName returns the name of a field in JSON; it is empty if the field is no member.
func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.TrimPrefix(name, "-")
}

// memberOf returns a member of a request as it is sent, or "absent".
func memberOf(t *testing.T, owner reflect.Value, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(kit.ToJSON(t, owner.Interface())), &members))
	if raw, ok := members[name]; ok {
		return string(raw)
	}
	return "absent"
}

func TestEachFieldOfARequestIsSentAsItIsSet(t *testing.T) {
	absent := map[string]string{"BrowserCheckCreate.script": "null", "MaintenanceWindowCreate.repeatUnit": `"DAY"`} // they are required
	empty := map[string]string{"TriggerTarget.matchTags": "absent", "TriggerTarget.checkId": "absent"}              // an empty filter may run every check
	names := map[string]string{"checkId": "CheckIDs", "sequenceId": "SequenceIDs"}
	seen := make(map[string]int)
	for _, typ := range requestTypes() {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := memberName(f)
			if name == "" {
				continue
			}
			what := typ.Name() + "." + name
			require.True(t, strings.EqualFold(f.Name, name) || f.Name == names[name], "%s is sent for %s", what, f.Name)
			owner := reflect.New(typ).Elem()
			field := owner.Field(i)
			sends := func(want string) {
				t.Helper()
				require.Equal(t, want, memberOf(t, owner, name), what)
			}
			switch {
			case kit.IsNullable(f.Type):
				seen["nullables"]++
				sends(cmp.Or(absent[what], "absent"))
				target := field.Addr().Interface().(json.Unmarshaler)
				require.NoError(t, target.UnmarshalJSON([]byte("null")))
				sends("null")
				zero := "[]"
				if plain := kit.NullableOf(f.Type); plain.Kind() != reflect.Slice {
					zero = kit.ToJSON(t, reflect.Zero(plain).Interface())
				}
				require.NoError(t, target.UnmarshalJSON([]byte(zero)))
				sends(zero)
			case f.Type.Kind() == reflect.Slice && f.Type != reflect.TypeFor[json.RawMessage]():
				seen["lists"]++
				sends("absent")
				field.Set(reflect.MakeSlice(f.Type, 0, 0))
				sends(cmp.Or(empty[what], "[]"))
				field.Set(reflect.MakeSlice(f.Type, 1, 1))
				sends(kit.ToJSON(t, field.Interface()))
			case f.Type.Kind() == reflect.Pointer:
				seen["pointers"]++
				require.Contains(t, []string{"absent", "null"}, memberOf(t, owner, name)) // null if it is required
				field.Set(reflect.New(f.Type.Elem()))
				sends(kit.ToJSON(t, field.Interface()))
			case f.Type.Kind() == reflect.String:
				seen["texts"]++
				require.Contains(t, []string{"absent", `""`, absent[what]}, memberOf(t, owner, name), what)
				field.SetString("x")
				sends(`"x"`)
			}
		}
	}
	for kind, least := range map[string]int{"nullables": 40, "lists": 20, "pointers": 40, "texts": 20} {
		require.GreaterOrEqual(t, seen[kind], least, "%s were missed", kind)
	}
}

func TestRequestsAreEqualToTheSamples(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{}`)
	calls := map[string]struct {
		call    call
		request validator // its type
	}{
		"post-v2-check-sessions-trigger": {with(client.CheckSessions.Trigger), monitoring.TriggerRequest{}},
		"post-v1-check-sessions-trigger": {with(client.CheckSessions.TriggerV1), monitoring.TriggerRequest{}},
		"post-v1-check-session-cancel":   {cancelOf(client), monitoring.CancelRequest{}},
		"post-v2-check-groups":           {with(client.CheckGroups.Create), monitoring.CheckGroupCreate{}},
		"put-v2-check-group":             {withID(client.CheckGroups.Update, int64(1)), monitoring.CheckGroupUpdate{}},
		"post-v1-maintenance-windows":    {with(client.MaintenanceWindows.Create), monitoring.MaintenanceWindowCreate{}},
		"put-v1-maintenance-window":      {withID(client.MaintenanceWindows.Update, int64(1)), monitoring.MaintenanceWindowUpdate{}},
		"post-v1-variables":              {with(client.Variables.Create), monitoring.VariableCreate{}},
		"put-v1-variable":                {withID(client.Variables.Update, "K"), monitoring.VariableUpdate{}},
		"post-v1-checks-api":             {with(client.Checks.CreateAPI), monitoring.APICheckCreate{}},
		"put-v1-checks-api":              {withID(client.Checks.UpdateAPI, "a"), monitoring.APICheckUpdate{}},
		"post-v1-checks-browser":         {with(client.Checks.CreateBrowser), monitoring.BrowserCheckCreate{}},
		"put-v1-checks-browser":          {withID(client.Checks.UpdateBrowser, "b"), monitoring.BrowserCheckUpdate{}},
		"post-v1-checks-tcp":             {with(client.Checks.CreateTCP), monitoring.TCPCheckCreate{}},
		"put-v1-checks-tcp":              {withID(client.Checks.UpdateTCP, "t"), monitoring.TCPCheckUpdate{}},
		"put-v1-check":                   {withID(client.Checks.Update, "c"), monitoring.CheckUpdate{}},
	}
	for _, file := range kit.Files(t, "testdata/requests/*.json") {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		c, known := calls[operation]
		require.True(t, known, "add the call that sends %s", file)
		request := reflect.New(reflect.TypeOf(c.request))
		require.NoError(t, json.Unmarshal([]byte(kit.File(t, file)), request.Interface()))
		if r, ok := request.Interface().(*monitoring.TriggerRequest); ok {
			r.AllChecks = r.Target.MatchTags == nil && r.Target.CheckIDs == nil
		}
		sent.Sent = nil
		c.call(request.Elem().Interface().(validator))
		require.Len(t, sent.Sent, 1, "%s was not sent", file)
		require.JSONEq(t, kit.File(t, file), sent.Sent[0].Body, file)
	}
}

func TestATriggerNeverSendsAnEmptyFilter(t *testing.T) {
	client, sent := kit.Recorded(t, 201, `{"sessions":[]}`)
	for want, request := range map[string]monitoring.TriggerRequest{
		`{}`:                     {AllChecks: true, Target: monitoring.TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{}}},
		`{"refreshCache":false}`: {AllChecks: true, RefreshCache: new(false)},
		`{"target":{"checkId":["` + kit.UUID1 + `"]}}`: {Target: monitoring.TriggerTarget{MatchTags: [][]string{}, CheckIDs: []string{kit.UUID1}}},
		`{"target":{"matchTags":[["a"]]}}`:             {Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a"}}, CheckIDs: []string{}}},
	} {
		for _, trigger := range []func(context.Context, monitoring.TriggerRequest, ...monitoring.CallOption) ([]monitoring.CheckSession, error){client.CheckSessions.Trigger, client.CheckSessions.TriggerV1} {
			require.NoError(t, kit.Second(trigger(t.Context(), request)))
			require.Equal(t, want, sent.Sent[len(sent.Sent)-1].Body)
		}
	}
}
