package monitoringtest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const wholeSeed = `{
	"groups": [{"id": 7, "name": "Shop", "tags": ["shop"], "concurrency": 1, "created_at": "now-24h"}],
	"alertChannels": [{"id": 5, "type": "WEBHOOK", "config": {"url": "https://hooks.test"}, "sendTime": "1s", "status": "FAILURE", "response": "no"}],
	"checks": [
		{"id": "11111111-2222-4333-8444-555555555555", "name": "Login", "type": "BROWSER", "groupId": 7, "runTime": "10s",
		 "outcomes": ["FAILED"], "locations": ["eu-west-1", "us-east-1"], "failIn": ["us-east-1"], "attempts": 1,
		 "result": {"traceId": "abc"}, "members": {"description": "signs in"}},
		{"name": "Search"}
	],
	"sessions": [{"id": "99999999-2222-4333-8444-555555555555", "startedAt": "now-1h", "duration": "1m", "outcome": "DEGRADED", "runSource": "SCHEDULER"}],
	"variables": [{"key": "URL", "value": "https://shop.test"}, {"key": "TOKEN", "value": "t", "secret": true}],
	"maintenanceWindows": [{"name": "Upgrade", "startsAt": "now+1h", "endsAt": "now+2h", "tags": ["shop"]}],
	"alertNotifications": [{"type": "EMAIL", "timestamp": "now-10m", "alertChannelId": 5}],
	"faults": [{"operation": "GET /v1/locations", "kind": "resetAfter", "times": 1}, {"operation": "GET /v1/variables", "page": 2, "status": 503, "header": {"retry-after": "3"}, "after": 1}],
	"statusPageServices": ["22222222-2222-4333-8444-555555555555"],
	"dashboards": ["shop"],
	"snippets": [{"id": 12, "name": "Sign in", "script": "login()", "created_at": "now-24h"}]
}`

func TestASeedAddsItsObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		require.NoError(t, svc.Seed([]byte(wholeSeed)))
		client := clientOf(t, svc)
		group, err := client.CheckGroups.Get(t.Context(), 7)
		require.NoError(t, err)
		require.Equal(t, new(true), group.Activated, "a default")
		require.Equal(t, new(1), group.Concurrency)
		id := triggerOne(t, client, "11111111-2222-4333-8444-555555555555")
		session, err := client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, failed, session.Status)
		require.Equal(t, 10*time.Second, session.Duration())
		time.Sleep(2 * time.Second)
		list := alerts(t, client)
		require.Len(t, list, 2, "the check is subscribed to the channel")
		require.Equal(t, monitoring.NotificationFailure, list[1].Status)
		past, err := client.CheckSessions.Get(t.Context(), "99999999-2222-4333-8444-555555555555")
		require.NoError(t, err)
		require.Equal(t, degraded, past.Status)
		variables, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.NoError(t, err)
		require.Len(t, variables.Items, 2)
		require.Equal(t, "https://shop.test", variables.Items[0].Value.Reveal())
		windows, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
		require.NoError(t, err)
		require.WithinDuration(t, time.Now().Add(time.Hour), windows.Items[0].StartsAt.Time, time.Minute)
		require.Error(t, list2(t, client), "a fault")
		require.NoError(t, list2(t, client))
		require.Equal(t, []string{"shop"}, svc.Dashboards())
		require.Len(t, svc.StatusPageServices(), 1)
		snippet, err := client.Snippets.Get(t.Context(), 12)
		require.NoError(t, err)
		require.Equal(t, "login()", snippet.Script)
		require.WithinDuration(t, time.Now().Add(-24*time.Hour), snippet.CreatedAt.Time, time.Minute)
	})
}

func list2(t *testing.T, client *monitoring.Client) error {
	_, err := client.Locations.List(t.Context())
	return err
}

func TestASeedIsRefusedWithThePathOfTheMistake(t *testing.T) {
	tests := map[string]struct{ seed, want string }{
		"that is not JSON":                   {`{"checks": [}`, "$: it is not JSON"},
		"that goes on after its end":         {`{} {}`, "$: something follows"},
		"that is a list":                     {`[]`, "$: must be an object"},
		"with an unknown list":               {`{"check": []}`, "$.check: is not known; known are groups"},
		"with an object for a list":          {`{"checks": {}}`, "$.checks: must be a list"},
		"with a number for a check":          {`{"checks": [{}, 7]}`, "$.checks[1]: must be an object"},
		"with an unknown member":             {`{"checks": [{"nmae": "x"}]}`, "$.checks[0].nmae: is not known"},
		"with a wrong type":                  {`{"checks": [{"name": 7}]}`, "$.checks[0].name: must be a string"},
		"with null for a tag":                {`{"checks": [{"tags": ["a", null]}]}`, "$.checks[0].tags[1]: must be a string"},
		"with a snippet without a script":    {`{"snippets": [{"name": "n"}]}`, "$.snippets[0].script: is required"},
		"with two snippets of one id":        {`{"snippets": [{"id": 1, "name": "n", "script": "s"}, {"id": 1, "name": "n", "script": "s"}]}`, "$.snippets[1]: a snippet with the id 1 exists already"},
		"with an unknown type":               {`{"checks": [{"type": "HTTP"}]}`, `$.checks[0].type: "HTTP" is none of AGENTIC`},
		"with an id that is not a UUID":      {`{"checks": [{"id": "login"}]}`, `$.checks[0].id: "login" is not a UUID`},
		"with an outcome that is not an end": {`{"checks": [{"outcome": "PROGRESS"}]}`, "$.checks[0]: check \"\": no session ends PROGRESS"},
		"with negative attempts":             {`{"checks": [{"attempts": -1}]}`, "$.checks[0]: check \"\": -1 attempts"},
		"with half an attempt":               {`{"checks": [{"attempts": 1.5}]}`, "$.checks[0].attempts: must be an integer"},
		"with a word for a duration":         {`{"checks": [{"runTime": "fast"}]}`, `$.checks[0].runTime: "fast" is not a time such as "1m30s"`},
		"with a group that is not there":     {`{"checks": [{"groupId": 9}]}`, "$.checks[0].groupId: there is no group with the id 9"},
		"with the same check twice":          {`{"checks": [{"id": "` + monitoringtest.UUID("a") + `"}, {"id": "` + monitoringtest.UUID("a") + `"}]}`, "$.checks[1]: a check with the id"},
		"with a group without a name":        {`{"groups": [{"id": 1}]}`, "$.groups[0].name: is required"},
		"with a group that is not valid":     {`{"groups": [{"name": "x", "apiCheckDefaults": {"uri": "x"}}]}`, "$.groups[0].apiCheckDefaults.uri: is not allowed"},
		"with an id of a group in words":     {`{"groups": [{"name": "x", "id": "one"}]}`, "$.groups[0].id: must be a number"},
		"with a word for a time":             {`{"sessions": [{"startedAt": "yesterday"}]}`, `$.sessions[0].startedAt: "yesterday" is not a moment`},
		"with a variable without a key":      {`{"variables": [{"value": "x"}]}`, "$.variables[0].key: is required"},
		"with a window without an end":       {`{"maintenanceWindows": [{"name": "x", "startsAt": "now"}]}`, "$.maintenanceWindows[0].endsAt: is required"},
		"with a window of a wrong type":      {`{"maintenanceWindows": [{"name": "x", "startsAt": "now", "endsAt": "now+1h", "pauseAllChecks": "yes"}]}`, "$.maintenanceWindows[0]: "},
		"with a channel of no type":          {`{"alertChannels": [{"type": "PIGEON"}]}`, "$.alertChannels[0].type: "},
		"with a fault of a mistyped path":    {`{"faults": [{"operation": "GET /v1/location"}]}`, `$.faults[0]: there is no operation "GET /v1/location"`},
		"with a fault of an unknown kind":    {`{"faults": [{"kind": "explode"}]}`, `$.faults[0].kind: "explode" is none of none, refuse`},
		"with a fault of no status":          {`{"faults": [{}, {"status": 7}]}`, "$.faults[1]: status 7"},
		"with a header that is not a text":   {`{"faults": [{"header": {"Retry-After": 7}}]}`, "$.faults[0].header.Retry-After: must be a string"},
		"with several mistakes":              {`{"checks": [{"name": 1}], "dashboards": [2]}`, "$.checks[0].name: must be a string\n$.dashboards[0]: must be a string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			err := svc.Seed([]byte(test.seed))
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "monitoringtest: seed: ")
		})
	}
	t.Run("and nothing of it is added", func(t *testing.T) {
		svc := monitoringtest.New()
		require.Error(t, svc.Seed([]byte(`{"dashboards": ["x"], "checks": [{"attempts": -1}]}`)))
		require.Empty(t, svc.Dashboards())
	})
	t.Run("when the service has it already", func(t *testing.T) {
		svc := monitoringtest.New()
		require.NoError(t, svc.Seed([]byte(wholeSeed)))
		err := svc.Seed([]byte(wholeSeed))
		for _, path := range []string{"$.groups[0]", "$.alertChannels[0]", "$.checks[0]", "$.sessions[0]"} {
			require.ErrorContains(t, err, path)
		}
	})
}

func TestTheControl(t *testing.T) {
	svc := monitoringtest.NewDemo()
	control := svc.Control()
	send := func(t *testing.T, method, path, body string) (int, string) {
		w := httptest.NewRecorder()
		control.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	does := func(t *testing.T, method, path, body string) {
		status, text := send(t, method, path, body)
		require.Equal(t, 204, status, text)
	}
	client := clientOf(t, svc)
	t.Run("injects a fault, or several, and clears them", func(t *testing.T) {
		does(t, "POST", "/_fake/inject", `{"operation": "GET /v1/locations", "status": 503, "times": 1}`)
		does(t, "POST", "/_fake/inject", `[{"operation": "GET /v1/locations", "status": 500}, {"delayAfter": "1h"}]`)
		require.ErrorContains(t, list2(t, client), "503")
		require.ErrorContains(t, list2(t, client), "500")
		_, state := send(t, "GET", "/_fake/state", "")
		var out struct{ Faults []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(state), &out))
		require.Equal(t, []map[string]any{
			{"kind": "none", "operation": "GET /v1/locations", "status": 503.0, "times": 1.0, "happened": 1.0},
			{"kind": "none", "operation": "GET /v1/locations", "status": 500.0, "happened": 1.0},
			{"kind": "none", "delayAfter": "1h0m0s", "happened": 0.0},
		}, out.Faults)
		does(t, "DELETE", "/_fake/inject", "")
		require.NoError(t, list2(t, client))
	})
	t.Run("reports mistakes and goes on", func(t *testing.T) {
		for body, want := range map[string]string{
			"":                                      "not JSON",
			"{":                                     "not JSON",
			"7":                                     "must be an object",
			`[{"status": 503}, {"status": 7}]`:      "$[1]: status 7",
			`{"operation": "GET /v1/x"}`:            `$: there is no operation \"GET /v1/x\"`,
			`{"delay": -1}`:                         `$.delay: must be a time`,
			`{"delay": "-1s"}`:                      `is not a time`,
			`{"times": -1}`:                         `must not be negative`,
			`{"kind": "cutBody", "cutAfter": "1s"}`: `a gateway cuts`,
		} {
			status, text := send(t, "POST", "/_fake/inject", body)
			require.Equal(t, 400, status, body)
			require.Contains(t, text, want)
			var out struct {
				StatusCode     int
				Error, Message string
			}
			require.NoError(t, json.Unmarshal([]byte(text), &out))
			require.Equal(t, 400, out.StatusCode)
		}
		require.NoError(t, list2(t, client), "none of them was injected")
		status, _ := send(t, "POST", "/_fake/seed", `{"checks": [{"attempts": -5}]}`)
		require.Equal(t, 400, status)
		status, _ = send(t, "GET", "/_fake/records?last=many", "")
		require.Equal(t, 400, status)
		status, _ = send(t, "POST", "/_fake/inject", strings.Repeat(" ", 17<<20))
		require.Equal(t, 413, status, "a body without end")
		status, _ = send(t, "GET", "/_fake/nothing", "")
		require.Equal(t, 404, status)
		status, _ = send(t, "GET", "/_fake/reset", "")
		require.Equal(t, 405, status)
	})
	t.Run("shows the requests", func(t *testing.T) {
		does(t, "DELETE", "/_fake/records", "")
		require.NoError(t, list2(t, client))
		require.Error(t, callAny(t.Context(), client, http.MethodPut, "/v2/check-groups/4711", nil, map[string]any{"nmae": 1}, nil))
		_, text := send(t, "GET", "/_fake/records?last=1", "")
		var out []map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &out))
		require.Len(t, out, 1)
		require.Equal(t, "PUT /v2/check-groups/{id}", out[0]["operation"])
		require.Equal(t, map[string]any{"nmae": 1.0}, out[0]["body"])
		require.Equal(t, 400.0, out[0]["status"])
		require.NotContains(t, text, monitoringtest.APIKey)
		_, unexpected := send(t, "GET", "/_fake/unexpected", "")
		require.Contains(t, unexpected, `\"nmae\" is not allowed`)
	})
	t.Run("shows the state without secrets", func(t *testing.T) {
		does(t, "POST", "/_fake/seed", `{"groups": [{"name": "x", "environmentVariables": [{"key": "P", "value": "hunter2", "secret": true}]}]}`)
		status, text := send(t, "GET", "/_fake/state", "")
		require.Equal(t, 200, status)
		require.Contains(t, text, "Checkout API")
		require.NotContains(t, text, "hunter2")
	})
	t.Run("resets", func(t *testing.T) {
		does(t, "POST", "/_fake/reset", "")
		require.Zero(t, svc.Count(""))
		_, text := send(t, "GET", "/_fake/state", "")
		require.NotContains(t, text, `"name":"x"`)
	})
	t.Run("is not an operation of the service", func(t *testing.T) {
		response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/_fake/state", ""))
		require.NoError(t, err)
		io.Copy(io.Discard, response.Body)
		require.Equal(t, 404, response.StatusCode)
	})
}
