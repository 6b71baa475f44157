//lint:file-ignore SA1019 what is deprecated is tested, too

package monitoringtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// clientOf makes a client for a service in memory, without a limit and without retries.
func clientOf(t *testing.T, svc *monitoringtest.Service, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	once := monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { require.False(t, a.Retry, testkit.NoRetry) })
	client, err := svc.Client(append(append(plain(), once), opts...)...)
	require.NoError(t, err)
	return client
}

func plain() []monitoring.ClientOption {
	fast := monitoring.RateLimit{Requests: 1_000_000, Per: time.Second}
	return []monitoring.ClientOption{
		monitoring.WithMaxRetries(0), monitoring.WithRateLimit(fast),
		monitoring.WithRouteRateLimit("GET /v1/alert-notifications", fast),
	}
}

// inMemoryAndLoopback runs a test with a client of each kind.
func inMemoryAndLoopback(t *testing.T, build func() *monitoringtest.Service, test func(*testing.T, *monitoringtest.Service, *monitoring.Client)) {
	t.Run("in memory", func(t *testing.T) {
		svc := build()
		test(t, svc, clientOf(t, svc))
	})
	t.Run("over loopback", func(t *testing.T) {
		svc := build()
		address, stop := svc.Start()
		defer stop()
		client, err := monitoring.NewClient(address, monitoringtest.APIKey, append(plain(), monitoring.WithAccount(monitoringtest.AccountID))...)
		require.NoError(t, err)
		defer client.CloseIdleConnections()
		test(t, svc, client)
	})
}

func demo() *monitoringtest.Service {
	return monitoringtest.NewDemo(monitoringtest.WithRunTime(time.Millisecond), monitoringtest.WithCancelDelay(0))
}

func TestEachOperationRespondsToTheClient(t *testing.T) {
	ctx := context.Background()
	const quick = "00000000-0000-4000-8000-00000000000a" // a session that is done
	build := func() *monitoringtest.Service {
		svc := demo()
		svc.AddSession(monitoringtest.Session{ID: quick, StartedAt: time.Now().Add(-time.Hour), Attempts: 1})
		return svc
	}
	tests := map[string]func(*require.Assertions, *monitoringtest.Service, *monitoring.Client){
		"GET /v1/locations": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.Locations.List(ctx)
			is.NoError(err)
			is.Len(list, 22)
		},
		"POST /v2/check-sessions/trigger": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
			is.NoError(err)
			is.Len(list, 8, "the deactivated one is not started")
			is.Equal(monitoring.SessionStarted, list[0].Status)
			is.Nil(list[0].StoppedAt)
			is.Equal(1, svc.ExecutedOn("POST /v2/check-sessions/trigger", "Checkout API"))
		},
		"POST /v1/check-sessions/trigger": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.CheckSessions.TriggerV1(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{monitoringtest.DemoCheckID}}})
			is.NoError(err)
			is.Len(list, 1)
			is.Equal("Checkout API", list[0].Name)
		},
		"GET /v2/check-sessions/{checkSessionId}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			session, err := c.CheckSessions.Get(ctx, quick)
			is.NoError(err)
			is.Equal(monitoring.SessionPassed, session.Status)
			is.Len(session.FinalResults(), 1)
			is.Len(session.Attempts(), 1)
		},
		"GET /v1/check-sessions/{checkSessionId}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			session, err := c.CheckSessions.GetV1(ctx, quick)
			is.NoError(err)
			is.True(session.Done())
		},
		"GET /v2/check-sessions/{checkSessionId}/completion": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			session, err := c.CheckSessions.Completion(ctx, quick, monitoring.CompletionOptions{})
			is.NoError(err)
			is.Equal(monitoringtest.DefaultRunTime/2000, session.Duration(), "of the run time the service was told")
		},
		"POST /v1/check-sessions/{checkSessionId}/cancel": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{monitoringtest.DemoSuiteID}}})
			is.NoError(err)
			is.NoError(c.CheckSessions.Cancel(ctx, list[0].CheckSessionID, monitoring.CancelRequest{}))
			session, err := c.CheckSessions.Get(ctx, list[0].CheckSessionID)
			is.NoError(err)
			is.Equal(monitoring.SessionCancelled, session.Status)
			session, err = c.CheckSessions.GetV1(ctx, list[0].CheckSessionID)
			is.NoError(err)
			is.Equal(monitoring.SessionTimedOut, session.Status, "which is what the older family says")
			is.True(session.Cancelled())
		},
		"GET /v1/check-results/{checkId}/{checkResultId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			session, err := c.CheckSessions.Get(ctx, quick)
			is.NoError(err)
			for _, r := range session.Results {
				result, err := c.CheckResults.Get(ctx, r.CheckID, r.CheckResultID)
				is.NoError(err)
				is.Equal(*r.ResultType, result.ResultType)
				is.Equal(r.HasFailures, result.HasFailures)
				is.NotNil(result.APICheckResult)
			}
		},
		"GET /v1/alert-notifications": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			now := time.Now()
			page, err := c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{From: now.Add(-20 * time.Hour), To: now})
			is.NoError(err)
			is.NotEmpty(page.Items)
			is.NotNil(page.Total)
			n := page.Items[0]
			_, err = c.CheckResults.Get(ctx, n.CheckID, n.CheckResultID)
			is.NoError(err, "the result of a notification is there")
		},
		"GET /v1/check-groups/{id}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			group, err := c.CheckGroups.Get(ctx, monitoringtest.DemoGroupID)
			is.NoError(err)
			is.Equal("Checkout", group.Name)
			strategy, _ := group.RetryStrategy.Get()
			is.Equal(monitoring.RetryStrategyFallback, strategy.Type)
		},
		"PUT /v2/check-groups/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			before, _ := svc.GroupJSON(monitoringtest.DemoGroupID)
			group, err := c.CheckGroups.Edit(ctx, monitoringtest.DemoGroupID, func(g *monitoring.CheckGroup) error { g.Muted = new(true); return nil })
			is.NoError(err)
			is.Equal(new(true), group.Muted)
			after, _ := svc.GroupJSON(monitoringtest.DemoGroupID)
			is.Equal([]string{"muted", "updated_at"}, changed(is, before, after))
		},
		"POST /v1/checks/tcp": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			check, err := c.Checks.Create(ctx, &monitoring.Check{Name: "Mail", Tags: []string{"mail"}, TCP: &monitoring.TCPRequest{Hostname: "mx.shop.test", Port: 25}})
			is.NoError(err)
			is.Equal(new(10), check.Frequency)
			is.Equal(3000.0, check.DegradedResponseTime.Or(0))
			is.Equal(5000.0, check.MaxResponseTime.Or(0))
			is.Equal(monitoring.CheckTypeTCP, check.CheckType)
			is.Equal(new(true), check.Activated)
			is.Equal(1, svc.ExecutedOn("POST /v1/checks/tcp", "Mail"))
			started, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"mail"}}}})
			is.NoError(err)
			is.Equal(check.ID, started[0].CheckID, "the new check can be triggered")
		},
		"PUT /v1/checks/browser/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			before, _ := svc.CheckJSON(monitoringtest.DemoBrowserCheckID)
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoBrowserCheckID, CheckType: monitoring.CheckTypeBrowser, Tags: []string{}, Frequency: new(5)})
			is.NoError(err)
			is.Equal(new(5), check.Frequency)
			is.Empty(check.Tags)
			after, _ := svc.CheckJSON(monitoringtest.DemoBrowserCheckID)
			is.Equal([]string{"frequency", "tags", "updated_at"}, changed(is, before, after))
		},
		"PUT /v1/checks/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeGRPC, Name: "Stock"})
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, CheckType: monitoring.CheckTypeGRPC, Name: "Stock 2"})
			is.NoError(err)
			is.Equal("Stock 2", check.Name)
			is.Equal(monitoring.CheckTypeGRPC, check.CheckType)
			update := map[string]any{"name": "Checkout API 2"}
			is.NoError(callAny(ctx, c, "PUT", "/v1/checks/"+monitoringtest.DemoCheckID, nil, update, &check))
			is.Equal("Checkout API 2", check.Name, "which takes checks of any kind")
			is.Equal(monitoring.CheckTypeAPI, check.CheckType)
		},
		"GET /v1/maintenance-windows": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			all, err := c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
			is.NoError(err)
			is.Len(all.Items, 4)
			next, err := c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{StartsAt: monitoring.DateFilter{GTE: time.Now().Add(24 * time.Hour)}})
			is.NoError(err)
			is.Len(next.Items, 1)
			is.Equal(1, *next.Total, "the service filters, too")
		},
		"GET /v1/variables": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			list, err := monitoring.Collect(c.Variables.All(ctx, monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}))
			is.NoError(err)
			is.Len(list, 5)
			is.True(list[4].Value.IsWithheld(), "the value of a secret")
		},
		"GET /v1/accounts/{accountId}/entitlements": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			e, err := c.Entitlements.Get(ctx, monitoringtest.AccountID)
			is.NoError(err)
			is.Equal("team", e.Plan)
			_, err = c.Entitlements.Get(ctx, quick)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"GET /v1/root-cause-analyses/{id}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			a, err := c.RootCauseAnalyses.Get(ctx, monitoringtest.DemoRootCauseAnalysisID)
			is.NoError(err)
			is.Equal(monitoring.RootCauseAnalysisPending, a.Status)
		},
		"GET /v1/error-groups/checks/{checkId}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			page, err := c.ErrorGroups.ListForCheck(ctx, monitoringtest.DemoCheckID, monitoring.ErrorGroupListOptions{})
			is.NoError(err)
			is.Len(page.Items, 2)
		},
		"GET /v1/check-results/{checkId}/{checkResultId}/assets": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			result := svc.ResultIDs(quick)[0]
			session, err := c.CheckSessions.Get(ctx, quick)
			is.NoError(err)
			svc.AddAsset(result, monitoring.CheckResultAsset{Type: monitoring.AssetLog, Name: "job.log", URL: monitoringtest.BaseURL + "/v1/files/1?part=2"})
			svc.AddAsset(result, monitoring.CheckResultAsset{Type: monitoring.AssetVideo, Name: "run.webm", URL: monitoringtest.BaseURL + "/v1/files/2",
				Archive: &monitoring.AssetArchive{EntryName: "videos/run.webm"}})
			for want, options := range map[string]monitoring.CheckResultAssetOptions{
				"job.log run.webm": {}, "job.log": {Types: []monitoring.AssetType{monitoring.AssetLog}}, "run.webm": {Name: "*.webm"}, "": {Name: "*.png"},
			} {
				list, err := c.CheckResults.Assets(ctx, session.CheckID, result, options)
				is.NoError(err)
				var names []string
				for _, a := range list.Assets {
					names = append(names, a.Name)
					is.Equal(result, a.Source.ResultID)
				}
				is.Equal(want, strings.Join(names, " "))
			}
			_, err = c.CheckResults.Assets(ctx, session.CheckID, quick, monitoring.CheckResultAssetOptions{})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"GET /v1/error-groups": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			other := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: svc.AddCheck(monitoringtest.Check{})})
			groups, err := monitoring.Collect(c.ErrorGroups.All(ctx, monitoring.ListOptions{Limit: 2}))
			is.NoError(err)
			is.Len(groups, 3, "of all checks")
			is.Equal(other, groups[2].ID)
		},
		"PATCH /v1/error-groups/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
			for _, archived := range []bool{true, false} {
				group, err := c.ErrorGroups.Update(ctx, id, monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(archived)})
				is.NoError(err)
				is.Equal(archived, group.ArchivedUntilNextEvent)
				group, err = c.ErrorGroups.Update(ctx, id, monitoring.ErrorGroupUpdate{ArchiveForEver: new(true)})
				is.NoError(err)
				is.Equal(archived, group.ArchivedUntilNextEvent, "which was not sent stays")
				read, err := c.ErrorGroups.Get(ctx, id)
				is.NoError(err)
				is.Equal(group, read)
			}
			is.Equal(4, svc.ExecutedOn("PATCH /v1/error-groups/{id}", id))
		},
		"POST /v1/root-cause-analyses/error-groups/{errorGroupId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
			started, err := c.RootCauseAnalyses.Create(ctx, id, monitoring.RootCauseAnalysisCreate{UserContext: "after deploy 42"})
			is.NoError(err)
			is.Equal(&monitoring.RootCauseAnalysis{ID: started.ID, Status: monitoring.RootCauseAnalysisPending}, started)
			read, err := c.RootCauseAnalyses.Get(ctx, started.ID)
			is.NoError(err)
			is.Equal(started, read)
			is.Equal(1, svc.ExecutedOn("POST /v1/root-cause-analyses/error-groups/{errorGroupId}", id))
			_, err = c.RootCauseAnalyses.Create(ctx, quick, monitoring.RootCauseAnalysisCreate{})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"DELETE /v1/checks/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			results, err := c.CheckResults.List(ctx, monitoringtest.DemoCheckID, monitoring.CheckResultListOptions{})
			is.NoError(err)
			is.NotEmpty(results.Items)
			is.NoError(c.Checks.Delete(ctx, monitoringtest.DemoCheckID))
			is.Equal(1, svc.ExecutedOn("DELETE /v1/checks/{id}", monitoringtest.DemoCheckID))
			is.ErrorIs(c.Checks.Delete(ctx, monitoringtest.DemoCheckID), monitoring.ErrNotFound)
			_, err = c.Checks.Get(ctx, monitoringtest.DemoCheckID)
			is.ErrorIs(err, monitoring.ErrNotFound)
			_, err = c.CheckResults.Get(ctx, monitoringtest.DemoCheckID, results.Items[0].ID)
			is.ErrorIs(err, monitoring.ErrNotFound, "its results are gone")
			page, err := c.ErrorGroups.ListForCheck(ctx, monitoringtest.DemoCheckID, monitoring.ErrorGroupListOptions{})
			is.NoError(err)
			is.Empty(page.Items)
			for check, err := range c.Checks.All(ctx, monitoring.CheckListOptions{}) {
				is.NoError(err)
				is.NotEqual(monitoringtest.DemoCheckID, check.ID)
			}
			_, err = c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{monitoringtest.DemoCheckID}}})
			is.ErrorIs(err, monitoring.ErrNoMatchingChecks)
			time.Sleep(time.Millisecond)
			_, err = c.Locations.List(ctx)
			is.NoError(err, "the demo goes on without the check")
		},
		"POST /v1/checks/api": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name: "Orders",
				Tags: []string{"orders"},
				API: &monitoring.APIRequest{
					Method: "POST", URL: "https://api.shop.test/orders", Headers: []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret("Bearer x")}},
				},
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeAPI, made.CheckType)
			is.Equal(5000.0, made.DegradedResponseTime.Or(0))
			is.Equal(20000.0, made.MaxResponseTime.Or(0))
			is.Equal(new(10), made.Frequency)
			is.Equal(monitoring.APIBodyNone, made.API.BodyType)
			is.Equal(new(false), made.API.Headers[0].Locked)
			is.Nil(made.Project)
			is.Equal(1, svc.ExecutedOn("POST /v1/checks/api", "Orders"))
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal("Bearer x", read.API.Headers[0].Value.Reveal())
			started, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"orders"}}}})
			is.NoError(err)
			is.Equal(made.ID, started[0].CheckID, "the new check can be triggered")
			svc.SetCheckLimit(1)
			_, err = c.Checks.Create(ctx, &monitoring.Check{Name: "x", API: &monitoring.APIRequest{Method: "GET", URL: "u"}})
			is.ErrorIs(err, monitoring.ErrPaymentRequired)
		},
		"PUT /v1/checks/api/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			before, _ := svc.CheckJSON(monitoringtest.DemoCheckID)
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, Tags: []string{}, API: &monitoring.APIRequest{Method: "HEAD", URL: "https://shop.test"}})
			is.NoError(err)
			is.Empty(check.Tags)
			is.Equal("HEAD", check.API.Method)
			after, _ := svc.CheckJSON(monitoringtest.DemoCheckID)
			is.Equal([]string{"request", "tags", "updated_at"}, changed(is, before, after))
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoBrowserCheckID, CheckType: monitoring.CheckTypeAPI})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
		},
		"PUT /v1/checks/tcp/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeTCP})
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, Frequency: new(0), TCP: &monitoring.TCPRequest{Hostname: "h", Port: 25}})
			is.NoError(err)
			is.Equal(new(10), check.FrequencyOffset)
			is.Equal(25, check.TCP.Port)
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: id, CheckType: monitoring.CheckTypeTCP, FrequencyOffset: new(15)})
			is.ErrorIs(err, monitoring.ErrBadRequest, "it does not fit the frequency")
		},
		"POST /v1/checks/url": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name: "Page",
				Tags: []string{"shop"},
				URL:  &monitoring.URLRequest{URL: "https://shop.test"},
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeURL, made.CheckType)
			is.Equal(monitoring.IPFamily("IPv4"), made.URL.IPFamily)
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.URL, read.URL)
		},
		"PUT /v1/checks/url/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeURL})
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, Frequency: new(0), URL: &monitoring.URLRequest{URL: "https://new.test"}})
			is.NoError(err)
			is.Equal(new(10), check.FrequencyOffset)
			is.Equal("https://new.test", check.URL.URL)
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { u.URL.SkipSSL = new(true); return nil })
			is.NoError(err)
			is.Equal(new(true), edited.URL.SkipSSL)
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeURL})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
		},
		"POST /v1/checks/icmp": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name:                   "Mail host",
				ICMP:                   &monitoring.ICMPRequest{Hostname: "mx.shop.test"},
				MaxPacketLossThreshold: monitoring.Value(30.0),
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeICMP, made.CheckType)
			is.Equal([]any{monitoring.Value(monitoring.IPFamily("IPv4")), monitoring.Value(10), monitoring.Value(10.0), monitoring.Value(30.0)},
				[]any{made.ICMP.IPFamily, made.ICMP.PingCount, made.DegradedPacketLossThreshold, made.MaxPacketLossThreshold})
			data, err := json.Marshal(made)
			is.NoError(err)
			is.Contains(string(data), `"logicalId":null`, "unlike others, its answer says to which project it belongs")
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.ICMP, read.ICMP)
		},
		"PUT /v1/checks/icmp/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeICMP})
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, Frequency: new(0), ICMP: &monitoring.ICMPRequest{Hostname: "new.test"}})
			is.NoError(err)
			is.Equal(new(10), check.FrequencyOffset)
			is.Equal("new.test", check.ICMP.Hostname)
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { u.ICMP.PingCount = monitoring.Value(3); return nil })
			is.NoError(err)
			is.Equal(monitoring.Value(3), edited.ICMP.PingCount)
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeICMP})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
		},
		"POST /v1/checks/ssl": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name: "Certificate",
				SSL:  &monitoring.SSLRequest{SSLConfig: monitoring.SSLConfig{Hostname: "shop.test"}},
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeSSL, made.CheckType)
			is.Equal([]any{new(443), new(20), monitoring.Value(3000.0), monitoring.Value(10000.0)},
				[]any{made.SSL.SSLConfig.Port, made.SSL.SSLConfig.AlertDaysBeforeExpiry, made.DegradedResponseTime, made.MaxResponseTime})
			is.Equal(monitoring.SSLSeverityFail, made.SSL.SSLConfig.SecurityBaseline.KnownBadCA.Severity)
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.SSL, read.SSL)
		},
		"PUT /v1/checks/ssl/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeSSL})
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error {
				u.SSL.SSLConfig.SecurityBaseline.SCTPresent.Severity = monitoring.SSLSeverityFail
				return nil
			})
			is.NoError(err)
			is.Equal(monitoring.SSLSeverityFail, edited.SSL.SSLConfig.SecurityBaseline.SCTPresent.Severity)
			edited, err = c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { u.SSL.SSLConfig.Port = new(8443); return nil })
			is.NoError(err)
			is.Equal(new(8443), edited.SSL.SSLConfig.Port)
			is.Equal(monitoring.SSLSeverityFail, edited.SSL.SSLConfig.SecurityBaseline.SCTPresent.Severity, "the configuration is sent whole")
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, Frequency: new(0), SSL: &monitoring.SSLRequest{SSLConfig: monitoring.SSLConfig{Hostname: "new.test"}}})
			is.NoError(err)
			is.Equal(new(10), check.FrequencyOffset)
			is.Nil(check.SSL.SSLConfig.SecurityBaseline, "the configuration is replaced, and an update has no defaults for its rules")
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeSSL})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
		},
		"POST /v1/checks/dns": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name: "Mail records",
				DNS:  &monitoring.DNSRequest{Query: "shop.test", RecordType: monitoring.DNSRecordMX},
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeDNS, made.CheckType)
			is.Equal([]any{monitoring.DNSProtocolUDP, monitoring.Value(500.0), monitoring.Value(1000.0)}, []any{made.DNS.Protocol, made.DegradedResponseTime, made.MaxResponseTime})
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.DNS, read.DNS)
		},
		"PUT /v1/checks/dns/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeDNS})
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { u.DNS.Port = new(5353); return nil })
			is.NoError(err)
			is.Equal(new(5353), edited.DNS.Port)
			update := edited.Clone()
			update.Frequency = new(0)
			_, err = c.Checks.Update(ctx, update)
			is.ErrorAs(err, new(*monitoring.ValidationError), "the offset is sent, too, and does not fit")
			update.FrequencyOffset = new(20)
			check, err := c.Checks.Update(ctx, update)
			is.NoError(err)
			is.Equal([]*int{new(0), new(5353)}, []*int{check.Frequency, check.DNS.Port})
			is.ErrorIs(callAny(ctx, c, "PUT", "/v1/checks/dns/"+monitoringtest.DemoCheckID, nil, map[string]any{"name": "x"}, nil), monitoring.ErrNotFound, "it is of another type")
		},
		"POST /v1/checks/heartbeat": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			times := monitoring.Heartbeat{Period: 1, PeriodUnit: monitoring.HeartbeatDays, Grace: new(2.0), GraceUnit: monitoring.HeartbeatHours}
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name:      "Backup",
				GroupID:   monitoring.Value[int64](monitoringtest.DemoGroupID),
				Heartbeat: &times,
			})
			is.NoError(err)
			is.True(made.GroupID.IsZero(), "the answer lacks it")
			is.False(made.Heartbeat.PingToken.IsWithheld(), "the service makes one")
			is.Equal("https://ping.monitoring.test/"+made.Heartbeat.PingToken.Reveal(), made.Heartbeat.PingURL.Reveal())
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.Heartbeat, read.Heartbeat)
			is.EqualValues(monitoringtest.DemoGroupID, read.GroupID.Or(0))
			times.PingToken = monitoring.NewSecret(monitoringtest.UUID("own token"))
			other, err := c.Checks.Create(ctx, &monitoring.Check{Name: "Import", Heartbeat: &times})
			is.NoError(err)
			is.Equal(times.PingToken, other.Heartbeat.PingToken)
		},
		"PUT /v1/checks/heartbeat/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeHeartbeat})
			before, err := c.Checks.Get(ctx, id)
			is.NoError(err)
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { u.Heartbeat.Period = 3; return nil })
			is.NoError(err)
			is.Equal(3.0, edited.Heartbeat.Period)
			is.Equal(before.Heartbeat.PingURL, edited.Heartbeat.PingURL, "who pings is not lost")
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeHeartbeat})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
			var anew monitoring.Check
			times := map[string]any{"heartbeat": map[string]any{"period": 1, "periodUnit": "days", "grace": 0, "graceUnit": "days"}}
			is.NoError(callAny(ctx, c, "PUT", "/v1/checks/heartbeat/"+id, nil, times, &anew))
			is.NotEqual(before.Heartbeat.PingToken, anew.Heartbeat.PingToken, "without the token the service makes another one")
			is.NotEqual(before.Heartbeat.PingURL, anew.Heartbeat.PingURL)
		},
		"POST /v1/checks/multistep": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name:      "Orders",
				Frequency: new(5),
				MultiStep: &monitoring.CheckScript{Script: monitoring.Value("s()"), EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "TOKEN", Value: monitoring.NewSecret("s"), Secret: new(true)}}},
			})
			is.NoError(err)
			is.True(made.MultiStep.EnvironmentVariables[0].Value.IsWithheld())
			read, err := c.Checks.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made.MultiStep, read.MultiStep)
			is.Equal(5, *read.Frequency)
		},
		"PUT /v1/checks/multistep/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeMultiStep})
			check, err := c.Checks.Update(ctx, &monitoring.Check{ID: id, MultiStep: &monitoring.CheckScript{Script: monitoring.Null[string]()}})
			is.NoError(err)
			is.True(check.MultiStep.Script.IsNull())
			edited, err := c.Checks.Edit(ctx, id, func(u *monitoring.Check) error {
				return u.SetVariable(monitoring.NewEnvironmentVariable("A", "a"))
			})
			is.NoError(err)
			is.Equal("a", edited.MultiStep.EnvironmentVariables[0].Value.Reveal())
			_, err = c.Checks.Update(ctx, &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeMultiStep})
			is.ErrorIs(err, monitoring.ErrNotFound, "it is of another type")
		},
		"POST /v1/checks/browser": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Checks.Create(ctx, &monitoring.Check{
				Name:    "Orders",
				Tags:    []string{"orders"},
				Browser: &monitoring.CheckScript{Script: monitoring.Null[string](), EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "P", Value: monitoring.NewSecret("x"), Secret: new(true)}}},
			})
			is.NoError(err)
			is.Equal(monitoring.CheckTypeBrowser, made.CheckType)
			is.True(made.Browser.Script.IsNull())
			is.Equal(new(10), made.Frequency)
			is.True(made.Browser.EnvironmentVariables[0].Value.IsWithheld())
			is.Equal(1, svc.ExecutedOn("POST /v1/checks/browser", "Orders"))
			started, err := c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"orders"}}}})
			is.NoError(err)
			is.Equal(made.ID, started[0].CheckID, "the new check can be triggered")
		},
		"DELETE /v1/status-pages/services/{serviceId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			is.NoError(c.StatusPageServices.Delete(ctx, monitoringtest.DemoStatusPageServiceID))
			is.NotContains(svc.StatusPageServices(), monitoringtest.DemoStatusPageServiceID)
			is.ErrorIs(c.StatusPageServices.Delete(ctx, monitoringtest.DemoStatusPageServiceID), monitoring.ErrNotFound)
		},
		"DELETE /v1/dashboards/{dashboardId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			is.NoError(c.Dashboards.Delete(ctx, monitoringtest.DemoDashboardID))
			is.NotContains(svc.Dashboards(), monitoringtest.DemoDashboardID)
			is.ErrorIs(c.Dashboards.Delete(ctx, "unknown"), monitoring.ErrNotFound)
		},
		"POST /v2/check-groups": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			group, err := c.CheckGroups.Create(ctx, &monitoring.CheckGroup{
				Name: "Login", Tags: []string{"login"}, EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "TOKEN", Value: monitoring.NewSecret("t"), Secret: new(true)}},
			})
			is.NoError(err)
			is.Equal(new(3), group.Concurrency)
			is.Equal(new(true), group.Activated)
			strategy, _ := group.RetryStrategy.Get()
			is.Equal(monitoring.RetryStrategyFallback, strategy.Type)
			is.True(group.EnvironmentVariables[0].Value.IsWithheld())
			is.NotEmpty(group.AlertChannelSubscriptions, "it is subscribed to the channels")
			is.Equal(1, svc.ExecutedOn("POST /v2/check-groups", "Login"))
			again, err := c.CheckGroups.Get(ctx, group.ID)
			is.NoError(err)
			is.Equal(group, again)
			silent, err := c.CheckGroups.Create(ctx, &monitoring.CheckGroup{Name: "Import", AutoAssignAlerts: new(false)})
			is.NoError(err)
			is.Empty(silent.AlertChannelSubscriptions)
			list, err := monitoring.Collect(c.CheckGroups.All(ctx, monitoring.CheckGroupListOptions{Names: []string{"Login", "Import"}}))
			is.NoError(err)
			is.Equal([]int64{group.ID, silent.ID}, []int64{list[0].ID, list[1].ID})
		},
		"DELETE /v1/check-groups/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			err := c.CheckGroups.Delete(ctx, monitoringtest.DemoGroupID)
			is.ErrorIs(err, monitoring.ErrConflict)
			is.ErrorContains(err, "The check group still has checks.")
			is.Zero(svc.Executed("DELETE /v1/check-groups/{id}"))
			empty := svc.AddGroup(monitoring.CheckGroup{Name: "empty"})
			is.NoError(c.CheckGroups.Delete(ctx, empty))
			_, err = c.CheckGroups.Get(ctx, empty)
			is.ErrorIs(err, monitoring.ErrNotFound)
			is.ErrorIs(c.CheckGroups.Delete(ctx, empty), monitoring.ErrNotFound)
		},
		"POST /v1/alert-channels": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			channel := monitoring.SlackChannel(monitoring.NewSecret("https://hooks.shop.test/s"), "#ops")
			channel.Subscriptions = []monitoring.ChannelSubscription{{CheckID: monitoringtest.DemoCheckID}, {GroupID: monitoringtest.DemoGroupID, Activated: true}}
			made, err := c.AlertChannels.Create(ctx, channel)
			is.NoError(err)
			is.Equal(monitoring.ChannelSlack, made.Type)
			is.JSONEq(`{"url":"https://hooks.shop.test/s","channel":"#ops"}`, string(made.Config.Reveal()))
			is.Equal([]*bool{new(true), new(true), new(false), new(false), new(false)},
				[]*bool{made.SendFailure, made.SendRecovery, made.SendDegraded, made.SSLExpiry, made.AutoSubscribe}, "the defaults")
			check, err := c.Checks.Get(ctx, monitoringtest.DemoCheckID)
			is.NoError(err)
			is.Contains(check.AlertChannelSubscriptions, monitoring.AlertChannelSubscription{AlertChannelID: made.ID})
			read, err := c.AlertChannels.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made, read)
			channel.Subscriptions = []monitoring.ChannelSubscription{{GroupID: 99}}
			_, err = c.AlertChannels.Create(ctx, channel)
			is.ErrorIs(err, monitoring.ErrBadRequest)
		},
		"GET /v1/alert-channels/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.AlertChannels.List(ctx, monitoring.ListOptions{})
			is.NoError(err)
			is.NotEmpty(list.Items)
			read, err := c.AlertChannels.Get(ctx, list.Items[0].ID)
			is.NoError(err)
			is.Equal(list.Items[0], *read)
			_, err = c.AlertChannels.Get(ctx, 7)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"PUT /v1/alert-channels/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddAlertChannel(monitoringtest.AlertChannel{Type: monitoring.ChannelWebhook, Degraded: true, Config: map[string]any{"url": "https://old.shop.test", "future": 1}})
			subscribed, err := c.AlertChannels.Subscribe(ctx, id, monitoring.ChannelSubscription{CheckID: monitoringtest.DemoCheckID, Activated: true})
			is.NoError(err)
			is.Equal(monitoringtest.DemoCheckID, subscribed.CheckID)
			changed, err := c.AlertChannels.Edit(ctx, id, func(u *monitoring.AlertChannel) error {
				return u.SetConfig("url", monitoring.NewSecret("https://new.shop.test"))
			})
			is.NoError(err)
			is.JSONEq(`{"url":"https://new.shop.test","future":1}`, string(changed.Config.Reveal()))
			is.Equal(new(true), changed.SendDegraded, "it is sent whole")
			is.NotNil(changed.UpdatedAt)
			is.Len(changed.Subscriptions, 1)
			changed, err = c.AlertChannels.Edit(ctx, id, func(u *monitoring.AlertChannel) error {
				u.Subscriptions = nil
				return nil
			})
			is.NoError(err)
			is.Empty(changed.Subscriptions)
			gone := monitoring.EmailChannel("a@shop.test")
			gone.ID, gone.SendFailure, gone.SendRecovery, gone.SendDegraded = 7, new(true), new(true), new(true)
			gone.SSLExpiry, gone.SSLExpiryThreshold, gone.AutoSubscribe = new(true), new(7), new(true)
			_, err = c.AlertChannels.Update(ctx, gone)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"PUT /v1/alert-channels/{id}/subscriptions": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddAlertChannel(monitoringtest.AlertChannel{})
			for _, activated := range []bool{true, false} {
				made, err := c.AlertChannels.Subscribe(ctx, id, monitoring.ChannelSubscription{GroupID: monitoringtest.DemoGroupID, Activated: activated})
				is.NoError(err)
				is.Equal(activated, made.Activated)
				read, err := c.AlertChannels.Get(ctx, id)
				is.NoError(err)
				is.Equal([]monitoring.ChannelSubscription{*made}, read.Subscriptions)
			}
			_, err := c.AlertChannels.Subscribe(ctx, id, monitoring.ChannelSubscription{GroupID: 99})
			is.ErrorIs(err, monitoring.ErrNotFound)
			is.Equal(2, svc.ExecutedOn("PUT /v1/alert-channels/{id}/subscriptions", strconv.FormatInt(id, 10)))
		},
		"DELETE /v1/alert-channels/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddAlertChannel(monitoringtest.AlertChannel{})
			_, err := c.AlertChannels.Subscribe(ctx, id, monitoring.ChannelSubscription{CheckID: monitoringtest.DemoCheckID, Activated: true})
			is.NoError(err)
			is.NoError(c.AlertChannels.Delete(ctx, id))
			is.ErrorIs(c.AlertChannels.Delete(ctx, id), monitoring.ErrNotFound)
			check, err := c.Checks.Get(ctx, monitoringtest.DemoCheckID)
			is.NoError(err)
			is.NotContains(check.AlertChannelSubscriptions, monitoring.AlertChannelSubscription{AlertChannelID: id, Activated: true})
		},
		"POST /v1/private-locations": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			proxy := monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))
			made, err := c.PrivateLocations.Create(ctx, &monitoring.PrivateLocation{Name: "Office", SlugName: "office", ProxyURL: proxy})
			is.NoError(err)
			is.Equal([]any{"Office", "office", "location", proxy, 0}, []any{made.Name, made.SlugName, *made.Icon, made.ProxyURL, len(made.Keys)})
			read, err := c.PrivateLocations.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made, read)
		},
		"GET /v1/private-locations/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.PrivateLocations.List(ctx)
			is.NoError(err)
			is.NotNil(list[0].AgentCount)
			read, err := c.PrivateLocations.Get(ctx, list[0].ID)
			is.NoError(err)
			is.Nil(read.AgentCount, "only lists have it")
			is.Equal(list[0].Keys[0].RawKey, read.Keys[0].RawKey)
			_, err = c.PrivateLocations.Get(ctx, monitoringtest.UUID("none"))
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"PUT /v1/private-locations/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			proxy := monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))
			id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-2", Icon: new("castle"), ProxyURL: proxy})
			changed, err := c.PrivateLocations.Edit(ctx, id, func(u *monitoring.PrivateLocation) error {
				u.Name = "Castle"
				return nil
			})
			is.NoError(err)
			is.Equal([]any{"Castle", "dc-2", "castle", proxy}, []any{changed.Name, changed.SlugName, *changed.Icon, changed.ProxyURL}, "it is sent whole")
			changed, err = c.PrivateLocations.Edit(ctx, id, func(u *monitoring.PrivateLocation) error {
				u.ProxyURL = monitoring.Null[monitoring.Secret]()
				return nil
			})
			is.NoError(err)
			is.True(changed.ProxyURL.IsZero(), "there is none")
			changed, err = c.PrivateLocations.Update(ctx, &monitoring.PrivateLocation{ID: id, Name: "n", Icon: new("i"), ProxyURL: proxy})
			is.NoError(err)
			is.Equal(proxy, changed.ProxyURL)
			_, err = c.PrivateLocations.Update(ctx, &monitoring.PrivateLocation{ID: monitoringtest.UUID("none"), Name: "n", Icon: new("i"), ProxyURL: proxy})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"DELETE /v1/private-locations/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			for _, used := range []func(slug string){
				func(slug string) { svc.AddCheck(monitoringtest.Check{Locations: []string{slug}}) },
				func(slug string) { svc.AddGroup(monitoring.CheckGroup{Name: "g", PrivateLocations: []string{slug}}) },
			} {
				slug := fmt.Sprint("dc-", len(svc.PrivateLocations()))
				id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: slug})
				used(slug)
				is.ErrorIs(c.PrivateLocations.Delete(ctx, id), monitoring.ErrConflict)
			}
			id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "unused"})
			is.NoError(c.PrivateLocations.Delete(ctx, id))
			is.ErrorIs(c.PrivateLocations.Delete(ctx, id), monitoring.ErrNotFound)
			is.Equal(1, svc.ExecutedOn("DELETE /v1/private-locations/{id}", id))
		},
		"POST /v1/private-locations/{id}/keys": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-2"})
			first, err := c.PrivateLocations.CreateKey(ctx, id)
			is.NoError(err)
			second, err := c.PrivateLocations.CreateKey(ctx, id)
			is.NoError(err)
			is.NotEqual(first.RawKey, second.RawKey)
			is.True(strings.HasSuffix(first.RawKey.Reveal(), strings.TrimPrefix(first.MaskedKey, "...")))
			read, err := c.PrivateLocations.Get(ctx, id)
			is.NoError(err)
			is.Equal([]monitoring.PrivateLocationKey{*first, *second}, read.Keys)
			_, err = c.PrivateLocations.CreateKey(ctx, monitoringtest.UUID("none"))
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"DELETE /v1/private-locations/{id}/keys/{keyId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-2"})
			key, err := c.PrivateLocations.CreateKey(ctx, id)
			is.NoError(err)
			is.NoError(c.PrivateLocations.DeleteKey(ctx, id, key.ID))
			is.ErrorIs(c.PrivateLocations.DeleteKey(ctx, id, key.ID), monitoring.ErrNotFound)
			is.ErrorIs(c.PrivateLocations.DeleteKey(ctx, monitoringtest.UUID("none"), key.ID), monitoring.ErrNotFound)
			is.Empty(svc.PrivateLocations()[1].Keys)
		},
		"GET /v1/reporting": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.Reports.List(ctx, monitoring.ReportOptions{QuickRange: monitoring.ReportLast7Days})
			is.NoError(err)
			is.NotEmpty(list)
			is.Equal(monitoringtest.DemoCheckID, list[0].CheckID)
		},
		"GET /v1/check-alerts": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			now := time.Now()
			sent, err := monitoring.Collect(c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{From: now.Add(-20 * time.Hour), To: now}))
			is.NoError(err)
			is.NotEmpty(sent)
			raised, err := monitoring.Collect(c.CheckAlerts.All(ctx, monitoring.CheckAlertListOptions{From: now.Add(-40 * time.Hour), To: now}))
			is.NoError(err)
			of := map[string]monitoring.CheckAlert{}
			for _, a := range raised {
				of[a.ID] = a
			}
			for _, n := range sent {
				is.Equal(n.CheckID, of[n.CheckAlertID].CheckID, "the alert of each notification is listed, also in another window")
			}
		},
		"GET /v1/check-alerts/{checkId}": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			period := monitoring.CheckAlertListOptions{From: time.Now().Add(-20 * time.Hour), To: time.Now()}
			all, err := c.CheckAlerts.List(ctx, period)
			is.NoError(err)
			is.NotEmpty(all.Items)
			list, err := monitoring.Collect(c.CheckAlerts.AllForCheck(ctx, all.Items[0].CheckID, period))
			is.NoError(err)
			is.NotEmpty(list)
			for _, a := range list {
				is.Equal(all.Items[0].CheckID, a.CheckID)
			}
			_, err = c.CheckAlerts.ListForCheck(ctx, monitoringtest.UUID("none"), period)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"POST /v1/snippets": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Snippets.Create(ctx, &monitoring.Snippet{Name: "Sign in", Script: "login()"})
			is.NoError(err)
			is.Nil(made.UpdatedAt)
			read, err := c.Snippets.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal([]any{"Sign in", "login()", made.CreatedAt.Raw()}, []any{read.Name, read.Script, read.CreatedAt.Raw()})
			next := svc.AddSnippet(monitoring.Snippet{ID: made.ID + 1, Name: "b", Script: "b"})
			again, err := c.Snippets.Create(ctx, &monitoring.Snippet{Name: "c", Script: "c"})
			is.NoError(err)
			is.Greater(again.ID, next, "that of a test is taken")
		},
		"GET /v1/snippets": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			svc.AddSnippet(monitoring.Snippet{Name: "another", Script: "s"})
			list, err := monitoring.Collect(c.Snippets.All(ctx, monitoring.ListOptions{Limit: 1}))
			is.NoError(err)
			is.Len(list, 2)
			zero, err := c.Snippets.List(ctx, monitoring.ListOptions{Limit: 1}, monitoring.WithQuery("page", "0"))
			is.NoError(err)
			is.Equal(list[0].ID, zero.Items[0].ID, "the page 0 is the first one")
		},
		"PUT /v1/snippets/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddSnippet(monitoring.Snippet{Name: "n", Script: "old()"})
			changed, err := c.Snippets.Edit(ctx, id, func(u *monitoring.Snippet) error {
				u.Script = "new()"
				return nil
			})
			is.NoError(err)
			is.Equal([]any{"n", "new()"}, []any{changed.Name, changed.Script})
			is.NotNil(changed.UpdatedAt)
			is.Equal("new()", svc.Snippets()[1].Script)
			_, err = c.Snippets.Update(ctx, &monitoring.Snippet{ID: 7, Name: "n", Script: "s"})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"DELETE /v1/snippets/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.Snippets()[0].ID
			is.NoError(c.Snippets.Delete(ctx, id))
			is.ErrorIs(c.Snippets.Delete(ctx, id), monitoring.ErrNotFound)
			is.Empty(svc.Snippets())
			is.Equal(1, svc.ExecutedOn("DELETE /v1/snippets/{id}", strconv.FormatInt(id, 10)))
		},
		"POST /v1/variables": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			made, err := c.Variables.Create(ctx, &monitoring.EnvironmentVariable{Key: "A TOKEN", Value: monitoring.NewSecret("t-1"), Secret: new(true)})
			is.NoError(err)
			is.Equal("t-1", made.Value.Reveal(), "the service shows it this once")
			read, err := c.Variables.Get(ctx, "A TOKEN")
			is.NoError(err)
			is.True(read.Value.IsWithheld())
			is.Equal(new(false), read.Locked)
			_, err = c.Variables.Create(ctx, &monitoring.EnvironmentVariable{Key: "A TOKEN", Value: monitoring.NewSecret("")})
			is.ErrorIs(err, monitoring.ErrConflict)
			is.Equal(1, svc.ExecutedOn("POST /v1/variables", "A TOKEN"))
		},
		"PUT /v1/variables/{key}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			for key, want := range map[string]monitoring.EnvironmentVariable{
				"TEST_PASSWORD": {Key: "TEST_PASSWORD", Value: monitoring.NewSecret("new"), Locked: new(false), Secret: new(true)},
				"REGION_TOKEN":  {Key: "REGION_TOKEN", Value: monitoring.NewSecret("new"), Locked: new(true), Secret: new(false)},
			} {
				read, err := c.Variables.Get(ctx, key)
				is.NoError(err)
				read.Value = monitoring.NewSecret("new")
				made, err := c.Variables.Update(ctx, read)
				is.NoError(err)
				is.Equal("new", made.Value.Reveal(), "the service shows it this once")
				stored, there := svc.Variable(key)
				is.True(there)
				is.Equal(want, stored)
			}
			_, err := c.Variables.Update(ctx, &monitoring.EnvironmentVariable{
				Key: "TEST_PASSWORD", Value: monitoring.NewSecret("newer"), Locked: new(true), Secret: new(false),
			})
			is.NoError(err)
			stored, _ := svc.Variable("TEST_PASSWORD")
			is.Equal(new(true), stored.Secret, "it stays secret")
			_, err = monitoring.Do[any](ctx, c, "PUT", "/v1/variables/REGION_TOKEN", nil, map[string]any{"value": "x"})
			is.NoError(err)
			stored, _ = svc.Variable("REGION_TOKEN")
			is.Equal(new(false), stored.Locked, "an absent flag is false")
		},
		"DELETE /v1/variables/{key}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			is.NoError(c.Variables.Delete(ctx, "API_URL"))
			_, there := svc.Variable("API_URL")
			is.False(there)
			is.ErrorIs(c.Variables.Delete(ctx, "API_URL"), monitoring.ErrNotFound)
			_, err := c.Variables.Update(ctx, &monitoring.EnvironmentVariable{
				Key: "API_URL", Value: monitoring.NewSecret("x"), Locked: new(false), Secret: new(false),
			})
			is.ErrorIs(err, monitoring.ErrNotFound)
			_, err = c.Variables.Get(ctx, "API_URL")
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"POST /v1/maintenance-windows": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			start := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
			made, err := c.MaintenanceWindows.Create(ctx, &monitoring.MaintenanceWindow{
				Name: "Move", StartsAt: monitoring.NewTimestamp(start), EndsAt: monitoring.NewTimestamp(start.Add(time.Hour)),
				StatusPageVisibility: &monitoring.StatusPageVisibility{Enabled: new(true)},
			})
			is.NoError(err)
			is.True(made.StartsAt.Time.Equal(start))
			is.True(made.RepeatInterval.IsNull())
			is.Equal(new(true), made.StatusPageVisibility.AutoStart, "the default")
			read, err := c.MaintenanceWindows.Get(ctx, made.ID)
			is.NoError(err)
			is.Equal(made, read)
			is.Equal(1, svc.ExecutedOn("POST /v1/maintenance-windows", "Move"))
		},
		"GET /v1/maintenance-windows/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
			is.NoError(err)
			for _, w := range list.Items {
				read, err := c.MaintenanceWindows.Get(ctx, w.ID)
				is.NoError(err)
				is.Equal(w, *read)
			}
			_, err = c.MaintenanceWindows.Get(ctx, 7)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"PUT /v1/maintenance-windows/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
			is.NoError(err)
			weekly := list.Items[3]
			day := monitoring.Date{Year: 2099, Month: 12, Day: 31}
			changed, err := c.MaintenanceWindows.Edit(ctx, weekly.ID, func(w *monitoring.MaintenanceWindow) error {
				w.Timezone, w.RepeatEndsAt, w.StatusPageVisibility.NotifyOnEnd = monitoring.Value("Europe/Berlin"), monitoring.Value(day), new(true)
				return nil
			})
			is.NoError(err)
			is.Equal(monitoring.Value(day), changed.RepeatEndsAt)
			is.Equal(weekly.StartsAt, changed.StartsAt)
			is.Equal(weekly.StatusPageVisibility.ServiceIDs, changed.StatusPageVisibility.ServiceIDs)
			is.Equal(new(true), changed.StatusPageVisibility.NotifyOnEnd)
			is.NotNil(changed.UpdatedAt)
			changed, err = c.MaintenanceWindows.Update(ctx, &monitoring.MaintenanceWindow{
				ID: weekly.ID, Tags: []string{}, RepeatInterval: monitoring.Null[int](), RepeatUnit: monitoring.Null[monitoring.RepeatUnit](), Timezone: monitoring.Null[string](),
			})
			is.NoError(err)
			is.Empty(changed.Tags)
			is.True(changed.RepeatUnit.IsNull())
			is.True(changed.Timezone.IsNull())
			_, err = c.MaintenanceWindows.Update(ctx, &monitoring.MaintenanceWindow{ID: weekly.ID, Timezone: monitoring.Value("Europe/Bärlin")})
			is.ErrorIs(err, monitoring.ErrBadRequest)
			_, err = c.MaintenanceWindows.Update(ctx, &monitoring.MaintenanceWindow{ID: 7, Name: "w"})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"DELETE /v1/maintenance-windows/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "w"})
			is.NoError(c.MaintenanceWindows.Delete(ctx, id))
			is.ErrorIs(c.MaintenanceWindows.Delete(ctx, id), monitoring.ErrNotFound)
			list, err := c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
			is.NoError(err)
			is.Len(list.Items, 4)
		},
		"GET /v1/alert-channels": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			id := svc.AddAlertChannel(monitoringtest.AlertChannel{Type: monitoring.ChannelSMS, Config: map[string]any{"number": "+49"}, NoRecoveries: true, Degraded: true})
			svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "g", AlertChannelSubscriptions: []monitoring.AlertChannelSubscription{{AlertChannelID: id}}})
			check := svc.AddCheck(monitoringtest.Check{})
			list, err := monitoring.Collect(c.AlertChannels.All(ctx, monitoring.ListOptions{Limit: 2}))
			is.NoError(err)
			is.Len(list, 4)
			sms := list[3]
			is.Equal(monitoring.ChannelSMS, sms.Type)
			is.JSONEq(`{"number":"+49"}`, string(sms.Config.Reveal()))
			is.Equal([]bool{true, false, true}, []bool{*sms.SendFailure, *sms.SendRecovery, *sms.SendDegraded})
			first, second := sms.Subscriptions[0].ID, sms.Subscriptions[1].ID
			is.Equal([]monitoring.ChannelSubscription{{ID: first, CheckID: check, Activated: true}, {ID: second, GroupID: 7}}, sms.Subscriptions)
			is.NotEqual(first, second)
		},
		"GET /v1/private-locations": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			list, err := c.PrivateLocations.List(ctx)
			is.NoError(err)
			is.Len(list, 1)
			is.Equal("private-dc-1", list[0].SlugName, "where the suite runs")
			is.Equal("pl_7c1d5e2f6a40", list[0].Keys[0].RawKey.Reveal())
			is.True(list[0].ProxyURL.IsZero(), "there is none")
			is.Empty(list[0].RunningAgents)
			list, err = c.PrivateLocations.List(ctx, monitoring.WithQuery("versions", "true"))
			is.NoError(err)
			is.Equal("3.3.1", list[0].RunningAgents[0].Version)
			svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-2", ProxyURL: monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))})
			list, err = c.PrivateLocations.List(ctx)
			is.NoError(err)
			is.Equal("dc-2", list[1].SlugName)
			proxy, _ := list[1].ProxyURL.Get()
			is.Equal("https://u:p@proxy.test", proxy.Reveal())
		},
		"GET /v1/check-groups/{id}/checks": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			_, err := c.CheckGroups.Edit(ctx, monitoringtest.DemoGroupID, func(g *monitoring.CheckGroup) error { g.RunParallel = monitoring.Value(true); return nil })
			is.NoError(err)
			list, err := monitoring.Collect(c.CheckGroups.AllChecks(ctx, monitoringtest.DemoGroupID, monitoring.ListOptions{Limit: 1}))
			is.NoError(err)
			is.Len(list, 2)
			is.Equal(monitoringtest.DemoCheckID, list[0].ID)
			is.Equal(new(true), list[0].RunParallel, "of the group")
			own, err := c.Checks.Get(ctx, monitoringtest.DemoCheckID)
			is.NoError(err)
			is.Equal(new(false), own.RunParallel)
			page, err := c.CheckGroups.ListChecks(ctx, svc.AddGroup(monitoring.CheckGroup{Name: "empty"}), monitoring.ListOptions{})
			is.NoError(err)
			is.Empty(page.Items)
			_, err = c.CheckGroups.ListChecks(ctx, 7, monitoring.ListOptions{})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"GET /v1/test-session-error-groups": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTestErrorGroup(svc)
			page, err := c.TestSessionErrorGroups.List(ctx, monitoring.ListOptions{Limit: 1})
			is.NoError(err)
			is.Len(page.Items, 1)
			is.True(page.HasMore)
		},
		"GET /v1/test-session-error-groups/projects/{projectId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTestErrorGroup(svc)
			groups, err := c.TestSessionErrorGroups.ListForProject(ctx, monitoringtest.UUID("p"))
			is.NoError(err)
			is.Len(groups, 1)
		},
		"GET /v1/test-session-error-groups/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTestErrorGroup(svc)
			group, err := c.TestSessionErrorGroups.Get(ctx, monitoringtest.UUID("g"))
			is.NoError(err)
			is.Equal(monitoringtest.UUID("p"), *group.ProjectID)
			_, err = c.TestSessionErrorGroups.Get(ctx, quick)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"PATCH /v1/test-session-error-groups/{id}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTestErrorGroup(svc)
			group, err := c.TestSessionErrorGroups.Update(ctx, monitoringtest.UUID("g"), monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)})
			is.NoError(err)
			is.True(group.ArchivedUntilNextEvent)
		},
		"POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTestErrorGroup(svc)
			started, err := c.RootCauseAnalyses.CreateForTestSession(ctx, monitoringtest.UUID("g"), monitoring.RootCauseAnalysisCreate{UserContext: "after deploy 42"})
			is.NoError(err)
			is.Equal(monitoring.RootCauseAnalysisPending, started.Status)
			_, err = c.RootCauseAnalyses.CreateForTestSession(ctx, quick, monitoring.RootCauseAnalysisCreate{})
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"POST /v1/test-sessions/trigger": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			session, err := c.TestSessions.Trigger(ctx, monitoring.TestSessionTrigger{Name: "Smoke", RunLocation: "eu-west-1", AllChecks: true})
			is.NoError(err)
			is.Len(session.Results, 8, "the deactivated one is not started")
			is.Equal(1, svc.ExecutedOn("POST /v1/test-sessions/trigger", "Checkout API"))
			session, err = c.TestSessions.Trigger(ctx, monitoring.TestSessionTrigger{
				Name: "Smoke", RunLocation: "eu-west-1", AllChecks: true, Target: monitoring.TestSessionTarget{AllowDeactivated: new(true)},
			})
			is.NoError(err)
			is.Len(session.Results, 9)
		},
		"GET /v1/test-sessions/{testSessionId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTest(svc)
			session, err := c.TestSessions.Get(ctx, firstTest)
			is.NoError(err)
			is.Equal("Preview 117", session.Name)
		},
		"GET /v1/test-sessions/{testSessionId}/completion": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTest(svc)
			session, err := c.TestSessions.Completion(ctx, firstTest, monitoring.CompletionOptions{})
			is.NoError(err)
			is.True(session.Done())
		},
		"POST /v1/test-sessions/{testSessionId}/cancel": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTest(svc)
			is.NoError(c.TestSessions.Cancel(ctx, firstTest, monitoring.CancelRequest{}))
			is.ErrorIs(c.TestSessions.Cancel(ctx, quick, monitoring.CancelRequest{}), monitoring.ErrNotFound)
		},
		"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTest(svc)
			session, err := c.TestSessions.Completion(ctx, firstTest, monitoring.CompletionOptions{})
			is.NoError(err)
			result, err := c.TestSessions.Result(ctx, firstTest, session.Results[0].TestSessionResultID)
			is.NoError(err)
			is.Equal(session.Results[0].CheckID, result.CheckID)
			_, err = c.TestSessions.Result(ctx, firstTest, quick)
			is.ErrorIs(err, monitoring.ErrNotFound)
		},
		"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets": func(is *require.Assertions, svc *monitoringtest.Service, c *monitoring.Client) {
			addTest(svc)
			session, err := c.TestSessions.Completion(ctx, firstTest, monitoring.CompletionOptions{})
			is.NoError(err)
			result := session.Results[0].TestSessionResultID
			svc.AddAsset(result, monitoring.CheckResultAsset{Type: monitoring.AssetLog, Name: "job.log", URL: "https://monitoring.test/l"})
			files, err := c.TestSessions.Assets(ctx, firstTest, result, monitoring.CheckResultAssetOptions{Name: "*.log"})
			is.NoError(err)
			is.Len(files.Assets, 1)
			is.Equal(monitoring.AssetSource{Type: "test-session-result", CheckID: *session.Results[0].CheckID, ResultID: result, TestSessionID: firstTest},
				files.Assets[0].Source)
		},
		"GET /openapi.json": func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
			var out bytes.Buffer
			is.NoError(c.OpenAPI(ctx, &out))
			var d struct {
				OpenAPI string
				Paths   map[string]map[string]struct{ Parameters []struct{ Name, In string } }
			}
			is.NoError(json.Unmarshal(out.Bytes(), &d))
			is.Equal("[{id path} {limit query} {page query}]", fmt.Sprint(d.Paths["/v1/check-groups/{id}/checks"]["get"].Parameters))
			is.Equal("3.0.3", d.OpenAPI)
			n := 0
			for _, methods := range d.Paths {
				n += len(methods)
			}
			is.Equal(len(monitoringtest.Operations()), n)
		},
	}
	for _, operation := range monitoringtest.Operations() {
		t.Run(operation, func(t *testing.T) {
			test := tests[operation]
			if test == nil {
				path, known := requestOf(operation)
				require.True(t, known, "%s: add ids that the demo has to knownIDs, or a test through a client", operation)
				test = func(is *require.Assertions, _ *monitoringtest.Service, c *monitoring.Client) {
					value, err := monitoring.Do[any](ctx, c, "GET", path, nil, nil)
					is.NoError(err)
					is.NotEmpty(*value, "the demo has something to read")
				}
			}
			inMemoryAndLoopback(t, build, func(t *testing.T, svc *monitoringtest.Service, c *monitoring.Client) {
				test(require.New(t), svc, c)
				require.NotZero(t, svc.Count(operation))
				if !strings.HasPrefix(operation, "GET ") {
					require.NotZero(t, svc.Executed(operation), "the handler counts what it has carried out: s.journal.did(c.operation, …)")
				}
			})
		})
	}
}

// knownIDs are ids of the demo for operations that read. The others have tests of their own.
var knownIDs = map[string][]string{
	"GET /v1/runtimes/{id}":                     {"2026.04"},
	"GET /v1/check-alerts/{checkId}":            {monitoringtest.DemoCheckID},
	"GET /v1/snippets/{id}":                     {"4321"},
	"GET /v1/check-groups/{id}":                 {strconv.Itoa(monitoringtest.DemoGroupID)},
	"GET /v1/accounts/{accountId}/entitlements": {monitoringtest.AccountID},
	"GET /v1/error-groups/{id}":                 {"d2c6f1c8-17f8-4d35-9a0d-0c6a5e1f7b90"},
	"GET /v1/root-cause-analyses/{id}":          {monitoringtest.DemoRootCauseAnalysisID},
	"GET /v1/checks/{id}":                       {monitoringtest.DemoCheckID},
	"GET /v1/error-groups/checks/{checkId}":     {monitoringtest.DemoCheckID},
	"GET /v1/variables/{key}":                   {"API_URL"},
	"GET /v1/check-groups/{id}/checks":          {strconv.Itoa(monitoringtest.DemoGroupID)},
	"GET /v1/check-statuses/{checkId}":          {monitoringtest.DemoCheckID},
	"GET /v2/check-results/{checkId}":           {monitoringtest.DemoCheckID},
}

// requestOf returns the path that reads something of the demo, and whether one is known.
func requestOf(operation string) (path string, known bool) {
	o, _ := operations.Find(operation)
	path = o.Path()
	for i, name := range o.Placeholders() {
		if len(knownIDs[operation]) <= i {
			return "", false
		}
		path = strings.Replace(path, "{"+name+"}", knownIDs[operation][i], 1)
	}
	return path, o.Class == operations.Read
}

func TestAnAnalysisThatWasStartedIsOfItsErrorGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := demo()
		client := clientOf(t, svc)
		id := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
		started, err := client.RootCauseAnalyses.Create(t.Context(), id, monitoring.RootCauseAnalysisCreate{UserContext: "after deploy 42"})
		require.NoError(t, err)
		group, err := client.ErrorGroups.Get(t.Context(), id)
		require.NoError(t, err)
		require.Empty(t, group.RootCauseAnalyses, "it is not ready")
		analysis, err := client.RootCauseAnalyses.Wait(t.Context(), started.ID)
		require.NoError(t, err)
		require.True(t, analysis.Completed())
		require.Equal(t, id, *analysis.ErrorGroupID)
		require.Equal(t, monitoringtest.DemoCheckID, *analysis.CheckID)
		require.Equal(t, "after deploy 42", analysis.UserContext[0].Text)
		group, err = client.ErrorGroups.Get(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, group.RootCauseAnalyses, 1)
	})
}

func TestEveryDescribedBodyIsSentToTheService(t *testing.T) {
	samples, err := filepath.Glob(expectations + "samples/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	for _, file := range samples {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		require.NotEmpty(t, targets[name].path, "add the request that carries the body %s to targets in mistakes_test.go", name)
	}
}

// changed names the members of two objects that differ.
func changed(is *require.Assertions, before, after json.RawMessage) []string {
	var a, b map[string]json.RawMessage
	is.NoError(json.Unmarshal(before, &a))
	is.NoError(json.Unmarshal(after, &b))
	var names []string
	for _, name := range sortedKeys(b) {
		if !rawjson.Equal(a[name], b[name]) {
			names = append(names, name)
		}
	}
	return names
}
