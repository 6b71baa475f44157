package faults_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// oddNumbersAndTimes has, for each file of a response, members of which one that does not fit must
// not cost the object or the list that it is in.
var oddNumbersAndTimes = map[string][]string{
	"get-v1-private-locations":   {"lastSeen", "agentCount", "created_at", "updated_at", "minAgentVersion"},
	"get-v1-check-statuses":      {"longestRun", "shortestRun", "sslDaysRemaining", "created_at", "updated_at"},
	"get-v1-check-status":        {"longestRun", "shortestRun", "sslDaysRemaining", "created_at", "updated_at"},
	"get-v1-alert-channels":      {"sslExpiryThreshold", "created_at", "updated_at"},
	"get-v1-alert-notifications": {"alertChannelId"},
	"get-v1-maintenance-window":  {"created_at", "updated_at"},
	"get-v1-maintenance-windows": {"created_at", "updated_at"},
	"get-v1-check-result":        {"checkRunId"},
	"get-v1-check":               {"created_at", "updated_at"},
	"get-v1-checks":              {"created_at", "updated_at"},
	"get-v1-check-group":         {"created_at", "updated_at"},
	"get-v1-check-groups":        {"created_at", "updated_at"},
	"get-v1-snippet":             {"created_at", "updated_at"},
	"get-v1-snippets":            {"created_at", "updated_at"},
}

func TestAnOddNumberOrTimeDoesNotCostItsObject(t *testing.T) {
	for file, members := range oddNumbersAndTimes {
		text := kit.File(t, "testdata/responses/"+file+".all-members.json")
		for _, name := range members {
			for _, odd := range []string{`"3 minutes ago"`, `{"newer":1}`} {
				all := kit.ParseJSON(t, text)
				object, inList := all.(map[string]any)
				if !inList {
					object = all.([]any)[0].(map[string]any)
				}
				require.Contains(t, object, name, file)
				object[name] = json.RawMessage(odd)
				read, err := kit.Respond(t, file, http.StatusOK, kit.ToJSON(t, all))
				what := fmt.Sprintf("%s: %s is %s", file, name, odd)
				require.NoError(t, err, what)
				written := kit.ToJSON(t, itemsOf(read))
				if name == "minAgentVersion" && odd[0] == '"' {
					continue // it is a text
				}
				require.Empty(t, missing("", kit.ParseJSON(t, kit.ToJSON(t, all)), kit.ParseJSON(t, written)), what)
				require.Contains(t, written, `"`+name+`":`+odd, what)
			}
		}
	}
}

// itemsOf returns the items of a page, and any other value as it is.
func itemsOf(read any) any {
	if v := reflect.Indirect(reflect.ValueOf(read)); v.Kind() == reflect.Struct && strings.HasPrefix(v.Type().Name(), "Page[") {
		return v.FieldByName("Items").Interface()
	}
	return read
}

// TestNoMemberOfAResponseIsLostWhenItIsWrittenAgain writes the samples of the responses whose types
// have an Extra, or keep their JSON: members that are null, false or unknown are there again.
func TestNoMemberOfAResponseIsLostWhenItIsWrittenAgain(t *testing.T) {
	for _, of := range []string{
		"alert-channels", "alert-notifications", "check-status", "check-statuses", "locations", "private-locations", "maintenance-window", "maintenance-windows",
		"check-result", "check-group", "check-groups", "check", "checks", "variable", "variables", "snippet", "snippets",
	} {
		files := kit.Files(t, "testdata/responses/get-v1-"+of+".*.json")
		require.Greater(t, len(files), 2, of)
		for _, file := range files {
			if strings.HasSuffix(file, "get-v1-variables.optional-null.json") {
				continue // a flag that is null is as good as absent
			}
			text := kit.File(t, file)
			read, err := kit.Respond(t, "get-v1-"+of, http.StatusOK, text)
			require.NoError(t, err)
			require.Empty(t, unwritten("", kit.ParseJSON(t, text), kit.ParseJSON(t, kit.ToJSON(t, itemsOf(read)))), file)
		}
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
			if !ok && !strings.Contains(path, "statusPageVisibility") { // which is a part of requests, too
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
		"a window":   respond("get-v1-maintenance-window", `{"id":7,"name":"n","newer":`+newer+`}`).(*monitoring.MaintenanceWindow).Extra,
		"a status":   respond("get-v1-check-status", `{"checkId":"c","newer":`+newer+`}`).(*monitoring.CheckStatus).Extra,
		"a location": respond("get-v1-locations", `[{"region":"eu-west-1","newer":`+newer+`}]`).([]monitoring.Location)[0].Extra,
	} {
		require.Equal(t, map[string]json.RawMessage{"newer": json.RawMessage(newer)}, extra, name)
	}
	channel := respond("get-v1-alert-channels", `[{"id":1,"type":"EMAIL","newer":`+newer+`}]`).([]monitoring.AlertChannel)[0]
	notification := respond("get-v1-alert-notifications", `[{"id":"n","newer":`+newer+`}]`).([]monitoring.AlertNotification)[0]
	private := respond("get-v1-private-locations", `[{"id":"l","newer":`+newer+`,"keys":[{"id":"k","newer":2}]}]`).([]monitoring.PrivateLocation)[0]
	variable := respond("get-v1-variable", `{"key":"K","value":"v","newer":`+newer+`}`).(*monitoring.EnvironmentVariable)
	for value, extra := range map[any]monitoring.SecretJSON{&channel: channel.Extra, &notification: notification.Extra, &private: private.Extra, variable: variable.Extra} {
		require.JSONEq(t, `{"newer":`+newer+`}`, string(extra.Reveal()), "%T", value)
		shown, err := json.Marshal(value)
		require.NoError(t, err)
		require.NotContains(t, string(shown)+fmt.Sprintf("%v %+v %#v", value, value, value), testkit.Canary, "%T: it may be a secret", value)
		whole, err := monitoring.MarshalWithSecrets(value)
		require.NoError(t, err)
		require.Contains(t, string(whole), testkit.Canary, "%T", value)
	}
	require.JSONEq(t, `{"newer":2}`, string(private.Keys[0].Extra.Reveal()))

	fits := respond("get-v1-variable", `{"key":"K","value":"v","locked":true}`).(*monitoring.EnvironmentVariable)
	require.Equal(t, monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("v"), Locked: new(true)}, *fits, "one that fits equals a literal")
	require.NoError(t, json.Unmarshal([]byte(`{"key":"K"}`), variable))
	require.True(t, variable.Extra.IsZero(), "nothing is left of the first one")
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
