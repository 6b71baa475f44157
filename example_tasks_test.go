package monitoring_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// otherOperations are those of docs/other-operations.md, with what a service responds.
var otherOperations = map[string]string{
	"GET /v1/accounts/me/members":         `{"length":1,"members":[{"id":"m1","name":"Ada"}],"nextId":null}`,
	"GET /v1/accounts/me":                 `{"name":"Shop"}`,
	"POST /v1/checks/grpc":                `{"id":"90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33","name":"Payment","checkType":"GRPC"}`,
	"DELETE /v1/client-certificates/{id}": ``,
	"GET /v1/static-ips.txt":              `192.0.2.1`,
}

// other returns a client of a fake that knows these operations.
func other() *monitoring.Client {
	svc := monitoringtest.New()
	for pattern, response := range otherOperations {
		svc.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, response) }))
	}
	client, err := svc.Client()
	if err != nil {
		panic(err)
	}
	return client
}

// A list that has no method.
func ExampleAll() {
	ctx, client := context.Background(), other()
	type member struct{ ID, Name string }
	for m, err := range monitoring.All[member](ctx, client, "/v1/accounts/me/members", nil) {
		fmt.Println(m.Name, err)
	}
	// Output:
	// Ada <nil>
}

// The type has the fields that you need.
func ExampleDo() {
	ctx, client := context.Background(), other()
	type account struct{ Name string }
	me, err := monitoring.Do[account](ctx, client, "GET", "/v1/accounts/me", nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(me.Name)
	// Output:
	// Shop
}

// A check of a kind that [monitoring.ChecksService.Create] cannot create.
func ExampleDo_create() {
	ctx, client := context.Background(), other()
	body := map[string]any{"name": "Payment", "request": map[string]any{"url": "grpc.shop.test", "port": 443}}
	check, err := monitoring.Do[monitoring.Check](ctx, client, "POST", "/v1/checks/grpc", nil, body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.ID, check.CheckType)
	// Output:
	// 90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33 GRPC
}

// The body of the response is not needed. The name keeps the id out of logs and metrics.
func ExampleDo_delete() {
	ctx, client, id := context.Background(), other(), "51b3c6a0-3f47-4d0c-9a3e-0c7b9d1c2e55"
	_, err := monitoring.Do[struct{}](ctx, client, "DELETE", "/v1/client-certificates/"+url.PathEscape(id), nil, nil,
		monitoring.WithOperation("DELETE /v1/client-certificates/{id}"))
	fmt.Println(err)
	// Output:
	// <nil>
}

// A response that is not JSON.
func ExampleDo_text() {
	ctx, client := context.Background(), other()
	text, err := monitoring.Do[[]byte](ctx, client, "GET", "/v1/static-ips.txt", nil, nil) // *text is a []byte
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(*text))
	// Output:
	// 192.0.2.1
}

func muteStaging(ctx context.Context, client *monitoring.Client) error {
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{"staging"}}) {
		if err != nil {
			return err
		}
		_, err = client.Checks.Edit(ctx, check.ID, func(c *monitoring.Check) error {
			c.Muted = new(true)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestTheReadmeMutesChecksOfAllKindsWithATag(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_tasks_test.go")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)## Change checks\n.*?```go\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, block)
	require.Contains(t, strings.Join(strings.Fields(string(source)), " "), strings.Join(strings.Fields(string(block[1])), " "))

	svc := monitoringtest.New()
	kinds := strings.Fields("AGENTIC API BROWSER HEARTBEAT ICMP MULTI_STEP TCP PLAYWRIGHT TRACEROUTE URL DNS SSL GRPC FUTURE")
	for _, kind := range kinds {
		svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckType(kind), Tags: []string{"staging"}})
		svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckType(kind), Tags: []string{"production"}})
	}
	client, err := svc.Client()
	require.NoError(t, err)
	require.NoError(t, muteStaging(t.Context(), client))
	muted := make(map[string]int)
	for check, err := range client.Checks.All(t.Context(), monitoring.CheckListOptions{}) {
		require.NoError(t, err)
		require.Equal(t, check.Tags[0] == "staging", *check.Muted, check.CheckType)
		muted[string(check.CheckType)]++
	}
	require.Len(t, muted, len(kinds))
}

func TestTheFiveTasksOfThePageHaveNoMethod(t *testing.T) {
	for pattern := range otherOperations {
		_, ok := operations.Find(pattern)
		require.False(t, ok, "docs/other-operations.md: show an operation that has no method instead of %s", pattern)
	}
}

// TestTheFiveTasksOfThePageRunAsExamples compares the code blocks of docs/other-operations.md with
// the examples of this file.
func TestTheFiveTasksOfThePageRunAsExamples(t *testing.T) {
	page, err := os.ReadFile("docs/other-operations.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_tasks_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n// [^\n]*\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 5)
	plain := strings.Join(strings.Fields(string(source)), " ")
	for _, block := range blocks {
		if code := strings.Join(strings.Fields(block[1]), " "); !strings.Contains(plain, code) {
			t.Errorf("no example of example_tasks_test.go runs this block of docs/other-operations.md:\n%s", block[1])
		}
	}
}
