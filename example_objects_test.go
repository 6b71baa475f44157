package monitoring_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func ExampleLocationsService_List() {
	_, client := demo()
	locations, err := client.Locations.List(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(locations[0].Region, locations[0].Name)
	// Output:
	// us-east-1 N. Virginia
}

// A deprecated runtime will be removed, so choose another for new scripts.
func ExampleRuntimesService_List() {
	_, client := demo()
	runtimes, err := client.Runtimes.List(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range runtimes {
		if r.Stage != "DEPRECATED" && r.Stage != "REMOVED" && r.MultiStepSupport {
			fmt.Println(r.Name, r.Stage)
		}
	}
	// Output:
	// 2026.04 CURRENT
	// 2025.04 STABLE
	// 2024.09 STABLE
	// 2024.02 STABLE
}

// An edit of a snippet sends it whole.
func ExampleSnippetsService_Edit() {
	fake, client := demo()
	id := fake.AddSnippet(monitoring.Snippet{Name: "Sign in", Script: "// version 1"})
	snippet, err := client.Snippets.Edit(context.Background(), id, func(s *monitoring.Snippet) error {
		s.Script = "// version 2"
		fmt.Println(s.Diff())
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(snippet.Name, snippet.Script)
	// Output:
	// [script: "// version 1" -> "// version 2"]
	// Sign in // version 2
}

// A ratio is from 0 to 1, or nil for a check without results.
func ExampleReportsService_List() {
	_, client := demo()
	reports, err := client.Reports.List(context.Background(), monitoring.ReportOptions{
		QuickRange: monitoring.ReportLast7Days, Tags: []string{"production"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range reports {
		if r.Aggregate != nil && r.Aggregate.SuccessRatio != nil { // with a Granularity, r.Aggregates has the parts
			fmt.Println(r.Name, *r.Aggregate.SuccessRatio < 0.99)
		}
	}
	// Output:
	// Checkout API true
}

// Without a period, these are the alerts of the last six hours. All accepts any period.
func ExampleCheckAlertsService_AllForCheck() {
	fake := monitoringtest.New()
	id := fake.AddCheck(monitoringtest.Check{Name: "Checkout"})
	now := time.Now()
	fake.AddCheckAlert(monitoring.CheckAlert{CheckID: id, Name: "Checkout", CreatedAt: monitoring.NewTimestamp(now.AddDate(0, 0, -3))})
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	week := monitoring.CheckAlertListOptions{From: now.AddDate(0, 0, -7), To: now}
	for alert, err := range client.CheckAlerts.AllForCheck(context.Background(), id, week) {
		fmt.Println(alert.Name, alert.AlertType, err)
	}
	// Output:
	// Checkout ALERT_FAILURE <nil>
}

// The id is that in the dashboard's URL, not its number.
func ExampleDashboardsService_Delete() {
	fake, client := demo()
	id := fake.AddDashboard("shop-status")
	fmt.Println(client.Dashboards.Delete(context.Background(), id))
	// Output:
	// <nil>
}

// A file contains some settings of a check. SetFrom changes those, and leaves the rest alone.
func ExampleCheck_SetFrom() {
	_, client := demo()
	var desired monitoring.Check
	file := `{"checkType": "API", "frequency": 5, "tags": ["production"], "request": {"followRedirects": false}}`
	if err := monitoring.UnmarshalStrict([]byte(file), &desired); err != nil {
		fmt.Println(err)
		return
	}
	check, err := client.Checks.Edit(context.Background(), monitoringtest.DemoCheckID, func(c *monitoring.Check) error {
		return c.SetFrom(&desired)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, *check.Frequency, check.Tags, check.API.URL, *check.API.FollowRedirects)
	// Output:
	// Checkout API 5 [production] https://shop.test false
}

// Files hold the checks with a tag: new ones are created, changed ones updated, and checks that no
// file has are deleted.
func ExampleCheck_Template_files() {
	_, client := demo()
	ctx := context.Background()
	staging := monitoring.CheckListOptions{Tags: []string{"staging"}}
	files := [][]byte{ // such as those of filepath.Glob("checks/*.json"), made with json.Marshal(check.Template())
		[]byte(`{"checkType": "API", "name": "Search API", "tags": ["staging"], "frequency": 5}`),
		[]byte(`{"checkType": "TCP", "name": "Database", "tags": ["staging"], "request": {"hostname": "db.shop.test", "port": 5432}}`),
		[]byte(`{"checkType": "PLAYWRIGHT", "name": "Storefront suite"}`),
	}
	gone := make(map[string]string) // ids by name
	for check, err := range client.Checks.All(ctx, staging) {
		if err != nil {
			fmt.Println(err)
			return
		}
		gone[check.Name] = check.ID
	}
	for _, file := range files {
		var desired monitoring.Check
		err := monitoring.UnmarshalStrict(file, &desired)
		if id := gone[desired.Name]; err == nil && id != "" {
			_, err = client.Checks.Edit(ctx, id, func(c *monitoring.Check) error { return c.SetFrom(&desired) },
				monitoring.WithChanges(func(changes []monitoring.Change) { fmt.Println("~", desired.Name, changes) }))
		} else if err == nil {
			fmt.Println("+", desired.Name, desired.Diff())
			_, err = client.Checks.Create(ctx, desired.Template(), monitoring.WithCreateRecovery(time.Minute))
		}
		if err != nil {
			fmt.Println(err) // and nothing is deleted
			return
		}
		delete(gone, desired.Name)
	}
	for name, id := range gone {
		fmt.Println("-", name, client.Checks.Delete(ctx, id))
	}
	// Output:
	// ~ Search API [tags[1]: removed "api" frequency: 10 -> 5]
	// + Database [name: added "Database" tags: added ["staging"] request: added {"hostname":"db.shop.test","port":5432}]
	// - Order import <nil>
}

// A template is a copy to create, without the id and what the service sets.
func ExampleCheck_Template() {
	_, client := demo()
	ctx := context.Background()
	check, err := client.Checks.Get(ctx, monitoringtest.DemoCheckID)
	if err != nil {
		fmt.Println(err)
		return
	}
	second := check.Template()
	second.Name = "Checkout API, staging"
	second.API.URL = "https://staging.shop.test"
	made, err := client.Checks.Create(ctx, second)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(made.Name, made.API.URL, made.ID != check.ID, made.Tags)
	// Output:
	// Checkout API, staging https://staging.shop.test true [production api critical]
}

// A misspelled name is an error, which json.Unmarshal would ignore.
func ExampleUnmarshalStrict() {
	file := []byte(`[
		{"name": "Front page", "checkType": "URL", "request": {"url": "https://shop.test"}},
		{"name": "Database", "checkType": "TCP", "request": {"hostname": "db.shop.test", "port": 5432}, "muted": true},
		{"name": "Orders", "checkType": "API", "request": {"method": "GET", "url": "https://api.shop.test", "heders": []}}
	]`)
	var checks []monitoring.Check
	err := monitoring.UnmarshalStrict(file, &checks)
	fmt.Println(len(checks), err)
	// Output:
	// 3 monitoring: unmarshal: [2].request.heders: unknown field
}

// A plan stores a change together with what the object was. It is written only if the object is
// still the same.
func ExampleWithUnchanged() {
	fake, client := demo()
	id := fake.AddSnippet(monitoring.Snippet{Name: "Sign in", Script: "// version 1"})
	snippet, err := client.Snippets.Get(context.Background(), id)
	if err != nil {
		fmt.Println(err)
		return
	}
	snippet.Script = "// version 2"
	plan, err := monitoring.MarshalPlan(snippet) // to be reviewed by a person, or by another process
	if err != nil {
		fmt.Println(err)
		return
	}
	var reviewed monitoring.Snippet
	if err := json.Unmarshal(plan, &reviewed); err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		written, err := client.Snippets.Update(context.Background(), &reviewed, monitoring.WithUnchanged())
		if changed, ok := errors.AsType[*monitoring.StaleUpdateError](err); ok {
			fmt.Println("changed since:", changed.Changes)
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(written.Script)
	}
	// Output:
	// // version 2
	// changed since: [script: "// version 1" -> "// version 2"]
}
