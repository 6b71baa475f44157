package monitoringtest_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The rules of bodies have their tests in internal/schema and mistakes_test.go.
func TestARequestIsRefusedWhen(t *testing.T) {
	const unknown = "00000000-0000-4000-8000-000000000000"
	tests := map[string]struct {
		method, path string
		query        url.Values
		body         any
		opts         []monitoring.CallOption
		status       int
		message      string
	}{
		"a parameter is unknown":                    {path: "/v1/locations", query: url.Values{"limit": {"1"}}, status: 400},
		"the limit is over 100":                     {path: "/v1/variables", query: url.Values{"limit": {"101"}}, status: 400, message: `limit: 101 is outside 1..100`},
		"the limit is 0":                            {path: "/v1/variables", query: url.Values{"limit": {"0"}}, status: 400},
		"the limit is a word":                       {path: "/v1/variables", query: url.Values{"limit": {"ten"}}, status: 400},
		"a tag of a group is empty":                 {path: "/v1/check-groups", query: url.Values{"tag": {"a", ""}}, status: 400, message: `"tag" is not allowed to be empty`},
		"the page is 0":                             {path: "/v1/variables", query: url.Values{"page": {"0"}}, status: 400},
		"a parameter is repeated":                   {path: "/v1/variables", query: url.Values{"page": {"1", "2"}}, status: 400},
		"notifications are asked for over 24 hours": {path: "/v1/alert-notifications", query: url.Values{"from": {"1000"}, "to": {"87401"}}, status: 400},
		"a timestamp is a date":                     {path: "/v1/alert-notifications", query: url.Values{"from": {"2026-08-01"}}, status: 400},
		"a filter has an unknown operator":          {path: "/v1/maintenance-windows", query: url.Values{"startsAt[eq]": {"2026-08-01"}}, status: 400},
		"a filter has two operators":                {path: "/v1/maintenance-windows", query: url.Values{"startsAt[gt]": {"2026-08-01"}, "startsAt[lt]": {"2026-08-02"}}, status: 400},
		"a filter has no date":                      {path: "/v1/maintenance-windows", query: url.Values{"endsAt[gt]": {"tomorrow"}}, status: 400},
		"a completion is to be held for 31 seconds": {path: "/v2/check-sessions/" + unknown + "/completion", query: url.Values{"maxWaitSeconds": {"31"}}, status: 400},
		"a completion is not to be held":            {path: "/v2/check-sessions/" + unknown + "/completion", query: url.Values{"maxWaitSeconds": {"0"}}, status: 400},
		"a session id is not a UUID":                {path: "/v2/check-sessions/abc", status: 400},
		"a session is unknown":                      {path: "/v2/check-sessions/" + unknown, status: 404, message: "No such check session."},
		"a session is unknown in v1":                {path: "/v1/check-sessions/" + unknown, status: 404, message: "No such check session."},
		"an unknown session is cancelled":           {method: "POST", path: "/v1/check-sessions/" + unknown + "/cancel", body: map[string]any{}, status: 404},
		"a trigger has no body":                     {method: "POST", path: "/v2/check-sessions/trigger", status: 400},
		"a trigger matches nothing":                 {method: "POST", path: "/v2/check-sessions/trigger", body: map[string]any{"target": map[string]any{"matchTags": [][]string{{"nope"}}}}, status: 404, message: "No matching checks were found."},
		"a group is unknown":                        {path: "/v1/check-groups/1", status: 404, message: "Not Found"},
		"a group id is not a number":                {path: "/v1/check-groups/x", status: 400},
		"a group has no name":                       {method: "PUT", path: "/v2/check-groups/4711", body: map[string]any{"muted": true}, status: 400, message: `"name" is required`},
		"a group has an unknown member":             {method: "PUT", path: "/v2/check-groups/4711", body: map[string]any{"name": "x", "nmae": 1}, status: 400, message: `"nmae" is not allowed`},
		"a check id is not a UUID":                  {method: "PUT", path: "/v1/checks/browser/login", body: map[string]any{}, status: 400, message: `id: must be a valid GUID`},
		"the id of a result is not a UUID":          {path: "/v1/check-results/" + unknown + "/1", status: 400, message: `checkResultId: must be a valid GUID`},
		"the id of an analysis is not a UUID":       {path: "/v1/root-cause-analyses/1", status: 400},
		"the id of a status service is not a UUID":  {method: "DELETE", path: "/v1/status-pages/services/1", status: 400},
		"the account of a plan is not a UUID":       {path: "/v1/accounts/acme/entitlements", status: 400},
		"the check of error groups is not a UUID":   {path: "/v1/error-groups/checks/login", status: 400},
		"the account is not a UUID":                 {path: "/v1/locations", opts: []monitoring.CallOption{monitoring.WithAccount("acme")}, status: 400, message: `"x-service-account" must be a valid GUID`},
		"a session id is not a UUID in v1":          {path: "/v1/check-sessions/abc", status: 400},
		"a group has a wrong type":                  {method: "PUT", path: "/v2/check-groups/4711", body: map[string]any{"name": "x", "muted": "yes"}, status: 400, message: `"muted" must be a boolean`},
		"a check has no port":                       {method: "POST", path: "/v1/checks/tcp", body: map[string]any{"name": "x", "request": map[string]any{"hostname": "h"}}, status: 400, message: `request.port: is required`},
		"a browser check is unknown":                {method: "PUT", path: "/v1/checks/browser/" + unknown, body: map[string]any{}, status: 404},
		"a browser check is of another type":        {method: "PUT", path: "/v1/checks/browser/" + monitoringtest.DemoCheckID, body: map[string]any{}, status: 404},
		"a result is unknown":                       {path: "/v1/check-results/" + unknown + "/" + unknown, status: 404},
		"a root cause analysis is unknown":          {path: "/v1/root-cause-analyses/" + unknown, status: 404},
		"a path is unknown":                         {path: "/v1/nothing", status: 404},
		"a method is not that of the operation":     {method: "POST", path: "/v1/locations", status: 404},
		"the account is another":                    {path: "/v1/locations", opts: []monitoring.CallOption{monitoring.WithAccount(unknown)}, status: 403, message: "Forbidden"},
		"a body is not declared as JSON":            {method: "POST", path: "/v1/checks/tcp", body: map[string]any{}, opts: []monitoring.CallOption{monitoring.WithHeader("Content-Type", "text/plain")}, status: 415},
		"a body is not a JSON object":               {method: "POST", path: "/v1/checks/tcp", body: []int{1}, status: 400},
		"a body is not an object at all":            {method: "POST", path: "/v2/check-sessions/trigger", body: "x", status: 400},
		"a check has no name":                       {method: "POST", path: "/v1/checks/tcp", body: map[string]any{"request": map[string]any{"port": 1, "hostname": "h"}}, status: 400, message: `name: is required`},
		"a check has no request":                    {method: "POST", path: "/v1/checks/tcp", body: map[string]any{"name": "x"}, status: 400, message: `request: is required`},
		"a default has an unknown member":           {method: "PUT", path: "/v2/check-groups/4711", body: map[string]any{"name": "x", "apiCheckDefaults": map[string]any{"uri": "x"}}, status: 400, message: `"apiCheckDefaults.uri" is not allowed`},
		"an unknown group is updated":               {method: "PUT", path: "/v2/check-groups/5", body: map[string]any{"name": "x"}, status: 404},
		"a period ends before it begins":            {path: "/v1/alert-notifications", query: url.Values{"from": {"2000"}, "to": {"1000"}}, status: 400},
		"a channel is not a number":                 {path: "/v1/alert-notifications", query: url.Values{"alertChannelId": {"mail"}}, status: 400},
		"the completion of an unknown session":      {path: "/v2/check-sessions/" + unknown + "/completion", status: 404},
		"nothing is subscribed to a channel":        {method: "PUT", path: "/v1/alert-channels/263584/subscriptions", body: map[string]any{"activated": true, "groupId": nil}, status: 400, message: `"checkId" is required unless there is a groupId`},
		"a switch is not a boolean":                 {method: "POST", path: "/v1/checks/tcp", query: url.Values{"autoAssignAlerts": {"1"}}, body: map[string]any{"name": "x", "request": map[string]any{"port": 1, "hostname": "h"}}, status: 400},
	}
	svc := demo()
	client := clientOf(t, svc)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.method == "" {
				test.method = http.MethodGet
			}
			err := callAny(context.Background(), client, test.method, test.path, test.query, test.body, nil, test.opts...)
			var failed *monitoring.APIError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, test.status, failed.StatusCode, "%s", failed.Body)
			require.Equal(t, http.StatusText(test.status), failed.Reason)
			if test.message != "" {
				require.Equal(t, test.message, failed.Message)
			}
		})
	}
}

func TestAWrongKeyIsABadToken(t *testing.T) {
	inMemoryAndLoopback(t, func() *monitoringtest.Service { return monitoringtest.New(monitoringtest.WithAPIKey("another")) },
		func(t *testing.T, svc *monitoringtest.Service, _ *monitoring.Client) {
			client, err := monitoring.NewClient(monitoringtest.BaseURL, "wrong", append(plain(), monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))...)
			require.NoError(t, err)
			_, err = client.Locations.List(context.Background())
			require.ErrorIs(t, err, monitoring.ErrUnauthorized)
			var failed *monitoring.APIError
			require.ErrorAs(t, err, &failed)
			require.JSONEq(t, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`, string(failed.Body))
		})
}

func TestChecksOverTheLimitOfThePlanAre402(t *testing.T) {
	svc := monitoringtest.New()
	svc.SetCheckLimit(1)
	client := clientOf(t, svc)
	create := func() error {
		_, err := client.Checks.Create(context.Background(), &monitoring.Check{Name: "x", TCP: &monitoring.TCPRequest{Hostname: "h", Port: 25}})
		return err
	}
	require.NoError(t, create())
	require.ErrorIs(t, create(), monitoring.ErrPaymentRequired)
	require.Equal(t, 1, svc.Executed("POST /v1/checks/tcp"))
	require.Equal(t, 2, svc.Count("POST /v1/checks/tcp"))
}

func TestALimitOfChecksAndLocationsOfAPlanAreDumped(t *testing.T) {
	svc, _ := monitoringtest.Run(t)
	svc.SetCheckLimit(1)
	svc.SetEntitlements(monitoring.Entitlements{Plan: "team", Locations: monitoring.EntitlementLocations{All: []monitoring.EntitlementLocation{{ID: "eu-west-1", Available: true}}}})
	again, client := monitoringtest.Run(t)
	require.NoError(t, again.Seed(svc.Dump()))
	plan, err := client.Entitlements.Get(t.Context(), monitoringtest.AccountID)
	require.NoError(t, err)
	require.Len(t, plan.Locations.All, 1)
	require.Equal(t, monitoring.Region("eu-west-1"), plan.Locations.All[0].ID)
	const body = `{"name":"n","request":{"hostname":"h","port":1}}`
	status, _ := sendRaw(t, again, "POST", "/v1/checks/tcp", body)
	require.Equal(t, 201, status)
	status, _ = sendRaw(t, again, "POST", "/v1/checks/tcp", body)
	require.Equal(t, 402, status)
}

func TestEntitlementsGateTheNumberOfChecks(t *testing.T) {
	metered := func(key string, most int64) monitoring.Entitlement {
		return monitoring.Entitlement{Key: key, Type: monitoring.EntitlementMetered, Enabled: true, Quantity: &most}
	}
	off := func(e monitoring.Entitlement) monitoring.Entitlement {
		e.Enabled, e.Quantity = false, nil
		return e
	}
	flag := monitoring.Entitlement{Key: "TCP_CHECKS", Type: monitoring.EntitlementFlag}
	for name, test := range map[string]struct {
		entitlements []monitoring.Entitlement
		limit        int
		want         [3]int // statuses of three creates of TCP checks
	}{
		"none":                     {nil, 0, [3]int{201, 201, 201}},
		"for two of the kind":      {[]monitoring.Entitlement{metered("TCP_CHECKS", 2)}, 0, [3]int{201, 201, 402}},
		"for another kind":         {[]monitoring.Entitlement{metered("BROWSER_CHECKS", 0), metered("MULTI_STEP_CHECKS", 0)}, 0, [3]int{201, 201, 201}},
		"for three at all":         {[]monitoring.Entitlement{metered("CHECKS", 3)}, 0, [3]int{201, 201, 402}},
		"for none":                 {[]monitoring.Entitlement{off(metered("TCP_CHECKS", 2))}, 0, [3]int{402, 402, 402}},
		"that count nothing":       {[]monitoring.Entitlement{flag, off(flag)}, 0, [3]int{201, 201, 201}},
		"for other things":         {[]monitoring.Entitlement{metered("PRIVATE_LOCATIONS", 0), metered("XTCP_CHECKS", 0)}, 0, [3]int{201, 201, 201}},
		"and a limit that is less": {[]monitoring.Entitlement{metered("TCP_CHECKS", 2)}, 2, [3]int{201, 402, 402}},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.SetEntitlements(monitoring.Entitlements{Plan: "team", Entitlements: test.entitlements})
			svc.SetCheckLimit(test.limit)
			svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeAPI})
			var got [3]int
			for i := range got {
				got[i], _ = sendRaw(t, svc, "POST", "/v1/checks/tcp", `{"name":"n","request":{"hostname":"h","port":1}}`)
			}
			require.Equal(t, test.want, got)
			status, body := sendRaw(t, svc, "POST", "/v1/private-locations", `{"name":"n","slugName":"n"}`)
			require.Equal(t, 201, status, "nothing else is gated: %s", body)
		})
	}
	t.Run("not those of a new account, nor after its dump", func(t *testing.T) {
		svc := monitoringtest.New()
		again := monitoringtest.New()
		require.NoError(t, again.Seed(svc.Dump()))
		for _, svc := range []*monitoringtest.Service{svc, again} {
			for n := range 60 {
				status, body := sendRaw(t, svc, "POST", "/v1/checks/browser", `{"name":"n","script":"s"}`)
				require.Equal(t, 201, status, "check %d: %s", n, body)
			}
		}
	})
	t.Run("after a dump, if a test has set them", func(t *testing.T) {
		svc, again := monitoringtest.New(), monitoringtest.New()
		svc.SetEntitlements(monitoring.Entitlements{Entitlements: []monitoring.Entitlement{metered("TCP_CHECKS", 0)}})
		require.NoError(t, again.Seed(svc.Dump()))
		status, _ := sendRaw(t, again, "POST", "/v1/checks/tcp", `{"name":"n","request":{"hostname":"h","port":1}}`)
		require.Equal(t, 402, status)
		again.Reset()
		status, _ = sendRaw(t, again, "POST", "/v1/checks/tcp", `{"name":"n","request":{"hostname":"h","port":1}}`)
		require.Equal(t, 201, status)
	})
}

func TestTagsMatch(t *testing.T) {
	svc := monitoringtest.New()
	group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Tags: []string{"grouped"}})
	off := svc.AddGroupJSON(`{"id":2,"name":"off","tags":["off"],"activated":false}`)
	svc.AddCheck(monitoringtest.Check{Name: "ab", Tags: []string{"a", "b"}})
	svc.AddCheck(monitoringtest.Check{Name: "ac", Tags: []string{"a", "c"}})
	svc.AddCheck(monitoringtest.Check{Name: "acd", Tags: []string{"a", "c", "d"}})
	svc.AddCheck(monitoringtest.Check{Name: "in group", Tags: []string{"e"}, GroupID: group})
	svc.AddCheck(monitoringtest.Check{Name: "deactivated", Tags: []string{"a"}, Deactivated: true})
	svc.AddCheck(monitoringtest.Check{Name: "in deactivated group", Tags: []string{"a"}, GroupID: off})
	svc.AddCheck(monitoringtest.Check{Name: "heartbeat", Tags: []string{"a"}, Type: monitoring.CheckTypeHeartbeat})
	client := clientOf(t, svc)
	tests := map[string]struct {
		tags [][]string
		want []string
	}{
		"inside a group all of them are needed":    {[][]string{{"a", "b"}}, []string{"ab"}},
		"one of the groups is enough":              {[][]string{{"b"}, {"c"}}, []string{"ab", "ac", "acd"}},
		"an exclamation mark excludes a tag":       {[][]string{{"a", "b"}, {"a", "c", "!d"}}, []string{"ab", "ac"}},
		"the tags of the group count":              {[][]string{{"grouped", "e"}}, []string{"in group"}},
		"the tags of the group count when negated": {[][]string{{"!a", "!grouped"}}, nil},
		"deactivated checks do not match":          {[][]string{{"a", "!b", "!c"}}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			list, err := client.CheckSessions.Trigger(context.Background(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: test.tags}})
			if test.want == nil {
				require.ErrorIs(t, err, monitoring.ErrNoMatchingChecks)
				return
			}
			require.NoError(t, err)
			var names []string
			for _, s := range list {
				names = append(names, s.Name)
			}
			require.Equal(t, test.want, names)
		})
	}
}

func TestAnUpdateOfTheFrequency(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	check, err := client.Checks.Create(t.Context(), &monitoring.Check{Name: "x", TCP: &monitoring.TCPRequest{Hostname: "h", Port: 25}, Frequency: new(0)})
	require.NoError(t, err)
	require.Equal(t, new(10), check.FrequencyOffset, "has an offset that fits when none is given")
	put := func(body map[string]any) (out monitoring.Check, err error) {
		err = callAny(t.Context(), client, http.MethodPut, "/v1/checks/"+check.ID, nil, body, &out)
		return out, err
	}
	updated, err := put(map[string]any{"frequency": 60})
	require.NoError(t, err)
	require.Equal(t, new(10), updated.FrequencyOffset, "keeps an offset that fits")
	updated, err = put(map[string]any{"frequency": 0, "frequencyOffset": 30})
	require.NoError(t, err)
	require.Equal(t, new(30), updated.FrequencyOffset)
	updated, err = put(map[string]any{"frequency": 720})
	require.NoError(t, err)
	require.Equal(t, new(1), updated.FrequencyOffset, "has another that fits")
	_, err = put(map[string]any{"frequency": 60, "frequencyOffset": 300})
	require.NoError(t, err)
	edited, err := client.Checks.Edit(t.Context(), check.ID, func(c *monitoring.Check) error { c.Frequency = new(1); return nil })
	require.NoError(t, err, "what follows from the change is no change of another program")
	require.Equal(t, new(1), edited.FrequencyOffset)
	_, err = put(map[string]any{"frequencyOffset": 601})
	require.ErrorIs(t, err, monitoring.ErrBadRequest, "has an offset that must fit the frequency the check has")
}

func TestAServiceOfAnotherAccount(t *testing.T) {
	const account = "11111111-2222-4333-8444-555555555555"
	svc := monitoringtest.New(
		monitoringtest.WithAccountID(account), monitoringtest.WithAccountHeader("x-tenant"), monitoringtest.WithAPIKey("cu_1"),
		monitoringtest.WithLatency(func() time.Duration { return 0 }), monitoringtest.WithSeed(7),
	)
	svc.SetEntitlements(monitoring.Entitlements{Plan: "hobby"})
	e, err := clientOf(t, svc).Entitlements.Get(t.Context(), account)
	require.NoError(t, err)
	require.Equal(t, "hobby", e.Plan)
	require.Equal(t, account, svc.Requests()[0].Header.Get("x-tenant"))
}

// The documented members of responses are all there.
func TestResponsesHaveTheDocumentedMembers(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	var group, check map[string]any
	require.NoError(t, callAny(t.Context(), client, http.MethodGet, "/v1/check-groups/4711", nil, nil, &group))
	for _, name := range strings.Fields(`id name activated concurrency apiCheckDefaults muted tags locations browserCheckDefaults environmentVariables
		doubleCheck useGlobalAlertSettings alertSettings alertChannelSubscriptions setupSnippetId tearDownSnippetId localSetupScript
		localTearDownScript runtimeId privateLocations retryStrategy created_at updated_at runParallel`) {
		require.Contains(t, group, name)
	}
	require.NoError(t, callAny(t.Context(), client, http.MethodPost, "/v1/checks/tcp", nil, map[string]any{"name": "x", "request": map[string]any{"port": 1, "hostname": "h"}}, &check))
	for _, name := range strings.Fields(`id name request activated muted doubleCheck shouldFail locations tags alertSettings useGlobalAlertSettings groupId
		groupOrder runtimeId alertChannelSubscriptions retryStrategy triggerIncident runParallel description frequency frequencyOffset
		degradedResponseTime maxResponseTime privateLocations created_at updated_at alertChannels checkType`) {
		require.Contains(t, check, name)
	}
	require.Equal(t, true, check["doubleCheck"], "which is the default")
}

func TestAQueryThatCannotBeDecodedIsRefusedByAllOperations(t *testing.T) {
	svc := demo()
	unknown := monitoringtest.UUID("unknown")
	for _, operation := range monitoringtest.Operations() {
		method, path, _ := strings.Cut(operation, " ")
		o, found := operations.Find(operation)
		require.True(t, found, operation)
		for i, name := range o.Placeholders() {
			id := map[operations.ID]string{operations.UUID: unknown, operations.Number: "7", operations.Text: "x"}[o.IDs[i]]
			path = strings.Replace(path, "{"+name+"}", id, 1)
		}
		for _, query := range []string{"?limit=%zz", "?limit=1;page=2", "?%=1", "?limit=1&%zz=2"} {
			response, body := sendOnce(t, svc, newRequest(t, method, path+query, ""))
			require.Equal(t, 400, response.StatusCode, "%s %s", operation, query)
			require.Contains(t, body, "Invalid request query input", operation)
		}
	}
	require.Len(t, svc.Unexpected(), 4*len(monitoringtest.Operations()))
}
