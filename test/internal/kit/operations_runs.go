//lint:file-ignore SA1019 what is deprecated is tested, too

package kit

import (
	"context"
	"iter"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// runRows are the calls of the operations of sessions and results, and of what follows a failure.
var runRows = []Operation{
	{
		Name: "POST /v2/check-sessions/trigger",
		Body: `{"target":{"checkId":["` + UUID1 + `"]},"refreshCache":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.Trigger(ctx,
				monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{UUID1}}, RefreshCache: new(false)}, o...)
			return TriggerResponse{Sessions: list}, err
		}),
	},
	{
		Name: "POST /v1/check-sessions/trigger",
		Body: `{"target":{"matchTags":[["a","!b"]]}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (TriggerResponse, error) {
			list, err := c.CheckSessions.TriggerV1(ctx,
				monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"a", "!b"}}}}, o...)
			return TriggerResponse{Sessions: list}, err
		}),
	},
	{
		Name: "GET /v1/check-sessions/{checkSessionId}", File: "get-v1-check-session", IDs: []string{SampleRun}, OwnID: "checkSessionId",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.GetV1(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v2/check-sessions/{checkSessionId}", File: "get-v2-check-session", IDs: []string{SampleRun}, OwnID: "checkSessionId",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v2/check-sessions/{checkSessionId}/completion", File: "get-v2-check-session-completion",
		IDs: []string{SampleRun}, OwnID: "checkSessionId", Query: "?maxWaitSeconds=30",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckSession, error) {
			return c.CheckSessions.Completion(ctx, id[0], monitoring.CompletionOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/check-sessions/{checkSessionId}/cancel", File: "post-v1-check-session-cancel", IDs: []string{UUID1},
		Body: `{}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.CheckSessions.Cancel(ctx, id[0], monitoring.CancelRequest{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-results/{checkId}/{checkResultId}", File: "get-v1-check-result", IDs: []string{UUID1, SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResult, error) {
			return c.CheckResults.Get(ctx, id[0], id[1], o...)
		}),
	},
	{
		Name: "GET /v1/alert-notifications", Query: "?alertChannelId=9&from=1787097600&hasFailures=false&limit=100&page=2&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.AlertNotification, error) {
			return pageItems(c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				AlertChannelID: 9, HasFailures: new(false),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.AlertNotification, error] {
			return c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/root-cause-analyses/{id}", File: "get-v1-root-cause-analysis", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/error-groups/checks/{checkId}", File: "get-v1-error-groups", IDs: []string{UUID1}, Query: "?page=3",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.ErrorGroup, error) {
			return pageItems(c.ErrorGroups.ListForCheck(ctx, id[0],
				monitoring.ErrorGroupListOptions{ListOptions: monitoring.ListOptions{Page: 3}}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.ErrorGroup, error] {
			return c.ErrorGroups.AllForCheck(ctx, id[0], monitoring.ErrorGroupListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/error-groups", File: "get-v1-error-groups-of-all", Query: "?limit=2&page=3",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.ErrorGroup, error) {
			return pageItems(c.ErrorGroups.List(ctx, monitoring.ListOptions{Limit: 2, Page: 3}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.ErrorGroup, error] {
			return c.ErrorGroups.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/error-groups/{id}", File: "get-v1-error-group", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ErrorGroup, error) {
			return c.ErrorGroups.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PATCH /v1/error-groups/{id}", File: "patch-v1-error-group", IDs: []string{SampleID},
		Body: `{"archivedUntilNextEvent":true}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.ErrorGroup, error) {
			return c.ErrorGroups.Update(ctx, id[0], monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)}, o...)
		}),
	},
	{
		Name: "POST /v1/root-cause-analyses/error-groups/{errorGroupId}", File: "post-v1-root-cause-analysis", IDs: []string{UUID1},
		Body: `{"userContext":"c"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.Create(ctx, id[0], monitoring.RootCauseAnalysisCreate{UserContext: "c"}, o...)
		}),
	},
	{
		Name: "GET /v2/check-results/{checkId}", IDs: []string{UUID1}, Response: `{"length":1,"entries":[{"id":"a"}],"nextId":null}`,
		Query: "?checkType=API&fields=id%2CcreatedAt&from=1787097600&hasFailures=false&limit=100" +
			"&location=eu-west-1&nextId=x&resultType=ALL&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckResult, error) {
			return pageItems(c.CheckResults.List(ctx, id[0], monitoring.CheckResultListOptions{
				Limit: 100, NextID: "x", From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				Location: monitoring.RegionEUWest1, CheckType: monitoring.CheckTypeAPI,
				HasFailures: new(false), ResultType: monitoring.ResultAll, Fields: []string{"id", "createdAt"},
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckResult, error] {
			return c.CheckResults.AllForCheck(ctx, id[0], monitoring.CheckResultListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-results/{checkId}/{checkResultId}/assets", IDs: []string{UUID1, SampleID}, Query: "?name=a%2A&type=log&type=video",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResultAssets, error) {
			return c.CheckResults.Assets(ctx, id[0], id[1],
				monitoring.CheckResultAssetOptions{Types: []monitoring.AssetType{monitoring.AssetLog, monitoring.AssetVideo}, Name: "a*"}, o...)
		}),
	},
	{
		Name: "GET /v1/test-session-error-groups", Query: "?limit=2&page=3",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.TestSessionErrorGroup, error) {
			return pageItems(c.TestSessionErrorGroups.List(ctx, monitoring.ListOptions{Limit: 2, Page: 3}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.TestSessionErrorGroup, error] {
			return c.TestSessionErrorGroups.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/test-session-error-groups/projects/{projectId}", File: "get-v1-test-session-error-groups-of-project", IDs: []string{UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.TestSessionErrorGroup, error) {
			return c.TestSessionErrorGroups.ListForProject(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/test-session-error-groups/{id}", File: "get-v1-test-session-error-group", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestSessionErrorGroup, error) {
			return c.TestSessionErrorGroups.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PATCH /v1/test-session-error-groups/{id}", File: "patch-v1-test-session-error-group", IDs: []string{SampleID},
		Body: `{"archivedUntilNextEvent":true}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestSessionErrorGroup, error) {
			return c.TestSessionErrorGroups.Update(ctx, id[0], monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)}, o...)
		}),
	},
	{
		Name: "POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}",
		File: "post-v1-root-cause-analysis-of-test-session", IDs: []string{UUID1}, Body: `{"userContext":"c"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.RootCauseAnalysis, error) {
			return c.RootCauseAnalyses.CreateForTestSession(ctx, id[0], monitoring.RootCauseAnalysisCreate{UserContext: "c"}, o...)
		}),
	},
	{
		Name: "POST /v1/test-sessions/trigger",
		Body: `{"name":"Smoke","runLocation":"eu-central-1","target":{"checkId":["` + UUID1 + `"],"allowDeactivated":true},` +
			`"environmentVariables":[{"key":"TOKEN","value":"t","secret":true}],"retryStrategy":null,"refreshCache":false,` +
			`"metadata":{"commitId":"9f1c2ab","github":{"reporting":false,"job":"smoke"}}}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestSession, error) {
			return c.TestSessions.Trigger(ctx, monitoring.TestSessionTrigger{
				Name: "Smoke", RunLocation: "eu-central-1",
				Target: monitoring.TestSessionTarget{CheckIDs: []string{UUID1}, AllowDeactivated: new(true)},
				EnvironmentVariables: []monitoring.TestSessionVariable{
					{Key: "TOKEN", Value: monitoring.NewSecret("t"), Secret: new(true)},
				},
				RetryStrategy: monitoring.Null[monitoring.RetryStrategy](), RefreshCache: new(false),
				Metadata: &monitoring.TestSessionMetadata{CommitID: "9f1c2ab", GitHub: &monitoring.TestSessionGitHub{Job: "smoke"}},
			}, o...)
		}),
	},
	{
		Name:     "GET /v1/test-sessions",
		Response: `{"length":1,"entries":[{"id":"a"}],"nextId":null}`,
		Query: "?branches=main&errorGroupId=g&from=1787097600&limit=100&noUsers=true&providers=API" +
			"&statuses=FAILED&statuses=RUNNING&textSearch=smoke&to=1787184000&users=mina",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.TestSessionEntry, error) {
			return pageItems(c.TestSessions.List(ctx, monitoring.TestSessionListOptions{
				Limit: 100, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
				Statuses: []monitoring.TestSessionStatus{monitoring.TestSessionFailed, monitoring.TestSessionRunning},
				Branches: []string{"main"}, Users: []string{"mina"}, Providers: []monitoring.TestSessionProvider{monitoring.TestProviderAPI},
				NoUsers: new(true), TextSearch: "smoke", ErrorGroupID: "g",
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.TestSessionEntry, error] {
			return c.TestSessions.All(ctx, monitoring.TestSessionListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/test-sessions/{testSessionId}", File: "get-v1-test-session", IDs: []string{SampleRun}, OwnID: "testSessionId",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestSession, error) {
			return c.TestSessions.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/test-sessions/{testSessionId}/completion", File: "get-v1-test-session-completion",
		IDs: []string{SampleRun}, OwnID: "testSessionId", Query: "?maxWaitSeconds=30",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestSession, error) {
			return c.TestSessions.Completion(ctx, id[0], monitoring.CompletionOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/test-sessions/{testSessionId}/cancel", File: "post-v1-test-session-cancel", IDs: []string{UUID1},
		Body: `{}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.TestSessions.Cancel(ctx, id[0], monitoring.CancelRequest{}, o...)
		}),
	},
	{
		Name: "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}", File: "get-v1-test-session-result",
		IDs: []string{UUID1, SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.TestResult, error) {
			return c.TestSessions.Result(ctx, id[0], id[1], o...)
		}),
	},
	{
		Name: "GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets", File: "get-v1-test-session-result-assets",
		IDs: []string{UUID1, SampleID}, Query: "?name=a%2A&type=log&type=video",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckResultAssets, error) {
			return c.TestSessions.Assets(ctx, id[0], id[1],
				monitoring.CheckResultAssetOptions{Types: []monitoring.AssetType{monitoring.AssetLog, monitoring.AssetVideo}, Name: "a*"}, o...)
		}),
	},
	{
		Name: "GET /v1/reporting",
		Query: "?deactivated=false&filterByTags=shop&filterByTags=eu&from=1787097600&granularity=week&quickRange=last7Days" +
			"&timezone=Europe%2FBerlin&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Report, error) {
			return c.Reports.List(ctx, monitoring.ReportOptions{
				From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0), QuickRange: monitoring.ReportLast7Days,
				Tags: []string{"shop", "eu"}, Deactivated: new(false), Granularity: monitoring.ReportWeekly, Timezone: "Europe/Berlin",
			}, o...)
		}),
	},
	{
		Name: "GET /v1/check-alerts", Query: "?from=1787097600&limit=100&page=2&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckAlert, error) {
			return pageItems(c.CheckAlerts.List(ctx, monitoring.CheckAlertListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckAlert, error] {
			return c.CheckAlerts.All(ctx, monitoring.CheckAlertListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/check-alerts/{checkId}", File: "get-v1-check-alerts-of-check", IDs: []string{SampleID},
		Query: "?from=1787097600&to=1787184000",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckAlert, error) {
			return pageItems(c.CheckAlerts.ListForCheck(ctx, id[0], monitoring.CheckAlertListOptions{
				From: time.Unix(1787097600, 0), To: time.Unix(1787184000, 0),
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckAlert, error] {
			return c.CheckAlerts.AllForCheck(ctx, id[0], monitoring.CheckAlertListOptions{}, o...)
		}),
	},
}
