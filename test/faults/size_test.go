package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// listOf returns a JSON list of n equal items, with something around it.
func listOf(before, item string, n int, after string) string {
	return before + strings.Repeat(item+",", n-1) + item + after
}

// wide has the size of many items.
type wide struct {
	A, B, C, D, E, F, G, H int64
}

func TestAResponseThatWouldTakeTooMuchMemoryIsNotDecoded(t *testing.T) {
	const size = 2 << 20
	fill := func(before, item, after string) string { return listOf(before, item, size/(len(item)+1), after) }
	get := func(ctx context.Context, c *monitoring.Client) error {
		return kit.Second(c.CheckSessions.Get(ctx, kit.UUID1))
	}
	trigger := func(ctx context.Context, c *monitoring.Client) error {
		return kit.Second(c.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{}))
	}
	for name, c := range map[string]struct {
		body string
		call func(context.Context, *monitoring.Client) error
	}{
		"numbers for variables": {fill("[", "0", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Collect(c.Variables.All(ctx, monitoring.VariableListOptions{})))
		}},
		"numbers for error groups": {fill("[", "1", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.ErrorGroups.ListForCheck(ctx, kit.UUID1, monitoring.ErrorGroupListOptions{}))
		}},
		"objects for alerts": {fill("[", "{}", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Collect(c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{})))
		}},
		"nulls for windows": {fill("[ ", "null", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{}))
		}},
		"numbers for locations": {fill("[", "7", "]"), func(ctx context.Context, c *monitoring.Client) error { return kit.Second(c.Locations.List(ctx)) }},
		"results of a session":  {fill(`{"name":"s","results":[`, "{}", "]}"), get},
		"numbers for places":    {fill(`{"runLocations":[`, "7", "]}"), get},
		"triggered sessions":    {fill(`{"sessions":[`, "{}", "]}"), trigger},
		"triggered numbers":     {fill(`{"sessions":[`, "7", "]}"), trigger},
		"variables of a group": {fill(`{"environmentVariables":[`, "{}", "]}"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Get(ctx, 1))
		}},
		"a list of an untyped call": {fill("[", "[]", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Do[[]wide](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"a list in an untyped call": {fill(`{"a":{"a":[`, "{}", "]}}"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Do[map[string]map[string][]*wide](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"objects of any type": {fill(`{"a":[`, "{}", "]}"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"items of any list": {fill("[", "{}", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Collect(monitoring.All[wide](ctx, c, "/v1/x", nil)))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			sent := 0
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return testkit.Respond(200, nil, c.body), nil
			}))
			var err error
			used := testkit.Allocated(func() { err = c.call(t.Context(), client) })
			require.ErrorIs(t, err, monitoring.ErrResponseTooLarge)
			require.Equal(t, strings.HasPrefix(name, "triggered"), errors.Is(err, monitoring.ErrOutcomeUnknown))
			require.Equal(t, 1, sent)
			require.Less(t, used, uint64(3*size), "it was decoded")
		})
	}
}

func TestAListMayTakeSixteenTimesItsSizeAndOneMebibyteMore(t *testing.T) {
	const most = 65537 // 64 bytes each as a value; three bytes each and one more as JSON
	for n, want := range map[int]error{most: nil, most + 1: monitoring.ErrResponseTooLarge} {
		client := kit.Client(t, testkit.Status(200, listOf("[", "{}", n, "]")))
		list, err := monitoring.Do[[]wide](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Len(t, *list, n)
		}
		items, err := monitoring.Collect(monitoring.All[wide](t.Context(), client, "/v1/x", nil))
		if want != nil {
			require.ErrorIs(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Len(t, items, n)
	}
}

func TestManyItemsOfUsualSizeAreRead(t *testing.T) {
	const n = 20000
	text := strings.Repeat("x", 250)
	client := func(before, after string) *monitoring.Client {
		return kit.Client(t, testkit.Status(200, listOf(before, `{"name":"`+text+`","checkSessionId":"s"}`, n, after)))
	}
	windows, err := client("[", "]").MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
	require.NoError(t, err)
	require.Len(t, windows.Items, n)
	sessions, err := client(`{"sessions":[`, "]}").CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
	require.NoError(t, err)
	require.Len(t, sessions, n)
	session, err := client(`{"results":[`, "]}").CheckSessions.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	require.Len(t, session.Results, n)
	maps, err := monitoring.Collect(monitoring.All[map[string]any](t.Context(), client("[", "]"), "/v1/x", nil))
	require.NoError(t, err)
	require.Equal(t, text, maps[n-1]["name"])
}

func TestJSONThatIsNestedVeryDeepIsRefused(t *testing.T) {
	type node struct{ Children []node }
	for name, c := range map[string]struct {
		body string
		call func(*monitoring.Client) error
	}{
		"lists": {strings.Repeat("[", 3<<20), func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, "GET", "/v1/x", nil, nil))
		}},
		"objects": {strings.Repeat(`{"children":[`, 200000) + strings.Repeat("]}", 200000), func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[node](t.Context(), c, "GET", "/v1/x", nil, nil))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.False(t, json.Valid([]byte(c.body)))
			var failed *monitoring.DecodeError
			require.ErrorAs(t, c.call(kit.Client(t, testkit.Status(200, c.body), monitoring.WithMaxRetries(0))), &failed, fmt.Sprint(len(c.body)))
		})
	}
}
