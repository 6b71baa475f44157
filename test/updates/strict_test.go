package updates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

func TestAMemberOfAFileWithoutAFieldIsAnErrorThatNamesItAtAnyDepth(t *testing.T) {
	for file, want := range map[string]string{
		`{"frequecny":5}`:                                           "frequecny is unknown",
		`{"request":{"metod":"GET"}}`:                               "request.metod is unknown",
		`{"request":{"headers":[{},{"k":1}]}}`:                      "request.headers[1].k is unknown",
		`{"request":{"queryParameters":[{"key":"a","valeu":"b"}]}}`: "request.queryParameters[0].valeu is unknown",
		`{"request":{"assertions":[{"sorce":""}]}}`:                 "request.assertions[0].sorce is unknown",
		`{"request":{"basicAuth":{"user":"u"}}}`:                    "request.basicAuth.user is unknown",
		`{"retryStrategy":{"type":"FIXED","retries":2}}`:            "retryStrategy.retries is unknown",
		`{"triggerIncident":{"id":""}}`:                             "triggerIncident.id is unknown",
		`{"intent":{"gaol":""}}`:                                    "intent.gaol is unknown",
		`{"alertChannelSubscriptions":[{"id":7}]}`:                  "alertChannelSubscriptions[0].id is unknown",
		`{"alertSettings":{"reminders":{"ammount":null}}}`:          "alertSettings.reminders.ammount is unknown",
		`{"muted":true,"muted":false}`:                              "muted is there twice",
		`{"muted":true,"Muted":false}`:                              "Muted is there twice",
		`{"a":1,"a":2}`:                                             "a is unknown; a is unknown",
		`{"request":{"a":{"b":1}},"\u001b[2J":1}`:                   "request.a is unknown; [2J is unknown",
	} {
		file = `{"checkType":"API",` + file[1:]
		var wish monitoring.Check
		require.EqualError(t, monitoring.UnmarshalStrict([]byte(file), &wish), "monitoring: unmarshal strictly: "+want+": check the spelling")
		var wishes []*monitoring.Check
		require.ErrorContains(t, monitoring.UnmarshalStrict([]byte("[null,"+file+"]"), &wishes), "strictly: [1]."+want[:4])
		var named map[string]monitoring.Check
		require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{"shop":`+file+"}"), &named), "strictly: shop."+want[:4])
	}
	var named map[string]monitoring.Check
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{"shop":{},"shop":{}}`), &named), "strictly: shop is there twice")
	var wish monitoring.Check
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`{"name":1}`), &wish), "monitoring: unmarshal strictly: $.name: want a string, got a number")
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`{"name":"n","request":{"url":"u"}}`), &wish), "monitoring: unmarshal strictly: checkType is missing, which says what request is: check the spelling")
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{}`), nil), "monitoring: unmarshal strictly: json: ")
	many := `{"` + strings.Join(strings.Split(strings.Repeat("x", 100), ""), `":1,"`) + `":1}`
	require.Less(t, len(monitoring.UnmarshalStrict([]byte(many), &wish).Error()), 400)
}

func TestWhatACreateHasIsReadAsUsual(t *testing.T) {
	files, err := filepath.Glob("../../testdata/requests/post-v?-check*.json")
	require.NoError(t, err)
	read := 0
	for _, k := range kindsOfChecksAndGroups() {
		for _, file := range files {
			operation, _, _ := strings.Cut(filepath.Base(file), ".")
			if operation != strings.NewReplacer(" /", "-", "/", "-", "POST", "post").Replace(k.creates()) {
				continue
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			if k.checkType != "" {
				data = rawjson.With(data, "checkType", text(k.checkType))
			}
			strict, plain := reflect.New(k.creation()), reflect.New(k.creation())
			require.NoError(t, monitoring.UnmarshalStrict(data, strict.Interface()), file)
			require.NoError(t, json.Unmarshal(data, plain.Interface()))
			require.Equal(t, plain.Interface(), strict.Interface())
			read++
		}
	}
	require.Equal(t, 2*len(kindsOfChecksAndGroups()), read, "two for each")
}
