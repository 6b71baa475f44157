package kit

import (
	"context"
	"iter"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// accountRows are the calls of the operations of what else an account has.
var accountRows = []Operation{
	{
		Name: "GET /v1/locations",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Location, error) {
			return c.Locations.List(ctx, o...)
		}),
	},
	{
		Name: "GET /v1/maintenance-windows", Query: "?limit=1",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.MaintenanceWindow, error) {
			return pageItems(c.MaintenanceWindows.List(ctx,
				monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 1}}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.MaintenanceWindow, error] {
			return c.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/variables",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) ([]monitoring.EnvironmentVariable, error) {
			return pageItems(c.Variables.List(ctx, monitoring.VariableListOptions{}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.EnvironmentVariable, error] {
			return c.Variables.All(ctx, monitoring.VariableListOptions{}, o...)
		}),
	},
	{
		Name: "GET /v1/accounts/{accountId}/entitlements", File: "get-v1-entitlements", IDs: []string{Account},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Entitlements, error) {
			return c.Entitlements.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "DELETE /v1/status-pages/services/{serviceId}", File: "delete-v1-status-page-service", IDs: []string{UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.StatusPageServices.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "DELETE /v1/dashboards/{dashboardId}", File: "delete-v1-dashboard", IDs: []string{"my-board"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Dashboards.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/variables", Body: `{"key":"API_URL","value":""}`, OwnID: "key",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Create(ctx, &monitoring.EnvironmentVariable{Key: "API_URL", Value: monitoring.NewSecret("")}, o...)
		}),
	},
	{
		Name: "GET /v1/variables/{key}", File: "get-v1-variable", IDs: []string{"API_URL"}, OwnID: "key",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PUT /v1/variables/{key}", File: "put-v1-variable", IDs: []string{"API_URL"}, OwnID: "key",
		Body: `{"value":"v","locked":true,"secret":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.EnvironmentVariable, error) {
			return c.Variables.Update(ctx, &monitoring.EnvironmentVariable{Key: id[0], Value: monitoring.NewSecret("v"), Locked: new(true),
				Secret: new(false)}, o...)
		}),
	},
	{
		Name: "DELETE /v1/variables/{key}", File: "delete-v1-variable", IDs: []string{"API_URL"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Variables.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/maintenance-windows",
		Body: `{"name":"n","startsAt":"2026-09-01T00:00:00Z","endsAt":"2026-09-01T02:00:00Z","repeatUnit":"DAY"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			start := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
			return c.MaintenanceWindows.Create(ctx, &monitoring.MaintenanceWindow{
				Name: "n", StartsAt: monitoring.NewTimestamp(start), EndsAt: monitoring.NewTimestamp(start.Add(2 * time.Hour)),
			}, o...)
		}),
	},
	{
		Name: "GET /v1/maintenance-windows/{id}", File: "get-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			return c.MaintenanceWindows.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/maintenance-windows/{id}", File: "put-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Body: `{"timezone":null}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.MaintenanceWindow, error) {
			return c.MaintenanceWindows.Update(ctx, &monitoring.MaintenanceWindow{ID: number(id[0]), Timezone: monitoring.Null[string]()}, o...)
		}),
	},
	{
		Name: "DELETE /v1/maintenance-windows/{id}", File: "delete-v1-maintenance-window", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.MaintenanceWindows.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/alert-channels", Query: "?limit=50",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.AlertChannel, error) {
			return pageItems(c.AlertChannels.List(ctx, monitoring.ListOptions{Limit: 50}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) iter.Seq2[monitoring.AlertChannel, error] {
			return c.AlertChannels.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/alert-channels",
		Body: `{"type":"EMAIL","config":{"address":"oncall@shop.test"},"subscriptions":[{"groupId":4711,"activated":true}]}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			channel := monitoring.EmailChannel("oncall@shop.test")
			channel.Subscriptions = []monitoring.ChannelSubscription{{GroupID: 4711, Activated: true}}
			return c.AlertChannels.Create(ctx, channel, o...)
		}),
	},
	{
		Name: "GET /v1/alert-channels/{id}", File: "get-v1-alert-channel", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			return c.AlertChannels.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/alert-channels/{id}", File: "put-v1-alert-channel", IDs: []string{"9007199254740991"},
		Body: `{"type":"PIGEON","config":{"coop":"c"},"sendFailure":true,"sendRecovery":true,"sendDegraded":true,` +
			`"sslExpiry":true,"sslExpiryThreshold":7,"autoSubscribe":true}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.AlertChannel, error) {
			yes := new(true)
			return c.AlertChannels.Update(ctx, &monitoring.AlertChannel{
				ID: number(id[0]), Type: "PIGEON", Config: monitoring.NewSecretJSON([]byte(`{"coop":"c"}`)), SendFailure: yes, SendRecovery: yes,
				SendDegraded: yes, SSLExpiry: yes, SSLExpiryThreshold: new(7), AutoSubscribe: yes,
			}, o...)
		}),
	},
	{
		Name: "DELETE /v1/alert-channels/{id}", File: "delete-v1-alert-channel", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.AlertChannels.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/alert-channels/{id}/subscriptions", File: "put-v1-alert-channel-subscriptions",
		IDs: []string{"9007199254740991"}, OwnID: "groupId",
		Body: `{"groupId":9007199254740991,"activated":false}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string,
			o []monitoring.CallOption) (*monitoring.ChannelSubscription, error) {
			return c.AlertChannels.Subscribe(ctx, number(id[0]), monitoring.ChannelSubscription{GroupID: number(id[0])}, o...)
		}),
	},
	{
		Name: "GET /v1/snippets", Query: "?limit=50",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Snippet, error) {
			return pageItems(c.Snippets.List(ctx, monitoring.ListOptions{Limit: 50}, o...))
		}),
		All: allOf(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) iter.Seq2[monitoring.Snippet, error] {
			return c.Snippets.All(ctx, monitoring.ListOptions{}, o...)
		}),
	},
	{
		Name: "POST /v1/snippets", Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Create(ctx, &monitoring.Snippet{Name: "n", Script: "s"}, o...)
		}),
	},
	{
		Name: "GET /v1/snippets/{id}", File: "get-v1-snippet", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Get(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "PUT /v1/snippets/{id}", File: "put-v1-snippet", IDs: []string{"9007199254740991"}, Body: `{"name":"n","script":"s"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Snippet, error) {
			return c.Snippets.Update(ctx, &monitoring.Snippet{ID: number(id[0]), Name: "n", Script: "s"}, o...)
		}),
	},
	{
		Name: "DELETE /v1/snippets/{id}", File: "delete-v1-snippet", IDs: []string{"9007199254740991"},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.Snippets.Delete(ctx, number(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/runtimes",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.Runtime, error) {
			return c.Runtimes.List(ctx, o...)
		}),
	},
	{
		Name: "GET /v1/runtimes/{id}", File: "get-v1-runtime", IDs: []string{"2026.04"}, OwnID: "name",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.Runtime, error) {
			return c.Runtimes.Get(ctx, monitoring.RuntimeID(id[0]), o...)
		}),
	},
	{
		Name: "GET /v1/private-locations",
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) ([]monitoring.PrivateLocation, error) {
			return c.PrivateLocations.List(ctx, o...)
		}),
	},
	{
		Name: "POST /v1/private-locations", Body: `{"name":"n","slugName":"dc-1","proxyUrl":null}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			location := &monitoring.PrivateLocation{Name: "n", SlugName: "dc-1", ProxyURL: monitoring.Null[monitoring.Secret]()}
			return c.PrivateLocations.Create(ctx, location, o...)
		}),
	},
	{
		Name: "GET /v1/private-locations/{id}", File: "get-v1-private-location", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			return c.PrivateLocations.Get(ctx, id[0], o...)
		}),
	},
	{
		Name: "PUT /v1/private-locations/{id}", File: "put-v1-private-location", IDs: []string{SampleID},
		Body: `{"name":"n","icon":"i","proxyUrl":"https://u:p@proxy.test"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocation, error) {
			location := &monitoring.PrivateLocation{ID: id[0], Name: "n", Icon: new("i")}
			location.ProxyURL = monitoring.Value(monitoring.NewSecret("https://u:p@proxy.test"))
			return c.PrivateLocations.Update(ctx, location, o...)
		}),
	},
	{
		Name: "DELETE /v1/private-locations/{id}", File: "delete-v1-private-location", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.PrivateLocations.Delete(ctx, id[0], o...)
		}),
	},
	{
		Name: "POST /v1/private-locations/{id}/keys", IDs: []string{SampleID},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (*monitoring.PrivateLocationKey, error) {
			return c.PrivateLocations.CreateKey(ctx, id[0], o...)
		}),
	},
	{
		Name: "DELETE /v1/private-locations/{id}/keys/{keyId}", File: "delete-v1-private-location-key", IDs: []string{SampleID, UUID1},
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (any, error) {
			return nil, c.PrivateLocations.DeleteKey(ctx, id[0], id[1], o...)
		}),
	},
	{
		Name: "GET /openapi.json", File: "get-openapi", Response: `{"openapi":"3.0.0"}`,
		Call: of(func(ctx context.Context, c *monitoring.Client, id []string, o []monitoring.CallOption) (string, error) {
			var b strings.Builder
			err := c.OpenAPI(ctx, &b, o...)
			return b.String(), err
		}),
	},
}
