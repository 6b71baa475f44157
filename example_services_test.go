package monitoring_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"
	"sync/atomic"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// demo makes an in-process fake with a data set, and a client for it.
func demo(opts ...monitoring.ClientOption) (*monitoringtest.Service, *monitoring.Client) {
	fake := monitoringtest.NewDemo(monitoringtest.WithSpeed(100))
	client, err := fake.Client(opts...)
	if err != nil {
		panic(err)
	}
	return fake, client
}

func ExampleChecksService_Create() {
	_, client := demo()
	check, err := client.Checks.Create(context.Background(), &monitoring.Check{
		Name:      "Database",
		Tags:      []string{"production"},
		Locations: []monitoring.Region{monitoring.RegionEUCentral1},
		Frequency: new(monitoring.Frequency5Minutes),
		TCP:       &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}, // it is a TCP check
	})
	if err != nil {
		// After ErrOutcomeUnknown check whether it was created before you create it again.
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, check.CheckType, check.TCP.Port, check.Locations)
	// Output:
	// Database TCP 5432 [eu-central-1]
}

// The options narrow the search. If several checks have the name, the error lists their ids.
func ExampleChecksService_Find() {
	_, client := demo()
	ctx := context.Background()
	check, err := client.Checks.Find(ctx, "Checkout API", monitoring.CheckListOptions{CheckType: monitoring.CheckTypeAPI})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.ID)
	_, err = client.Checks.Find(ctx, "Checkout", monitoring.CheckListOptions{}) // only a part of the name
	fmt.Println(errors.Is(err, monitoring.ErrNotFound))
	// Output:
	// 5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11
	// true
}

// A URL check requests one address, and its assertions are about the status.
func ExampleChecksService_Create_url() {
	_, client := demo()
	check, err := client.Checks.Create(context.Background(), &monitoring.Check{
		Name: "Front page", Locations: []monitoring.Region{monitoring.RegionEUCentral1},
		URL: &monitoring.URLRequest{
			URL:        "https://shop.test",
			Assertions: []monitoring.Assertion{{Source: monitoring.SourceStatusCode, Comparison: monitoring.ComparisonLessThan, Target: new("400")}},
		},
		MaxResponseTime:      monitoring.Value(2000.0), // milliseconds
		DegradedResponseTime: monitoring.Value(1000.0), // its default, 3000, would be over MaxResponseTime
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, check.URL.Method, check.URL.URL, check.MaxResponseTime)
	// Output:
	// Front page GET https://shop.test 2000
}

func ExampleChecksService_All() {
	_, client := demo()
	options := monitoring.CheckListOptions{Tags: []string{"production"}}
	for check, err := range client.Checks.All(context.Background(), options) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch {
		case check.API != nil:
			fmt.Println(check.Name, check.API.Method, check.API.URL)
		case check.TCP != nil:
			fmt.Println(check.Name, check.TCP.Hostname, check.TCP.Port)
		default:
			fmt.Println(check.Name, check.CheckType)
		}
	}
	// Output:
	// Checkout API GET https://shop.test
	// Payment gRPC health GRPC
	// Login flow BROWSER
	// Database port shop.test 443
	// Shop certificate SSL
	// Legacy health URL
}

func ExampleChecksService_Get() {
	_, client := demo()
	check, err := client.Checks.Get(context.Background(), monitoringtest.DemoCheckID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check)
	if check.API == nil {
		return // it is of another kind, and has its field
	}
	check.API.URL = "https://shop.test/checkout"
	for _, change := range check.Diff() {
		fmt.Println(change)
	}
	changed, err := client.Checks.Update(context.Background(), check) // what has changed
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(changed.API.URL)
	// Output:
	// API check "Checkout API" (5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11), activated
	// request.url: "https://shop.test" -> "https://shop.test/checkout"
	// https://shop.test/checkout
}

func ExampleChecksService_Edit() {
	_, client := demo()
	// It reads the check, and sends what the function changes.
	check, err := client.Checks.Edit(context.Background(), monitoringtest.DemoCheckID, func(c *monitoring.Check) error {
		c.Tags = append(c.Tags, "checkout")
		c.Frequency = new(monitoring.Frequency5Minutes)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Tags, *check.Frequency)
	// Output:
	// [production api critical checkout] 5
}

// The update of a DNS check may reset what it leaves out, so Edit sends the whole check.
func ExampleChecksService_Edit_dns() {
	svc, client := demo()
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeDNS, Name: "Mail records"})
	check, err := client.Checks.Edit(context.Background(), id, func(c *monitoring.Check) error {
		c.DNS.RecordType = monitoring.DNSRecordMX
		fmt.Println(c.Diff())
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, check.DNS.RecordType, check.MaxResponseTime)
	// Output:
	// [request.recordType: "A" -> "MX"]
	// Mail records MX 1000
}

func ExampleCheck_Subscribe() {
	fake, client := demo()
	channel := fake.AddAlertChannel(monitoringtest.AlertChannel{})
	ctx := context.Background()
	// An update of your own has only the subscriptions that it sets: it would end all others.
	own := &monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeAPI}
	own.Subscribe(channel, true)
	_, err := client.Checks.Update(ctx, own)
	fmt.Println(err)

	check, err := client.Checks.Edit(ctx, monitoringtest.DemoCheckID, func(c *monitoring.Check) error {
		c.Subscribe(channel, true)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(check.AlertChannelSubscriptions), "channels")
	// Output:
	// monitoring: PUT /v1/checks/api/{id} ("5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"): invalid request, not sent: alertChannelSubscriptions: would replace all subscriptions: use Edit
	// 4 channels
}

func ExampleChecksService_Create_api() {
	_, client := demo()
	check, err := client.Checks.Create(context.Background(), &monitoring.Check{
		Name: "Orders", Tags: []string{"production"},
		API: &monitoring.APIRequest{
			Method:  "POST",
			URL:     "https://api.shop.test/orders",
			Headers: []monitoring.KeyValue{{Key: "Authorization", Value: monitoring.NewSecret("Bearer secret")}},
			Assertions: []monitoring.Assertion{
				{Source: monitoring.SourceStatusCode, Comparison: monitoring.ComparisonEquals, Target: new("201")},
			},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, check.API.Method, check.API.Headers[0].Key, check.API.Headers[0].Value)
	// Output:
	// Orders POST Authorization [redacted]
}

func ExampleChecksService_Update() {
	_, client := demo()
	// Only what is set is changed. The id and the kind say which check it is.
	check, err := client.Checks.Update(context.Background(), &monitoring.Check{
		ID: monitoringtest.DemoBrowserCheckID, CheckType: monitoring.CheckTypeBrowser,
		Muted: new(true), Description: monitoring.Null[string](),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, *check.Muted, check.Description)
	// Output:
	// Login flow true null
}

// Many checks are renamed, eight at a time. A check from a list needs no further read.
func ExampleChecksService_Update_many() {
	_, client := demo()
	ctx := context.Background()
	checks, err := monitoring.Collect(client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{"critical"}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range checks { // first, what would change
		checks[i].Name = "Shop: " + checks[i].Name
		fmt.Println(checks[i].Diff(), checks[i].Validate())
	}
	var running sync.WaitGroup
	var done atomic.Int64
	slots, failed := make(chan struct{}, 8), make([]error, len(checks))
	for i := range checks {
		slots <- struct{}{}
		running.Go(func() {
			_, failed[i] = client.Checks.Update(ctx, &checks[i]) // WithUnchanged refuses one that has changed since
			done.Add(1)                                          // for a progress bar
			<-slots
		})
	}
	running.Wait()
	fmt.Println(done.Load(), "of", len(checks), errors.Join(failed...))
	// Output:
	// [name: "Checkout API" -> "Shop: Checkout API"] <nil>
	// [name: "Payment gRPC health" -> "Shop: Payment gRPC health"] <nil>
	// 2 of 2 <nil>
}

func ExampleCheckSessionsService_Wait() {
	client := exampleClient()
	ctx := context.Background()
	sessions, err := client.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	session, err := client.CheckSessions.Wait(ctx, sessions[0].CheckSessionID, monitoring.WaitOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Name, session.Status, len(session.FinalResults()))
	// Output:
	// Checkout PASSED 1
}

func ExampleCheckSessionsService_FetchFailingResults() {
	fake := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	fake.AddCheck(monitoringtest.Check{Name: "Checkout", Outcome: monitoring.SessionFailed})
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	// A check that fails is a result, not an error.
	sessions, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := client.CheckSessions.FetchFailingResults(ctx, sessions[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Name, r.HasFailures, len(r.Messages()) > 0)
	}
	// Output:
	// Checkout true true
}

func ExampleCheckResultsService_Get() {
	fake, client := demo()
	session := fake.Sessions()[0]
	result, err := client.CheckResults.Get(context.Background(), session.CheckID, fake.ResultIDs(session.CheckSessionID)[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Name, result.ResultType, result.RunLocation)
	// Output:
	// Checkout API FINAL eu-central-1
}

func ExampleCheckResultsService_AllForCheck() {
	fake, client := demo()
	day := monitoring.CheckResultListOptions{From: time.Now().AddDate(0, 0, -1), Fields: []string{"id", "hasFailures", "createdAt"}}
	read, failed := 0, 0
	for result, err := range client.CheckResults.AllForCheck(context.Background(), fake.Sessions()[0].CheckID, day) {
		if err != nil {
			fmt.Println(err) // a *PageError has the NextID to resume at
			return
		}
		if read++; result.HasFailures {
			failed++
		}
	}
	fmt.Println(read > 0, read > failed)
	// Output:
	// true true
}

// The name of a file comes from the run, so only its last part is used.
func ExampleCheckResultsService_CopyAsset() {
	fake, client := demo()
	ctx := context.Background()
	session := fake.Sessions()[0]
	resultID := fake.ResultIDs(session.CheckSessionID)[0]
	fake.AddAsset(resultID, monitoring.CheckResultAsset{Type: monitoring.AssetLog, Name: "logs/run.log", URL: monitoringtest.BaseURL + "/files/run.log"})
	fake.Handle("GET /files/run.log", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "signed in\n") }))

	logs := monitoring.CheckResultAssetOptions{Types: []monitoring.AssetType{monitoring.AssetLog}}
	assets, err := client.CheckResults.Assets(ctx, session.CheckID, resultID, logs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, asset := range assets.Assets {
		var file bytes.Buffer // or os.Create(filepath.Join(dir, path.Base(asset.Name)))
		if err := client.CheckResults.CopyAsset(ctx, asset, &file); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Print(path.Base(asset.Name), ": ", file.String())
	}
	// Output:
	// run.log: signed in
}

// The newest failure of a check, why it failed, and since when it fails for this reason. The client
// keeps the limit of 60 requests per minute that the list has.
func ExampleCheckResultsService_AllForCheck_newest() {
	_, client := demo()
	ctx := context.Background()
	var newest monitoring.CheckResult
	failing := monitoring.CheckResultListOptions{From: time.Now().AddDate(0, 0, -7), HasFailures: new(true), Fields: []string{"id", "createdAt"}}
	for result, err := range client.CheckResults.AllForCheck(ctx, monitoringtest.DemoCheckID, failing, monitoring.WithBackground()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if result.CreatedAt.After(newest.CreatedAt.Time) { // the order of the list is not documented
			newest = result
		}
	}
	if newest.ID == "" {
		return // it has not failed
	}
	full, err := client.CheckResults.Get(ctx, monitoringtest.DemoCheckID, newest.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(full.Name, full.Verdict(), full.Messages())
	for _, id := range full.ErrorGroupIDs {
		group, err := client.ErrorGroups.Get(ctx, id)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(group.CleanedErrorMessage, group.FirstSeen.Before(newest.CreatedAt.Time))
	}
	// Output:
	// Checkout API failed [Expected 500 to equal 200]
	// connect ECONNREFUSED <ip> true
	// Expected <n> to equal <n> true
}

func ExampleAlertNotificationsService_All() {
	_, client := demo()
	// The service accepts at most 24 hours in one request. The iterator accepts any period.
	days := monitoring.AlertNotificationListOptions{From: time.Now().AddDate(0, 0, -3), To: time.Now(), HasFailures: new(true)}
	failed := 0
	for n, err := range client.AlertNotifications.All(context.Background(), days) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if n.Status == monitoring.NotificationFailure {
			failed++
		}
	}
	fmt.Println(failed, "alerts did not reach anybody")
	// Output:
	// 3 alerts did not reach anybody
}

func ExampleEntitlementsService_Get() {
	_, client := demo()
	e, err := client.Entitlements.Get(context.Background(), monitoringtest.AccountID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Plan, len(e.Locations.All))
	// Output:
	// team 22
}

func ExampleRootCauseAnalysesService_Create() {
	fake, client := demo()
	group := fake.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
	request := monitoring.RootCauseAnalysisCreate{UserContext: "after deploy 42"}
	analysis, err := client.RootCauseAnalyses.Create(context.Background(), group, request)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(analysis.Status) // Wait returns it when it is made
	// Output:
	// PENDING
}

func ExampleRootCauseAnalysesService_Wait() {
	fake, client := demo()
	id := fake.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{
		CheckType: monitoring.CheckTypeAPI,
		Analysis:  &monitoring.Analysis{Classification: "INFRA ERROR", RootCause: "The origin responded with 503."},
	}, 0)
	analysis, err := client.RootCauseAnalyses.Wait(context.Background(), id)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(analysis.Status, analysis.Analysis.RootCause)
	// Output:
	// COMPLETED The origin responded with 503.
}

func ExampleStatusPageServicesService_Delete() {
	_, client := demo()
	ctx := context.Background()
	fmt.Println(client.StatusPageServices.Delete(ctx, monitoringtest.DemoStatusPageServiceID))
	err := client.StatusPageServices.Delete(ctx, monitoringtest.DemoStatusPageServiceID)
	fmt.Println(errors.Is(err, monitoring.ErrNotFound))
	// Output:
	// <nil>
	// true
}

func ExampleClient_OpenAPI() {
	_, client := demo()
	var description bytes.Buffer
	if err := client.OpenAPI(context.Background(), &description); err != nil {
		fmt.Println(err)
		return
	}
	var document struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	err := json.Unmarshal(description.Bytes(), &document)
	fmt.Println(document.OpenAPI != "", document.Paths["/v1/locations"] != nil, err)
	// Output:
	// true true <nil>
}

func ExampleCheckGroupsService_Create() {
	_, client := demo()
	group, err := client.CheckGroups.Create(context.Background(), &monitoring.CheckGroup{
		Name:        "Login",
		Tags:        []string{"production"},
		Concurrency: new(5),
	})
	if err != nil {
		// After ErrOutcomeUnknown look for the group by its name before you create it again.
		fmt.Println(err)
		return
	}
	strategy, _ := group.RetryStrategy.Get()
	fmt.Println(group.Name, *group.Concurrency, strategy.Type)
	// Output:
	// Login 5 FALLBACK
}

func ExampleCheckGroup_Template() {
	_, client := demo()
	_, other := demo() // a client of another account
	ctx := context.Background()
	group, err := client.CheckGroups.Get(ctx, monitoringtest.DemoGroupID)
	if err != nil {
		fmt.Println(err)
		return
	}
	create := group.Template()
	// In another account these ids mean other objects.
	create.AlertChannelSubscriptions, create.PrivateLocations = nil, nil
	create.SetupSnippetID, create.TearDownSnippetID = monitoring.Nullable[int64]{}, monitoring.Nullable[int64]{}
	for i, v := range create.EnvironmentVariables {
		if v.Value.IsWithheld() { // the service does not return secrets
			create.EnvironmentVariables[i].Value = monitoring.NewSecret("the value of " + v.Key)
		}
	}
	made, err := other.CheckGroups.Create(ctx, create)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(made.Name, made.ID != group.ID)
	// Output:
	// Checkout true
}

func ExampleCheckGroupsService_Delete() {
	_, client := demo()
	ctx := context.Background()
	err := client.CheckGroups.Delete(ctx, monitoringtest.DemoGroupID)
	if errors.Is(err, monitoring.ErrConflict) {
		for check, err := range client.CheckGroups.AllChecks(ctx, monitoringtest.DemoGroupID, monitoring.ListOptions{}) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println("still in the group:", check.Name)
		}
	}
	// Output:
	// still in the group: Checkout API
	// still in the group: Payment gRPC health
}

func ExampleVariablesService_Update() {
	_, client := demo()
	ctx := context.Background()
	variable, err := client.Variables.Get(ctx, "TEST_PASSWORD")
	if err != nil {
		fmt.Println(err)
		return
	}
	variable.Locked = new(true)
	fmt.Println(variable.Validate())
	variable.Value = monitoring.NewSecret("battery staple")
	variable, err = client.Variables.Update(ctx, variable)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(variable.Key, *variable.Secret, variable.Value)
	// Output:
	// monitoring: PUT /v1/variables/{key} ("TEST_PASSWORD"): invalid request, not sent: value: is required, and the service withholds its value: set it
	// TEST_PASSWORD true [redacted]
}

func ExampleMaintenanceWindowsService_Create() {
	_, client := demo()
	start := time.Date(2030, time.January, 6, 1, 0, 0, 0, time.UTC) // a Sunday
	window, err := client.MaintenanceWindows.Create(context.Background(), &monitoring.MaintenanceWindow{
		Name:           "Weekly database upgrade",
		StartsAt:       monitoring.NewTimestamp(start),
		EndsAt:         monitoring.NewTimestamp(start.Add(2 * time.Hour)),
		Timezone:       monitoring.Value("Europe/Berlin"),
		RepeatInterval: monitoring.Value(1),
		RepeatUnit:     monitoring.Value(monitoring.RepeatWeek),
		RepeatEndsAt:   monitoring.Value(monitoring.Date{Year: 2030, Month: time.December, Day: 29}),
		Tags:           []string{"database"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(window.Name, window.StartsAt, "until", window.RepeatEndsAt)
	// Output:
	// Weekly database upgrade 2030-01-06T01:00:00.000Z until 2030-12-29
}

// Alerts are silenced during a deployment, even if it fails or is interrupted, and for half an hour
// at most.
func ExampleMaintenanceWindowsService_Create_deployment() {
	_, client := demo()
	deploy := func(context.Context) error { return errors.New("no such image") }
	quietly := func(ctx context.Context) (err error) {
		now := time.Now()
		window, err := client.MaintenanceWindows.Create(ctx, &monitoring.MaintenanceWindow{
			Name:              "Deployment 118",
			StartsAt:          monitoring.NewTimestamp(now),
			EndsAt:            monitoring.NewTimestamp(now.Add(30 * time.Minute)),
			SilenceAlertsTags: []string{"production"}, // with Tags, the checks would not run either
		})
		after := context.WithoutCancel(ctx) // ctx may end
		if errors.Is(err, monitoring.ErrOutcomeUnknown) {
			window, err = client.MaintenanceWindows.Find(after, "Deployment 118")
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, client.MaintenanceWindows.Delete(after, window.ID)) }()
		return deploy(ctx)
	}
	fmt.Println(quietly(context.Background()))
	_, err := client.MaintenanceWindows.Find(context.Background(), "Deployment 118")
	fmt.Println(errors.Is(err, monitoring.ErrNotFound))
	// Output:
	// no such image
	// true
}

// A check that has not run has no status.
func ExampleCheckStatusesService_List() {
	_, client := demo()
	ctx := context.Background()
	statuses, err := client.CheckStatuses.List(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	byCheck := make(map[string]*monitoring.CheckStatus)
	for i := range statuses {
		byCheck[statuses[i].CheckID] = &statuses[i]
	}
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{"api", "browser"}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		state := "passing"
		switch s := byCheck[check.ID]; {
		case !monitoring.ValueOr(check.Activated, true):
			state = "off"
		case s == nil:
			state = "unknown"
		case s.HasErrors: // the service had an error, so nothing is known about the target
			state = "error"
		case s.HasFailures:
			state = "failing"
		case s.IsDegraded:
			state = "degraded"
		}
		fmt.Println(check.Name, state)
	}
	// Output:
	// Checkout API passing
	// Login flow unknown
	// Storefront suite unknown
	// Search API unknown
}

func ExampleAlertChannelsService_All() {
	_, client := demo()
	for channel, err := range client.AlertChannels.All(context.Background(), monitoring.ListOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(channel.ID, channel.Type, len(channel.Subscriptions), channel.Config)
	}
	// Output:
	// 263584 WEBHOOK 9 [redacted]
	// 263585 EMAIL 9 [redacted]
	// 263586 SLACK 9 [redacted]
}

func ExamplePrivateLocationsService_List() {
	_, client := demo()
	locations, err := client.PrivateLocations.List(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range locations {
		fmt.Println(l.Name, l.SlugName, l.Keys[0].MaskedKey, l.Keys[0].RawKey)
	}
	// Output:
	// Data center 1 private-dc-1 ...6a40 [redacted]
}

// A webhook gets another secret. The names of its fields are in the tags of WebhookConfig.
func ExampleAlertChannelsService_Edit() {
	_, client := demo()
	channel, err := client.AlertChannels.Edit(context.Background(), 263584, func(c *monitoring.AlertChannel) error {
		err := c.SetConfig("webhookSecret", monitoring.NewSecret("battery staple")) // the rest of the config stays
		fmt.Println(c.Diff())
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var hook monitoring.WebhookConfig
	err = json.Unmarshal(channel.Config.Reveal(), &hook)
	fmt.Println(hook.Name, hook.WebhookSecret.Reveal(), err)
	// Output:
	// [config.webhookSecret: added [redacted]]
	// incident hook battery staple <nil>
}

// A channel sends no alerts until checks or groups are subscribed to it.
func ExampleAlertChannelsService_Create() {
	_, client := demo()
	ctx := context.Background()
	hook := monitoring.WebhookChannel(monitoring.WebhookConfig{
		Name: "Incidents", URL: monitoring.NewSecret("https://hooks.shop.test/incidents"),
		Template: monitoring.NewSecret(`{"text": "{{ALERT_TITLE}}"}`), WebhookSecret: monitoring.NewSecret("correct horse"),
	})
	hook.SendDegraded = new(true)
	for _, channel := range []*monitoring.AlertChannel{hook, monitoring.EmailChannel("oncall@shop.test")} {
		made, err := client.AlertChannels.Create(ctx, channel)
		if err != nil {
			fmt.Println(err)
			return
		}
		group := monitoring.ChannelSubscription{GroupID: monitoringtest.DemoGroupID, Activated: true}
		if _, err := client.AlertChannels.Subscribe(ctx, made.ID, group); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(made.Type, *made.SendDegraded, made.Config)
	}
	// Output:
	// WEBHOOK true [redacted]
	// EMAIL false [redacted]
}

func ExampleAlertChannelsService_Subscribe() {
	_, client := demo()
	quiet := monitoring.ChannelSubscription{CheckID: monitoringtest.DemoCheckID} // Activated is false: it sends nothing
	subscription, err := client.AlertChannels.Subscribe(context.Background(), 263584, quiet)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(subscription.Activated)
	// Output:
	// false
}

func ExamplePrivateLocationsService_CreateKey() {
	fake, client := demo()
	location := fake.AddPrivateLocation(monitoring.PrivateLocation{Name: "Data center 2"})
	key, err := client.PrivateLocations.CreateKey(context.Background(), location)
	if errors.Is(err, monitoring.ErrOutcomeUnknown) {
		fmt.Println("delete the newest key of the location, which nobody holds:", err)
		return
	} else if err != nil {
		fmt.Println(err)
		return
	}
	save := func(text string) { fmt.Println(len(text) > 0) } // a vault of your own: json.Marshal writes null for the key
	save(key.RawKey.Reveal())
	fmt.Println(key.RawKey)
	// Output:
	// true
	// [redacted]
}

func ExampleErrorGroupsService_Update() {
	fake, client := demo()
	id := fake.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
	for _, archived := range []bool{true, false} { // until its error occurs again, and then at once
		update := monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(archived)} // what is nil stays
		group, err := client.ErrorGroups.Update(context.Background(), id, update)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(group.ArchivedUntilNextEvent)
	}
	// Output:
	// true
	// false
}

// The errors of test sessions have their own groups, which name the environments in which they
// occurred.
func ExampleTestSessionErrorGroupsService_Update() {
	fake, client := demo()
	fake.OnTestRun(func(run *monitoringtest.TestRun) { run.Outcome, run.Error = monitoring.SessionFailed, "no route" })
	session, err := client.TestSessions.TriggerAndWait(context.Background(), monitoring.TestSessionTrigger{
		Name: "Smoke", RunLocation: "eu-central-1", Target: monitoring.TestSessionTarget{CheckIDs: []string{monitoringtest.DemoCheckID}},
		Metadata: &monitoring.TestSessionMetadata{Environment: "staging"},
	}, monitoring.WaitOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range session.ErrorGroupIDs {
		group, err := client.TestSessionErrorGroups.Update(context.Background(), id, monitoring.ErrorGroupUpdate{ArchivedUntilNextEvent: new(true)})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(group.CleanedErrorMessage, group.Environments, group.ArchivedUntilNextEvent)
	}
	// Output:
	// no route [staging] true
}
