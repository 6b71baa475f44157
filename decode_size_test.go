package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
	get := func(ctx context.Context, c *Client) error { return second(c.CheckSessions.Get(ctx, uuid1)) }
	trigger := func(ctx context.Context, c *Client) error {
		return second(c.CheckSessions.TriggerAndWait(ctx, TriggerRequest{AllChecks: true}, WaitOptions{}))
	}
	for name, c := range map[string]struct {
		body string
		call func(context.Context, *Client) error
	}{
		"numbers for variables": {fill("[", "0", "]"), func(ctx context.Context, c *Client) error {
			return second(Collect(c.Variables.All(ctx, VariableListOptions{})))
		}},
		"numbers for error groups": {fill("[", "1", "]"), func(ctx context.Context, c *Client) error {
			return second(c.ErrorGroups.ListForCheck(ctx, uuid1, ErrorGroupListOptions{}))
		}},
		"objects for alerts": {fill("[", "{}", "]"), func(ctx context.Context, c *Client) error {
			return second(Collect(c.AlertNotifications.All(ctx, AlertNotificationListOptions{})))
		}},
		"nulls for windows": {fill("[ ", "null", "]"), func(ctx context.Context, c *Client) error {
			return second(c.MaintenanceWindows.List(ctx, MaintenanceWindowListOptions{}))
		}},
		"numbers for locations": {fill("[", "7", "]"), func(ctx context.Context, c *Client) error { return second(c.Locations.List(ctx)) }},
		"results of a session":  {fill(`{"name":"s","results":[`, "{}", "]}"), get},
		"numbers for places":    {fill(`{"runLocations":[`, "7", "]}"), get},
		"triggered sessions":    {fill(`{"sessions":[`, "{}", "]}"), trigger},
		"triggered numbers":     {fill(`{"sessions":[`, "7", "]}"), trigger},
		"variables of a group": {fill(`{"environmentVariables":[`, "{}", "]}"), func(ctx context.Context, c *Client) error {
			return second(c.CheckGroups.Get(ctx, 1))
		}},
		"a list of an untyped call": {fill("[", "[]", "]"), func(ctx context.Context, c *Client) error {
			return second(Do[[]wide](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"a list in an untyped call": {fill(`{"a":{"a":[`, "{}", "]}}"), func(ctx context.Context, c *Client) error {
			return second(Do[map[string]map[string][]*wide](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"objects of any type": {fill(`{"a":[`, "{}", "]}"), func(ctx context.Context, c *Client) error {
			return second(Do[any](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"items of any list": {fill("[", "{}", "]"), func(ctx context.Context, c *Client) error {
			return second(Collect(All[wide](ctx, c, "/v1/x", nil)))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			sent := 0
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return respondWith(200, nil, c.body), nil
			}))
			var err error
			used := testkit.Allocated(func() { err = c.call(t.Context(), client) })
			require.ErrorIs(t, err, ErrResponseTooLarge)
			require.Equal(t, strings.HasPrefix(name, "triggered"), errors.Is(err, ErrOutcomeUnknown))
			require.Equal(t, 1, sent)
			require.Less(t, used, uint64(3*size), "it was decoded")
		})
	}
}

func TestAListMayTakeSixteenTimesItsSizeAndOneMebibyteMore(t *testing.T) {
	const most = 65537 // 64 bytes each as a value; three bytes each and one more as JSON
	for n, want := range map[int]error{most: nil, most + 1: ErrResponseTooLarge} {
		client := testClient(t, status(200, listOf("[", "{}", n, "]")))
		list, err := Do[[]wide](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Len(t, *list, n)
		}
		items, err := Collect(All[wide](t.Context(), client, "/v1/x", nil))
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
	client := func(before, after string) *Client {
		return testClient(t, status(200, listOf(before, `{"name":"`+text+`","checkSessionId":"s"}`, n, after)))
	}
	windows, err := client("[", "]").MaintenanceWindows.List(t.Context(), MaintenanceWindowListOptions{})
	require.NoError(t, err)
	require.Len(t, windows.Items, n)
	sessions, err := client(`{"sessions":[`, "]}").CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true})
	require.NoError(t, err)
	require.Len(t, sessions, n)
	session, err := client(`{"results":[`, "]}").CheckSessions.Get(t.Context(), uuid1)
	require.NoError(t, err)
	require.Len(t, session.Results, n)
	maps, err := Collect(All[map[string]any](t.Context(), client("[", "]"), "/v1/x", nil))
	require.NoError(t, err)
	require.Equal(t, text, maps[n-1]["name"])
}

func TestJSONThatIsNestedVeryDeepIsRefused(t *testing.T) {
	type node struct{ Children []node }
	for name, c := range map[string]struct {
		body string
		call func(*Client) error
	}{
		"lists": {strings.Repeat("[", 3<<20), func(c *Client) error { return second(Do[any](t.Context(), c, "GET", "/v1/x", nil, nil)) }},
		"objects": {strings.Repeat(`{"children":[`, 200000) + strings.Repeat("]}", 200000), func(c *Client) error {
			return second(Do[node](t.Context(), c, "GET", "/v1/x", nil, nil))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.False(t, json.Valid([]byte(c.body)))
			var failed *DecodeError
			require.ErrorAs(t, c.call(testClient(t, status(200, c.body), WithMaxRetries(0))), &failed, fmt.Sprint(len(c.body)))
		})
	}
}
