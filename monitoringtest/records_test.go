package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func decoded(t *testing.T, data []byte) (o map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(data, &o))
	return o
}

func TestACheckIsCompleted(t *testing.T) {
	svc := monitoringtest.New()
	check := func(c monitoringtest.Check) map[string]any {
		data, found := svc.CheckJSON(svc.AddCheck(c))
		require.True(t, found)
		return decoded(t, data)
	}
	first := check(monitoringtest.Check{})
	for name, want := range map[string]any{
		"name": "Check 1", "checkType": "API", "locations": []any{"eu-central-1"}, "privateLocations": []any{}, "tags": []any{}, "groupId": nil,
		"activated": true, "muted": false, "frequency": 10.0, "frequencyOffset": 1.0, "degradedResponseTime": 3000.0, "maxResponseTime": 5000.0,
	} {
		require.Equal(t, want, first[name], name)
	}
	svc.AddGroupJSON(`{"id":1}`)
	second := check(monitoringtest.Check{Type: "BROWSER", Locations: []string{"mine", "us-east-1", "yours"}, GroupID: 1, Deactivated: true, Muted: true, Tags: []string{"a"}})
	for name, want := range map[string]any{
		"name": "Check 2", "checkType": "BROWSER", "locations": []any{"us-east-1"}, "privateLocations": []any{"mine", "yours"}, "tags": []any{"a"}, "groupId": 1.0,
		"activated": false, "muted": true, "sslCheckDomain": nil, "environmentVariables": []any{},
	} {
		require.Contains(t, second, name)
		require.Equal(t, want, second[name], name)
	}
	require.NotEmpty(t, second["script"])
	require.NotContains(t, second, "frequencyOffset")
	_, found := svc.CheckJSON(monitoringtest.UUID("x"))
	require.False(t, found)
	_, found = svc.GroupJSON(7)
	require.False(t, found)
	data, found := svc.GroupJSON(svc.AddGroup(monitoring.CheckGroup{Name: "g", Concurrency: new(1), UpdatedAt: new(monitoring.NewTimestamp(time.Unix(0, 0)))}))
	require.True(t, found)
	group := decoded(t, data)
	require.Equal(t, []any{1.0, "1970-01-01T00:00:00.000Z", []any{}, false, ""}, []any{group["concurrency"], group["updated_at"], group["tags"], group["muted"], group["browserCheckDefaults"]})
	data, _ = svc.GroupJSON(svc.AddGroup(monitoring.CheckGroup{Name: "g"}))
	group = decoded(t, data)
	require.Equal(t, []any{3.0, nil}, []any{group["concurrency"], group["updated_at"]})
	require.Regexp(t, `\.\d{3}Z$`, group["created_at"])
	data, _ = svc.GroupJSON(svc.AddGroup(monitoring.CheckGroup{Name: "g", CreatedAt: monitoring.NewTimestamp(time.Unix(1, 0))}))
	require.Equal(t, "1970-01-01T00:00:01.000Z", decoded(t, data)["created_at"])
}

func TestMistakesInChecksAndGroupsPanic(t *testing.T) {
	svc := monitoringtest.New()
	check := func(c monitoringtest.Check) func() { return func() { svc.AddCheck(c) } }
	session := func(x monitoringtest.Session) func() { return func() { svc.AddSession(x) } }
	id, there := svc.AddSession(monitoringtest.Session{}), svc.AddCheck(monitoringtest.Check{})
	svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
	for name, mistake := range map[string]struct {
		do   func()
		want string
	}{
		"a failure somewhere else":             {check(monitoringtest.Check{Locations: []string{"a"}, FailIn: []string{"b"}}), `check "": it fails in "b", which is not one of its locations`},
		"also with other members":              {check(monitoringtest.Check{Locations: []string{"a"}, FailIn: []string{"b"}, Members: map[string]any{"name": "x"}}), `check "": it fails in "b"`},
		"a member that is not valid":           {check(monitoringtest.Check{Name: "c", Members: map[string]any{"tags": 7}}), `check "c": its member tags: must be an array`},
		"a nanosecond before":                  {check(monitoringtest.Check{VisibleAfter: -1}), `check "": a time of -1ns: it must not be negative`},
		"a session that is there already":      {session(monitoringtest.Session{ID: id}), "a session with the id " + id},
		"a session that never ends":            {session(monitoringtest.Session{Name: "s", Outcome: monitoring.SessionStarted}), `session "s": no session ends STARTED`},
		"a group that is there already":        {func() { svc.AddGroup(monitoring.CheckGroup{ID: 7}) }, "a group with the id 7 exists already"},
		"the same as JSON":                     {func() { svc.AddGroupJSON(`{"id":7}`) }, "a group with the id 7 exists already"},
		"a group that is not JSON":             {func() { svc.AddGroupJSON(`{`) }, "the group is not a JSON object: unexpected end of JSON input"},
		"a group whose id is null":             {func() { svc.AddGroupJSON(`{"id":null}`) }, "the group has no id, or one that is not a positive integer"},
		"a group whose id is 0":                {func() { svc.AddGroupJSON(`{"id":0}`) }, "the group has no id, or one that is not a positive integer"},
		"a check in a group that is not there": {check(monitoringtest.Check{Name: "c", GroupID: 8}), `check "c": there is no group with the id 8: add it first`},
		"a session in a mistyped region": {session(monitoringtest.Session{Name: "s", Locations: []string{"eu-west-1", "eu-west1"}}),
			`session "s" runs in "eu-west1", which is neither a region nor the SlugName of a private location: correct it, or use AddPrivateLocation`},
		"two windows with one id": {func() {
			svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{ID: svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{})})
		}, "a maintenance window with the id "},
		"two analyses with one id": {func() {
			svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{ID: svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, 0)}, 0)
		}, "a root cause analysis with the id "},
		"two error groups with one id": {func() {
			svc.AddErrorGroup(monitoring.ErrorGroup{ID: svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: there}), CheckID: there})
		}, "an error group with the id "},
		"an error group of no check":     {func() { svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.UUID("nope")}) }, `an error group has the CheckID "` + monitoringtest.UUID("nope") + `", but there is no such check`},
		"an error group without a check": {func() { svc.AddErrorGroup(monitoring.ErrorGroup{}) }, `an error group has the CheckID "", but there is no such check`},
		"two notifications with one id": {func() {
			svc.AddAlertNotification(monitoring.AlertNotification{ID: svc.AddAlertNotification(monitoring.AlertNotification{})})
		}, "an alert notification with the id "},
		"two check alerts with one id": {func() {
			svc.AddCheckAlert(monitoring.CheckAlert{ID: svc.AddCheckAlert(monitoring.CheckAlert{})})
		}, "a check alert with the id "},
		"two status page services with one id": {func() {
			svc.AddStatusPageService(strings.ToUpper(svc.AddStatusPageService("")))
		}, "a status page service with the id "},
		"two dashboards with one id": {func() { svc.AddDashboard(svc.AddDashboard("")) }, "a dashboard with the id "},
		"two private locations of one id": {func() {
			svc.AddPrivateLocation(monitoring.PrivateLocation{ID: svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "a"}), Name: "b"})
		}, "a private location with the id "},
		"an outcome that is not an end": {func() { svc.SetOutcome(monitoringtest.UUID("c"), monitoring.SessionProgressDegraded) }, "no session ends PROGRESS_DEGRADED"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { require.Contains(t, fmt.Sprint(recover()), "monitoringtest: "+mistake.want) }()
			mistake.do()
		})
	}
	require.NotPanics(t, func() {
		svc.AddCheck(monitoringtest.Check{Locations: []string{"a"}, FailIn: []string{"eu-west-1"}, Members: map[string]any{"locations": []string{"eu-west-1"}}})
		svc.AddCheck(monitoringtest.Check{Locations: []string{"a"}, FailIn: []string{"b"}, Members: map[string]any{"privateLocations": []string{"b"}}})
		svc.AddCheck(monitoringtest.Check{FailIn: []string{"eu-central-1"}})
		svc.AddCheck(monitoringtest.Check{Members: map[string]any{"alertSettings": nil, "script": 7}})
		svc.AddCheck(monitoringtest.Check{Attempts: 100})
		require.Equal(t, int64(1), svc.AddGroupJSON(`{"id":1}`))
	})
}

func TestNullForAListOfAnUpdateIsIgnored(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeBrowser, Locations: []string{"eu-west-1", "mine"}})
	path := "/v1/checks/browser/" + id
	_, _ = sendRaw(t, svc, "PUT", path, `{"environmentVariables":[{"key":"K","value":"v"}],"dependencies":[{"path":"p","content":"c"}],"description":"d"}`)
	before, _ := svc.CheckJSON(id)
	status, body := sendRaw(t, svc, "PUT", path,
		`{"locations":null,"privateLocations":null,"environmentVariables":null,"dependencies":null,"groupId":null,"description":null,"retryStrategy":null,"script":null}`)
	require.Equal(t, 200, status, body)
	after, _ := svc.CheckJSON(id)
	want, got := decoded(t, before), decoded(t, after)
	for _, name := range []string{"locations", "privateLocations", "environmentVariables", "dependencies"} {
		require.NotEmpty(t, want[name])
		require.Equal(t, want[name], got[name], name)
	}
	for _, name := range []string{"description", "script"} {
		require.NotNil(t, want[name])
		require.Nil(t, got[name], "null for anything else unsets it")
	}
	require.NotContains(t, decoded(t, []byte(body)), "dependencies")
}

func TestUpdatesOfACheckChangeItsRuns(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddGroup(monitoring.CheckGroup{ID: 1, Name: "g", Tags: []string{"grouped"}, Concurrency: new(1)})
	id := svc.AddCheck(monitoringtest.Check{Name: "last", GroupID: 1, Locations: []string{"us-east-1"}, Members: map[string]any{"groupOrder": 1}})
	other := svc.AddCheck(monitoringtest.Check{Name: "first", GroupID: 1, Members: map[string]any{"groupOrder": 2}})
	update := func(body string) map[string]any {
		status, text := sendRaw(t, svc, "PUT", "/v1/checks/"+id, body)
		require.Equal(t, 200, status, text)
		return decoded(t, []byte(text))
	}
	run := func(body string) []monitoring.CheckSession {
		before := len(svc.Sessions())
		sendRaw(t, svc, "POST", "/v2/check-sessions/trigger", body)
		return svc.Sessions()[before:]
	}
	started := func(list []monitoring.CheckSession) (names []string) {
		for _, x := range list {
			names = append(names, x.Name)
		}
		return names
	}
	const grouped = `{"target":{"matchTags":[["grouped"]]}}`
	require.Equal(t, []string{"last", "first"}, started(run(grouped)), "in the order of the group")
	update(`{"groupOrder":null,"locations":[]}`)
	list := run(grouped)
	require.Equal(t, []string{"first", "last"}, started(list), "the last without an order")
	require.Equal(t, []string{"eu-central-1"}, list[1].RunLocations, "a check runs somewhere")
	update(`{"groupId":null}`)
	require.Equal(t, []string{"first"}, started(run(grouped)))
	require.Equal(t, "API", update(`{"checkType":"TCP","tags":["grouped"]}`)["checkType"], "the type stays")
	require.Len(t, run(grouped), 2)

	const put = "PUT /v1/checks/{id}"
	require.Equal(t, 3, svc.Executed(put))
	require.Equal(t, []int{3, 3, 0}, []int{svc.ExecutedOn(put, id), svc.ExecutedOn(put, "last"), svc.ExecutedOn(put, other)})
	sendRaw(t, svc, "PUT", "/v2/check-groups/1", `{"name":"g"}`)
	require.Equal(t, 1, svc.ExecutedOn("PUT /v2/check-groups/{id}", "1"))
	service := svc.AddStatusPageService("")
	sendRaw(t, svc, "DELETE", "/v1/status-pages/services/"+service, "")
	sendRaw(t, svc, "DELETE", "/v1/status-pages/services/"+service, "")
	require.Equal(t, 1, svc.ExecutedOn("DELETE /v1/status-pages/services/{serviceId}", service))
}

// The defaults of the API document, also for the items of lists.
func TestItemsOfListsAreCompleted(t *testing.T) {
	const variables, complete = `[{"key":"A","value":"a"},{"key":"B","value":"b","locked":true,"secret":true}]`,
		`[{"key":"A","value":"a","locked":false,"secret":false},{"key":"B","value":%s,"locked":true,"secret":true}]`
	const pairs, completePairs = `[{"key":"A","value":"a"},{"key":"B","value":"b","locked":true}]`, `[{"key":"A","value":"a","locked":false},{"key":"B","value":"b","locked":true}]`
	svc := monitoringtest.New()
	group := svc.AddGroup(monitoring.CheckGroup{
		Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "A", Value: monitoring.NewSecret("a")}},
		APICheckDefaults: &monitoring.APICheckDefaults{QueryParameters: []monitoring.KeyValue{{Key: "A", Value: monitoring.NewSecret("a")}}},
	})
	path := fmt.Sprint("/check-groups/", group)
	_, body := sendRaw(t, svc, "GET", "/v1"+path, "")
	got := decoded(t, []byte(body))
	require.Equal(t, []any{map[string]any{"key": "A", "value": "a", "locked": false, "secret": false}}, got["environmentVariables"])
	require.Equal(t, []any{map[string]any{"key": "A", "value": "a", "locked": false}}, got["apiCheckDefaults"].(map[string]any)["queryParameters"])

	_, body = sendRaw(t, svc, "PUT", "/v2"+path, `{"name":"g","environmentVariables":`+variables+`,"apiCheckDefaults":{"url":"u","headers":`+pairs+`,"queryParameters":`+pairs+`}}`)
	var sent map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &sent))
	require.JSONEq(t, fmt.Sprintf(complete, "null"), string(sent["environmentVariables"]))
	require.JSONEq(t, `{"url":"u","headers":`+completePairs+`,"queryParameters":`+completePairs+`}`, string(sent["apiCheckDefaults"]))

	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeBrowser})
	sendRaw(t, svc, "PUT", "/v1/checks/browser/"+id, `{"environmentVariables":`+variables+`}`)
	check, _ := svc.CheckJSON(id)
	require.NoError(t, json.Unmarshal(check, &sent))
	require.JSONEq(t, fmt.Sprintf(complete, `"b"`), string(sent["environmentVariables"]))
}

func TestASecretStaysSecret(t *testing.T) {
	const secret = `"environmentVariables":[{"key":"A","value":"hunter2","secret":true},{"key":"B","value":"b"}]`
	const open = `"environmentVariables":[{"key":"B","value":"b"},{"key":"A","value":"hunter3","secret":false},{"key":"C","value":"c","secret":false}]`
	for name, opts := range map[string][]monitoringtest.Option{"as it is": nil, "with resets": {monitoringtest.WithGroupResets()}} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New(opts...)
			svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
			browser := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeBrowser})
			for _, path := range []string{"/v2/check-groups/7", "/v1/checks/browser/" + browser} {
				for _, body := range []string{secret, open} {
					status, text := sendRaw(t, svc, "PUT", path, `{"name":"g",`+body+`}`)
					require.Equal(t, 200, status, text)
					var values []any
					for _, v := range decoded(t, []byte(text))["environmentVariables"].([]any) {
						values = append(values, v.(map[string]any)["value"])
					}
					require.Equal(t, map[string][]any{secret: {nil, "b"}, open: {"b", nil, "c"}}[body], values)
				}
			}
			check, _ := svc.CheckJSON(browser)
			require.Contains(t, string(check), "hunter3", "the service has it")
		})
	}
	t.Run("and what is not there is not withheld", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithMoreWithheld())
		svc.AddGroupJSON(`{"id":7,"name":"g","environmentVariables":null,"apiCheckDefaults":{"url":"u","basicAuth":null,"headers":[{"key":"a","value":"x","locked":true},{"key":"b","value":"y"}]}}`)
		_, text := sendRaw(t, svc, "GET", "/v1/check-groups/7", "")
		require.JSONEq(t, `{"id":7,"name":"g","environmentVariables":null,"apiCheckDefaults":{"url":"u","basicAuth":null,"headers":[{"key":"a","value":null,"locked":true},{"key":"b","value":"y"}]}}`, text)
		svc.AddGroupJSON(`{"id":8,"name":"g","apiCheckDefaults":{"basicAuth":{"username":"u","password":"p"},"queryParameters":[{"key":"a","value":"x","locked":true}]}}`)
		_, text = sendRaw(t, svc, "GET", "/v1/check-groups/8", "")
		require.JSONEq(t, `{"id":8,"name":"g","apiCheckDefaults":{"basicAuth":{"username":"u","password":null},"queryParameters":[{"key":"a","value":null,"locked":true}]}}`, text)
		for _, group := range []string{`{"id":9,"name":"g"}`, `{"id":9,"name":"g","apiCheckDefaults":{"basicAuth":{"username":"u"}}}`} {
			svc.Reset()
			svc.AddGroupJSON(group)
			_, text = sendRaw(t, svc, "GET", "/v1/check-groups/9", "")
			require.JSONEq(t, group, text)
		}
	})
}

func TestIDsInThePath(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddSession(monitoringtest.Session{})
	status := func(path string) int {
		status, _ := sendRaw(t, svc, "GET", path, "")
		return status
	}
	require.Equal(t, 200, status("/v2/check-sessions/"+id))
	const good = "01234567-89ab-cdef-ABCD-EF0123456789"
	require.Equal(t, 404, status("/v2/check-sessions/"+good))
	for i := range good {
		for _, c := range []string{"-", "/", ":", "@", "G", "`", "g", "0"} {
			if c == "-" && good[i] == '-' || c == "0" && good[i] != '-' {
				continue
			}
			bad := good[:i] + strings.ReplaceAll(c, "/", "%2F") + good[i+1:]
			require.Equal(t, 400, status("/v2/check-sessions/"+bad), bad)
		}
	}
	require.Equal(t, 400, status("/v2/check-sessions/"+good[:35]))
	require.Equal(t, 400, status("/v2/check-sessions/"+good+"0"))
	for group, want := range map[string]int{"1": 404, "9223372036854775807": 404, "9223372036854775808": 400, "0": 400, "-1": 400, "1a": 400, "+1": 400, "1.0": 400} {
		require.Equal(t, want, status("/v1/check-groups/"+group), group)
	}
	svc.AddDashboard("b")
	svc.AddDashboard("a")
	require.Equal(t, []string{"a", "b"}, svc.Dashboards())
}

// A 400 of an older operation names the member; of the whole body it names none.
func TestTheKeysOfARefusal(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g"})
	for body, want := range map[string]string{
		"[]": "[]", "{": "[]", "": "[]", `{"name":"x","body":1}`: `["body"]`, `{"name":"x","apiCheckDefaults":{"body":1}}`: `["apiCheckDefaults.body"]`, "{}": `["name"]`,
	} {
		status, text := sendRaw(t, svc, "PUT", "/v2/check-groups/7", body)
		require.Equal(t, 400, status, body)
		var refusal struct{ Validation json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(text), &refusal))
		require.JSONEq(t, `{"source":"payload","keys":`+want+`}`, string(refusal.Validation), body)
	}
}

func TestAKeyInTheUpdateOfAVariableIsNoRename(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddVariable(monitoring.NewEnvironmentVariable("KEY", "old"))
	for _, key := range []string{"KEY", "OTHER"} {
		status, body := sendRaw(t, svc, "PUT", "/v1/variables/KEY", `{"key":"`+key+`","value":"new","locked":false,"secret":false}`)
		require.Equal(t, 200, status, body)
		require.JSONEq(t, `{"key":"KEY","value":"new","locked":false,"secret":false}`, body)
	}
	_, body := sendRaw(t, svc, "GET", "/v1/variables", "")
	require.JSONEq(t, `[{"key":"KEY","value":"new","locked":false,"secret":false}]`, body)
	status, body := sendRaw(t, svc, "PUT", "/v1/variables/KEY", `{"key":"KEY","value":"new","kye":"x"}`)
	require.Equal(t, 400, status)
	require.Contains(t, body, "kye: is not allowed", "nothing else is taken")
}

// body is another name of data.
func TestTheTextThatATCPCheckSendsIsNotEmpty(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeTCP})
	for _, to := range []string{"POST /v1/checks/tcp", "PUT /v1/checks/tcp/" + id, "PUT /v1/checks/" + id} {
		method, path, _ := strings.Cut(to, " ")
		for members, want := range map[string]int{
			`"data":""`: 400, `"body":""`: 400, `"data":7`: 400, `"body":7`: 400, `"data":null`: 0, `"body":null`: 0, `"data":"x"`: 0, `"body":"x"`: 0, `"data":"x","body":"y"`: 0,
		} {
			status, body := sendRaw(t, svc, method, path, `{"name":"n","request":{"hostname":"h","port":1,`+members+`}}`)
			if want == 0 {
				require.Less(t, status, 300, "%s %s: %s", to, members, body)
				continue
			}
			require.Equal(t, want, status, "%s %s: %s", to, members, body)
		}
	}
}

// A private location may be added after the check that names it.
func TestALocationIsJudgedWhenARunStarts(t *testing.T) {
	const mistake = `monitoringtest: check "c" runs in "dc-1", which is neither a region nor the SlugName of a private location: correct it, or use AddPrivateLocation`
	trigger := func(svc *monitoringtest.Service) error {
		_, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		return err
	}
	for name, add := range map[string]func(*monitoringtest.Service){
		"of a check": func(svc *monitoringtest.Service) {
			svc.AddCheck(monitoringtest.Check{Name: "c", Locations: []string{"dc-1"}})
		},
		"of its group": func(svc *monitoringtest.Service) {
			group := svc.AddGroup(monitoring.CheckGroup{Name: "g", PrivateLocations: []string{"dc-1"}})
			svc.AddCheck(monitoringtest.Check{Name: "c", GroupID: group})
		},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			add(svc)
			require.PanicsWithValue(t, mistake, func() { trigger(svc) })
			svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "Data center 1", SlugName: "dc-1"})
			require.NoError(t, trigger(svc), "and the service goes on")
		})
	}
	t.Run("over a listener, by a 500 for which a test of Run fails", func(t *testing.T) {
		refused := errorsOf(t, func(svc *monitoringtest.Service, _ *monitoring.Client) {
			svc.AddCheck(monitoringtest.Check{Name: "c", Locations: []string{"dc-1"}})
			url, stop := svc.Start()
			defer stop()
			client, err := monitoring.NewClient(url, monitoringtest.APIKey)
			require.NoError(t, err)
			_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			var failed *monitoring.APIError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, []any{500, mistake}, []any{failed.StatusCode, failed.Message})
			require.Equal(t, 500, svc.Requests()[0].Status)
			svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "Data center 1", SlugName: "dc-1"})
			_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.NoError(t, err, "and the service goes on")
		})
		require.Equal(t, []string{"monitoringtest: the service refused a request: POST /v2/check-sessions/trigger: 500: " + mistake}, refused)
	})
	t.Run("but not if a request has named it", func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddCheck(monitoringtest.Check{Name: "c"})
		_, err := clientOf(t, svc).Checks.Edit(t.Context(), id, func(s *monitoring.Check) error {
			s.PrivateLocations = []string{"dc-1"}
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, trigger(svc))
	})
}

func TestASeedJudgesLocations(t *testing.T) {
	svc := monitoringtest.New()
	for seed, want := range map[string]string{
		`{"checks":[{"locations":["eu-west-1","eu-west1"]}]}`:   `$.checks[0].locations[1]: "eu-west1" is neither a region nor the slugName of a private location`,
		`{"sessions":[{"locations":["mars"]}]}`:                 `$.sessions[0].locations[0]: "mars" is neither`,
		`{"groups":[{"name":"g","privateLocations":["mars"]}]}`: `$.groups[0].privateLocations[0]: "mars" is neither`,
		`{"alertNotifications":[{"id":"a"},{"id":"a"}]}`:        "$.alertNotifications[1]: an alert notification with the id a exists already",
		`{"maintenanceWindows":[{"id":7,"name":"w","startsAt":"now","endsAt":"now"},{"id":7,"name":"w","startsAt":"now","endsAt":"now"}]}`: "$.maintenanceWindows[1]: a maintenance window with the id 7 exists already",
	} {
		require.ErrorContains(t, svc.Seed([]byte(seed)), want)
		w := control(svc, "POST", "seed", seed)
		require.Equal(t, 400, w.Code)
	}
	require.NoError(t, svc.Seed([]byte(`{"checks":[{"locations":["dc-1"]}],"sessions":[{"locations":["dc-1"]}],"privateLocations":[{"name":"dc-1"}]}`)))
}
