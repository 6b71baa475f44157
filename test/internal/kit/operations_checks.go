package kit

import (
	"context"
	"iter"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// checkRows are the calls of the operations of checks, their statuses and their groups.
var checkRows = []Operation{
	{
		Name: "GET /v1/check-groups/{id}", File: "get-v1-check-group", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v2/check-groups/{id}", File: "put-v2-check-group", IDs: []string{"9007199254740991"}, Query: "?autoAssignAlerts=true",
		Body: `{"name":"n"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			group := Returned[monitoring.CheckGroup](`{"id":` + id[0] + `,"name":"was"}`)
			group.Name, group.AutoAssignAlerts = "n", new(true)
			return c.CheckGroups.Update(ctx, group, o...)
		}),
	},
	createOf("tcp", `{"name":"n","request":{"hostname":"h","port":1}}`, monitoring.Check{TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}}),
	updateOf("browser", monitoring.CheckTypeBrowser),
	{
		Name: "PUT /v1/checks/{id}", File: "put-v1-check", IDs: []string{SampleID}, Query: "?autoAssignAlerts=false",
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.Update(ctx, &monitoring.Check{
				ID: id[0], CheckType: monitoring.CheckTypeGRPC, GroupOrder: monitoring.Value(0), AutoAssignAlerts: new(false),
			}, o...)
		}),
	},
	{
		Name: "GET /v1/checks", Query: "?apiCheckUrlFilterPattern=shop&applyGroupSettings=true&checkType=API&limit=100" +
			"&page=2&search=Log+in&status=failing&tag=a&tag=b+%26+c",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Check, error) {
			return pageItems(c.Checks.List(ctx, monitoring.CheckListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, Tags: []string{"a", "b & c"},
				CheckType: monitoring.CheckTypeAPI, Search: "Log in",
				Status: monitoring.CheckFailing, APICheckURLFilterPattern: "shop", ApplyGroupSettings: true,
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Check, error] {
			return c.Checks.All(ctx, monitoring.CheckListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/checks/{id}", File: "get-v1-check", IDs: []string{SampleID}, Query: "?applyGroupSettings=true&includeDependencies=true",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.GetWithOptions(ctx, id[0], monitoring.CheckGetOptions{ApplyGroupSettings: true, IncludeDependencies: true}, o...)
		}),
	},
	{
		Name: "DELETE /v1/checks/{id}", File: "delete-v1-check", IDs: []string{UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Checks.Delete(ctx, id[0], o...)
		}),
	},
	createOf("api", `{"name":"n","request":{"method":"GET","url":"u"}}`, monitoring.Check{API: &monitoring.APIRequest{Method: "GET", URL: "u"}}),
	{
		Name: "PUT /v1/checks/api/{id}", IDs: []string{SampleID}, Query: "?autoAssignAlerts=false",
		Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.Update(ctx, &monitoring.Check{ID: id[0], CheckType: monitoring.CheckTypeAPI, GroupOrder: monitoring.Value(0), AutoAssignAlerts: new(false)}, o...)
		}),
	},
	updateOf("tcp", monitoring.CheckTypeTCP),
	createOf("url", `{"name":"n","request":{"url":"u"}}`, monitoring.Check{URL: &monitoring.URLRequest{URL: "u"}}),
	updateOf("url", monitoring.CheckTypeURL),
	createOf("icmp", `{"name":"n","request":{"hostname":"h"}}`, monitoring.Check{ICMP: &monitoring.ICMPRequest{Hostname: "h"}}),
	updateOf("icmp", monitoring.CheckTypeICMP),
	createOf("ssl", `{"name":"n","request":{"sslConfig":{"hostname":"h"}}}`, monitoring.Check{SSL: &monitoring.SSLRequest{SSLConfig: monitoring.SSLConfig{Hostname: "h"}}}),
	updateOf("ssl", monitoring.CheckTypeSSL),
	createOf("dns", `{"name":"n","request":{"query":"q","recordType":"A"}}`, monitoring.Check{DNS: &monitoring.DNSRequest{Query: "q", RecordType: "A"}}),
	{
		Name: "PUT /v1/checks/dns/{id}", IDs: []string{SampleID},
		Body: `{"name":"n","groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.Update(ctx, Planned[monitoring.Check](`{"id":"`+id[0]+`","checkType":"DNS","name":"n","groupOrder":0,
				"$plan":{"read":{"id":"`+id[0]+`","checkType":"DNS","name":"n","groupOrder":7}}}`), o...)
		}),
	},
	createOf("heartbeat", `{"name":"n","heartbeat":{"period":1,"periodUnit":"hours","grace":5,"graceUnit":"minutes"}}`, monitoring.Check{
		Heartbeat: &monitoring.Heartbeat{Period: 1, PeriodUnit: monitoring.HeartbeatHours, Grace: new(5.0), GraceUnit: monitoring.HeartbeatMinutes},
	}),
	updateOf("heartbeat", monitoring.CheckTypeHeartbeat),
	createOf("multistep", `{"name":"n","script":"s"}`, monitoring.Check{MultiStep: &monitoring.CheckScript{Script: monitoring.Value("s")}}),
	updateOf("multistep", monitoring.CheckTypeMultiStep),
	createOf("browser", `{"name":"n","script":"s"}`, monitoring.Check{Browser: &monitoring.CheckScript{Script: monitoring.Value("s")}}),
	{
		Name: "GET /v1/check-statuses",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckStatus, error) {
			return c.CheckStatuses.List(ctx, o...)
		}),
	},
	{
		Name: "GET /v1/check-statuses/{checkId}", File: "get-v1-check-status", IDs: []string{SampleID}, OwnID: "checkId", OrNull: true,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckStatus, error) {
			return c.CheckStatuses.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "GET /v1/check-groups", Query: "?limit=100&name=Checkout&name=Login+%26+out&page=2&tag=production",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.CheckGroup, error) {
			return pageItems(c.CheckGroups.List(ctx, monitoring.CheckGroupListOptions{
				ListOptions: monitoring.ListOptions{Limit: 100, Page: 2}, Tags: []string{"production"}, Names: []string{"Checkout", "Login & out"},
			}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.CheckGroup, error] {
			return c.CheckGroups.All(ctx, monitoring.CheckGroupListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v2/check-groups", Query: "?autoAssignAlerts=false",
		Body: `{"name":"n"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Create(ctx, &monitoring.CheckGroup{Name: "n", AutoAssignAlerts: new(false)}, o...)
		}),
	},
	{
		Name: "DELETE /v1/check-groups/{id}", File: "delete-v1-check-group", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.CheckGroups.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/check-groups/{id}/checks", File: "get-v1-check-group-checks", IDs: []string{"9007199254740991"}, Query: "?limit=2",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Check, error) {
			return pageItems(c.CheckGroups.ListChecks(ctx, number(id[0]), monitoring.ListOptions{Limit: 2}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Check, error] {
			return c.CheckGroups.AllChecks(ctx, number(id[0]), monitoring.ListOptions{}, o...)
		}),
	},
}

// createOf is the call that creates a check of a kind: the check, with a name and a query.
func createOf(kind, body string, check monitoring.Check) Operation {
	check.Name, check.AutoAssignAlerts = "n", new(false)
	return Operation{
		Name: "POST /v1/checks/" + kind, Query: "?autoAssignAlerts=false", Body: body,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.Create(ctx, new(check), o...)
		}),
	}
}

// updateOf is the call that updates a check of a kind, by one member.
func updateOf(kind string, checkType monitoring.CheckType) Operation {
	return Operation{
		Name: "PUT /v1/checks/" + kind + "/{id}", IDs: []string{SampleID}, Body: `{"groupOrder":0}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Check, error) {
			return c.Checks.Update(ctx, &monitoring.Check{ID: id[0], CheckType: checkType, GroupOrder: monitoring.Value(0)}, o...)
		}),
	}
}
