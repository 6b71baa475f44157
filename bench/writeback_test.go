package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const checkID = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"

// checkBody is an API check of 1.4 KB.
func checkBody() string {
	return `{"id":"` + checkID + `","checkType":"API","name":"Basket API","frequency":10,"frequencyOffset":3,"activated":true,"muted":false,"shouldFail":false,` +
		`"locations":["eu-central-1","us-east-1"],"privateLocations":[],"tags":["production","api"],"groupId":null,"groupOrder":null,` +
		`"runtimeId":null,"degradedResponseTime":5000,"maxResponseTime":20000,"useGlobalAlertSettings":false,"runParallel":true,"description":null,` +
		`"alertSettings":{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":2},"reminders":{"amount":1,"interval":10},` +
		`"parallelRunFailureThreshold":{"enabled":false,"percentage":10}},"alertChannelSubscriptions":[{"alertChannelId":263584,"activated":true}],` +
		`"environmentVariables":[{"key":"BASE","value":"https://basket.shop.test","locked":false,"secret":false}],` +
		`"retryStrategy":{"type":"LINEAR","baseBackoffSeconds":30,"maxRetries":2,"maxDurationSeconds":300,"sameRegion":true},` +
		`"request":{"method":"GET","url":"https://api.shop.test/basket","followRedirects":true,"skipSSL":false,"body":"","bodyType":"NONE","ipFamily":"IPv4",` +
		`"headers":[{"key":"Accept","value":"application/json","locked":false}],"queryParameters":[],` +
		`"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","property":"","target":"200","regex":null}],"basicAuth":{"username":"","password":""}},` +
		`"setupSnippetId":null,"tearDownSnippetId":null,"localSetupScript":null,"localTearDownScript":null,` +
		`"created_at":"2026-07-14T09:12:44.310Z","updated_at":"2026-08-01T07:00:00.000Z"}`
}

// inMemory answers each request with the check or the group, without a network.
type inMemory struct{}

func (inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	bodies := ofCheck
	if strings.Contains(r.URL.Path, "check-groups") {
		bodies = ofGroup
	}
	body := bodies[0]
	if r.Method == http.MethodPut {
		body = bodies[1]
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// ofCheck and ofGroup are what a read and an update respond. Each update mutes.
var ofCheck, ofGroup = responses(checkBody()), responses(groupBody())

func responses(body string) [2]string {
	return [2]string{body, strings.Replace(body, `"muted":false`, `"muted":true`, 1)}
}

// writeBack is a call that is measured.
type writeBack struct {
	name string
	most float64 // allocations that it may make; 0 for any number
	call func() error
}

// writeBacks are the calls, on a client for which nothing waits: each response is there at once.
func writeBacks(b testing.TB) []writeBack {
	const address = "https://service.test"
	client, err := monitoring.NewClient(address, key, monitoring.WithHTTPClient(&http.Client{Transport: inMemory{}}),
		monitoring.WithRateLimit(monitoring.RateLimit{Requests: 100_000_000, Per: time.Second}))
	if err != nil {
		b.Fatal(err)
	}
	ctx := b.Context()
	check, err := client.Checks.Get(ctx, checkID)
	if err != nil {
		b.Fatal(err)
	}
	group, err := client.CheckGroups.Get(ctx, 4712)
	if err != nil {
		b.Fatal(err)
	}
	if check.API == nil {
		b.Fatal("no API check")
	}
	wish := check.Template()
	edit := func(change func(*monitoring.Check) error) func() error {
		return func() error {
			_, err := client.Checks.Edit(ctx, checkID, change)
			return err
		}
	}
	return []writeBack{
		{"get/by=floor", 0, func() error { _, err := floorCall(ctx, http.MethodGet, address+"/v1/checks/"+checkID, nil); return err }},
		{"get/by=sdk", 150, func() error { _, err := client.Checks.Get(ctx, checkID); return err }},
		{"edit_of_one_field/by=floor", 0, func() error {
			read, err := floorCall(ctx, http.MethodGet, address+"/v1/checks/"+checkID, nil)
			if err == nil {
				read["muted"] = true
				_, err = floorCall(ctx, http.MethodPut, address+"/v1/checks/api/"+checkID, read)
			}
			return err
		}},
		{"edit_of_one_field/by=sdk", 420, edit(func(u *monitoring.Check) error { u.Muted = new(true); return nil })},
		{"edit_of_nothing/by=sdk", 250, edit(func(*monitoring.Check) error { return nil })},
		{"edit_to_an_equal_wish/by=sdk", 450, edit(func(u *monitoring.Check) error { return u.SetFrom(wish) })},
		{"put_of_what_was_read/by=sdk", 350, func() error {
			u := check.Clone()
			u.Muted = new(true)
			_, err := client.Checks.Update(ctx, u)
			return err
		}},
		{"put_of_a_group/by=sdk", 350, func() error {
			changed := group.Clone()
			changed.Muted = new(true)
			_, err := client.CheckGroups.Update(ctx, changed)
			return err
		}},
		{"put_of_one_field/by=sdk", 180, func() error {
			_, err := client.Checks.Update(ctx, &monitoring.Check{ID: checkID, CheckType: monitoring.CheckTypeAPI, Muted: new(true)})
			return err
		}},
		{"diff_of_one_change/by=sdk", 200, func() error {
			u := check.Clone()
			u.Muted = new(true)
			if n := len(u.Diff()); n != 1 {
				return fmt.Errorf("%d changes", n)
			}
			return nil
		}},
	}
}

// BenchmarkWriteBack measures what a call costs beside the network. The floor decodes into a map,
// which is the least that loses nothing.
func BenchmarkWriteBack(b *testing.B) {
	for _, way := range writeBacks(b) {
		b.Run("case="+way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := way.call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestWriteBacksAllocateLittle holds what README.md says of them.
func TestWriteBacksAllocateLittle(t *testing.T) {
	for _, way := range writeBacks(t) {
		if way.most == 0 {
			continue
		}
		allocations := testing.AllocsPerRun(100, func() {
			if err := way.call(); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %.0f", way.name, allocations)
		if allocations > way.most {
			t.Errorf("%s: %.0f allocations, want at most %.0f", way.name, allocations, way.most)
		}
	}
}

// floorCall is net/http and encoding/json alone.
func floorCall(ctx context.Context, method, url string, in map[string]any) (out map[string]any, err error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := (&http.Client{Transport: inMemory{}}).Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(data, &out)
}
