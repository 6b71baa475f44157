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

// otherService teaches a fake these operations.
func otherService() *monitoringtest.Service {
	svc := monitoringtest.New()
	for pattern, response := range otherOperations {
		svc.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, response) }))
	}
	return svc
}

func listMembers(ctx context.Context, client *monitoring.Client) {
	type member struct{ ID, Name string }
	for m, err := range monitoring.All[member](ctx, client, "/v1/accounts/me/members", nil) {
		fmt.Println(m.Name, err)
	}
}

func readAccount(ctx context.Context, client *monitoring.Client) {
	type account struct{ Name string }
	me, err := monitoring.Do[account](ctx, client, "GET", "/v1/accounts/me", nil, nil)
	if err == nil {
		fmt.Println(me.Name)
	}
}

func createGRPCCheck(ctx context.Context, client *monitoring.Client) {
	body := map[string]any{"name": "Payment", "request": map[string]any{"url": "grpc.shop.test", "port": 443}}
	check, err := monitoring.Do[monitoring.Check](ctx, client, "POST", "/v1/checks/grpc", nil, body)
	if err == nil {
		fmt.Println(check.ID)
	}
}

func deleteCertificate(ctx context.Context, client *monitoring.Client, id string) {
	_, err := monitoring.Do[struct{}](ctx, client, "DELETE", "/v1/client-certificates/"+url.PathEscape(id), nil, nil,
		monitoring.WithOperation("DELETE /v1/client-certificates/{id}"))
	fmt.Println(err)
}

func readAddresses(ctx context.Context, client *monitoring.Client) {
	text, err := monitoring.Do[[]byte](ctx, client, "GET", "/v1/static-ips.txt", nil, nil)
	if err == nil {
		fmt.Println(string(*text))
	}
}

func ExampleDo_fiveTasks() {
	client, err := otherService().Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	listMembers(ctx, client)
	readAccount(ctx, client)
	createGRPCCheck(ctx, client)
	deleteCertificate(ctx, client, "51b3c6a0-3f47-4d0c-9a3e-0c7b9d1c2e55")
	readAddresses(ctx, client)
	// Output:
	// Ada <nil>
	// Shop
	// 90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33
	// <nil>
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
// the functions of this file, which run in ExampleDo_fiveTasks.
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
			t.Errorf("no function of example_tasks_test.go runs this block of docs/other-operations.md:\n%s", block[1])
		}
	}
}
