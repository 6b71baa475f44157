//lint:file-ignore SA1019 what is deprecated is tested, too

package monitoringtest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestResultsHaveThePayloadTheyAreGiven(t *testing.T) {
	check := monitoringtest.UUID("suite")
	begin := func(x monitoringtest.Session) (*monitoringtest.Service, string) {
		svc := monitoringtest.New()
		x.CheckID, x.StartedAt = check, time.Now().Add(-time.Hour)
		return svc, svc.AddSession(x)
	}
	read := func(t *testing.T, svc *monitoringtest.Service, result string) (out map[string]any) {
		require.NoError(t, callAny(t.Context(), clientOf(t, svc), http.MethodGet, "/v1/check-results/"+check+"/"+result, nil, nil, &out))
		return out
	}
	t.Run("with the session, member by member", func(t *testing.T) {
		svc, id := begin(monitoringtest.Session{
			Type: monitoring.CheckTypePlaywright, Attempts: 1,
			Result: map[string]any{"traceId": "abc", "playwrightCheckResult": map[string]any{
				"playwrightTestVideos": []string{"https://files.test/v.webm"}, "jobLog": nil, "errors": []any{map[string]any{"a": 1}},
			}},
		})
		ids := svc.ResultIDs(id)
		final := read(t, svc, ids[1])
		require.Equal(t, "abc", final["traceId"])
		payload := final["playwrightCheckResult"].(map[string]any)
		require.Equal(t, []any{"https://files.test/v.webm"}, payload["playwrightTestVideos"])
		require.Equal(t, []any{map[string]any{"a": 1.0}}, payload["errors"])
		require.Equal(t, []any{}, payload["playwrightTraceFiles"], "members that are not set are generated")
		require.Nil(t, read(t, svc, ids[0])["traceId"], "the attempt before the final one stays as it is")
	})
	t.Run("by the id of a result", func(t *testing.T) {
		svc, id := begin(monitoringtest.Session{Type: monitoring.CheckTypeGRPC, Locations: []string{"eu-west-1", "us-east-1"}})
		ids := svc.ResultIDs(id)
		svc.SetResult(ids[1], map[string]any{
			"hasErrors": true, "responseTime": 12.5, "checkRunId": 7,
			"grpcCheckResult": map[string]any{"requestError": "no route", "response": map[string]any{"metadata": []any{map[string]any{"key": "k", "value": "v"}}}},
		})
		require.Equal(t, false, read(t, svc, ids[0])["hasErrors"])
		changed := read(t, svc, ids[1])
		require.Equal(t, true, changed["hasErrors"])
		require.Equal(t, 7.0, changed["checkRunId"])
		payload := changed["grpcCheckResult"].(map[string]any)
		require.Equal(t, "no route", payload["requestError"])
		require.Equal(t, "grpc.shop.test", payload["response"].(map[string]any)["host"])
		require.NotEmpty(t, payload["response"].(map[string]any)["metadata"])
		session, err := clientOf(t, svc).CheckSessions.Get(t.Context(), id)
		require.NoError(t, err)
		require.False(t, session.Results[0].HasErrors)
		require.True(t, session.Results[1].HasErrors, "the item of the session has it, too")
		require.Equal(t, 12.5, *session.Results[1].ResponseTime)
	})
	t.Run("with an error of the service", func(t *testing.T) {
		svc, id := begin(monitoringtest.Session{HasErrors: true})
		require.Equal(t, true, read(t, svc, svc.ResultIDs(id)[0])["hasErrors"])
	})
	t.Run("of a check that is triggered", func(t *testing.T) {
		svc := demo()
		check = svc.AddCheck(monitoringtest.Check{RunTime: 1, Result: map[string]any{"apiCheckResult": map[string]any{"pcapDataUrl": "https://files.test/p"}}})
		id := triggerOne(t, clientOf(t, svc), check)
		require.Equal(t, "https://files.test/p", read(t, svc, svc.ResultIDs(id)[0])["apiCheckResult"].(map[string]any)["pcapDataUrl"])
	})
}

func TestASessionHasAnyStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Outcome: "ABANDONED", Progress: "QUEUED", Duration: time.Minute})
		client := clientOf(t, svc)
		session, err := client.CheckSessions.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, monitoring.CheckSessionStatus("QUEUED"), session.Status)
		time.Sleep(time.Minute)
		session, err = client.CheckSessions.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, monitoring.CheckSessionStatus("ABANDONED"), session.Status)
	})
}

func TestASessionBecomesVisibleLater(t *testing.T) {
	for name, opts := range map[string][]monitoringtest.Option{"as its check says": nil, "as the service says": {monitoringtest.WithVisibilityDelay(5 * time.Second)}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(opts...)
				check := monitoringtest.Check{RunTime: time.Second}
				if opts == nil {
					check.VisibleAfter = 5 * time.Second
				}
				id := svc.AddCheck(check)
				client := clientOf(t, svc)
				session := triggerOne(t, client, id)
				reads := func() (list []error) {
					_, err := client.CheckSessions.Get(t.Context(), session)
					_, err1 := client.CheckSessions.GetV1(t.Context(), session)
					_, err2 := client.CheckSessions.Completion(t.Context(), session, monitoring.CompletionOptions{})
					err3 := client.CheckSessions.Cancel(t.Context(), session, monitoring.CancelRequest{})
					_, err4 := client.CheckResults.Get(t.Context(), id, svc.ResultIDs(session)[0])
					return []error{err, err1, err2, err3, err4}
				}
				results := func() int {
					page, err := client.CheckResults.List(t.Context(), id, monitoring.CheckResultListOptions{})
					require.NoError(t, err)
					return len(page.Items)
				}
				time.Sleep(4 * time.Second)
				for _, err := range reads() {
					require.ErrorIs(t, err, monitoring.ErrNotFound)
				}
				require.Zero(t, results(), "the run has ended, and its session is not visible yet")
				time.Sleep(time.Second)
				for _, err := range reads() {
					require.NoError(t, err)
				}
				require.Equal(t, 1, results())
			})
		})
	}
}

func TestAResetRemovesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 50, Per: time.Hour}))
		client := clientOf(t, svc)
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		before := triggerOne(t, client, monitoringtest.DemoCheckID)
		_, err := client.CheckGroups.Edit(t.Context(), monitoringtest.DemoGroupID, func(g *monitoring.CheckGroup) error { g.Name = "changed"; return nil })
		require.NoError(t, err)
		svc.Handle("GET /v1/locations", http.NotFoundHandler())
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/variables", Status: 500})
		var held error
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, held = client.CheckSessions.Completion(context.Background(), id, monitoring.CompletionOptions{})
		}()
		time.Sleep(time.Second)
		for range 100 {
			list(t, svc) // until the limit is spent
		}
		svc.Reset()
		began := time.Now()
		<-ended
		require.Zero(t, time.Since(began))
		require.ErrorIs(t, held, monitoring.ErrNotFound, "a request that was held ends")
		require.Zero(t, svc.Count(""))
		require.Empty(t, svc.Requests())
		require.Zero(t, svc.Executed(trigger))
		require.NoError(t, list(t, svc), "neither the limit nor the taught operation is left")
		_, err = client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.NoError(t, err)
		group, err := client.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
		require.NoError(t, err)
		require.Equal(t, "Checkout", group.Name)
		svc.AddSession(monitoringtest.Session{})
		require.Equal(t, before, triggerOne(t, client, monitoringtest.DemoCheckID), "generated ids start from the beginning")
	})
}

func TestUnexpectedRequestsAreListed(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	svc.Handle("GET /v1/mine", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadRequest) }))
	do := func(method, path string, body any) {
		callAny(t.Context(), client, method, path, nil, body, nil)
	}
	do("GET", "/v1/locations", nil)
	do("GET", "/v1/mine", nil)
	do("GET", "/v1/check-groups/99", nil)
	require.Empty(t, svc.Unexpected(), "neither a 404 for a group nor a response of the test's own handler")
	svc.Inject(monitoringtest.Fault{Status: 400, Times: 1})
	do("GET", "/v1/locations", nil)
	require.Empty(t, svc.Unexpected(), "nor the response of a fault")
	do("GET", "/v1/status-pages", nil)
	do("PUT", "/v2/check-groups/4711", map[string]any{"nmae": "hunter2"})
	var lines []string
	for _, r := range svc.Unexpected() {
		lines = append(lines, r.String())
	}
	require.Equal(t, []string{
		"GET /v1/status-pages: 404: the service has no such operation",
		`PUT /v2/check-groups/4711: 400: "nmae" is not allowed`,
	}, lines)
	quiet := monitoringtest.New(monitoringtest.WithoutRecording())
	require.Error(t, callAny(t.Context(), clientOf(t, quiet), "GET", "/v1/status-pages", nil, nil, nil))
	require.Len(t, quiet.Unexpected(), 1, "also when no requests are recorded")
}

func TestOldDataIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 10))
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Name: "c", Outcomes: []monitoring.CheckSessionStatus{failed}})
		client := clientOf(t, svc)
		first := triggerOne(t, client, check)
		time.Sleep(59 * time.Minute)
		_, err := client.CheckSessions.Get(t.Context(), first)
		require.NoError(t, err)
		require.Len(t, alerts(t, client), 1)
		time.Sleep(2 * time.Minute)
		_, err = client.CheckSessions.Get(t.Context(), first)
		require.ErrorIs(t, err, monitoring.ErrNotFound, "after an hour")
		require.Empty(t, alerts(t, client))
		for range 30 {
			triggerOne(t, client, check)
			time.Sleep(time.Minute) // a session that runs is kept
		}
		require.LessOrEqual(t, len(svc.Sessions()), 12, "and when there are too many")
		require.Equal(t, 31, svc.ExecutedOn(trigger, "c"))
	})
}

func TestTheDemoMovesWithTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		client := clientOf(t, svc)
		for day := range 5 {
			present := 0
			page, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
			require.NoError(t, err)
			require.Len(t, page.Items, 4)
			for _, w := range page.Items {
				if !time.Now().Before(w.StartsAt.Time) && time.Now().Before(w.EndsAt.Time) {
					present++
				}
			}
			require.Equal(t, 1, present, "on day %d there is one that lasts", day)
			require.Len(t, alerts(t, client), 12, "of day %d", day)
			time.Sleep(24 * time.Hour)
		}
		groups, err := client.ErrorGroups.ListForCheck(t.Context(), monitoringtest.DemoCheckID, monitoring.ErrorGroupListOptions{})
		require.NoError(t, err)
		require.Less(t, time.Since(groups.Items[0].LastSeen.Time), 24*time.Hour)
	})
}

func TestManyGoroutinesUseTheServiceAtOnce(t *testing.T) {
	svc := monitoringtest.NewDemo(monitoringtest.WithRunTime(time.Millisecond), monitoringtest.WithSpeed(1000), monitoringtest.WithRetention(time.Hour, 50))
	client := clientOf(t, svc)
	ctx := context.Background()
	var workers sync.WaitGroup
	for i := range 64 {
		workers.Go(func() {
			for k := range 5 {
				client.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
				client.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{})
				client.CheckGroups.Edit(ctx, monitoringtest.DemoGroupID, func(g *monitoring.CheckGroup) error { g.Name += "x"; return nil })
				switch (i + k) % 8 {
				case 0:
					svc.Inject(monitoringtest.Fault{Status: 503, Times: 1, Match: func(r monitoringtest.Request) bool { return svc.Count("") > 0 }})
				case 1:
					svc.Handle("GET /v1/taught", http.NotFoundHandler())
				case 2:
					svc.AddCheck(monitoringtest.Check{Outcome: failed})
				case 3:
					svc.Requests()
					svc.Unexpected()
				case 4:
					svc.Reset()
				case 5:
					svc.Sessions()
				case 6:
					svc.Control().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", monitoringtest.ControlPath+"state", nil))
				}
			}
		})
	}
	workers.Wait()
	svc.Reset()
	require.NoError(t, list(t, svc))
}

// A program that runs the fake may serve millions of requests: memory must not grow with
// their number. The test sends fewer, but many more than are kept.
func TestMemoryStaysFlat(t *testing.T) {
	testkit.SkipUnderRace(t)
	// Runs end at once, because those that run are kept.
	svc := monitoringtest.NewDemo(monitoringtest.WithRetention(time.Hour, 200), monitoringtest.WithRecording(100), monitoringtest.WithSpeed(1e9))
	svc.SetCheckLimit(20)
	svc.Inject(monitoringtest.Fault{Status: 500, Attempt: 1_000_000})
	transport := svc.Transport()
	sent := 0
	send := func(n int) uint64 {
		for i := range n {
			sent++
			nothing := fmt.Sprintf("/v1/nothing/%02000d", sent)
			paths := []string{nothing, nothing, nothing, "/v2/check-sessions/trigger", "/v1/checks/tcp", "/v1/variables", "/v1/alert-notifications"}
			method, body := http.MethodGet, ""
			switch path := paths[i%len(paths)]; path {
			case "/v2/check-sessions/trigger":
				method, body = http.MethodPost, "{}"
			case "/v1/checks/tcp":
				method, body = http.MethodPost, `{"name":"x","request":{"hostname":"h","port":1}}`
			}
			request := newRequest(t, method, paths[i%len(paths)], body)
			response, err := transport.RoundTrip(request)
			if err != nil || response.StatusCode == 400 || response.StatusCode == 401 {
				t.Fatal(err, response)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := send(6_000) // more than is kept of any kind
	after := send(6_000)
	require.Less(t, int64(after)-int64(before), int64(2<<20), "from %d KiB to %d KiB", before>>10, after>>10)
	runtime.KeepAlive(svc)
}

func TestSettingsOfARateLimitOfARoute(t *testing.T) {
	svc := monitoringtest.New()
	svc.LimitRoute("GET /v1/variables", monitoring.RateLimit{Requests: 2, Per: time.Hour})
	client := clientOf(t, svc)
	var got []bool
	for range 3 {
		_, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		got = append(got, err == nil)
	}
	require.Equal(t, []bool{true, true, false}, got)
	require.NoError(t, list(t, svc))
}

func TestMembersOfACheckCountAtOnce(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Name: "tagged", Members: map[string]any{"tags": []string{"a"}}})
	svc.AddCheck(monitoringtest.Check{Name: "off", Tags: []string{"a"}, Members: map[string]any{"activated": false}})
	var names []string
	for _, s := range triggerMany(t, clientOf(t, svc), map[string]any{"matchTags": [][]string{{"a"}}}) {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"tagged"}, names)
}
