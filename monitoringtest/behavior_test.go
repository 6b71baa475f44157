//lint:file-ignore SA1019 what is deprecated is tested, too

package monitoringtest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// triggerOne triggers a check and returns the id of its session.
func triggerOne(t *testing.T, client *monitoring.Client, checkID string) string {
	t.Helper()
	return triggerMany(t, client, map[string]any{"checkId": []string{checkID}})[0].CheckSessionID
}

func triggerMany(t *testing.T, client *monitoring.Client, target map[string]any) []monitoring.CheckSession {
	t.Helper()
	var out struct{ Sessions []monitoring.CheckSession }
	require.NoError(t, callAny(t.Context(), client, http.MethodPost, "/v2/check-sessions/trigger", nil, map[string]any{"target": target}, &out))
	return out.Sessions
}

func TestACancelIsCarriedOutLater(t *testing.T) {
	tests := map[string]struct {
		kind     monitoring.CheckType
		source   monitoring.RunSource
		duration time.Duration
		options  []monitoringtest.Option
		want     monitoring.CheckSessionStatus
		took     time.Duration
	}{
		"a second after it was accepted":           {monitoring.CheckTypePlaywright, "", time.Minute, nil, monitoring.SessionCancelled, 11 * time.Second},
		"after the delay that is set":              {monitoring.CheckTypePlaywright, "", time.Minute, []monitoringtest.Option{monitoringtest.WithCancelDelay(20 * time.Second)}, monitoring.SessionCancelled, 30 * time.Second},
		"too late for a run that ends before":      {monitoring.CheckTypePlaywright, "", 10*time.Second + 500*time.Millisecond, nil, monitoring.SessionPassed, 10*time.Second + 500*time.Millisecond},
		"never for a run that the scheduler began": {monitoring.CheckTypePlaywright, monitoring.RunSourceScheduler, time.Minute, nil, monitoring.SessionPassed, time.Minute},
		"never for a run of another type":          {monitoring.CheckTypeBrowser, "", time.Minute, nil, monitoring.SessionPassed, time.Minute},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(test.options...)
				id := svc.AddSession(monitoringtest.Session{Type: test.kind, RunSource: test.source, Duration: test.duration})
				client := clientOf(t, svc)
				time.Sleep(10 * time.Second)
				require.NoError(t, client.CheckSessions.Cancel(t.Context(), id, monitoring.CancelRequest{}))
				session, err := client.CheckSessions.Get(t.Context(), id)
				require.NoError(t, err)
				require.False(t, session.Done(), "accepted, but not yet done")
				require.False(t, session.Results[0].IsCancelled)
				session, err = client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{})
				require.NoError(t, err)
				require.Equal(t, test.want, session.Status)
				require.Equal(t, test.took, session.Duration())
				old, err := client.CheckSessions.GetV1(t.Context(), id)
				require.NoError(t, err)
				if test.want == monitoring.SessionCancelled {
					require.Equal(t, monitoring.SessionTimedOut, old.Status, "the older family has no CANCELLED")
				}
			})
		})
	}
}

func TestCancelAndTheOlderTriggerTakeAMissingBody(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	require.NoError(t, callAny(t.Context(), client, http.MethodPost, "/v1/check-sessions/trigger", nil, nil, nil))
	id := svc.Sessions()[len(svc.Sessions())-1].CheckSessionID
	require.NoError(t, callAny(t.Context(), client, http.MethodPost, "/v1/check-sessions/"+id+"/cancel", nil, nil, nil))
	require.ErrorIs(t, callAny(t.Context(), client, http.MethodPost, "/v2/check-sessions/trigger", nil, nil, nil), monitoring.ErrBadRequest)
}

func TestWhoWaitsForARunOfAGroupAlsoWaitsAfterADump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Concurrency: new(1)})
		first := svc.AddCheck(monitoringtest.Check{GroupID: group, RunTime: 10 * time.Second})
		second := svc.AddCheck(monitoringtest.Check{GroupID: group, RunTime: 10 * time.Second})
		triggerOne(t, clientOf(t, svc), first)
		time.Sleep(5 * time.Second)
		again := monitoringtest.New()
		require.NoError(t, again.Seed(svc.Dump()))
		began := time.Now()
		client := clientOf(t, again)
		session, err := client.CheckSessions.Wait(t.Context(), triggerOne(t, client, second), monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, 15*time.Second, session.StoppedAt.Sub(began))
	})
}

func TestAGroupRunsAsManyChecksAtOnceAsItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Concurrency: new(2), Tags: []string{"grouped"}})
		for i, name := range []string{"last", "first", "second", "third", "fourth"} {
			svc.AddCheck(monitoringtest.Check{
				Name: name, GroupID: group, RunTime: map[bool]time.Duration{true: 6 * time.Second, false: 10 * time.Second}[name == "second"],
				Members: map[string]any{"groupOrder": []int{9, 0, 1, 2, 3}[i]},
			})
		}
		svc.AddCheck(monitoringtest.Check{Name: "outside", Tags: []string{"grouped"}, RunTime: 10 * time.Second})
		client := clientOf(t, svc)
		took := map[string]time.Duration{}
		var ids []string
		for _, s := range triggerMany(t, client, map[string]any{"matchTags": [][]string{{"grouped"}}}) {
			ids = append(ids, s.CheckSessionID)
		}
		time.Sleep(5 * time.Second)
		waiting, err := client.CheckSessions.Get(t.Context(), ids[0])
		require.NoError(t, err)
		require.Equal(t, monitoring.SessionStarted, waiting.Status)
		require.Empty(t, waiting.Results, "nothing has run yet")
		for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{}) {
			require.NoError(t, err)
			took[session.Name] = session.Duration()
		}
		require.Equal(t, map[string]time.Duration{
			"first": 10 * time.Second, "second": 6 * time.Second, "third": 16 * time.Second, "fourth": 20 * time.Second,
			"last": 26 * time.Second, "outside": 10 * time.Second,
		}, took)
	})
}

func TestARunHasOneIDInAllItsLocations(t *testing.T) {
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	seen := map[int64]bool{}
	for range 3 {
		check := monitoringtest.UUID("c")
		id := svc.AddSession(monitoringtest.Session{
			CheckID: check, Locations: []string{"eu-west-1", "us-east-1"}, Attempts: 1, StartedAt: time.Now().Add(-time.Hour),
		})
		runs := map[int64]bool{}
		for _, result := range svc.ResultIDs(id) {
			r, err := client.CheckResults.Get(t.Context(), check, result)
			require.NoError(t, err)
			runs[r.CheckRunID] = true
			require.False(t, seen[r.CheckRunID], "another run has another id")
		}
		require.Len(t, runs, 1)
		for run := range runs {
			seen[run] = true
		}
	}
}

func TestAFamilyHidesWhatOnlyTheOtherHas(t *testing.T) {
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	rerun := svc.AddSession(monitoringtest.Session{RunSource: monitoring.RunSourceSlackRerun})
	session, err := client.CheckSessions.Get(t.Context(), rerun)
	require.NoError(t, err)
	require.Nil(t, session.RunSource)
	session, err = client.CheckSessions.GetV1(t.Context(), rerun)
	require.NoError(t, err)
	require.Equal(t, monitoring.RunSourceSlackRerun, *session.RunSource)

	heartbeat := svc.AddSession(monitoringtest.Session{Type: monitoring.CheckTypeHeartbeat})
	_, err = client.CheckSessions.Get(t.Context(), heartbeat)
	require.NoError(t, err)
	_, err = client.CheckSessions.GetV1(t.Context(), heartbeat)
	require.ErrorIs(t, err, monitoring.ErrNotFound)
}

func TestAGroupUpdateThatResets(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithGroupResets())
	svc.AddGroupJSON(`{"id":7,"name":"Search","activated":false,"muted":true,"tags":["a"],"concurrency":9,"apiCheckDefaults":{"url":"x"},
		"locations":["eu-west-1"],"privateLocations":["office"],"environmentVariables":[{"key":"A","value":"a"}],"browserCheckDefaults":"d",
		"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true}],"retryStrategy":null,"localSetupScript":"x","created_at":"2026-07-14","updated_at":null}`)
	require.NoError(t, callAny(t.Context(), clientOf(t, svc), http.MethodPut, "/v2/check-groups/7", nil, map[string]any{"name": "Search"}, nil))
	inside, _ := svc.GroupJSON(7)
	var g map[string]any
	require.NoError(t, json.Unmarshal(inside, &g))
	delete(g, "updated_at")
	require.Equal(t, map[string]any{
		"id": 7.0, "name": "Search", "created_at": "2026-07-14",
		"activated": true, "muted": false, "concurrency": 3.0, "apiCheckDefaults": map[string]any{}, "runtimeId": nil,
		"setupSnippetId": nil, "tearDownSnippetId": nil, "localSetupScript": nil, "localTearDownScript": nil, "runParallel": nil,
		"alertSettings": nil, "retryStrategy": "FALLBACK", "useGlobalAlertSettings": nil, "doubleCheck": false,
		// no default is documented for these
		"tags": []any{"a"}, "locations": []any{"eu-west-1"}, "privateLocations": []any{"office"}, "browserCheckDefaults": "d",
		"environmentVariables":      []any{map[string]any{"key": "A", "value": "a"}},
		"alertChannelSubscriptions": []any{map[string]any{"alertChannelId": 1.0, "activated": true}},
	}, g)
}

// A program that takes the update for a patch loses settings, and its test shall see that.
func TestAnUpdateOfADNSCheckSetsWhatItLeavesOutToItsDefault(t *testing.T) {
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	svc.AddAlertChannel(monitoringtest.AlertChannel{})
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeDNS, Name: "Mail", Tags: []string{"a"}, Members: map[string]any{
		"request":   map[string]any{"query": "shop.test", "recordType": "MX", "port": 53, "protocol": "TCP", "assertions": []any{}},
		"frequency": 0, "description": "old",
		"doubleCheck": false, "maxResponseTime": 4000, "groupId": 7, "privateLocations": []string{"office"}, "aiAutoRepairEnabled": true,
		"retryStrategy": map[string]any{"type": "SINGLE_RETRY"}, "triggerIncident": nil, "frequencyOffset": 20, "intent": map[string]any{"goal": "mail arrives"}, "logicalId": "mail",
	}})
	state := func() (members map[string]any) {
		inside, _ := svc.CheckJSON(id)
		require.NoError(t, json.Unmarshal(inside, &members))
		delete(members, "updated_at")
		return members
	}
	before := state()
	_, err := client.Checks.Edit(t.Context(), id, func(s *monitoring.Check) error { s.Muted = new(true); return nil })
	require.NoError(t, err)
	before["muted"] = true
	require.Equal(t, before, state(), "an edit sends the whole check")

	put := func(body map[string]any) error { // Update refuses a DNS check that was not read
		return callAny(t.Context(), client, http.MethodPut, "/v1/checks/dns/"+id, nil, body, nil)
	}
	require.NoError(t, put(map[string]any{"name": "Mail", "activated": false}))
	want := maps.Clone(before)
	maps.Copy(want, map[string]any{"activated": false, "muted": false, "tags": []any{}, "locations": []any{}, "frequency": 10.0,
		"description": nil, "doubleCheck": true, "groupId": nil, "intent": nil, "aiAutoRepairEnabled": nil})
	require.Equal(t, want, state(), "what has no documented default stays, and so does what only answers have")

	require.NoError(t, put(map[string]any{"name": "Mail", "frequency": 1}))
	require.Equal(t, []any{1.0, 1.0}, []any{state()["frequency"], state()["frequencyOffset"]}, "the least offset that fits")
	require.ErrorContains(t, put(map[string]any{"name": "Mail", "degradedResponseTime": 4001}), "degradedResponseTime", "the other time is 4000")

	before = state()
	require.NoError(t, callAny(t.Context(), client, http.MethodPut, "/v1/checks/"+id, nil, map[string]any{"activated": true}, nil))
	before["activated"] = true
	require.Equal(t, before, state(), "the deprecated update is a patch")
}

func TestSecretsAreWithheld(t *testing.T) {
	const group = `{"id":7,"name":"g","environmentVariables":[{"key":"S","value":"s","locked":false,"secret":true},
		{"key":"L","value":"l","locked":true,"secret":false},{"key":"O","value":"o"}],
		"apiCheckDefaults":{"headers":[{"key":"H","value":"h","locked":true},{"key":"P","value":"p","locked":false}],
		"queryParameters":[{"key":"Q","value":"q","locked":true}],"basicAuth":{"username":"u","password":"pw"}}}`
	read := func(t *testing.T, opts ...monitoringtest.Option) string {
		svc := monitoringtest.New(opts...)
		svc.AddGroupJSON(group)
		var out json.RawMessage
		require.NoError(t, callAny(t.Context(), clientOf(t, svc), http.MethodGet, "/v1/check-groups/7", nil, nil, &out))
		inside, _ := svc.GroupJSON(7)
		require.JSONEq(t, group, string(inside), "the service keeps the secrets")
		return string(out)
	}
	t.Run("of variables", func(t *testing.T) {
		require.JSONEq(t, `{"id":7,"name":"g","environmentVariables":[{"key":"S","value":null,"locked":false,"secret":true},
			{"key":"L","value":"l","locked":true,"secret":false},{"key":"O","value":"o"}],
			"apiCheckDefaults":{"headers":[{"key":"H","value":"h","locked":true},{"key":"P","value":"p","locked":false}],
			"queryParameters":[{"key":"Q","value":"q","locked":true}],"basicAuth":{"username":"u","password":"pw"}}}`, read(t))
	})
	t.Run("of headers and more with WithMoreWithheld", func(t *testing.T) {
		require.JSONEq(t, `{"id":7,"name":"g","environmentVariables":[{"key":"S","value":null,"locked":false,"secret":true},
			{"key":"L","value":null,"locked":true,"secret":false},{"key":"O","value":"o"}],
			"apiCheckDefaults":{"headers":[{"key":"H","value":null,"locked":true},{"key":"P","value":"p","locked":false}],
			"queryParameters":[{"key":"Q","value":null,"locked":true}],"basicAuth":{"username":"u","password":null}}}`, read(t, monitoringtest.WithMoreWithheld()))
	})
	t.Run("as empty texts with WithEmptySecrets", func(t *testing.T) {
		require.JSONEq(t, `{"id":7,"name":"g","environmentVariables":[{"key":"S","value":"","locked":false,"secret":true},
			{"key":"L","value":null,"locked":true,"secret":false},{"key":"O","value":"o"}],
			"apiCheckDefaults":{"headers":[{"key":"H","value":null,"locked":true},{"key":"P","value":"p","locked":false}],
			"queryParameters":[{"key":"Q","value":null,"locked":true}],"basicAuth":{"username":"u","password":null}}}`,
			read(t, monitoringtest.WithMoreWithheld(), monitoringtest.WithEmptySecrets()))
		svc := monitoringtest.New(monitoringtest.WithEmptySecrets())
		svc.AddVariable(monitoring.EnvironmentVariable{Key: "S", Value: monitoring.NewSecret("s"), Secret: new(true)}, monitoring.NewEnvironmentVariable("O", "o"))
		var list json.RawMessage
		require.NoError(t, callAny(t.Context(), clientOf(t, svc), http.MethodGet, "/v1/variables", nil, nil, &list))
		require.JSONEq(t, `[{"key":"S","value":"","locked":false,"secret":true},{"key":"O","value":"o","locked":false,"secret":false}]`, string(list))
	})
	t.Run("and kept by an edit, whatever they look like", func(t *testing.T) {
		for _, opts := range [][]monitoringtest.Option{nil, {monitoringtest.WithEmptySecrets()}} {
			svc := monitoringtest.New(opts...)
			svc.AddGroupJSON(group)
			_, err := clientOf(t, svc).CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { u.Concurrency = new(9); return nil })
			require.NoError(t, err)
			inside, _ := svc.GroupJSON(7)
			require.Contains(t, string(inside), `"value":"s"`)
			require.Contains(t, string(inside), `"concurrency":9`)
		}
	})
	t.Run("after an update that wants to unlock them", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddGroupJSON(group)
		body := map[string]any{"name": "g", "environmentVariables": []any{map[string]any{"key": "S", "value": "new", "secret": false}}}
		require.NoError(t, callAny(t.Context(), clientOf(t, svc), http.MethodPut, "/v2/check-groups/7", nil, body, nil))
		inside, _ := svc.GroupJSON(7)
		require.Contains(t, string(inside), `{"key":"S","locked":false,"secret":true,"value":"new"}`)
	})
}

func TestErrorsHaveTheShapeOfTheirFamily(t *testing.T) {
	read := func(t *testing.T, svc *monitoringtest.Service, key, method, path string, body any) string {
		client, err := monitoring.NewClient(monitoringtest.BaseURL, key, append(plain(), monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))...)
		require.NoError(t, err)
		var failed *monitoring.APIError
		require.ErrorAs(t, callAny(t.Context(), client, method, path, nil, body, nil), &failed)
		return string(failed.Body)
	}
	const key = monitoringtest.APIKey
	svc := demo()
	svc.SetCheckLimit(1)
	require.JSONEq(t, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`,
		read(t, svc, "wrong", "GET", "/v1/locations", nil))
	require.JSONEq(t, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token"}`, read(t, svc, "wrong", "GET", "/v1/variables", nil))
	require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"\"name\" is required","validation":{"source":"payload","keys":["name"]}}`,
		read(t, svc, key, "PUT", "/v2/check-groups/4711", map[string]any{}))
	require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"request: is required"}`,
		read(t, svc, key, "POST", "/v1/checks/tcp", map[string]any{"name": "x"}))
	require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"\"id\" must be a positive integer","validation":{"source":"params","keys":["id"]}}`,
		read(t, svc, key, "GET", "/v1/check-groups/x", nil))
	require.JSONEq(t, `{"statusCode":402,"error":"Payment Required","message":"Payment Required"}`,
		read(t, svc, key, "POST", "/v1/checks/tcp", map[string]any{"name": "x", "request": map[string]any{"port": 1, "hostname": "h"}}))
	require.JSONEq(t, `{"statusCode":404,"error":"Not Found","message":"Not Found"}`, read(t, svc, key, "GET", "/v1/nothing", nil))
	limited := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
	list(t, limited)
	require.JSONEq(t, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`, read(t, limited, key, "GET", "/v1/variables", nil))
}

func TestAllChecksAreListedAsTheServiceHasThem(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	require.Empty(t, svc.Checks())
	id := svc.AddCheck(monitoringtest.Check{Name: "first"})
	created, err := client.Checks.Create(t.Context(), &monitoring.Check{Name: "second", Locations: []monitoring.Region{"eu-west-1"}, TCP: &monitoring.TCPRequest{Hostname: "db.test", Port: 5432}})
	require.NoError(t, err)
	list := svc.Checks()
	require.Len(t, list, 2)
	for i, want := range []string{id, created.ID} {
		one, ok := svc.CheckJSON(want)
		require.True(t, ok)
		require.JSONEq(t, string(one), string(list[i]))
	}
}
