package faults_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestResponsesOverRealConnectionsAreBounded(t *testing.T) {
	var bomb bytes.Buffer
	w, err := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	require.NoError(t, err)
	w.Write(make([]byte, 16<<20))
	w.Close()
	for name, handler := range map[string]http.HandlerFunc{
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		},
		"very long headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2<<20))
			w.Write([]byte("[]"))
		},
	} {
		server := httptest.NewServer(handler)
		client := overNetwork(t, server.URL, monitoring.WithMaxResponseSize(1<<20))
		var err error
		used := testkit.Allocated(func() { err = kit.Second(client.Locations.List(t.Context())) })
		require.ErrorIs(t, err, monitoring.ErrResponseTooLarge, name)
		require.NotContains(t, err.Error(), "attempts", name)
		require.Less(t, used, uint64(12<<20), name)
		client.CloseIdleConnections()
		server.Close()
	}
}

// listOf returns a JSON list of n equal items, with something around it.
func listOf(before, item string, n int, after string) string {
	return before + strings.Repeat(item+",", n-1) + item + after
}

// wide has the size of many items.
type wide struct {
	A, B, C, D, E, F, G, H int64
}

func TestValuesMayTakeOneAndAHalfTimesTheMaximum(t *testing.T) {
	const maximum = 1 << 20
	const most = maximum * 3 / 2 / (64 + 3) // 64 bytes each as a value; three bytes each and one more as JSON
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

func untyped[T any](ctx context.Context, c *monitoring.Client) (any, error) {
	return monitoring.Do[T](ctx, c, "GET", "/v1/x", nil, nil)
}

// TestNoResponseTakesMoreThanSixTimesTheMaximum has responses of the largest size that shall hurt. What
// a call allocates is more than what it takes at a time.
func TestNoResponseTakesMoreThanSixTimesTheMaximum(t *testing.T) {
	testkit.SkipUnderRace(t)
	const maximum = 2 << 20
	windows := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
	}
	alerts := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return monitoring.Collect(c.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{}))
	}
	session := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.CheckSessions.Get(ctx, kit.UUID1)
	}
	result := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.CheckResults.Get(ctx, kit.UUID1, "r")
	}
	group := func(ctx context.Context, c *monitoring.Client) (any, error) { return c.CheckGroups.Get(ctx, 1) }
	trigger := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	}
	for name, c := range map[string]struct {
		before, item, after string
		call                func(context.Context, *monitoring.Client) (any, error)
		tooLarge            bool
	}{
		"items that do not fit":               {"[{}", `,{"id":"x"}`, "]", windows, true},
		"one long item that does not fit":     {`[{"id":"1","name":"`, "x", `"}]`, windows, false},
		"objects for alerts":                  {"[{}", ",{}", "]", alerts, true},
		"results of a session":                {`{"results":[{}`, ",{}", "]}", session, true},
		"sessions of a trigger":               {`{"sessions":[{}`, ",{}", "]}", trigger, true},
		"a giant number":                      {`{"id":`, "9", "}", group, true},
		"a giant text beside a misfit":        {`{"concurrency":"x","name":"`, `\n`, `"}`, group, false},
		"a giant text that is not UTF-8":      {`{"name":"`, "\xff", `"}`, group, true},
		"a giant text that becomes longer":    {`{"apiCheckDefaults":{"assertions":[{"target":{"a":"`, "<", `"}}]}}`, group, false},
		"names without a field":               {`{"id":"r"`, `,"z":0`, "}", result, true},
		"a log beside a member that is fixed": {`{"id":"r","attempts":1.0,"apiCheckResult":{"jobLog":[{}`, `,{"a":1}`, "]}}", result, false},
		"objects of any type":                 {"[{}", `,{"a":0}`, "]", untyped[any], true},
		"objects in objects":                  {`{"a":{"a":[{}`, `,{}`, "]}}", untyped[map[string]map[string][]*wide], true},
	} {
		body := c.before + strings.Repeat(c.item, (maximum-1000)/len(c.item)) + c.after
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return withBody(200, -1, strings.NewReader(body)), nil // reading it takes twice its size
		}), monitoring.WithMaxResponseSize(maximum))
		var err error
		used := testkit.Allocated(func() { _, err = c.call(t.Context(), client) })
		t.Logf("%-36s %.1f times the maximum", name, float64(used)/maximum)
		require.Equal(t, c.tooLarge, errors.Is(err, monitoring.ErrResponseTooLarge), "%s: %v", name, err)
		require.Equal(t, name == "sessions of a trigger", errors.Is(err, monitoring.ErrOutcomeUnknown), name)
		require.Less(t, used, uint64(6*maximum), name)
		require.Equal(t, 1, sent, name)
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

// TestManyItemsOfUsualSizeAreRead has 2,000 items of 300 bytes for a tenth of the default maximum, which stand for 20,000.
func TestManyItemsOfUsualSizeAreRead(t *testing.T) {
	const n = 2000
	item := `{"name":"` + strings.Repeat("x", 258) + `","checkSessionId":"s"}`
	client := func(before, after string) *monitoring.Client {
		return kit.Client(t, testkit.Status(200, listOf(before, item, n, after)), monitoring.WithMaxResponseSize(16<<20/10))
	}
	require.NoError(t, kit.Second(client("[", "]").MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})))
	require.NoError(t, kit.Second(client(`{"sessions":[`, "]}").CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})))
	require.NoError(t, kit.Second(client(`{"results":[`, "]}").CheckSessions.Get(t.Context(), kit.UUID1)))
	require.NoError(t, kit.Second(monitoring.Collect(monitoring.All[map[string]any](t.Context(), client("[", "]"), "/v1/x", nil))))
}

func TestJSONThatIsNestedVeryDeepIsRefused(t *testing.T) {
	type node struct{ Children []node }
	body := strings.Repeat(`{"children":[`, 10_000) + strings.Repeat("]}", 10_000)
	require.ErrorAs(t, kit.Second(untyped[node](t.Context(), kit.Client(t, testkit.Status(200, body), monitoring.WithMaxRetries(0)))), new(*monitoring.DecodeError))
}
