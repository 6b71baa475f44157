package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// BenchmarkWalk iterates over a thousand checks, which come in ten pages and an empty one. The
// service is in memory, so that only the client is measured.
func BenchmarkWalk(b *testing.B) {
	pages := make([]string, 12)
	for i := range 10 {
		items := make([]string, 100)
		for j := range items {
			items[j] = fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","checkType":"API","name":"Check %d","activated":true,"muted":false,"frequency":10,`+
				`"tags":["production"],"locations":["eu-central-1"],"request":{"method":"GET","url":"https://api.shop.test/health","assertions":[]},`+
				`"alertSettings":{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":1}},`+
				`"created_at":"2026-07-14T09:12:44.310Z","updated_at":null}`, i*100+j, i*100+j)
		}
		pages[i+1] = "[" + strings.Join(items, ",") + "]"
	}
	pages[11] = "[]" // nothing else says that the list ends
	client := clientOf(b, func(req *http.Request) string {
		number, _ := strconv.Atoi(req.URL.Query().Get("page"))
		return pages[max(number, 1)]
	})
	for b.Loop() {
		checks := 0
		for _, err := range client.Checks.All(b.Context(), monitoring.CheckListOptions{}) {
			if err != nil {
				b.Fatal(err)
			}
			checks++
		}
		if checks != 1000 {
			b.Fatal(checks, "checks")
		}
	}
}

// BenchmarkWaitAll waits for a thousand sessions that have ended.
func BenchmarkWaitAll(b *testing.B) {
	client := clientOf(b, func(req *http.Request) string {
		return fmt.Sprintf(`{"checkSessionId":%q,"status":"PASSED","startedAt":"2026-08-19T10:15:00.120Z","stoppedAt":"2026-08-19T10:15:09.120Z",`+
			`"name":"Login","checkType":"API","checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","timeElapsed":9000,"runLocations":["eu-central-1"],"results":[]}`,
			path.Base(strings.TrimSuffix(req.URL.Path, "/completion")))
	})
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	}
	for b.Loop() {
		sessions := 0
		for _, err := range client.CheckSessions.WaitAll(b.Context(), ids, monitoring.WaitOptions{}) {
			if err != nil {
				b.Fatal(err)
			}
			sessions++
		}
		if sessions != len(ids) {
			b.Fatal(sessions, "sessions")
		}
	}
}

// clientOf returns a client, without a limit to speak of, of a service that is a function.
func clientOf(b *testing.B, respond func(*http.Request) string) *monitoring.Client {
	b.Helper()
	b.ReportAllocs()
	client, err := monitoring.NewClient("https://monitoring.test", key, monitoring.WithHTTPClient(&http.Client{Transport: answers(respond)}),
		monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1_000_000, Per: time.Second}))
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// answers is a service that is a function.
type answers func(*http.Request) string

func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	body := a(req)
	header := http.Header{"Content-Type": {"application/json"}}
	return &http.Response{
		StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}
