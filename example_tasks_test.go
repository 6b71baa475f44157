package monitoring_test

import (
	"context"
	"encoding/json"
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

// checkService teaches a fake the operations of the five tasks of docs/untyped.md.
func checkService() *monitoringtest.Service {
	svc := monitoringtest.New()
	respond := func(pattern, body string, status int) {
		svc.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, strings.ReplaceAll(body, "ID", r.PathValue("id")))
		}))
	}
	respond("GET /v1/checks", `[{"id":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","name":"Checkout API","checkType":"API","activated":true}]`, 200)
	respond("GET /v1/checks/{id}", `{"id":"ID","name":"Checkout API","checkType":"API","activated":true}`, 200)
	respond("DELETE /v1/checks/{id}", "", 204)
	respond("GET /v1/check-statuses", `[{"name":"Checkout API","hasFailures":true}]`, 200)
	svc.Handle("POST /v1/checks/api", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var check map[string]any
		if err := json.NewDecoder(r.Body).Decode(&check); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		check["id"], check["checkType"] = "90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33", "API"
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(check)
	}))
	return svc
}

func listChecks(ctx context.Context, client *monitoring.Client) {
	for check, err := range monitoring.All[monitoring.Check](ctx, client, "/v1/checks", url.Values{"tag": {"production"}}) {
		fmt.Println(check.ID, check.Name, check.CheckType, err)
	}
}

func readCheck(ctx context.Context, client *monitoring.Client, id string) {
	check, err := monitoring.Do[monitoring.Check](ctx, client, "GET", "/v1/checks/"+url.PathEscape(id), nil, nil,
		monitoring.WithOperation("GET /v1/checks/{id}"))
	if err == nil {
		fmt.Println(check.Name)
	}
}

func createAPICheck(ctx context.Context, client *monitoring.Client) {
	body := map[string]any{"name": "Checkout API", "request": map[string]any{"method": "GET", "url": "https://shop.test/api"}}
	check, err := monitoring.Do[monitoring.Check](ctx, client, "POST", "/v1/checks/api", nil, body)
	if err == nil {
		fmt.Println(check.ID)
	}
}

func deleteCheck(ctx context.Context, client *monitoring.Client, id string) {
	_, err := monitoring.Do[struct{}](ctx, client, "DELETE", "/v1/checks/"+url.PathEscape(id), nil, nil,
		monitoring.WithOperation("DELETE /v1/checks/{id}"))
	fmt.Println(err)
}

func readStatuses(ctx context.Context, client *monitoring.Client) {
	type status struct {
		Name        string
		HasFailures bool
	}
	statuses, err := monitoring.Do[[]status](ctx, client, "GET", "/v1/check-statuses", nil, nil)
	if err == nil {
		fmt.Println(*statuses)
	}
}

func ExampleDo_fiveTasks() {
	client, err := checkService().Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, id := context.Background(), "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	listChecks(ctx, client)
	readCheck(ctx, client, id)
	createAPICheck(ctx, client)
	deleteCheck(ctx, client, id)
	readStatuses(ctx, client)
	// Output:
	// 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11 Checkout API API <nil>
	// Checkout API
	// 90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33
	// <nil>
	// [{Checkout API true}]
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
