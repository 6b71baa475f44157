// Package bench measures the SDK against its floor: net/http and encoding/json alone,
// doing the same request and decoding the same body into the same types.
//
//	go test -bench=. -count=10 | tee new.txt && go run golang.org/x/perf/cmd/benchstat@latest -col /by new.txt
package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// canned answers every request with one body, without a network.
type canned []byte

func (c canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		ContentLength: int64(len(c)), Body: io.NopCloser(bytes.NewReader(c)), Request: req,
	}, nil
}

// alertPage is a page of 100 alert notifications.
func alertPage() []byte {
	const item = `{"id":"0c9f0e2b-6a3e-4f4d-9c57-6c1f5b7e8%03d","type":"WEBHOOK","status":"FAILURE",` +
		`"alertConfig":{"name":"incident hook","url":"https://hooks.shop.test/x","method":"POST","headers":[{"key":"x-env","value":"prod","locked":false}],"queryParameters":[]},` +
		`"notificationResult":"{\"error\":\"upstream 503\"}","timestamp":"2026-08-19T10:16:01.000Z","checkType":"API",` +
		`"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","checkAlertId":"f2b7a6c5-1d0e-4b3a-9f8e-7d6c5b4a3f21","alertChannelId":263584,` +
		`"checkResultId":"1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"}`
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(item, i)
	}
	return []byte("[" + strings.Join(items, ",") + "]")
}

// unlimited is a limit that no benchmark reaches.
var unlimited = []monitoring.ClientOption{
	monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1 << 20, Per: time.Millisecond}),
	monitoring.WithRouteRateLimit("GET /v1/alert-notifications", monitoring.RateLimit{Requests: 1 << 20, Per: time.Millisecond}),
}

func newClient(b *testing.B, url string, transport http.RoundTripper) *monitoring.Client {
	b.Helper()
	client, err := monitoring.NewClient(url, "key", append(unlimited, monitoring.WithHTTPClient(&http.Client{Transport: transport}))...)
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// floor does what a program without the SDK does.
func floor[T any](b *testing.B, client *http.Client, url string) T {
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer key")
	req.Header.Set("Accept", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		b.Fatal(err)
	}
	return out
}

// BenchmarkPage decodes a page of 100 alert notifications from memory.
func BenchmarkPage(b *testing.B) {
	page := alertPage()
	b.Run("by=floor", func(b *testing.B) {
		client := &http.Client{Transport: canned(page)}
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		for b.Loop() {
			if list := floor[[]monitoring.AlertNotification](b, client, "https://monitoring.test/v1/alert-notifications?limit=100"); len(list) != 100 {
				b.Fatal(len(list))
			}
		}
	})
	b.Run("by=floor-maps", func(b *testing.B) {
		client := &http.Client{Transport: canned(page)}
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		for b.Loop() {
			if list := floor[[]map[string]any](b, client, "https://monitoring.test/v1/alert-notifications?limit=100"); len(list) != 100 {
				b.Fatal(len(list))
			}
		}
	})
	b.Run("by=sdk", func(b *testing.B) {
		client := newClient(b, "https://monitoring.test", canned(page))
		options := monitoring.AlertNotificationListOptions{ListOptions: monitoring.ListOptions{Limit: 100}}
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		for b.Loop() {
			list, err := client.AlertNotifications.List(b.Context(), options)
			if err != nil || len(list.Items) != 100 {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCall is a small call from memory: what the path of a call costs.
func BenchmarkCall(b *testing.B) {
	body := []byte(`[{"region":"eu-west-1","name":"Ireland"}]`)
	b.Run("by=floor", func(b *testing.B) {
		client := &http.Client{Transport: canned(body)}
		b.ReportAllocs()
		for b.Loop() {
			floor[[]monitoring.Location](b, client, "https://monitoring.test/v1/locations")
		}
	})
	b.Run("by=sdk", func(b *testing.B) {
		client := newClient(b, "https://monitoring.test", canned(body))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := client.Locations.List(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLoopback is a small call over real connections, from many goroutines.
func BenchmarkLoopback(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `[{"region":"eu-west-1","name":"Ireland"}]`)
	}))
	defer server.Close()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 128
	b.Run("by=floor", func(b *testing.B) {
		client := &http.Client{Transport: transport}
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				floor[[]monitoring.Location](b, client, server.URL+"/v1/locations")
			}
		})
	})
	b.Run("by=sdk", func(b *testing.B) {
		client := newClient(b, server.URL, transport)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := client.Locations.List(b.Context()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkLimiter is a place of a limiter that is never used up.
func BenchmarkLimiter(b *testing.B) {
	limiter, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1 << 20, Per: time.Millisecond})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := limiter.Wait(b.Context()); err != nil {
				b.Error(err)
			}
		}
	})
}
