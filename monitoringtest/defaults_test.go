package monitoringtest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// What is filled in is a matter of internal/schema, and tested there.
func TestWhatObjectsLackIsFilledInOnCreateAndUpdate(t *testing.T) {
	const group, check = "/v2/check-groups", "/v1/checks/tcp"
	request := `"request":{"hostname":"shop.test","port":443,"assertions":[{"source":"RESPONSE_TIME"}]}`
	body := func(members string) string { return `{"name":"n",` + members + `}` }
	for member, sent := range map[string]map[string]string{
		"retryStrategy":        {check: `{"type":"FIXED"}`, group: `{"type":"LINEAR","maxRetries":3}`},
		"alertSettings":        {check: `{"escalationType":"TIME_BASED"}`, group: `{"reminders":{"amount":2}}`},
		"intent":               {check: `{"goal":"Shops stay open"}`},
		"apiCheckDefaults":     {group: `{"assertions":[{"comparison":"EQUALS"}],"headers":[{"key":"k","value":"v"}]}`},
		"environmentVariables": {group: `[{"key":"k","value":"v"}]`},
	} {
		for path, value := range sent {
			t.Run(member+" by "+path, func(t *testing.T) {
				svc := monitoringtest.New()
				first := body(request)
				if path == group {
					first = `{"name":"n"}`
				}
				operation, one := "PUT "+path+"/{id}", path
				want := string(schema.Lookup(operation).Body.Member(member).Node.Filled([]byte(value)))
				status, created := sendRaw(t, svc, "POST", path, first[:len(first)-1]+`,"`+member+`":`+value+`}`)
				require.Equal(t, 201, status, created)
				require.JSONEq(t, want, string(memberOf(t, created, member)))
				_, bare := sendRaw(t, svc, "POST", path, first)
				one += "/" + trimmed(memberOf(t, bare, "id"))
				status, updated := sendRaw(t, svc, "PUT", one, body(`"`+member+`":`+value))
				require.Equal(t, 200, status, updated)
				require.JSONEq(t, want, string(memberOf(t, updated, member)))
			})
		}
	}
	t.Run("assertions of a check", func(t *testing.T) {
		svc := monitoringtest.New()
		_, created := sendRaw(t, svc, "POST", check, body(request))
		require.JSONEq(t, `{"hostname":"shop.test","port":443,"data":null,"ipFamily":"IPv4",
			"assertions":[{"source":"RESPONSE_TIME","property":"","target":"","regex":""}]}`, string(memberOf(t, created, "request")))
	})
	t.Run("of a group that a test adds", func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddGroup(monitoring.CheckGroup{Name: "g", AlertSettings: monitoring.Value(monitoring.AlertSettings{EscalationType: monitoring.EscalationTimeBased})})
		text, _ := svc.GroupJSON(id)
		require.Contains(t, string(text), `"timeBasedEscalation":{"minutesFailingThreshold":5}`)
	})
}

func memberOf(t *testing.T, object, name string) json.RawMessage {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(object), &members))
	return members[name]
}

// trimmed is an id as it stands in a path.
func trimmed(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return text
	}
	return string(id)
}
