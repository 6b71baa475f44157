package world

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

var demoChannels = []AlertChannel{
	{ID: 263584, Type: monitoring.ChannelWebhook, Config: map[string]any{"name": "incident hook",
		"url": "https://hooks.shop.test/x", "method": "POST"}},
	{ID: 263585, Type: monitoring.ChannelEmail, Config: map[string]any{"address": "oncall@shop.test"}},
	{ID: 263586, Type: monitoring.ChannelSlack, Config: map[string]any{"url": "https://chat.shop.test/h", "channel": "#alerts"}},
}

// fillDemo adds the data of a small shop.
func (w *World) fillDemo() {
	now := w.Clock.Now().UTC().Truncate(time.Second)
	for _, c := range demoChannels {
		must(w.AddAlertChannel(c))
	}
	w.demoChecks(now)
	w.demoErrors(now)
	w.schedule = schedule{start: now.Add(17*time.Minute - demoHistory*demoInterval)}
	w.runSchedule(now)
	w.AddVariables(
		monitoring.NewEnvironmentVariable("API_URL", "https://api.shop.test"),
		monitoring.NewEnvironmentVariable("SHOP_URL", "https://shop.test"),
		monitoring.NewEnvironmentVariable("TEST_USER", "probe@shop.test"),
		monitoring.EnvironmentVariable{Key: "REGION_TOKEN", Value: monitoring.NewSecret("t-123"), Locked: new(true)},
		monitoring.EnvironmentVariable{Key: "TEST_PASSWORD", Value: monitoring.NewSecret("correct horse"), Secret: new(true)},
	)
	must(w.Add(Snippets, ObjectOf(monitoring.Snippet{
		ID: 4321, Name: "Sign in", Script: "request.headers['Authorization'] = 'Bearer ' + process.env.REGION_TOKEN",
		CreatedAt: At(now.AddDate(0, -4, 0)),
	}), nil))
	must(w.Add(PrivateLocations, ObjectOf(monitoring.PrivateLocation{
		Name: "Data center 1", SlugName: "private-dc-1", AgentCount: new(1), LastSeen: new(At(now)), CreatedAt: At(now.AddDate(0, -4, 0)),
		Keys: []monitoring.PrivateLocationKey{{ID: UUID("key of data center 1"),
			RawKey: monitoring.NewSecret("pl_7c1d5e2f6a40"), MaskedKey: "...6a40", CreatedAt: At(now.AddDate(0, -4, 0))}},
		RunningAgents: []monitoring.RunningAgents{{Version: "3.3.1", Count: 1,
			Agents: []monitoring.PrivateLocationAgent{{ID: "agent-1", LastSeenAt: At(now)}}}},
	}), nil))
	must(w.Add(Services, Object{"id": JSON(w.Demo.StatusPageServiceID)}, nil))
	must(w.Add(Services, Object{}, nil))
	must(w.Add(Dashboards, Object{"id": JSON(w.Demo.DashboardID)}, nil))
	must(w.Add(Dashboards, Object{}, nil))
	w.demoTests(now)
}

// demoTests adds a test session of yesterday that has passed, and one of two hours ago that has
// failed, as if previews of the shop had been tested.
func (w *World) demoTests(now time.Time) {
	for _, s := range []struct {
		preview string
		began   time.Time
		err     string
	}{{"117", now.Add(-26 * time.Hour), ""}, {"118", now.Add(-2 * time.Hour), "Expected 401 to equal 200"}} {
		t := TestTrigger{
			Name: "Preview " + s.preview, Location: "eu-central-1",
			Metadata: JSON(Fields{"environment": "preview", "branchName": "release/" + s.preview, "commitId": "8deeeb8c" + s.preview, "commitOwner": "ada"}),
		}
		runs := w.TestRuns([][]string{{"critical"}}, nil, false, t, nil)
		if s.err != "" {
			runs[0].Outcome, runs[0].Error = monitoring.SessionFailed, s.err
		}
		must(w.StartTest(t, runs, s.began))
	}
}

func (w *World) demoChecks(now time.Time) {
	must(w.AddGroup(monitoring.CheckGroup{
		ID: w.Demo.GroupID, Name: "Checkout", Tags: []string{"checkout"},
		APICheckDefaults: &monitoring.APICheckDefaults{
			URL:     monitoring.Value("https://api.shop.test"),
			Headers: []monitoring.KeyValue{{Key: "Cache-Control", Value: monitoring.NewSecret("no-store"), Locked: new(false)}},
		},
		EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("BASE", "https://api.shop.test")},
		CreatedAt:            At(now.AddDate(0, -4, 0)),
	}))
	const eu, us, ap = "eu-central-1", "us-east-1", "ap-southeast-1"
	must(w.AddCheck(CheckSpec{
		ID: w.Demo.CheckID, Name: "Checkout API", Type: monitoring.CheckTypeAPI, Tags: []string{w.Demo.ProductionTag, "api", "critical"},
		Locations: []string{eu, us}, GroupID: w.Demo.GroupID, RunTime: 3 * time.Second, Attempts: 1,
	}))
	must(w.AddCheck(CheckSpec{
		Name: "Payment gRPC health", Type: monitoring.CheckTypeGRPC, Tags: []string{w.Demo.ProductionTag, "critical"},
		Locations: []string{eu}, GroupID: w.Demo.GroupID, RunTime: time.Second,
	}))
	must(w.AddCheck(CheckSpec{
		ID: w.Demo.BrowserCheckID, Name: "Login flow", Type: monitoring.CheckTypeBrowser, Tags: []string{w.Demo.ProductionTag, "browser"},
		Locations: []string{eu, us, ap}, RunTime: 3500 * time.Millisecond,
		Members: map[string]any{
			"description": "Signs in and opens the account page",
			"environmentVariables": []map[string]any{
				{"key": "USER", "value": "probe", "locked": false, "secret": false},
			},
		},
	}))
	must(w.AddCheck(CheckSpec{
		Name: "Database port", Type: monitoring.CheckTypeTCP, Tags: []string{w.Demo.ProductionTag}, Locations: []string{eu}, RunTime: time.Second,
	}))
	must(w.AddCheck(CheckSpec{
		Name: "Shop certificate", Type: monitoring.CheckTypeSSL, Tags: []string{w.Demo.ProductionTag}, Locations: []string{us},
		RunTime: time.Second,
	}))
	must(w.AddCheck(CheckSpec{
		ID: w.Demo.SuiteID, Name: "Storefront suite", Type: monitoring.CheckTypePlaywright, Tags: []string{w.Demo.StagingTag, "browser"},
		Locations: []string{"private-dc-1"}, RunTime: 8 * time.Second,
	}))
	must(w.AddCheck(CheckSpec{
		Name: "Search API", Type: monitoring.CheckTypeAPI, Tags: []string{w.Demo.StagingTag, "api"}, Locations: []string{eu, us},
		RunTime: 5 * time.Second, Outcome: monitoring.SessionDegraded,
	}))
	must(w.AddCheck(CheckSpec{
		Name: "Order import", Type: monitoring.CheckTypeMultiStep, Tags: []string{w.Demo.StagingTag, "flaky"}, Locations: []string{eu},
		RunTime: 6 * time.Second, Attempts: 1,
	}))
	must(w.AddCheck(CheckSpec{Name: "Legacy health", Type: monitoring.CheckTypeURL, Tags: []string{w.Demo.ProductionTag}, Deactivated: true}))
}

func (w *World) demoErrors(now time.Time) {
	analysis := &monitoring.Analysis{
		Classification: "INFRA ERROR",
		UserImpact:     "Checkout requests from one region fail.",
		RootCause:      "The origin answered 503 after 28 s.",
		Evidence: []monitoring.AnalysisEvidence{{
			Description: "The first byte took 28 s; DNS and TCP took less than 2 ms.",
			Artifacts:   []monitoring.AnalysisArtifact{{Name: "HTTP_REQUEST", Type: "REQUEST"}, {Name: "TIMING_PHASES", Type: "TIMINGS"}},
		}},
		ReferenceLinks: []monitoring.AnalysisReference{{URL: "https://example.com/http-503", Title: "Status 503"}},
	}
	group := must(w.AddErrorGroup(ErrorGroups, ObjectOf(monitoring.ErrorGroup{
		ID: demoErrorGroupID, CheckID: w.Demo.CheckID, ErrorHash: "9b74c9897bac770ffc029102a200c5de",
		RawErrorMessage: new("connect ECONNREFUSED 203.0.113.9:443"), CleanedErrorMessage: "connect ECONNREFUSED <ip>",
		FirstSeen: At(now.AddDate(0, 0, -12)), LastSeen: At(now.Add(-5 * time.Hour)),
		RootCauseAnalyses: []json.RawMessage{JSON(Fields{
			"id": w.Demo.RootCauseAnalysisID, "provider": "some-provider", "model": "some-model-2", "durationMs": 9459.7,
			"created_at": fakeclock.Stamp(now), "analysis": analysis, "userContext": nil,
		})},
	})))
	must(w.AddErrorGroup(ErrorGroups, ObjectOf(monitoring.ErrorGroup{
		CheckID: w.Demo.CheckID, ErrorHash: "2f5c8a1be3d94c07a6d1b0e8f7c6a5d4", RawErrorMessage: new("Expected 500 to equal 200"),
		CleanedErrorMessage: "Expected <n> to equal <n>", FirstSeen: At(now.AddDate(0, -1, 0)), LastSeen: At(now.AddDate(0, 0, -3)),
		ArchivedUntilNextEvent: true,
	})))
	rca := monitoring.RootCauseAnalysis{
		ID: w.Demo.RootCauseAnalysisID, CheckType: monitoring.CheckTypeAPI, CheckID: new(w.Demo.CheckID), ErrorGroupID: &group,
		DurationMs: 9459.7, Analysis: analysis,
	}
	must(w.AddRootCauseAnalysis(ObjectOf(rca), 5*time.Second))
}
