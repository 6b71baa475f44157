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
	for name, c := range map[string]struct {
		body string
		call func(context.Context, *monitoring.Client) error
	}{
		"objects for alerts": {fill("[", "{}", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Collect(c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{})))
		}},
		"triggered sessions": {fill(`{"sessions":[`, "{}", "]}"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{}))
		}},
		"a list in an untyped call": {fill(`{"a":{"a":[`, "{}", "]}}"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Do[map[string]map[string][]*wide](ctx, c, "GET", "/v1/x", nil, nil))
		}},
		"items of any list": {fill("[", "{}", "]"), func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(monitoring.Collect(monitoring.All[wide](ctx, c, "/v1/x", nil)))
		}},
	} {
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return testkit.Respond(200, nil, c.body), nil
		}))
		var err error
		used := testkit.Allocated(func() { err = c.call(t.Context(), client) })
		require.ErrorIs(t, err, monitoring.ErrResponseTooLarge, name)
		require.Equal(t, name == "triggered sessions", errors.Is(err, monitoring.ErrOutcomeUnknown), name)
		require.Equal(t, 1, sent, name)
		require.Less(t, used, uint64(3*size), "%s: it was decoded", name)
	}
}

func TestMoreSessionsThanCanBeWaitedForAreAnError(t *testing.T) {
	var sessions []string
	for i := range 10_001 {
		sessions = append(sessions, fmt.Sprintf(`{"checkSessionId":"%d"}`, i))
	}
	client := kit.Client(t, testkit.Status(201, `{"sessions":[`+strings.Join(sessions, ",")+"]}"))
	_, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	require.ErrorIs(t, err, monitoring.ErrResponseTooLarge)
	require.EqualError(t, err, "monitoring: POST /v2/check-sessions/trigger: the response has 10001 sessions, and at most 10000 are waited for: monitoring: response too large (it was carried out)")
}

func TestValuesMayTakeOneAndAHalfTimesTheMaximum(t *testing.T) {
	const maximum = 4 << 20
	const most = 6 << 20 / (64 + 3) // 64 bytes each as a value; three bytes each and one more as JSON
	for n, want := range map[int]error{most: nil, most + 1: monitoring.ErrResponseTooLarge} {
		client := kit.Client(t, testkit.Status(200, listOf("[", "{}", n, "]")), monitoring.WithMaxResponseSize(maximum))
		list, err := monitoring.Do[[]wide](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Len(t, *list, n)
		}
		require.ErrorIs(t, kit.Second(monitoring.Collect(monitoring.All[wide](t.Context(), client, "/v1/x", nil))), want)
	}
	small := kit.Client(t, testkit.Status(200, listOf("[", "{}", 1000, "]")), monitoring.WithMaxResponseSize(4000))
	require.NoError(t, kit.Second(monitoring.Do[[]wide](t.Context(), small, "GET", "/v1/x", nil, nil)), "however small the maximum is, they may take 1 MiB")
}

func TestManyItemsOfUsualSizeAreRead(t *testing.T) {
	const n = 20000
	text := strings.Repeat("x", 258) // 300 bytes for an item
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

	log := kit.Client(t, testkit.Status(200, listOf(`{"id":"r","apiCheckResult":{"jobLog":[`, `{"time":1787134532511,"msg":"GET /","level":"INFO"}`, 10<<20/50, "]}}")))
	result, err := log.CheckResults.Get(t.Context(), kit.UUID1, "r")
	require.NoError(t, err)
	require.Greater(t, len(result.APICheckResult.JobLog), 10_000_000)
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
