package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestOnlyAListTellsOfTheAgentsOfALocation(t *testing.T) {
	svc := monitoringtest.New()
	now := monitoring.NewTimestamp(time.Now())
	id := svc.AddPrivateLocation(monitoring.PrivateLocation{
		Name: "dc-1", LastSeen: &now, AgentCount: new(2), MinAgentVersion: new("1.0"), ProjectBindings: json.RawMessage(`[]`),
		RunningAgents: []monitoring.RunningAgents{{Version: "1", Count: 2}},
	})
	_, list := sendRaw(t, svc, "GET", "/v1/private-locations?versions=true", "")
	_, one := sendRaw(t, svc, "GET", "/v1/private-locations/"+id, "")
	for _, member := range []string{"lastSeen", "agentCount", "minAgentVersion", "runningAgents", "projectBindings"} {
		require.Contains(t, list, `"`+member+`"`)
		require.NotContains(t, one, `"`+member+`"`)
	}
}

// The fake takes the locations that requests name for those of the account.
func TestATestSessionRunsInALocationThatARequestHasNamed(t *testing.T) {
	for name, opts := range map[string][]monitoringtest.Option{"forever": nil, "forgets": {monitoringtest.WithRetention(time.Hour, 10)}} {
		svc := monitoringtest.New(opts...)
		group, check := fmt.Sprint(svc.AddGroup(monitoring.CheckGroup{Name: "g"})), svc.AddCheck(monitoringtest.Check{})
		for i, named := range [][3]string{
			{"POST", "/v2/check-groups", `{"name":"n","privateLocations":["dc-0"]}`}, {"PUT", "/v2/check-groups/" + group, `{"name":"n","privateLocations":["dc-1"]}`},
		} {
			trigger := fmt.Sprintf(`{"name":"n","runLocation":"dc-%d","target":{"checkId":[%q]}}`, i, check)
			status, _ := sendRaw(t, svc, "POST", "/v1/test-sessions/trigger", trigger)
			require.Equal(t, 400, status, name)
			status, body := sendRaw(t, svc, named[0], named[1], named[2])
			require.Less(t, status, 300, body)
			status, body = sendRaw(t, svc, "POST", "/v1/test-sessions/trigger", trigger)
			require.Less(t, status, 300, "%s: %s", name, body)
		}
	}
}

func TestTwoPrivateLocationsHaveTwoSlugNames(t *testing.T) {
	svc, _ := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	create := func(slug string) (int, string) {
		return sendRaw(t, svc, "POST", "/v1/private-locations", `{"name":"n","slugName":"`+slug+`"}`)
	}
	status, first := create("dc-1")
	require.Equal(t, 201, status, first)
	status, body := create("dc-1")
	require.Equal(t, 400, status)
	require.Contains(t, body, `"message":"\"slugName\" is that of another private location"`)
	status, body = create("dc-2")
	require.Equal(t, 201, status, body)
	own := "/v1/private-locations/" + decoded(t, []byte(first))["id"].(string)
	status, body = sendRaw(t, svc, "PUT", own, `{"name":"other"}`)
	require.Equal(t, 200, status, "it keeps its own: %s", body)
	require.PanicsWithValue(t, `monitoringtest: private location "dc-1": its slugName is that of another private location`, func() {
		svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-1"})
	})
	require.ErrorContains(t, svc.Seed([]byte(`{"privateLocations":[{"name":"a"},{"name":"n","slugName":"a"}]}`)),
		"$.privateLocations[1]: a private location with the slugName a exists already")
	status, _ = sendRaw(t, svc, "DELETE", own, "")
	require.Equal(t, 204, status)
	status, _ = create("dc-1")
	require.Equal(t, 201, status)
}

func TestTheSnippetsOfACheckAreThere(t *testing.T) {
	svc, _ := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	known := svc.AddSnippet(monitoring.Snippet{Name: "n", Script: "s"})
	group := svc.AddGroup(monitoring.CheckGroup{Name: "g"})
	check := svc.AddCheck(monitoringtest.Check{})
	for _, request := range []struct{ method, path, body string }{
		{"POST", "/v1/checks/api", `"request":{"method":"GET","url":"https://shop.test"}`}, {"PUT", "/v1/checks/api/" + check, `"muted":true`},
		{"PUT", "/v1/checks/" + check, `"muted":true`}, {"POST", "/v2/check-groups", `"muted":true`}, {"PUT", fmt.Sprint("/v2/check-groups/", group), `"muted":true`},
	} {
		for _, member := range []string{"setupSnippetId", "tearDownSnippetId"} {
			send := func(id any) (int, string) {
				return sendRaw(t, svc, request.method, request.path, fmt.Sprintf(`{"name":"n",%s,%q:%v}`, request.body, member, id))
			}
			status, text := send(known + 1)
			require.Equal(t, 400, status, request.path)
			require.Contains(t, text, "is not the id of a snippet")
			require.Contains(t, text, member)
			for _, id := range []any{known, "null"} {
				status, text = send(id)
				require.Contains(t, []int{200, 201}, status, text)
			}
		}
	}
}

// An SMS channel without a number broke reads of the checks that are subscribed to it.
func TestTheConfigOfAChannelHasWhatItsTypeNeeds(t *testing.T) {
	for kind, needs := range map[string]string{
		"EMAIL": `"address":"a@shop.test"`, "SLACK": `"url":"https://hooks.test"`, "SLACK_APP": `"slackChannels":["#a"]`, "SMS": `"number":"+1"`,
		"CALL": `"number":"+1"`, "OPSGENIE": `"apiKey":"k"`, "PAGERDUTY": `"serviceKey":"k"`, "WEBHOOK": `"url":"https://hooks.test"`,
	} {
		svc, _ := monitoringtest.Run(t, monitoringtest.WithUnexpected())
		create := func(config string) (int, string) {
			return sendRaw(t, svc, "POST", "/v1/alert-channels", `{"type":"`+kind+`","config":{`+config+`}}`)
		}
		for _, config := range []string{``, `"addres":"x"`, `"address":"","url":"","slackChannels":"","number":"","apiKey":"","serviceKey":""`} {
			status, text := create(config)
			require.Equal(t, 400, status, "%s %s", kind, config)
			require.Contains(t, text, `"config.`)
		}
		status, text := create(needs + `,"newer":{"a":1}`)
		require.Equal(t, 201, status, "what nobody knows is kept: %s", text)
		require.Contains(t, text, `"newer":{"a":1}`)
		status, text = sendRaw(t, svc, "PUT", "/v1/alert-channels/1001", `{"type":"`+kind+`","config":{}}`)
		require.Equal(t, 400, status, text)
	}
}

func TestAChannelThatSubscribesItselfGetsNewChecks(t *testing.T) {
	svc, _ := monitoringtest.Run(t)
	for _, auto := range []string{"true", "false"} {
		status, text := sendRaw(t, svc, "POST", "/v1/alert-channels", `{"type":"EMAIL","config":{"address":"a@shop.test"},"autoSubscribe":`+auto+`}`)
		require.Equal(t, 201, status, text)
	}
	const body = `{"name":"c","request":{"hostname":"shop.test","port":443}%s}`
	for _, test := range []struct{ query, more, want string }{
		{"", "", `[{"alertChannelId":1001,"activated":true},{"alertChannelId":1002,"activated":true}]`},
		{"?autoAssignAlerts=false", "", `[{"alertChannelId":1001,"activated":true}]`},
		{"?autoAssignAlerts=false", `,"alertChannelSubscriptions":[{"alertChannelId":1001,"activated":false}]`, `[{"alertChannelId":1001,"activated":false}]`},
	} {
		status, text := sendRaw(t, svc, "POST", "/v1/checks/tcp"+test.query, fmt.Sprintf(body, test.more))
		require.Equal(t, 201, status, text)
		require.Contains(t, text, `"alertChannelSubscriptions":`+test.want)
	}
}
