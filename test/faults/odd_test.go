package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// settingsAndIDs are members of which a zero would say something else: a response in which one of
// them does not fit is an error.
var settingsAndIDs = regexp.MustCompile(`\.(id|groupId|alertChannelId|setupSnippetId|tearDownSnippetId|` +
	`concurrency|frequency|frequencyOffset|groupOrder|(degraded|max)(ResponseTime|PacketLossThreshold)|port|pingCount|grace|period|` +
	`startsAt|endsAt|repeatInterval|repeatEndsAt)$|\.(alertSettings|retryStrategy)\.`)

// TestAnOddNumberOrTimeDoesNotCostItsObject replaces each number and each time of each response by
// something else.
func TestAnOddNumberOrTimeDoesNotCostItsObject(t *testing.T) {
	moment := regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	tried := map[string]bool{}
	for _, file := range kit.Files(t, "testdata/responses/get-*.all-members.json") {
		operation, _, _ := strings.Cut(path.Base(file), ".")
		all := kit.ParseJSON(t, kit.File(t, file))
		found := make(map[string]membersAt)
		findMembers(all, "", found)
		for at, members := range found {
			name := at[strings.LastIndexByte(at, '.')+1:]
			_, isNumber := members[0].was.(json.Number)
			text, _ := members[0].was.(string)
			ofNotification := operation == "get-v1-alert-notifications" && name == "alertChannelId"
			if !isNumber && !moment.MatchString(text) || settingsAndIDs.MatchString(at) && !ofNotification {
				continue
			}
			for _, odd := range []string{`{"newer":1}`, `"3 minutes ago"`} {
				what := fmt.Sprintf("%s: %s is %s", operation, at, odd)
				members.set(json.RawMessage(odd))
				sent := kit.ToJSON(t, all)
				read, err := kit.Respond(t, operation, http.StatusOK, sent)
				require.NoError(t, err, what)
				written := kit.ToJSON(t, itemsOf(read))
				require.Empty(t, missing("", kit.ParseJSON(t, sent), kit.ParseJSON(t, written)), what)
				require.Contains(t, written, `"`+name+`":`+odd, what)
				members.restore()
			}
			tried[name] = true
		}
	}
	for _, name := range []string{"lastSeen", "agentCount", "created_at", "longestRun", "sslExpiryThreshold", "alertChannelId", "checkRunId",
		"timeElapsed", "stoppedAt", "responseTime", "firstSeen", "durationMs", "entriesTotal", "timestamp", "quantity", "maxPerCheck"} {
		require.Contains(t, tried, name)
	}
	_, err := kit.Respond(t, "get-v1-private-locations", http.StatusOK, `[{"id":"l","minAgentVersion":{"newer":1}}]`)
	require.NoError(t, err, "nor does a version that is no text")
}

// TestAnOddMemberOfAnObjectInsideIsInTheExtraOfThat looks into the objects of an object that fits,
// and of one that does not.
func TestAnOddMemberOfAnObjectInsideIsInTheExtraOfThat(t *testing.T) {
	for _, outside := range []string{`"2026-01-01T00:00:00Z"`, `"yesterday"`} {
		read, err := kit.Respond(t, "get-v1-private-locations", http.StatusOK, `[{"id":"l","created_at":`+outside+
			`,"keys":[{"id":"k","created_at":"3 minutes ago"}],"runningAgents":[{"count":"many","agents":[{"lastSeenAt":"3 minutes ago"}]}]}]`)
		require.NoError(t, err)
		location := read.([]monitoring.PrivateLocation)[0]
		require.JSONEq(t, `{"created_at":"3 minutes ago"}`, string(location.Keys[0].Extra.Reveal()), outside)
		require.Equal(t, `"many"`, string(location.RunningAgents[0].Extra["count"]), outside)
		require.Equal(t, `"3 minutes ago"`, string(location.RunningAgents[0].Agents[0].Extra["lastSeenAt"]), outside)

		read, err = kit.Respond(t, "get-v2-check-session", http.StatusOK,
			`{"checkSessionId":"s","startedAt":`+outside+`,"results":[{"checkResultId":"r","responseTime":"3ms","resultType":null,"newer":1}]}`)
		require.NoError(t, err)
		session := read.(*monitoring.CheckSession)
		require.Equal(t, `"3ms"`, string(session.Results[0].Extra["responseTime"]), outside)
		require.Equal(t, "1", string(session.Results[0].Extra["newer"]), outside)
	}
}

// itemsOf returns the items of a page, and any other value as it is.
func itemsOf(read any) any {
	if v := reflect.Indirect(reflect.ValueOf(read)); v.Kind() == reflect.Struct && strings.HasPrefix(v.Type().Name(), "Page[") {
		return v.FieldByName("Items").Interface()
	}
	return read
}

// TestNoMemberOfAResponseIsLostWhenItIsWrittenAgain writes the samples of all responses: members
// that are null, false or unknown are there again.
func TestNoMemberOfAResponseIsLostWhenItIsWrittenAgain(t *testing.T) {
	files := kit.Files(t, "testdata/responses/get-*.json")
	require.Greater(t, len(files), 100)
	for _, file := range files {
		operation, _, _ := strings.Cut(path.Base(file), ".")
		if strings.HasSuffix(file, "get-v1-variables.optional-null.json") {
			continue // a flag that is null is as good as absent
		}
		text := kit.File(t, file)
		read, err := kit.Respond(t, operation, http.StatusOK, text)
		require.NoError(t, err, file)
		require.Empty(t, unwritten("", kit.ParseJSON(t, text), kit.ParseJSON(t, kit.ToJSON(t, itemsOf(read)))), file)
	}
}

// unwritten returns the paths of members that were sent and are not there again.
func unwritten(path string, sent, got any) (paths []string) {
	switch sent := sent.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for name, value := range sent {
			again, ok := object[name]
			if !ok && strings.HasSuffix(path, "finalHopLatency") {
				again, ok = object[spellings[name]]
			}
			if !ok {
				paths = append(paths, path+"."+name)
			}
			paths = append(paths, unwritten(path+"."+name, value, again)...)
		}
	case []any:
		list, _ := got.([]any)
		for i := range min(len(sent), len(list)) {
			paths = append(paths, unwritten(path+"[]", sent[i], list[i])...)
		}
	}
	return paths
}

func TestMembersWithoutAFieldCanBeReached(t *testing.T) {
	const newer = `{"a": [1, "` + testkit.Canary + `"]}`
	respond := func(file, body string) any {
		read, err := kit.Respond(t, file, http.StatusOK, body)
		require.NoError(t, err)
		return itemsOf(read)
	}
	for name, extra := range map[string]map[string]json.RawMessage{
		"a status":   respond("get-v1-check-status", `{"checkId":"c","newer":`+newer+`}`).(*monitoring.CheckStatus).Extra,
		"a location": respond("get-v1-locations", `[{"region":"eu-west-1","newer":`+newer+`}]`).([]monitoring.Location)[0].Extra,
	} {
		require.Equal(t, map[string]json.RawMessage{"newer": json.RawMessage(newer)}, extra, name)
	}
	channel := respond("get-v1-alert-channels", `[{"id":1,"type":"EMAIL","newer":`+newer+`}]`).([]monitoring.AlertChannel)[0]
	notification := respond("get-v1-alert-notifications", `[{"id":"n","newer":`+newer+`}]`).([]monitoring.AlertNotification)[0]
	private := respond("get-v1-private-locations", `[{"id":"l","newer":`+newer+`,"keys":[{"id":"k","newer":2}]}]`).([]monitoring.PrivateLocation)[0]
	variable := respond("get-v1-variable", `{"key":"K","value":"v","newer":`+newer+`}`).(*monitoring.EnvironmentVariable)
	window := respond("get-v1-maintenance-window", `{"id":7,"name":"n","newer":`+newer+`}`).(*monitoring.MaintenanceWindow)
	for value, extra := range map[any]monitoring.SecretJSON{window: window.Extra, &channel: channel.Extra, &notification: notification.Extra, &private: private.Extra, variable: variable.Extra} {
		require.JSONEq(t, `{"newer":`+newer+`}`, string(extra.Reveal()), "%T", value)
		shown, err := json.Marshal(value)
		require.NoError(t, err)
		require.NotContains(t, string(shown)+fmt.Sprintf("%v %+v %#v", value, value, value), testkit.Canary, "%T: it may be a secret", value)
		whole, err := monitoring.MarshalWithSecrets(value)
		require.NoError(t, err)
		require.Contains(t, string(whole), testkit.Canary, "%T", value)
	}
	require.JSONEq(t, `{"newer":2}`, string(private.Keys[0].Extra.Reveal()))
	key, err := monitoring.MarshalWithSecrets(private.Keys[0])
	require.NoError(t, err)
	require.Contains(t, string(key), `"newer":2`)

	group := respond("get-v1-check-group", `{"id":7,"environmentVariables":[{"key":"K","value":"v","locked":true}]}`).(*monitoring.CheckGroup)
	require.Equal(t, monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("v"), Locked: new(true)}, group.EnvironmentVariables[0],
		"an item of a list equals a literal")
	require.NoError(t, json.Unmarshal([]byte(`{"key":"K"}`), variable))
	require.True(t, variable.Extra.IsZero(), "nothing is left of the first one")
}

// TestAnUnknownMemberIsInTheExtraOfItsObject adds one member to one object of a response in which
// everything else has a field, for each object of all samples.
func TestAnUnknownMemberIsInTheExtraOfItsObject(t *testing.T) {
	seen, tried := make(map[string]bool), make(map[reflect.Type]bool)
	var draw testkit.Draw
	for _, file := range kit.Files(t, "testdata/responses/*.json") {
		if strings.Contains(file, "unknown-members") {
			continue
		}
		operation, kind, _ := strings.Cut(path.Base(file), ".")
		status := http.StatusOK
		if strings.HasPrefix(kind, "202-") {
			status = http.StatusAccepted
		}
		body := kit.ParseJSON(t, kit.File(t, file))
		eachObject(body, nil, func(steps []any, object map[string]any) {
			place := operation
			for _, step := range steps {
				if name, ok := step.(string); ok {
					place += "." + name
				}
			}
			if seen[place] || !draw.Take(fmt.Sprint(kind, namesIn(object))) {
				return
			}
			object["unforeseen"] = 1
			sent := kit.ToJSON(t, body)
			delete(object, "unforeseen")
			read, err := kit.Respond(t, operation, status, sent)
			require.NoError(t, err, place)
			v := valueAt(reflect.ValueOf(itemsOf(read)), steps)
			if !v.IsValid() || v.Kind() != reflect.Struct || !v.FieldByName("Extra").IsValid() {
				return
			}
			seen[place], tried[v.Type()] = true, true
			switch extra := v.FieldByName("Extra").Interface().(type) {
			case monitoring.SecretJSON:
				require.Equal(t, "1", string(rawjson.Find(extra.Reveal(), "unforeseen")), place) // beside that of other kinds of checks
			default:
				require.Equal(t, map[string]json.RawMessage{"unforeseen": json.RawMessage("1")}, extra, "%s: %v", place, v.Type())
			}
		})
	}
	var untried []string
	for _, typ := range kit.WireTypes() {
		if _, ok := typ.FieldByName("Extra"); ok && !tried[typ] {
			untried = append(untried, typ.Name())
		}
	}
	// The list of these has no sample.
	require.Equal(t, []string{"TestSessionEntry", "TestSessionInvoker"}, untried)
}

// eachObject calls visit for the objects in a value, with the names and indexes that lead there.
func eachObject(v any, steps []any, visit func(steps []any, object map[string]any)) {
	steps = slices.Clip(steps)
	switch v := v.(type) {
	case map[string]any:
		visit(steps, v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachObject(v[name], append(steps, name), visit)
		}
	case []any:
		for i, item := range v {
			eachObject(item, append(steps, i), visit)
		}
	}
}

// valueAt returns what was read from the JSON to which names and indexes lead. It is invalid if
// nothing was.
func valueAt(v reflect.Value, steps []any) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if len(steps) == 0 || !v.IsValid() {
		return v
	}
	name, _ := steps[0].(string)
	index, isIndex := steps[0].(int)
	switch {
	case isIndex && v.Kind() == reflect.Slice && index < v.Len():
		return valueAt(v.Index(index), steps[1:])
	case !isIndex && v.Kind() == reflect.Slice: // the member of a page that has its items
		return valueAt(v, steps[1:])
	case !isIndex && v.Kind() == reflect.Struct:
		for _, f := range jsontype.Fields(v.Type()) {
			if field, err := v.FieldByIndexErr(f.Index); err == nil && f.Name == name {
				return valueAt(field, steps[1:])
			}
		}
	}
	return reflect.Value{}
}

func TestAFieldThatIsSetCountsMoreThanWhatWasRead(t *testing.T) {
	r := readResult(t, `{"id":"r","apiCheckResult":{"response":{"truncated":false,"href":""}},"browserCheckResult":null}`)
	require.Nil(t, r.Extra)
	require.Nil(t, r.APICheckResult.Response.Extra)
	require.Contains(t, kit.ToJSON(t, r), `"truncated":false`)
	r.APICheckResult.Response.Truncated = true
	r.BrowserCheckResult = &monitoring.BrowserCheckResult{}
	written := kit.ToJSON(t, r)
	require.Contains(t, written, `"truncated":true`)
	require.NotContains(t, written, `"truncated":false`)
	require.NotContains(t, written, `"browserCheckResult":null`)
}

func TestAnOddQuantityDoesNotCostTheEntitlements(t *testing.T) {
	read, err := kit.Respond(t, "get-v1-entitlements", http.StatusOK,
		`{"plan":"p","locations":{"all":[],"maxPerCheck":"all"},"entitlements":[{"key":"a","quantity":"unlimited"},{"key":"b","quantity":7,"newer":1}]}`)
	require.NoError(t, err)
	all := read.(*monitoring.Entitlements)
	require.Nil(t, all.Locations.MaxPerCheck)
	require.Equal(t, `"all"`, string(all.Locations.Extra["maxPerCheck"]))
	require.Nil(t, all.Entitlements[0].Quantity)
	require.Equal(t, `"unlimited"`, string(all.Entitlements[0].Extra["quantity"]))
	require.Equal(t, int64(7), *all.Entitlements[1].Quantity)
	require.Equal(t, "1", string(all.Entitlements[1].Extra["newer"]))
	require.Contains(t, kit.ToJSON(t, all), `"quantity":"unlimited"`)
}
