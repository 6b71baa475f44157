package faults_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
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

// TestNoResponseTakesMoreThanSixTimesTheMaximum has responses of the largest size that shall hurt.
// What a call allocates is more than what it takes at a time.
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
	window := func(ctx context.Context, c *monitoring.Client) (any, error) { return c.MaintenanceWindows.Get(ctx, 7) }
	statuses := func(ctx context.Context, c *monitoring.Client) (any, error) { return c.CheckStatuses.List(ctx) }
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
		"statuses that are null":              {"[null", ",null", "]", statuses, true},
		"results of a session":                {`{"results":[{}`, ",{}", "]}", session, true},
		"sessions of a trigger":               {`{"sessions":[{}`, ",{}", "]}", trigger, true},
		"a giant number":                      {`{"id":`, "9", "}", group, true},
		"a giant text beside a misfit":        {`{"concurrency":"x","name":"`, `\n`, `"}`, group, false},
		"a giant text for a time":             {`{"id":1,"created_at":"`, "1", `"}`, group, false},
		"giant escapes for a time":            {`{"id":1,"created_at":"`, `\n`, `"}`, group, false},
		"a giant text for a date":             {`{"id":7,"repeatEndsAt":"`, "1", `"}`, window, false},
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
	require.EqualError(t, err, "monitoring: POST /v2/check-sessions/trigger: the response has 10001 sessions, and at most 10000 can be awaited: response too large: the request succeeded: do not send it again")
	require.ErrorIs(t, err, monitoring.ErrResultLost)
	require.False(t, monitoring.SafeToRetry(err))
}

// TestManyItemsOfUsualSizeAreRead has 2,000 items of 300 bytes for a tenth of the default maximum,
// which stand for 20,000.
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

// listed is an item that counts how often it is decoded, and refuses negative numbers.
type listed struct {
	ID   int `json:"id"`
	Text string
}

var (
	listedDecoded int
	whenDecoded   func()
)

func (l *listed) UnmarshalJSON(data []byte) error {
	listedDecoded++
	if whenDecoded != nil {
		whenDecoded()
	}
	type plain listed
	if err := json.Unmarshal(data, (*plain)(l)); err != nil {
		return err
	}
	if l.ID < 0 {
		return errors.New("it is negative")
	}
	return nil
}

// onDecode calls f for each item that is decoded.
func onDecode(t *testing.T, f func()) {
	t.Helper()
	listedDecoded, whenDecoded = 0, f
	t.Cleanup(func() { whenDecoded = nil })
}

func TestALongListEndsWithItsFirstItemThatDoesNotFit(t *testing.T) {
	onDecode(t, nil)
	item := `{"id":1,"text":"` + strings.Repeat("x", 90) + `"}`
	client := kit.Client(t, testkit.Status(200, listOf("[", item, 2000, `,{"id":"x"},`)+listOf("", item, 5000, "]")))
	failed := kit.ErrAs[*monitoring.DecodeError](t, kit.Second(untyped[[]listed](t.Context(), client)))
	require.Equal(t, "$[2000]", failed.Path)
	require.Less(t, listedDecoded, 3000, "no more than one part of the rest is decoded")
	var partial []*listed
	require.NoError(t, json.Unmarshal(failed.Partial, &partial))
	require.Len(t, partial, 2001, "what is behind the item is not read")
	client = kit.Client(t, testkit.Status(200, listOf("[", `{"region":"eu-west-1","name":"`+strings.Repeat("x", 90)+`"}`, 2000, `,{"region":5}]`)))
	require.Equal(t, "$[2000].region", kit.ErrAs[*monitoring.DecodeError](t, kit.Second(client.Locations.List(t.Context()))).Path)
}

func TestDecodingEndsWithTheContext(t *testing.T) {
	long := listOf("[", `{"id":1,"text":"`+strings.Repeat("x", 1000)+`"}`, 1000, "]")
	readItemByItem := listOf("[", `{"id":-1}`, 10, ",") + long[1:]
	all := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return monitoring.Collect(monitoring.All[listed](ctx, c, "/v1/x", nil))
	}
	for body, most := range map[string]int{long: 200, readItemByItem: 200, `[{"id":1},{"id":2},{"id":3},{"id":4}]`: 4} {
		calls := []func(context.Context, *monitoring.Client) (any, error){all, untyped[[]listed]}
		if body == readItemByItem { // a list that comes whole ends with its first item
			calls = calls[:1]
		}
		for _, call := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			onDecode(t, func() {
				if listedDecoded == 3 {
					cancel()
				}
			})
			err := kit.Second(call(ctx, kit.Client(t, testkit.Status(200, body))))
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorContains(t, err, "GET /v1/x")
			require.LessOrEqual(t, listedDecoded, most, "%.20s", body)
		}
	}
}

func TestTooManyItemsThatCannotBeReadEndTheWalk(t *testing.T) {
	page := func(bad int) *monitoring.Client {
		return kit.Client(t, testkit.Status(200, listOf("[", `{"id":1}`, 50, ",")+listOf("", `{"repeatInterval":"often"}`, bad, ",")+listOf("", `{"id":3}`, 50, "]")))
	}
	for bad, ends := range map[int]bool{100: false, 101: true} {
		for _, ahead := range []int{0, 3} {
			var read []int64
			items, last := 0, error(nil)
			for w, err := range page(bad).MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 100, Page: 4}}, monitoring.WithReadAhead(ahead)) {
				last = err
				if _, ok := errors.AsType[*monitoring.ItemError](err); ok {
					items++
				} else if err == nil {
					read = append(read, w.ID)
				}
			}
			require.Equal(t, 100, items)
			if !ends {
				require.Equal(t, []int64{1, 3}, read)
				continue
			}
			require.Equal(t, []int64{1}, read, "the items after the error are not read")
			require.Equal(t, 4, kit.ErrAs[*monitoring.PageError](t, last).Page)
			require.EqualError(t, last, "monitoring: page 4: GET /v1/maintenance-windows: more than 100 items of the page cannot be read")
		}
	}
	var errs []error
	for p, err := range page(101).MaintenanceWindows.Pages(t.Context(), monitoring.MaintenanceWindowListOptions{}) {
		require.Equal(t, len(errs) > 0, p == nil)
		errs = append(errs, err)
	}
	require.Len(t, errs, 2)
	require.Len(t, errs[0].(interface{ Unwrap() []error }).Unwrap(), 100)
	require.ErrorContains(t, errs[1], "more than 100 items")
	err := kit.Second(page(101).MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{}))
	require.Equal(t, 50, kit.ErrAs[*monitoring.ItemError](t, err).Index)
}

func TestItemsThatCannotBeReadCostLittle(t *testing.T) {
	item := `{"id":1,"text":"` + strings.Repeat("x", 300) + `"}`
	for name, body := range map[string]string{
		"one of many":  listOf("[", item, 1000, `,{"id":-1}]`),
		"a long row":   listOf("[", `{"id":-1,"text":"`+strings.Repeat("x", 100)+`"}`, 3000, `]`),
		"every tenth":  listOf("[", listOf("", item, 9, `,{"id":-1}`), 90, `]`),
		"one at first": listOf(`[{"id":-1},`, item, 1000, `]`),
	} {
		onDecode(t, nil)
		client := kit.Client(t, testkit.Status(200, body))
		for _, err := range monitoring.All[listed](t.Context(), client, "/v1/x", nil) {
			if err != nil {
				require.ErrorContains(t, err, "it is negative", name)
				break
			}
		}
		require.Less(t, listedDecoded, 4*strings.Count(body, "id"), name)
	}
}

// TestTheLargestListsOfEightCallsFit keeps what eight calls at once return for the longest list
// that is read: 24 times the maximum are the 384 MiB that docs/production.md states for the
// default.
func TestTheLargestListsOfEightCallsFit(t *testing.T) {
	testkit.SkipUnderRace(t)
	const maximum = 1 << 20
	type list func(ctx context.Context, c *monitoring.Client) (any, error)
	reads := map[string]list{
		"locations":         func(ctx context.Context, c *monitoring.Client) (any, error) { return c.Locations.List(ctx) },
		"private locations": func(ctx context.Context, c *monitoring.Client) (any, error) { return c.PrivateLocations.List(ctx) },
		"statuses":          func(ctx context.Context, c *monitoring.Client) (any, error) { return c.CheckStatuses.List(ctx) },
		"variables": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.Variables.List(ctx, monitoring.VariableListOptions{})
		},
		"checks": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.Checks.List(ctx, monitoring.CheckListOptions{})
		},
		"groups": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.CheckGroups.List(ctx, monitoring.CheckGroupListOptions{})
		},
		"windows": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
		},
		"channels": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.AlertChannels.List(ctx, monitoring.ListOptions{})
		},
		"notifications": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{})
		},
		"results": func(ctx context.Context, c *monitoring.Client) (any, error) {
			return c.CheckResults.List(ctx, kit.UUID1, monitoring.CheckResultListOptions{})
		},
	}
	var draw testkit.Draw
	for _, name := range slices.Sorted(maps.Keys(reads)) { // the items of a page, of checks, or of a list that comes whole
		read, shape := reads[name], "page"
		if slices.Contains([]string{"checks", "locations", "statuses"}, name) {
			shape = name
		}
		if !draw.Take(shape) {
			continue
		}
		for _, item := range []string{"{}", "null"} {
			if item == "null" && name != "statuses" { // other lists with null are errors
				continue
			}
			n := maximum / (len(item) + 1)
			client := func() *monitoring.Client {
				return kit.Client(t, testkit.Status(200, listOf("[", item, n, "]")), monitoring.WithMaxResponseSize(maximum))
			}
			for errors.Is(kit.Second(read(t.Context(), client())), monitoring.ErrResponseTooLarge) {
				n -= n / 8
			}
			require.Greater(t, n, 500, "%s of %s", name, item)
			eight := client()
			var kept [8]any
			var calls sync.WaitGroup
			used := held(func() {
				for i := range kept {
					calls.Go(func() { kept[i], _ = read(t.Context(), eight) })
				}
				calls.Wait()
			})
			runtime.KeepAlive(kept)
			t.Logf("%-18s of %-10s %.1f times the maximum", name, item, float64(used)/maximum)
			require.Less(t, used, int64(24*maximum), "%s of %s", name, item)
		}
	}
}

// held returns how many bytes of memory are in use after f that were not before.
func held(f func()) int64 {
	inUse := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before := inUse()
	f()
	return inUse() - before
}
