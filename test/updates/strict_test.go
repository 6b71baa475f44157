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
		`{"frequecny":5}`:                                           "frequecny: unknown field",
		`{"request":{"metod":"GET"}}`:                               "request.metod: unknown field",
		`{"request":{"headers":[{},{"k":1}]}}`:                      "request.headers[1].k: unknown field",
		`{"request":{"queryParameters":[{"key":"a","valeu":"b"}]}}`: "request.queryParameters[0].valeu: unknown field",
		`{"request":{"assertions":[{"sorce":""}]}}`:                 "request.assertions[0].sorce: unknown field",
		`{"request":{"basicAuth":{"user":"u"}}}`:                    "request.basicAuth.user: unknown field",
		`{"retryStrategy":{"type":"FIXED","retries":2}}`:            "retryStrategy.retries: unknown field",
		`{"triggerIncident":{"id":""}}`:                             "triggerIncident.id: unknown field",
		`{"intent":{"gaol":""}}`:                                    "intent.gaol: unknown field",
		`{"alertChannelSubscriptions":[{"id":7}]}`:                  "alertChannelSubscriptions[0].id: unknown field",
		`{"alertSettings":{"reminders":{"ammount":null}}}`:          "alertSettings.reminders.ammount: unknown field",
		`{"muted":true,"muted":false}`:                              "muted: duplicate field",
		`{"muted":true,"Muted":false}`:                              "Muted: duplicate field",
		`{"a":1,"a":2}`:                                             "a: unknown field; a: unknown field",
		`{"request":{"a":{"b":1}},"\u001b[2J":1}`:                   "request.a: unknown field; [2J: unknown field",
	} {
		file = `{"checkType":"API",` + file[1:]
		var wish monitoring.Check
		require.EqualError(t, monitoring.UnmarshalStrict([]byte(file), &wish), "monitoring: unmarshal: "+want)
		var wishes []*monitoring.Check
		require.ErrorContains(t, monitoring.UnmarshalStrict([]byte("[null,"+file+"]"), &wishes), "unmarshal: [1]."+want[:4])
		var named map[string]monitoring.Check
		require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{"shop":`+file+"}"), &named), "unmarshal: shop."+want[:4])
	}
	var named map[string]monitoring.Check
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{"shop":{},"shop":{}}`), &named), "unmarshal: shop: duplicate field")
	var wish monitoring.Check
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`{"name":1}`), &wish), "monitoring: unmarshal: name: want a string, got a number")
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`{"name":"n","request":{"url":"u"}}`), &wish), "monitoring: unmarshal: checkType: is required, because it decides what request is")
	require.ErrorAs(t, monitoring.UnmarshalStrict([]byte(`{"name":1}`), &wish), new(*monitoring.DecodeError))
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte(`{}`), nil), "monitoring: unmarshal: json: ")
	var wishes []monitoring.Check
	err := monitoring.UnmarshalStrict([]byte(`[{"name":"a"},
		{"checkType":"TCP","request":{"port":"80"},"tgas":[]},
		{"frequency":"5"},null]`), &wishes)
	require.EqualError(t, err, "monitoring: unmarshal: [1].request.port: want a number, got a string; "+
		"[1].tgas: unknown field; [2].frequency: want a number, got a string", "all mistakes, by their place in the file")
	require.ErrorAs(t, err, new(*monitoring.DecodeError))
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`[null, 7]`), &wishes), "monitoring: unmarshal: [1]: want an object, got a number")
	require.EqualError(t, monitoring.UnmarshalStrict([]byte(`7`), &wish), "monitoring: unmarshal: want an object, got a number")
	require.ErrorContains(t, monitoring.UnmarshalStrict([]byte("[\n{},\n{,\n}]"), &wishes), "monitoring: unmarshal: line 3: invalid character ','")
	require.ErrorContains(t, monitoring.UnmarshalStrict(nil, &wishes), "monitoring: unmarshal: line 1: unexpected end of JSON input")
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
