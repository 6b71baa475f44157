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
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// otherService teaches a fake the operations of the five tasks of docs/untyped.md.
func otherService() *monitoringtest.Service {
	svc := monitoringtest.New()
	for pattern, response := range map[string]string{
		"GET /v1/accounts/me/members":    `{"length":1,"members":[{"id":"m1","name":"Ada"}],"nextId":null}`,
		"GET /v1/accounts/me":            `{"name":"Shop"}`,
		"POST /v1/checks/url":            `{"id":"90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33","name":"Shop","checkType":"URL"}`,
		"DELETE /v1/alert-channels/{id}": ``,
		"GET /v1/static-ips.txt":         `192.0.2.1`,
	} {
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

func createURLCheck(ctx context.Context, client *monitoring.Client) {
	body := map[string]any{"name": "Shop", "request": map[string]any{"url": "https://shop.test"}}
	check, err := monitoring.Do[monitoring.Check](ctx, client, "POST", "/v1/checks/url", nil, body)
	if err == nil {
		fmt.Println(check.ID)
	}
}

func deleteChannel(ctx context.Context, client *monitoring.Client, id string) {
	_, err := monitoring.Do[struct{}](ctx, client, "DELETE", "/v1/alert-channels/"+url.PathEscape(id), nil, nil,
		monitoring.WithOperation("DELETE /v1/alert-channels/{id}"))
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
	createURLCheck(ctx, client)
	deleteChannel(ctx, client, "4711")
	readAddresses(ctx, client)
	// Output:
	// Ada <nil>
	// Shop
	// 90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33
	// <nil>
	// 192.0.2.1
}

// TestTheFiveTasksOfThePageRunAsExamples compares the code blocks of docs/untyped.md with the
// functions of this file, which run in ExampleDo_fiveTasks.
func TestTheFiveTasksOfThePageRunAsExamples(t *testing.T) {
	page, err := os.ReadFile("docs/untyped.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_tasks_test.go")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n// [^\n]*\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 5)
	plain := strings.Join(strings.Fields(string(source)), " ")
	for _, block := range blocks {
		require.LessOrEqual(t, strings.Count(block[1], "\n"), 5)
		if code := strings.Join(strings.Fields(block[1]), " "); !strings.Contains(plain, code) {
			t.Errorf("no function of example_tasks_test.go runs this block of docs/untyped.md:\n%s", block[1])
		}
	}
}
