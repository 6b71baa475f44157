package monitoringtest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// sendRaw sends a request in memory and returns its status and body.
func sendRaw(t *testing.T, svc *monitoringtest.Service, method, path, body string) (int, string) {
	t.Helper()
	response, err := svc.Transport().RoundTrip(newRequest(t, method, path, body))
	require.NoError(t, err)
	defer response.Body.Close()
	var raw json.RawMessage
	if response.StatusCode != http.StatusNoContent {
		require.NoError(t, json.NewDecoder(response.Body).Decode(&raw))
	}
	return response.StatusCode, string(raw)
}

func TestNumbersAreReadInEveryForm(t *testing.T) {
	svc := monitoringtest.New()
	group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Tags: []string{"grouped"}})
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	require.Equal(t, []int64{1001, 1001}, []int64{group, channel})
	first := svc.AddCheck(monitoringtest.Check{Name: "first", Members: map[string]any{"alertChannelSubscriptions": []any{}}})
	status, body := sendRaw(t, svc, "PUT", "/v1/checks/"+first, `{"groupId": 1001.0, "groupOrder": 20e-1, "frequency": 6e1, "frequencyOffset": 7.0,
		"degradedResponseTime": 1.50e3, "maxResponseTime": 2000.5, "description": "1.0 \" 2e1 \\",
		"alertChannelSubscriptions": [{"alertChannelId": 1.001e3, "activated": true}], "request": {"x": [-0, -7, 1E+2, 5e-1, 1e400, 12345678901], "y":[1,2.0,9,9.0,0.0,"1.0",3e0]}}`)
	require.Equal(t, 200, status, body)
	var got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	for name, want := range map[string]string{
		"groupId": "1001", "groupOrder": "2", "frequency": "60", "frequencyOffset": "7", "degradedResponseTime": "1500", "maxResponseTime": "2000.5",
		"request": `{"x":[0,-7,100,0.5,null,12345678901],"y":[1,2,9,9,0,"1.0",3]}`, "description": `"1.0 \" 2e1 \\"`,
	} {
		require.Equal(t, want, string(got[name]), name)
	}
	svc.AddCheck(monitoringtest.Check{Name: "second", GroupID: group, Members: map[string]any{"groupOrder": 1}, Outcome: monitoring.SessionFailed})
	svc.SetOutcome(first, monitoring.SessionFailed)
	sessions, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"grouped"}}}})
	require.NoError(t, err)
	require.Len(t, sessions, 2, "the group counts")
	require.Contains(t, string(got["alertChannels"]), `"email":[{}]`, "and the channel")

	status, body = sendRaw(t, svc, "PUT", "/v2/check-groups/1001", `{"name": "g", "concurrency": 1e0}`)
	require.Equal(t, 200, status)
	require.Contains(t, body, `"concurrency":1,`)
	status, body = sendRaw(t, svc, "POST", "/v1/checks/tcp", `{"name": "t", "frequency": 0.0, "request": {"hostname": "h", "port": 4.43e2}}`)
	require.Equal(t, 201, status, body)
	require.Contains(t, body, `"frequency":0,"frequencyOffset":10,`)
	require.Contains(t, body, `"port":443}`)
}

func TestIDsAreReadInEitherCase(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypePlaywright, Locations: []string{"eu-west-1", "eu-west-2"}})
	status, body := sendRaw(t, svc, "POST", "/v2/check-sessions/trigger", `{"target":{"checkId":["`+strings.ToUpper(id)+`"]}}`)
	require.Equal(t, 201, status, body)
	status, body = sendRaw(t, svc, "POST", "/v1/check-sessions/trigger", `{"target":{"checkId":"`+strings.ToUpper(id)+`"}}`)
	require.Equal(t, 201, status, body)
}

func TestASequenceIsCancelledByItsIDInEitherCase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRunTime(time.Minute))
		check := monitoringtest.UUID("suite")
		id := svc.AddSession(monitoringtest.Session{CheckID: check, Type: monitoring.CheckTypePlaywright, Attempts: 1, Locations: []string{"eu-west-1", "us-east-1"}})
		time.Sleep(20 * time.Second) // until there is a first attempt, which names its sequence
		var result struct{ SequenceID string }
		_, body := sendRaw(t, svc, "GET", "/v1/check-results/"+check+"/"+svc.ResultIDs(id)[0], "")
		require.NoError(t, json.Unmarshal([]byte(body), &result))
		status, _ := sendRaw(t, svc, "POST", "/v1/check-sessions/"+id+"/cancel", `{"sequenceId":["`+strings.ToUpper(result.SequenceID)+`"]}`)
		require.Equal(t, 204, status)
		time.Sleep(time.Minute)
		require.Equal(t, monitoring.SessionCancelled, svc.Sessions()[0].Status)
	})
}

func TestTheRequestOfATCPCheckIsComplete(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeTCP})
	for sent, want := range map[string]string{
		`{"hostname":"h","port":1}`:                         `{"assertions":[],"data":null,"hostname":"h","ipFamily":"IPv4","port":1}`,
		`{"url":"h","port":1.0,"body":"x"}`:                 `{"assertions":[],"body":"x","data":"x","hostname":"h","ipFamily":"IPv4","port":1,"url":"h"}`,
		`{"hostname":"h","url":"u","port":1,"data":"d"}`:    `{"assertions":[],"data":"d","hostname":"h","ipFamily":"IPv4","port":1,"url":"u"}`,
		`{"hostname":"::1","port":65535,"ipFamily":"IPv6"}`: `{"assertions":[],"data":null,"hostname":"::1","ipFamily":"IPv6","port":65535}`,
	} {
		for method, path := range map[string]string{"POST": "/v1/checks/tcp", "PUT": "/v1/checks/" + id} {
			_, body := sendRaw(t, svc, method, path, `{"name":"x","request":`+sent+`}`)
			require.Contains(t, body, `"request":`+want)
		}
	}
}

// What the request of an update leaves out is not what the check had: it has its default again.
func TestTheRequestOfAnUpdatedAPICheckIsComplete(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Members: map[string]any{"request": map[string]any{
		"method": "POST", "url": "https://old.test", "followRedirects": false, "skipSSL": true, "ipFamily": "IPv6", "body": "b", "bodyType": "RAW",
		"headers": []any{map[string]any{"key": "X-Old", "value": "v", "locked": true}},
	}}})
	status, body := sendRaw(t, svc, "PUT", "/v1/checks/api/"+id, `{"request":{"method":"GET","url":"https://new.test","queryParameters":[{"key":"k","value":"v"}]}}`)
	require.Equal(t, 200, status, body)
	var check struct{ Request json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(body), &check))
	require.JSONEq(t, `{"method":"GET","url":"https://new.test","followRedirects":true,"skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE",
		"headers":[],"queryParameters":[{"key":"k","value":"v","locked":false}],"assertions":[],"basicAuth":null}`, string(check.Request))
}

// Members that an update leaves out have the values of the check.
func TestAnUpdateMustFitTheCheck(t *testing.T) {
	build := func() *monitoringtest.Service {
		svc := monitoringtest.New()
		for name, kind := range map[string]monitoring.CheckType{"tcp": monitoring.CheckTypeTCP, "api": monitoring.CheckTypeAPI, "suite": monitoring.CheckTypePlaywright, "new": "FUTURE"} {
			svc.AddCheck(monitoringtest.Check{ID: monitoringtest.UUID(name), Type: kind})
		}
		return svc
	}
	for _, test := range []struct{ name, check, body, refusal string }{
		{"the time of degraded runs is below the other", "api", `{"degradedResponseTime": 5001}`, "degradedResponseTime: 5001 is over the maxResponseTime of 5000"},
		{"the greatest time is above the other", "api", `{"maxResponseTime": 2000}`, "degradedResponseTime: 3000 is over the maxResponseTime of 2000"},
		{"a null time is not a bound", "api", `{"degradedResponseTime": null, "maxResponseTime": 2000}`, ""},
		{"an offset fits the frequency", "api", `{"frequencyOffset": 101}`, "frequencyOffset: 101 is outside 1..100 for frequency 10"},
		{"an offset that fits is taken", "api", `{"frequencyOffset": 100}`, ""},
		{"API checks run every few seconds", "api", `{"frequency": 0}`, ""},
		{"TCP checks run every few seconds", "tcp", `{"frequency": 0, "frequencyOffset": 20}`, ""},
		{"others do not", "suite", `{"frequency": 0}`, "frequency: 0 (sub-minute) is for API and TCP checks only"},
		{"the request of a TCP check is one", "tcp", `{"request": {"hostname": "h"}}`, "request.port: is required"},
		{"that of an API check is another", "api", `{"request": {"url": "https://h"}}`, ""},
		{"a type that nobody knows is not a mistake", "new", `{"frequency": 5}`, ""},
		{"nothing is fine", "api", `{}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body := sendRaw(t, build(), "PUT", "/v1/checks/"+monitoringtest.UUID(test.check), test.body)
			if test.refusal == "" {
				require.Equal(t, 200, status, body)
				return
			}
			require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"`+test.refusal+`"}`, body)
		})
	}
}

func TestOlderOperationsHaveTheirOwnErrorTexts(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
	for _, test := range []struct{ body, message string }{
		{`{}`, `"name" is required`},
		{`{"name":""}`, `"name" is required`},
		{`{"name":7}`, `"name" must be a string`},
		{`{"name":"x","muted":"yes"}`, `"muted" must be a boolean`},
		{`{"name":"x","concurrency":0}`, `"concurrency" must be greater than or equal to 1`},
		{`{"name":"x","concurrency":1.5}`, `"concurrency" must be an integer`},
		{`{"name":"x","concurrency":"3"}`, `"concurrency" must be an integer`},
		{`{"name":"x","concurrency":1e99}`, `"concurrency" must be a safe number`},
		{`{"name":"x","tags":[""]}`, `"tags[0]" is not allowed to be empty`},
		{`{"name":"x","tags":null}`, `"tags" must not be null`},
		{`{"name":"x","runtimeId":"1: \"2\"; 3"}`, `"runtimeId" must be one of [2026.04, 2025.04, 2024.09, 2024.02, 2023.09, 2023.02, 2022.10]`},
		{`{"name":"x","retryStrategy":"NONE"}`, `"retryStrategy" must be one of [FALLBACK]`},
		{`{"name":"x","retryStrategy":{"type":"FIXED","maxRetries":11}}`, `"retryStrategy.maxRetries" must be between 1 and 10`},
		{`{"name":"x","alertSettings":{"reminders":{"interval":7}}}`, `"alertSettings.reminders.interval" must be one of [1, 2, 3, 4, 5, 10, 15, 30]`},
		{`{"name":"x","environmentVariables":[{"key":"K","value":null}]}`, `"environmentVariables[0].value" is required`},
		{`{"name":"x","environmentVariables":[` + strings.Repeat(`{"key":"K","value":""},`, 100) + `{"key":"K","value":""}]}`, `"environmentVariables" must contain less than or equal to 100 items`},
		{`{"name":"x","apiCheckDefaults":{"uri":"x"}}`, `"apiCheckDefaults.uri" is not allowed`},
		{`{"name":"x","body":"x"}`, `"body" is not allowed`},
		{`{"name":"x"`, `"body" is not valid JSON`},
		{`[]`, `"body" must be an object`},
	} {
		status, body := sendRaw(t, svc, "PUT", "/v2/check-groups/7", test.body)
		require.Equal(t, 400, status, test.body)
		var e struct{ Message string }
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		require.Equal(t, test.message, e.Message)
	}
}

// The parameters of each operation, written by hand from the API document: values that are
// accepted, and values that are not.
func TestQueriesWithOneMistakeAreRefused(t *testing.T) {
	number := []string{"", "x", "1.0", "1e1", "+1", " 1", "0x1", "-1", "1,2", "99999999999999999999", "null"}
	limit := append([]string{"0", "101"}, number...)
	page := append([]string{"0"}, number...)
	flag := []string{"", "1", "yes", "TRUE", "null"}
	day := []string{"", "soon", "2026-02-30", "2026-8-1", "1787097600", "2026-08-01 10:00"}
	type parameter struct {
		name      string
		good, bad []string
	}
	paged := []parameter{{"limit", []string{"1", "100"}, limit}, {"page", []string{"1", "7"}, page}}
	assign := []parameter{{"autoAssignAlerts", []string{"true", "false"}, flag}}
	with := func(more ...parameter) []parameter { return append(append([]parameter{}, paged...), more...) }
	svc := demo()
	const session = "00000000-0000-4000-8000-00000000000a"
	svc.AddSession(monitoringtest.Session{ID: session})
	sent, taken := 0, 0
	for _, test := range []struct {
		method, path, body string
		parameters         []parameter
		older              bool
	}{
		{"GET", "/v1/locations", "", nil, true},
		{"GET", "/openapi.json", "", nil, true},
		{"POST", "/v2/check-sessions/trigger", "{}", nil, false},
		{"POST", "/v1/check-sessions/trigger", "{}", nil, true},
		{"GET", "/v1/check-sessions/" + session, "", nil, true},
		{"GET", "/v2/check-sessions/" + session, "", nil, false},
		{"GET", "/v2/check-sessions/" + session + "/completion", "", []parameter{{"maxWaitSeconds", []string{"1", "30"}, append([]string{"0", "31"}, number...)}}, false},
		{"POST", "/v1/check-sessions/" + session + "/cancel", "{}", nil, false},
		{"GET", "/v1/alert-notifications", "", with(
			parameter{"from", []string{"0", "1787097600"}, append([]string{"2026-08-01", "1787184000000"}, number...)},
			parameter{"to", []string{"1787097600"}, append([]string{"2026-08-01", "1787184000000"}, number...)},
			parameter{"alertChannelId", []string{"1", "263584"}, append([]string{"0"}, number...)},
			parameter{"hasFailures", []string{"true", "false"}, flag},
		), true},
		{"GET", "/v1/check-groups/4711", "", nil, true},
		{"PUT", "/v2/check-groups/4711", `{"name":"x"}`, assign, true},
		{"POST", "/v1/checks/tcp", `{"name":"x","request":{"hostname":"h","port":1}}`, assign, false},
		{"PUT", "/v1/checks/browser/" + monitoringtest.DemoBrowserCheckID, "{}", assign, false},
		{"PUT", "/v1/checks/" + monitoringtest.DemoCheckID, "{}", assign, false},
		{"GET", "/v1/maintenance-windows", "", with(
			parameter{"startsAt[gt]", []string{"2026-08-01"}, day}, parameter{"startsAt[gte]", []string{"2026-08-01T10:00:00Z"}, day},
			parameter{"startsAt[lt]", []string{"2026-08-01"}, day}, parameter{"startsAt[lte]", []string{"2026-08-01"}, day},
			parameter{"endsAt[gt]", []string{"2026-08-01"}, day}, parameter{"endsAt[gte]", []string{"2026-08-01"}, day},
			parameter{"endsAt[lt]", []string{"2026-08-01"}, day}, parameter{"endsAt[lte]", []string{"2026-08-01T10:00:00.5+02:00"}, day},
			parameter{"startsAt", nil, []string{"2026-08-01"}}, parameter{"endsAt[eq]", nil, []string{"2026-08-01"}}, parameter{"startsAt[]", nil, []string{"2026-08-01"}},
		), true},
		{"GET", "/v1/variables", "", paged, false},
		{"GET", "/v1/accounts/" + monitoringtest.AccountID + "/entitlements", "", nil, true},
		{"GET", "/v1/root-cause-analyses/" + monitoringtest.DemoRootCauseAnalysisID, "", nil, true},
		{"GET", "/v1/error-groups/checks/" + monitoringtest.DemoCheckID, "", paged, true},
		{"DELETE", "/v1/status-pages/services/" + monitoringtest.DemoStatusPageServiceID, "", nil, true},
		{"DELETE", "/v1/dashboards/" + monitoringtest.DemoDashboardID, "", nil, false},
	} {
		refused := func(name, query string) {
			t.Helper()
			status, body := sendRaw(t, svc, test.method, test.path+"?"+query, test.body)
			if sent++; status != 400 {
				taken++
				t.Errorf("%s %s?%s: %d", test.method, test.path, query, status)
				return
			}
			quoted := `"message":"` + name + `: `
			if test.older {
				quoted = `"message":"\"` + name + `\" `
				require.Contains(t, body, `"validation":{"source":"query","keys":["`)
			}
			require.Contains(t, body, quoted)
		}
		refused("surprise", "surprise=1")
		refused("Limit", "Limit=1")
		for _, p := range test.parameters {
			for _, v := range p.bad {
				refused(p.name, url.Values{p.name: {v}}.Encode())
			}
			for _, v := range p.good {
				status, body := sendRaw(t, svc, test.method, test.path+"?"+url.Values{p.name: {v}}.Encode(), test.body)
				require.Less(t, status, 409, "%s %s=%s: %s", test.path, p.name, v, body)
				require.NotEqual(t, 400, status, "%s %s=%s: %s", test.path, p.name, v, body)
				refused(p.name, url.Values{p.name: {v, v}}.Encode())
			}
		}
	}
	for name, query := range map[string]string{
		"startsAt": "startsAt[gt]=2026-08-01&startsAt[lt]=2026-08-02", "endsAt": "endsAt[gte]=2026-08-01&endsAt[gt]=2026-08-02",
	} {
		_, body := sendRaw(t, svc, "GET", "/v1/maintenance-windows?"+query, "")
		require.Contains(t, body, `"message":"\"`+name+`\" `)
	}
	for _, query := range []string{"from=1000&to=87401", "from=2000&to=1000", "from=2000&to=2000"} {
		_, body := sendRaw(t, svc, "GET", "/v1/alert-notifications?"+query, "")
		require.Contains(t, body, `"message":"\"to\" `)
		require.NotContains(t, body, "All", "the advice for users of the SDK is not the service's")
	}
	t.Logf("%d queries with one mistake each, %d of them accepted", sent, taken)
}

func TestIDsInPathsMustHaveTheirForm(t *testing.T) {
	svc := demo()
	for _, path := range []string{"/v1/check-groups/0", "/v1/check-groups/-1", "/v1/check-groups/+1", "/v1/check-groups/1.0", "/v1/check-groups/99999999999999999999", "/v1/check-groups/x"} {
		for method, body := range map[string]string{"GET": "", "PUT": `{"nmae":1}`} {
			at := path
			if method == "PUT" {
				at = strings.Replace(path, "/v1", "/v2", 1)
			}
			status, got := sendRaw(t, svc, method, at, body)
			require.Equal(t, 400, status, path)
			require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"\"id\" must be a positive integer","validation":{"source":"params","keys":["id"]}}`, got)
		}
	}
}

func TestMembersOfACheckThatChangeItsRunsMustBeValid(t *testing.T) {
	for name, v := range map[string]any{
		"tags": "a", "activated": "no", "groupId": 1.5, "groupOrder": "first", "locations": []int{1}, "privateLocations": []string{""},
		"alertChannelSubscriptions": []any{map[string]any{"alertChannelId": 5}}, "alertSettings": []any{}, "name": 7,
	} {
		t.Run(name, func(t *testing.T) {
			c := monitoringtest.Check{Members: map[string]any{name: v}}
			require.Panics(t, func() { monitoringtest.New().AddCheck(c) })
			err := monitoringtest.New().Seed([]byte(`{"checks":[` + string(marshal(t, map[string]any{"members": c.Members})) + `]}`))
			require.ErrorContains(t, err, "$.checks[0]: check \"\": its member "+name)
		})
	}
	monitoringtest.New().AddCheck(monitoringtest.Check{Members: map[string]any{"locations": []string{"mars-1"}, "groupId": nil, "logicalId": 7}})
}

func marshal(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}
