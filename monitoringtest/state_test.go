package monitoringtest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAGroupKeepsWhatAnUpdateLeavesOut(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddGroupJSON(`{"id":7,"name":"Search","activated":true,"muted":true,"tags":["a"],"locations":["eu-central-1"],"concurrency":1,
		"apiCheckDefaults":{},"retryStrategy":{"type":"EXPONENTIAL","baseBackoffSeconds":5,"onlyOn":["NETWORK_ERROR"]},"localSetupScript":"x",
		"environmentVariables":[{"key":"A","value":"1","locked":false,"secret":true}],"unknownMember":{"kept":true},"created_at":"2026-07-14","updated_at":null}`)
	client := clientOf(t, svc)
	is := require.New(t)
	update := func(u map[string]any) []string {
		before, _ := svc.GroupJSON(id)
		is.NoError(callAny(t.Context(), client, http.MethodPut, "/v2/check-groups/7", nil, u, nil))
		after, _ := svc.GroupJSON(id)
		return changed(is, before, after)
	}
	is.Equal([]string{"concurrency", "updated_at"}, update(map[string]any{"name": "Search", "concurrency": 2}))
	is.Equal([]string{"localSetupScript"}, without(update(map[string]any{"name": "Search", "localSetupScript": nil})), "null unsets")
	is.Empty(without(update(map[string]any{"name": "Search", "environmentVariables": nil})), "a list that is null is ignored")
	is.Equal([]string{"tags"}, without(update(map[string]any{"name": "Search", "tags": []string{}})), "an empty one clears")
	is.Equal([]string{"retryStrategy"}, without(update(map[string]any{"name": "Search", "retryStrategy": "FALLBACK"})))

	group, err := client.CheckGroups.Get(t.Context(), id)
	is.NoError(err)
	is.True(group.EnvironmentVariables[0].Value.IsWithheld(), "a secret is not shown")
	before, _ := svc.GroupJSON(id)
	group.Concurrency = new(3)
	_, err = client.CheckGroups.Update(t.Context(), group)
	is.NoError(err)
	after, _ := svc.GroupJSON(id)
	is.Equal([]string{"concurrency"}, without(changed(is, before, after)), "and survives being written back")
	is.Equal(6, svc.ExecutedOn("PUT /v2/check-groups/{id}", "7"))
}

// without drops updated_at from the names: whether it differs depends on the clock.
func without(names []string) (list []string) {
	for _, n := range names {
		if n != "updated_at" {
			list = append(list, n)
		}
	}
	return list
}

func TestABrowserCheckHidesItsSecrets(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	check, err := client.Checks.Update(t.Context(), &monitoring.Check{
		ID:      monitoringtest.DemoBrowserCheckID,
		Browser: &monitoring.CheckScript{EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "P", Value: monitoring.NewSecret("s3cret"), Secret: new(true)}}, ScriptPath: monitoring.Value("login.ts")},
	})
	require.NoError(t, err)
	require.True(t, check.Browser.EnvironmentVariables[0].Value.IsWithheld())
	require.True(t, check.Browser.ScriptPath.IsZero(), "only requests have it")
	inside, there := svc.CheckJSON(monitoringtest.DemoBrowserCheckID)
	require.True(t, there)
	require.Contains(t, string(inside), "s3cret")
}

func TestAnUpdateChangesFurtherRuns(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	_, err := client.Checks.Update(t.Context(), &monitoring.Check{ID: monitoringtest.DemoBrowserCheckID, CheckType: monitoring.CheckTypeBrowser, Tags: []string{"new"}, Locations: []monitoring.Region{"eu-west-1"}})
	require.NoError(t, err)
	sessions, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"new"}}}})
	require.NoError(t, err)
	require.Equal(t, []string{"eu-west-1"}, sessions[0].RunLocations)
	_, err = client.Checks.Update(t.Context(), &monitoring.Check{ID: monitoringtest.DemoBrowserCheckID, CheckType: monitoring.CheckTypeBrowser, Activated: new(false)})
	require.NoError(t, err)
	_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"new"}}}})
	require.ErrorIs(t, err, monitoring.ErrNoMatchingChecks)
}

func TestListsHavePages(t *testing.T) {
	build := func(n int, opts ...monitoringtest.Option) *monitoringtest.Service {
		svc := monitoringtest.New(opts...)
		for i := range n {
			svc.AddVariable(monitoring.NewEnvironmentVariable(fmt.Sprintf("V%d", i), "x"))
		}
		return svc
	}
	get := func(t *testing.T, svc *monitoringtest.Service, page int) (*monitoring.Page[monitoring.EnvironmentVariable], http.Header) {
		var response monitoring.Response
		p, err := clientOf(t, svc).Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Page: page}}, monitoring.WithResponse(&response))
		require.NoError(t, err)
		return p, response.Header
	}
	t.Run("whose headers have the total and links", func(t *testing.T) {
		page, header := get(t, build(11), 1)
		require.Len(t, page.Items, 10)
		require.Equal(t, 11, *page.Total)
		require.True(t, page.HasMore)
		require.Equal(t, "0-9/11", header.Get("Content-Range"))
		require.Contains(t, header.Values("Link"), `<https://monitoring.test/v1/variables?limit=10&page=2>; rel="next"`)
	})
	t.Run("the last of which has the rest", func(t *testing.T) {
		page, header := get(t, build(11), 2)
		require.Len(t, page.Items, 1)
		require.False(t, page.HasMore)
		require.Equal(t, "10-10/11", header.Get("Content-Range"))
	})
	t.Run("that are empty past the end", func(t *testing.T) {
		page, header := get(t, build(11), 3)
		require.Empty(t, page.Items)
		require.Equal(t, "*/11", header.Get("Content-Range"))
	})
	t.Run("without headers if WithPageHeaders(false) is given", func(t *testing.T) {
		page, header := get(t, build(11, monitoringtest.WithPageHeaders(false)), 1)
		require.Nil(t, page.Total)
		require.Empty(t, header.Get("Content-Range"))
		require.Empty(t, header.Get("Link"))
	})
	t.Run("that change when items are removed", func(t *testing.T) {
		svc := build(11)
		require.True(t, svc.RemoveVariable("V3"))
		require.False(t, svc.RemoveVariable("V3"))
		page, _ := get(t, svc, 1)
		require.Len(t, page.Items, 10)
		require.False(t, page.HasMore)
	})
}

func TestAlertNotificationsAreSelected(t *testing.T) {
	svc := monitoringtest.New()
	base := time.Unix(1_700_000_000, 0)
	for i := range 10 {
		status := monitoring.NotificationSuccess
		if i == 4 {
			status = monitoring.NotificationFailure
		}
		svc.AddAlertNotification(monitoring.AlertNotification{
			ID: fmt.Sprint(i), Timestamp: new(monitoring.NewTimestamp(base.Add(time.Duration(9-i) * time.Hour))), Status: status, AlertChannelID: int64(i%2 + 1),
		})
	}
	recent := svc.AddAlertNotification(monitoring.AlertNotification{})
	client := clientOf(t, svc)
	ids := func(t *testing.T, o monitoring.AlertNotificationListOptions) (list []string) {
		page, err := client.AlertNotifications.List(t.Context(), o)
		require.NoError(t, err)
		for _, n := range page.Items {
			list = append(list, n.ID)
		}
		return list
	}
	tests := map[string]struct {
		options monitoring.AlertNotificationListOptions
		want    []string
	}{
		"from a moment, which is in": {monitoring.AlertNotificationListOptions{From: base.Add(7 * time.Hour), To: base.Add(20 * time.Hour)}, []string{"2", "1", "0"}},
		"to a moment, which is out":  {monitoring.AlertNotificationListOptions{From: base, To: base.Add(2 * time.Hour)}, []string{"9", "8"}},
		"for six hours from From":    {monitoring.AlertNotificationListOptions{From: base}, []string{"9", "8", "7", "6", "5", "4"}},
		"for six hours until To":     {monitoring.AlertNotificationListOptions{To: base.Add(8 * time.Hour)}, []string{"7", "6", "5", "4", "3", "2"}},
		"by their channel":           {monitoring.AlertNotificationListOptions{From: base, AlertChannelID: 1}, []string{"8", "6", "4"}},
		"by failed sending":          {monitoring.AlertNotificationListOptions{From: base, HasFailures: new(true)}, []string{"4"}},
		"by successful sending":      {monitoring.AlertNotificationListOptions{From: base.Add(4 * time.Hour), To: base.Add(7 * time.Hour), HasFailures: new(false)}, []string{"5", "3"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, ids(t, test.options)) })
	}
	t.Run("of the last six hours by default", func(t *testing.T) {
		page, err := client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.NoError(t, err)
		require.Equal(t, recent, page.Items[0].ID)
		require.Equal(t, monitoring.NotificationSuccess, page.Items[0].Status)
	})
}

func TestRequestsAreRecorded(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	require.NoError(t, callAny(t.Context(), client, http.MethodPut, "/v2/check-groups/4711", url.Values{"autoAssignAlerts": {"false"}},
		map[string]any{"name": "Checkout"}, nil))
	require.Error(t, callAny(t.Context(), client, http.MethodGet, "/v1/no%20thing", nil, nil, nil))
	list := svc.Requests()
	require.Len(t, list, 2)
	r := list[0]
	require.Equal(t, "PUT /v2/check-groups/{id}", r.Operation)
	require.Equal(t, "/v2/check-groups/4711", r.Path)
	require.Equal(t, "false", r.Query.Get("autoAssignAlerts"))
	require.JSONEq(t, `{"name":"Checkout"}`, string(r.Body))
	require.Equal(t, "[redacted]", r.Header.Get("Authorization"))
	require.Equal(t, monitoringtest.AccountID, r.Header.Get(monitoringtest.AccountHeader))
	require.Equal(t, 200, r.Status)
	require.Equal(t, "GET /v1/no%20thing", list[1].Operation)
	require.Equal(t, 404, list[1].Status)
	require.Equal(t, 1, svc.Count("GET /v1/no%20thing"))

	svc.ResetRequests()
	require.Empty(t, svc.Requests())
	require.Zero(t, svc.Count(""))
	require.Zero(t, svc.Executed("PUT /v2/check-groups/{id}"))
}

func TestTheRecordingIsBounded(t *testing.T) {
	send := func(t *testing.T, svc *monitoringtest.Service) {
		client := clientOf(t, svc)
		for i := range 30 {
			_, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Page: i + 1}})
			require.NoError(t, err)
		}
		require.Equal(t, 30, svc.Count("GET /v1/variables"))
	}
	t.Run("to the last ones", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRecording(3))
		send(t, svc)
		list := svc.Requests()
		require.Len(t, list, 3)
		require.Equal(t, "30", list[2].Query.Get("page"))
	})
	t.Run("to none", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithoutRecording())
		send(t, svc)
		require.Empty(t, svc.Requests())
	})
}

func TestTheDemoIsTheSameInEachRun(t *testing.T) {
	svc := demo()
	svc.Inject() // injecting no fault changes nothing
	names := map[string]bool{}
	client := clientOf(t, svc)
	sessions, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{monitoringtest.DemoProductionTag}, {monitoringtest.DemoStagingTag}}}})
	require.NoError(t, err)
	for _, s := range sessions {
		require.False(t, names[s.Name])
		names[s.Name] = true
	}
	require.Len(t, names, 8)
	again := monitoringtest.NewDemo()
	more, err := clientOf(t, again).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
	require.NoError(t, err)
	require.Equal(t, sessions[0].CheckSessionID, more[0].CheckSessionID, "ids are the same in each run")
}

func TestManyCallsAtOnce(t *testing.T) {
	inMemoryAndLoopback(t, demo, func(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client) {
		var workers sync.WaitGroup
		failed := make(chan error, 400)
		for i := range 20 {
			workers.Go(func() {
				for range 10 {
					_, err := client.Locations.List(context.Background())
					failed <- err
					failed <- callAny(context.Background(), client, "PUT", "/v2/check-groups/4711", nil, map[string]any{"name": fmt.Sprint(i)}, nil)
				}
			})
		}
		workers.Wait()
		close(failed)
		for err := range failed {
			require.NoError(t, err)
		}
		require.Equal(t, 400, svc.Count(""))
		require.Len(t, svc.Requests(), 400)
	})
}

func TestTheOlderTriggerTakesSingleValues(t *testing.T) {
	svc := demo()
	client := clientOf(t, svc)
	for _, target := range []map[string]any{{"checkId": monitoringtest.DemoCheckID}, {"matchTags": []string{"critical"}}} {
		var out struct{ Sessions []monitoring.CheckSession }
		require.NoError(t, callAny(t.Context(), client, http.MethodPost, "/v1/check-sessions/trigger", nil, map[string]any{"target": target}, &out))
		require.NotEmpty(t, out.Sessions)
		require.Error(t, callAny(t.Context(), client, http.MethodPost, "/v2/check-sessions/trigger", nil, map[string]any{"target": target}, nil))
	}
}

func TestTheServiceHasEveryOperation(t *testing.T) {
	routes := monitoringtest.Operations()
	for _, o := range operations.All() {
		require.True(t, slices.Contains(routes, o.Name), "%s: add its route to monitoringtest/internal/routes/table.go", o.Name)
	}
	require.Len(t, routes, len(operations.All()), "monitoringtest/internal/routes/table.go has an operation that is not in internal/operations")
}
