package bench_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// benchCase is one call, as the SDK makes it and as the others do.
type benchCase struct {
	name, method, path string
	callers            int // how many goroutines call at once
	response           string
	in                 func() any         // makes the body of the request of all but the SDK; nil for none
	out                func() any         // what all but the SDK decode the response into
	right              func(out any) bool // whether it was decoded
	sdk                func(caller) error

	// then is a second call, nil for none: it sends what the first has read, after change has changed
	// it. For the SDK it is a part of the call.
	then   *benchCase
	change func(read any)
}

// caller is a client of the SDK and the context of its calls.
type caller struct {
	context.Context
	*monitoring.Client
}

// of makes a case whose response is decoded into a T.
func of[T any](name, method, path, response string, in func() any, right func(*T) bool, sdk func(caller) error) benchCase {
	return benchCase{
		name: name, method: method, path: path, callers: 1, response: response, in: in,
		out: func() any { return new(T) }, right: func(out any) bool { return right(out.(*T)) }, sdk: sdk,
	}
}

// stored returns a group as a client has returned it, which an update needs.
var stored = sync.OnceValue(func() *monitoring.CheckGroup {
	var group monitoring.CheckGroup
	if err := json.Unmarshal([]byte(`{"id":4712,"name":"Old","$plan":{"read":{"id":4712,"name":"Old"}}}`), &group); err != nil {
		panic(err)
	}
	return &group
})

func cases() []benchCase {
	locations := of("small call", http.MethodGet, "/v1/locations", locationsBody(), nil,
		func(l *[]location) bool { return len(*l) == 1 },
		func(c caller) error {
			_, err := c.Locations.List(c)
			return err
		})
	crowd := locations
	crowd.name, crowd.callers = "small call, 64 callers", 64
	// A map is the least that loses nothing of a check.
	edit := of("edit, a get and a put", http.MethodGet, "/v1/checks/"+checkID, ofCheck[0], nil,
		func(read *map[string]any) bool { return (*read)["id"] == checkID },
		func(c caller) error {
			_, err := c.Checks.Edit(c, checkID, func(check *monitoring.Check) error {
				check.Muted = new(true)
				return nil
			})
			return err
		})
	edit.change = func(read any) { (*read.(*map[string]any))["muted"] = true }
	edit.then = new(of("the put", http.MethodPut, "/v1/checks/api/"+checkID, ofCheck[1], nil,
		func(written *map[string]any) bool { return (*written)["muted"] == true }, nil))
	return []benchCase{
		of("get group 2 KB", http.MethodGet, "/v1/check-groups/4712", groupBody(), nil,
			func(g *group) bool { return g.ID == 4712 },
			func(c caller) error {
				_, err := c.CheckGroups.Get(c, 4712)
				return err
			}),
		of("page of 100 alerts", http.MethodGet, "/v1/alert-notifications?limit=100&page=1", alertsBody(), nil,
			func(l *[]alert) bool { return len(*l) == 100 },
			func(c caller) error {
				_, err := c.AlertNotifications.List(c, monitoring.AlertNotificationListOptions{ListOptions: monitoring.ListOptions{Limit: 100}})
				return err
			}),
		of("result of 1 MB", http.MethodGet, "/v1/check-results/c1f4b0a2-6f8e-4b7c-8b5e-2a7d9e3c6f77/3e0f5d2b-2f4f-4f6e-9e0c-9b2c4c1d8f55", resultBody(), nil,
			func(r *result) bool { return len(r.BrowserCheckResult.JobLog) == logEntries },
			func(c caller) error {
				_, err := c.CheckResults.Get(c, "c1f4b0a2-6f8e-4b7c-8b5e-2a7d9e3c6f77", "3e0f5d2b-2f4f-4f6e-9e0c-9b2c4c1d8f55")
				return err
			}),
		of("trigger, 50 sessions", http.MethodPost, "/v2/check-sessions/trigger", sessionsBody(),
			func() any { return trigger{target{MatchTags: [][]string{{"production", "api"}}}} },
			func(t *triggered) bool { return len(t.Sessions) == 50 },
			func(c caller) error {
				_, err := c.CheckSessions.Trigger(c, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production", "api"}}}})
				return err
			}),
		of("put group", http.MethodPut, "/v2/check-groups/4712", groupBody(),
			func() any {
				return groupUpdate{
					Name: "Search", Activated: new(true), Tags: []string{"production", "search"}, Locations: []string{"eu-central-1", "us-east-1"}, Concurrency: new(3),
					APICheckDefaults:     &defaults{URL: new("https://api.shop.test"), Headers: []keyValue{{Key: "Cache-Control", Value: "no-store"}}},
					EnvironmentVariables: []keyValue{{Key: "BASE", Value: "https://search.test"}, {Key: "MODE", Value: "probe"}},
					RetryStrategy:        &retryStrategy{Type: "LINEAR", MaxRetries: new(2), BaseBackoffSeconds: new(30)},
				}
			},
			func(g *group) bool { return g.ID == 4712 },
			func(c caller) error {
				group := stored().Clone()
				err := group.SetFrom(&monitoring.CheckGroup{
					Name: "Search", Activated: new(true), Tags: []string{"production", "search"}, Locations: []monitoring.Region{"eu-central-1", "us-east-1"}, Concurrency: new(3),
					APICheckDefaults: &monitoring.APICheckDefaults{
						URL: monitoring.Value("https://api.shop.test"), Headers: []monitoring.KeyValue{{Key: "Cache-Control", Value: monitoring.NewSecret("no-store")}},
					},
					EnvironmentVariables: []monitoring.EnvironmentVariable{
						{Key: "BASE", Value: monitoring.NewSecret("https://search.test")}, {Key: "MODE", Value: monitoring.NewSecret("probe")},
					},
					RetryStrategy: monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyLinear, MaxRetries: new(2), BaseBackoffSeconds: new(30.0)}),
				})
				if err == nil {
					_, err = c.CheckGroups.Update(c, group)
				}
				return err
			}),
		of("post tcp", http.MethodPost, "/v1/checks/tcp", tcpBody(),
			func() any {
				return tcpCreate{
					Name: "Broker", Activated: new(true), Locations: []string{"eu-central-1", "us-east-1"}, Tags: []string{"production"}, Frequency: new(10),
					Request: tcpRequest{
						Hostname: "broker.shop.test", Port: 5671, IPFamily: "IPv4",
						Assertions: []assertion{{Source: "RESPONSE_TIME", Comparison: "LESS_THAN", Target: "500"}},
					},
				}
			},
			func(c *tcpCheck) bool { return c.ID != "" },
			func(c caller) error {
				_, err := c.Checks.Create(c, &monitoring.Check{
					Name:      "Broker",
					Activated: new(true),
					Locations: []monitoring.Region{"eu-central-1", "us-east-1"},
					Tags:      []string{"production"},
					Frequency: new(10),
					TCP: &monitoring.TCPRequest{
						Hostname: "broker.shop.test", Port: 5671, IPFamily: monitoring.IPFamilyIPv4,
						Assertions: []monitoring.Assertion{{Source: monitoring.SourceResponseTime, Comparison: monitoring.ComparisonLessThan, Target: new("500")}},
					},
				})
				return err
			}),
		edit,
		locations,
		crowd,
	}
}
