package lists_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const opResults = "GET /v2/check-results/{checkId}"

func TestTheResultsOfACheckAreReadByCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		check := svc.AddCheck(monitoringtest.Check{RunTime: time.Second})
		client := kit.Fake(t, svc)
		for range 5 {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{check}}})
			require.NoError(t, err)
			time.Sleep(time.Minute)
		}
		options := monitoring.CheckResultListOptions{Limit: 2}
		all, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options, monitoring.WithReadAhead(8)))
		require.NoError(t, err)
		require.Len(t, all, 5)
		for i := range all[1:] {
			require.True(t, all[i].CreatedAt.After(all[i+1].CreatedAt.Time))
		}

		var one []string // page by page, with a call for each
		for page := new(monitoring.Page[monitoring.CheckResult]); ; options.NextID = page.NextID {
			page, err = client.CheckResults.List(t.Context(), check, options)
			require.NoError(t, err)
			for _, result := range page.Items {
				one = append(one, result.ID)
			}
			if require.Equal(t, page.NextID != "", page.HasMore); !page.HasMore {
				break
			}
		}
		require.Len(t, one, 5)

		svc.Inject(monitoringtest.Fault{Operation: opResults, Status: 403, After: 2, Times: 1})
		options.NextID = ""
		first, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options))
		failed, ok := errors.AsType[*monitoring.PageError](err)
		require.True(t, ok, "%v", err)
		options.NextID = failed.NextID
		rest, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), check, options))
		require.NoError(t, err)
		require.Equal(t, all, append(first, rest...))

		result, err := client.CheckResults.List(t.Context(), check, monitoring.CheckResultListOptions{Fields: []string{"id", "createdAt"}})
		require.NoError(t, err)
		require.Equal(t, monitoring.CheckResult{ID: all[0].ID, CreatedAt: all[0].CreatedAt}, result.Items[0], "a projection has what it was asked for")
	})
}

func TestOptionsOfResultsAreChecked(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"length":0}`)
	at := time.Unix(1000, 500)
	for want, options := range map[string]monitoring.CheckResultListOptions{
		"limit: 101 is outside 1..100": {Limit: 101}, "limit: -1 is outside 1..100": {Limit: -1}, "to: must be after from": {From: at, To: at},
		"fields: must not be empty": {Fields: []string{"id", ""}}, `fields: "a,b" has a comma`: {Fields: []string{"a,b"}},
	} {
		count, err := drain(client.CheckResults.PagesForCheck(t.Context(), kit.UUID1, options))
		require.Equal(t, 1, count)
		require.ErrorContains(t, err, want)
		require.Equal(t, options.Validate(), err)
	}
	require.Zero(t, sent.GetTotalCallCount())
	_, err := client.CheckResults.List(t.Context(), kit.UUID1, monitoring.CheckResultListOptions{From: at, To: at.Add(time.Second)})
	require.NoError(t, err)
	require.Equal(t, "from=1000&to=1002", sent.Sent[0].Query(t), "the period is widened to whole seconds")
}

// TestTenThousandResultsTakeLittleMemory reads results of 2 KB each, at the limit of their route.
func TestTenThousandResultsTakeLittleMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := strings.Repeat("x", 2_000)
		var queries []url.Values
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			query := req.URL.Query()
			queries = append(queries, query)
			first, _ := strconv.Atoi(query.Get("nextId"))
			var body strings.Builder
			for i := first; i < first+100; i++ {
				fmt.Fprintf(&body, `,{"id":"r%d","apiCheckResult":{"response":{"body":%q}}}`, i, log)
			}
			next := strconv.Quote(strconv.Itoa(first + 100))
			if first == 9900 {
				next = "null"
			}
			return testkit.Respond(200, nil, `{"length":100,"entries":[`+body.String()[1:]+`],"nextId":`+next+`}`), nil
		}))
		began, read, most := time.Now(), 0, uint64(0)
		for result, err := range client.CheckResults.AllForCheck(t.Context(), kit.UUID1, monitoring.CheckResultListOptions{}) {
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint("r", read), result.ID)
			if read++; read%1000 == 500 {
				var mem runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&mem)
				most = max(most, mem.HeapAlloc)
			}
		}
		require.Equal(t, 10_000, read)
		require.Len(t, queries, 100)
		require.NotContains(t, queries[99], "page")
		require.Equal(t, "9900", queries[99].Get("nextId"))
		require.Less(t, most, uint64(8<<20), "of 20 MB only a page is kept")
		require.GreaterOrEqual(t, time.Since(began), time.Minute, "60 requests in 60 seconds")
		require.Less(t, time.Since(began), 2*time.Minute)
		t.Logf("%d MiB, %s", most>>20, time.Since(began))
	})
}
