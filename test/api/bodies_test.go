//lint:file-ignore SA1019 what is deprecated is tested, too

package api_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
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
	empty := map[string]string{"TriggerTarget.matchTags": "absent", "TriggerTarget.checkId": "absent", "TestSessionTarget.matchTags": "absent", "TestSessionTarget.checkId": "absent"} // an empty filter may run every check
	names := map[string]string{"checkId": "CheckIDs", "sequenceId": "SequenceIDs"}
	seen := make(map[string]int)
	for _, typ := range requestTypes() {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := memberName(f)
			if name == "" || strings.Contains(name, "_") || name == "id" || f.Type == reflect.TypeFor[*monitoring.Timestamp]() { // the service makes it
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
				sends("absent")
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
				require.Contains(t, []string{"absent", `""`}, memberOf(t, owner, name), what)
				field.SetString("x")
				sends(`"x"`)
			}
		}
	}
	for kind, least := range map[string]int{"nullables": 30, "lists": 20, "pointers": 40, "texts": 20} {
		require.GreaterOrEqual(t, seen[kind], least, "%s were missed", kind)
	}
}

// settingGroup gives a group that a client has returned what another one has, and writes it.
func settingGroup(c *monitoring.Client) func(context.Context, *monitoring.CheckGroup, ...monitoring.CallOption) (*monitoring.CheckGroup, error) {
	return func(ctx context.Context, wish *monitoring.CheckGroup, opts ...monitoring.CallOption) (*monitoring.CheckGroup, error) {
		group := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"n","runtimeId":"2025.04","setupSnippetId":1,"tearDownSnippetId":1,"localSetupScript":"s",
			"localTearDownScript":"s","runParallel":true,"alertSettings":{"escalationType":"RUN_BASED"},"useGlobalAlertSettings":true,"alertChannelSubscriptions":null}`)
		if err := group.SetFrom(wish); err != nil {
			return nil, err
		}
		return c.CheckGroups.Update(ctx, group, opts...)
	}
}

func TestRequestsAreEqualToTheSamples(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{}`)
	calls := map[string]struct {
		call    call
		request validator // its type
	}{
		"patch-v1-error-group":                        {withID(client.ErrorGroups.Update, "g"), monitoring.ErrorGroupUpdate{}},
		"post-v1-root-cause-analysis":                 {withID(client.RootCauseAnalyses.Create, "g"), monitoring.RootCauseAnalysisCreate{}},
		"post-v2-check-sessions-trigger":              {with(client.CheckSessions.Trigger), monitoring.TriggerRequest{}},
		"post-v1-check-sessions-trigger":              {with(client.CheckSessions.TriggerV1), monitoring.TriggerRequest{}},
		"patch-v1-test-session-error-group":           {withID(client.TestSessionErrorGroups.Update, "g"), monitoring.ErrorGroupUpdate{}},
		"post-v1-root-cause-analysis-of-test-session": {withID(client.RootCauseAnalyses.CreateForTestSession, "g"), monitoring.RootCauseAnalysisCreate{}},
		"post-v1-test-sessions-trigger":               {with(client.TestSessions.Trigger), monitoring.TestSessionTrigger{}},
		"post-v1-test-session-cancel":                 {testCancelOf(client), monitoring.CancelRequest{}},
		"post-v1-check-session-cancel":                {cancelOf(client), monitoring.CancelRequest{}},
		"post-v2-check-groups":                        {with(client.CheckGroups.Create), &monitoring.CheckGroup{}},
		"put-v2-check-group":                          {with(settingGroup(client)), &monitoring.CheckGroup{}},
		"post-v1-maintenance-windows":                 {with(client.MaintenanceWindows.Create), &monitoring.MaintenanceWindow{}},
		"put-v1-maintenance-window":                   {with(client.MaintenanceWindows.Update), &monitoring.MaintenanceWindow{ID: 1}},
		"post-v1-alert-channels":                      {with(client.AlertChannels.Create), &monitoring.AlertChannel{}},
		"put-v1-alert-channel":                        {with(client.AlertChannels.Update), &monitoring.AlertChannel{ID: 1}},
		"put-v1-alert-channel-subscriptions":          {withID(client.AlertChannels.Subscribe, int64(1)), monitoring.ChannelSubscription{}},
		"post-v1-private-locations":                   {with(client.PrivateLocations.Create), &monitoring.PrivateLocation{}},
		"put-v1-private-location":                     {with(client.PrivateLocations.Update), &monitoring.PrivateLocation{ID: "l"}},
		"post-v1-snippets":                            {with(client.Snippets.Create), &monitoring.Snippet{}},
		"put-v1-snippet":                              {with(client.Snippets.Update), &monitoring.Snippet{ID: 1}},
		"post-v1-variables":                           {with(client.Variables.Create), &monitoring.EnvironmentVariable{}},
		"put-v1-variable":                             {with(client.Variables.Update), &monitoring.EnvironmentVariable{Key: "K"}},
		"post-v1-checks-api":                          {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeAPI}},
		"put-v1-checks-api":                           {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeAPI}},
		"post-v1-checks-browser":                      {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeBrowser}},
		"put-v1-checks-browser":                       {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeBrowser}},
		"post-v1-checks-tcp":                          {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeTCP}},
		"put-v1-checks-tcp":                           {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeTCP}},
		"put-v1-check":                                {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeGRPC}},
		"post-v1-checks-icmp":                         {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeICMP}},
		"put-v1-checks-icmp":                          {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeICMP}},
		"post-v1-checks-ssl":                          {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeSSL}},
		"put-v1-checks-ssl":                           {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeSSL}},
		"post-v1-checks-dns":                          {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeDNS}},
		"put-v1-checks-dns":                           {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeDNS}},
		"post-v1-checks-url":                          {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeURL}},
		"put-v1-checks-url":                           {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeURL}},
		"post-v1-checks-heartbeat":                    {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeHeartbeat}},
		"put-v1-checks-heartbeat":                     {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeHeartbeat}},
		"post-v1-checks-multistep":                    {with(client.Checks.Create), &monitoring.Check{CheckType: monitoring.CheckTypeMultiStep}},
		"put-v1-checks-multistep":                     {with(client.Checks.Update), &monitoring.Check{ID: "c", CheckType: monitoring.CheckTypeMultiStep}},
	}
	files := kit.Files(t, "testdata/requests/*.json")
	require.NotEmpty(t, files)
	for _, file := range files {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		c, known := calls[operation]
		require.True(t, known, "add the call that sends %s", file)
		of := reflect.TypeOf(c.request)
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		request := reflect.New(of)
		require.NoError(t, json.Unmarshal([]byte(kit.File(t, file)), request.Interface()))
		if check, isCheck := c.request.(*monitoring.Check); isCheck { // its kind says what is in the sample
			text := string(rawjson.With([]byte(kit.File(t, file)), "checkType", fmt.Appendf(nil, "%q", check.CheckType)))
			request = reflect.ValueOf(new(monitoring.Check))
			require.NoError(t, monitoring.UnmarshalStrict([]byte(text), request.Interface()), file)
			if check.CheckType == monitoring.CheckTypeDNS && check.ID != "" { // a service must have returned it
				plan := rawjson.With([]byte(text), "id", []byte(`"c"`))
				request = reflect.ValueOf(kit.Planned[monitoring.Check](string(rawjson.With(plan, "$plan", []byte(`{"read":{"id":"c","checkType":"DNS","degradedResponseTime":1}}`)))))
			}
		}
		if _, isObject := c.request.(monitoring.Object); isObject {
			for _, says := range []string{"ID", "Key", "CheckType"} { // which one is written
				if f := reflect.ValueOf(c.request).Elem().FieldByName(says); f.IsValid() && !f.IsZero() {
					request.Elem().FieldByName(says).Set(f)
				}
			}
			sent.Sent = nil
			c.call(request.Interface().(validator))
			require.Len(t, sent.Sent, 1, "%s was not sent", file)
			require.JSONEq(t, kit.File(t, file), sent.Sent[0].Body, file)
			continue
		}
		if r, ok := request.Interface().(*monitoring.TestSessionTrigger); ok {
			r.AllChecks = r.Target.MatchTags == nil && r.Target.CheckIDs == nil
		}
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

func TestANullableHasThreeStates(t *testing.T) {
	for _, c := range []struct {
		data string
		want monitoring.Nullable[bool]
		is   []bool // absent, null, a value, true
		text string
	}{
		{"truth", monitoring.Nullable[bool]{}, []bool{true, false, false, false}, "absent"}, // a failed read changes nothing
		{" null\n", monitoring.Null[bool](), []bool{false, true, false, false}, "null"},
		{"\tfalse", monitoring.Value(false), []bool{false, false, true, false}, " false"},
		{" true ", monitoring.Value(true), []bool{false, false, true, true}, "  true"},
	} {
		var n monitoring.Nullable[bool]
		require.Equal(t, c.text == "absent", n.UnmarshalJSON([]byte(c.data)) != nil)
		require.Equal(t, c.want, n)
		value, ok := n.Get()
		require.Equal(t, c.is, []bool{n.IsZero(), n.IsNull(), ok, value})
		require.Equal(t, c.text, fmt.Sprintf("%6t", n))
		written, err := json.Marshal(n)
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(strings.TrimSpace(c.text), "absent", "null"), string(written))
	}
	require.Error(t, new(monitoring.Nullable[bool]).UnmarshalJSON(nil))
}

func TestAStrategyReplacesWhatItHadBefore(t *testing.T) {
	for written, want := range map[string]monitoring.RetryStrategy{
		` "LATER" `: {Type: "LATER"}, `{"type":"FIXED","onlyOn":"NETWORK_ERROR"}`: {Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{"NETWORK_ERROR"}},
	} {
		r := monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, MaxRetries: new(3), OnlyOn: []monitoring.RetryCondition{"BAD_LUCK"}}
		require.NoError(t, r.UnmarshalJSON([]byte(written)))
		require.Equal(t, want.Type, r.Type)
		require.Equal(t, want.OnlyOn, r.OnlyOn)
		require.Nil(t, r.MaxRetries)
		plain, err := json.Marshal(r)
		require.NoError(t, err)
		require.Equal(t, kit.ToJSON(t, r), string(plain), "encoding/json writes it in the same way")
		require.Equal(t, strings.Contains(written, "{"), string(plain[:1]) == "{", "a text stays one")
		r.Type, r.OnlyOn = "LINEAR", nil
		require.Equal(t, `{"type":"LINEAR"}`, kit.ToJSON(t, r), "a changed type is written as an object")
	}
	for _, data := range []string{``, ` `, `"`, `"\x"`, `{`, `{"onlyOn":"`, `7`, `{"onlyOn":}`, `{"onlyOn":"\x"}`, `{"onlyOn":[}`, `{"onlyOn":7}`} {
		require.Error(t, new(monitoring.RetryStrategy).UnmarshalJSON([]byte(data)), data)
	}
}

func FuzzNullable(f *testing.F) {
	for _, text := range []string{" null\n", `"text"`, `263584`, `["a"]`, `{"username":"u","password":"p"}`, `{"type":"FIXED"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		roundTripNullable[string](t, data)
		roundTripNullable[int64](t, data)
		roundTripNullable[[]string](t, data)
		roundTripNullable[monitoring.BasicAuth](t, data)
		roundTripNullable[monitoring.RetryStrategy](t, data)
	})
}

func roundTripNullable[T any](t *testing.T, data []byte) {
	var n, again monitoring.Nullable[T]
	if json.Unmarshal(data, &n) != nil {
		require.True(t, n.IsZero(), "a failed read changes nothing")
		return
	}
	require.False(t, n.IsZero(), "a value that was read is never absent")
	require.Equal(t, string(bytes.TrimSpace(data)) == "null", n.IsNull())
	written := kit.ToJSON(t, n)
	require.NoError(t, json.Unmarshal([]byte(written), &again))
	require.Equal(t, written, kit.ToJSON(t, again))
	require.Equal(t, n.IsNull(), again.IsNull())
}

func FuzzRetryStrategy(f *testing.F) {
	for _, text := range []string{`null`, `{"type":"LINEAR","maxRetries":2,"onlyOn":["NETWORK_ERROR"]}`, `"FALLBACK"`, `""`, `{}`, `{"onlyOn":"NETWORK_ERROR"}`, `{"onlyOn":[]}`, `{"onlyOn":null}`, `{"type":"FALLBACK","maxRetries":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, again monitoring.RetryStrategy
		if json.Unmarshal(data, &s) != nil || string(bytes.TrimSpace(data)) == `""` {
			return // an empty string is not a strategy
		}
		written := kit.ToJSON(t, s)
		require.NoError(t, json.Unmarshal([]byte(written), &again), written)
		require.Equal(t, written, kit.ToJSON(t, again))
		bare := bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`))
		require.Equal(t, bare || s.Type == monitoring.RetryStrategyFallback, strings.HasPrefix(written, `"`))
		if !bare && s.Type != monitoring.RetryStrategyFallback {
			require.Equal(t, s, again)
		}
	})
}

func TestADateIsADayInEveryForm(t *testing.T) {
	day := monitoring.Date{Year: 2026, Month: time.December, Day: 31}
	require.Equal(t, "2026-12-31", day.String())
	require.Equal(t, `"0812-03-04"`, kit.ToJSON(t, monitoring.Date{Year: 812, Month: 3, Day: 4}))
	// An hour before midnight of New Year in New York is the next day in UTC.
	require.Equal(t, day, monitoring.DateOf(time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", -5*60*60))))
	var read monitoring.Date
	require.NoError(t, json.Unmarshal([]byte(`"2026-12-31"`), &read))
	require.Equal(t, day, read)
	require.NoError(t, json.Unmarshal([]byte(`"2026-12-31T20:00:00-05:00"`), &read))
	require.Equal(t, "2027-01-01", read.String(), "the day of a time is that in UTC")
	for _, text := range []string{"", "2026-12-3", "31.12.2026", "2026-1-31", "+026-12-31", " 2026-12-31"} {
		require.Error(t, read.UnmarshalText([]byte(text)), text)
	}
}
