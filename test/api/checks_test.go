package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// formsOf returns the names of the forms of a check that are not nil.
func formsOf(c monitoring.Check) (names []string) {
	for field := range reflect.TypeFor[monitoring.Check]().Fields() {
		if v := reflect.ValueOf(c).FieldByIndex(field.Index); v.Kind() == reflect.Pointer && !v.IsNil() {
			names = append(names, field.Name)
		}
	}
	return names
}

func TestTheTypeOfACheckSaysWhichFormItHas(t *testing.T) {
	for kind, form := range map[string]string{
		`"API"`: "API", `"BROWSER"`: "Browser", `"TCP"`: "TCP", `"HEARTBEAT"`: "Heartbeat", `"MULTI_STEP"`: "MultiStep", `"PLAYWRIGHT"`: "Playwright",
		`"URL"`: "Probe", `"DNS"`: "Probe", `"ICMP"`: "Probe", `"SSL"`: "Probe", `"GRPC"`: "Probe", `"TRACEROUTE"`: "Probe",
		`"AGENTIC"`: "Generic", `"FUTURE"`: "Generic", `""`: "Generic", `null`: "Generic", `"\u0041PI"`: "API",
	} {
		text := `{"id":"c","checkType":` + kind + `,"name":"n","future":{"a":1.0}}`
		var check monitoring.Check
		require.NoError(t, json.Unmarshal([]byte(text), &check))
		require.Equal(t, []string{form}, formsOf(check), kind)
		require.Equal(t, "n", check.Name)
		require.Equal(t, `{"id":"c","checkType":`+kind+`,"name":"n","future":{"a":1.0}}`, kit.ToJSON(t, check), "every member is kept")
	}
	var check monitoring.Check
	require.NoError(t, json.Unmarshal([]byte(`{"id":"c"}`), &check))
	require.Equal(t, []string{"Generic"}, formsOf(check))
	require.NoError(t, json.Unmarshal([]byte(`null`), &check))
	require.Equal(t, "c", check.ID, "null changes nothing")
}

func TestOneOddCheckOfAListCostsOnlyItself(t *testing.T) {
	const odd, fits = `{"checkType":"TCP","request":{"port":25.0,"url":5}}`, `{"checkType":"API","request":{"url":"u"},"tags":"a"},{"checkType":"HEARTBEAT","heartbeat":{"period":0.5,"pingToken":null}}`
	list := func(body string) ([]monitoring.Check, error) {
		client, _ := kit.Recorded(t, 200, body)
		return monitoring.Collect(client.Checks.All(t.Context(), monitoring.CheckListOptions{}))
	}
	_, err := list("[" + odd + "," + fits + "]")
	require.Equal(t, "$[0].request.url", kit.ErrAs[*monitoring.ItemError](t, err).Path)
	checks, err := list("[" + fits + "]")
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, checks[0].Tags)
	require.Equal(t, 0.5, checks[1].Heartbeat.Settings.Period)
	require.True(t, checks[1].Heartbeat.Settings.PingToken.IsWithheld())
}

func TestACheckIsTheCheckOfItsKindWithoutBeingReadAgain(t *testing.T) {
	const text = `{"future":1.0,"name":"n","id":"c","checkType":%q,"groupId":null,"request":{"url":"u","method":"GET","hostname":"h","port":25,"future":2.0}}`
	for _, kind := range []string{"API", "BROWSER", "TCP", "DNS"} {
		var check monitoring.Check
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, text, kind), &check))
		check.Name = "changed"
		api, isAPI := check.AsAPI()
		browser, isBrowser := check.AsBrowser()
		tcp, isTCP := check.AsTCP()
		require.Equal(t, []bool{kind == "API", kind == "BROWSER", kind == "TCP"}, []bool{isAPI, isBrowser, isTCP})
		want := kit.ToJSON(t, check)
		require.Contains(t, want, `{"future":1.0,"name":"changed","id":"c"`)
		require.Contains(t, want, `"future":2.0}}`)
		for is, typed := range map[*bool]any{&isAPI: api, &isBrowser: browser, &isTCP: tcp} {
			if *is {
				require.Equal(t, want, kit.ToJSON(t, typed), kind)
			} else {
				require.True(t, reflect.ValueOf(typed).IsNil(), kind)
			}
		}
	}
}
