package monitoringtest

import (
	"encoding/json"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Names and ids in the data set of [NewDemo].
const (
	// DemoProductionTag is the tag of the checks of production, which all pass.
	DemoProductionTag = "production"
	// DemoStagingTag is the tag of the checks of staging, of which one is degraded.
	DemoStagingTag = "staging"
	// DemoGroupID is the id of the check group.
	DemoGroupID = 4711
	// DemoBrowserCheckID is the id of the browser check.
	DemoBrowserCheckID = "c1f4b0a2-6f8e-4b7c-8b5e-2a7d9e3c6f77"
	// DemoCheckID is the id of an API check that has failed in the last days. It has error
	// groups, and one of them has a root cause analysis.
	DemoCheckID = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	// DemoSuiteID is the id of the PLAYWRIGHT check, whose sessions can be cancelled.
	DemoSuiteID = "90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33"
	// DemoRootCauseAnalysisID is the id of a root cause analysis. It is PENDING for the
	// first seconds after the service was made.
	DemoRootCauseAnalysisID = "5f0d8f6c-3a3e-4d6d-8a55-7b9c2e1f4a10"
	// DemoStatusPageServiceID is the id of a status page service.
	DemoStatusPageServiceID = "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"
	// DemoDashboardID is the id of a dashboard.
	DemoDashboardID = "shop-overview"
)

// NewDemo makes a service with the data of a small shop:
//
//   - checks of several types, tagged production or staging, some of them in a group, and
//     subscribed to alert channels;
//   - sessions and alert notifications of the last days. A new session is added every
//     three hours of the clock;
//   - variables of the account, of which one is secret;
//   - maintenance windows: past, present, future and repeating;
//   - error groups, a root cause analysis, status page services and dashboards.
//
// When checks are triggered, they all pass except for one of staging, which is degraded.
func NewDemo(opts ...Option) *Service {
	return New(append([]Option{func(s *Service) { s.demo = true }}, opts...)...)
}

func (s *Service) fillDemo() {
	now := time.Now().UTC().Truncate(time.Second)
	s.addDemoChannels()
	s.demoChecks(now)
	s.demoErrors(now)
	s.demoClock = demoClock{start: now.Add(17*time.Minute - demoHistory*demoInterval)}
	s.tickDemo(now)
	s.AddVariable(
		monitoring.NewEnvironmentVariable("API_URL", "https://api.shop.test"),
		monitoring.NewEnvironmentVariable("SHOP_URL", "https://shop.test"),
		monitoring.NewEnvironmentVariable("TEST_USER", "probe@shop.test"),
		monitoring.EnvironmentVariable{Key: "REGION_TOKEN", Value: secret("t-123"), Locked: new(true)},
		monitoring.EnvironmentVariable{Key: "TEST_PASSWORD", Value: secret("correct horse"), Secret: new(true)},
	)
	s.AddPrivateLocation(monitoring.PrivateLocation{
		Name: "Data center 1", SlugName: "private-dc-1", AgentCount: new(1), LastSeen: new(at(now)), CreatedAt: at(now.AddDate(0, -4, 0)),
		Keys:          []monitoring.PrivateLocationKey{{ID: UUID("key of data center 1"), RawKey: secret("pl_7c1d5e2f6a40"), MaskedKey: "...6a40", CreatedAt: at(now.AddDate(0, -4, 0))}},
		RunningAgents: []monitoring.RunningAgents{{Version: "3.3.1", Count: 1, Agents: []monitoring.PrivateLocationAgent{{ID: "agent-1", LastSeenAt: at(now)}}}},
	})
	s.AddStatusPageService(DemoStatusPageServiceID)
	s.AddStatusPageService("")
	s.AddDashboard(DemoDashboardID)
	s.AddDashboard("")
}

func (s *Service) demoChecks(now time.Time) {
	s.AddGroup(monitoring.CheckGroup{
		ID: DemoGroupID, Name: "Checkout", Activated: true, Tags: []string{"checkout"},
		APICheckDefaults: monitoring.APICheckDefaults{
			URL:     monitoring.Value("https://api.shop.test"),
			Headers: []monitoring.KeyValue{{Key: "Cache-Control", Value: secret("no-store"), Locked: new(false)}},
		},
		EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("BASE", "https://api.shop.test")},
		RetryStrategy:        &monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback},
		CreatedAt:            at(now.AddDate(0, -4, 0)),
	})
	const eu, us, ap = "eu-central-1", "us-east-1", "ap-southeast-1"
	s.AddCheck(Check{
		ID: DemoCheckID, Name: "Checkout API", Type: monitoring.CheckTypeAPI, Tags: []string{DemoProductionTag, "api", "critical"},
		Locations: []string{eu, us}, GroupID: DemoGroupID, RunTime: 3 * time.Second, Attempts: 1,
	})
	s.AddCheck(Check{
		Name: "Payment gRPC health", Type: monitoring.CheckTypeGRPC, Tags: []string{DemoProductionTag, "critical"},
		Locations: []string{eu}, GroupID: DemoGroupID, RunTime: time.Second,
	})
	s.AddCheck(Check{
		ID: DemoBrowserCheckID, Name: "Login flow", Type: monitoring.CheckTypeBrowser, Tags: []string{DemoProductionTag, "browser"},
		Locations: []string{eu, us, ap}, RunTime: 3500 * time.Millisecond,
		Members: map[string]any{
			"description": "Signs in and opens the account page",
			"environmentVariables": []map[string]any{
				{"key": "USER", "value": "probe", "locked": false, "secret": false},
			},
		},
	})
	s.AddCheck(Check{
		Name: "Database port", Type: monitoring.CheckTypeTCP, Tags: []string{DemoProductionTag}, Locations: []string{eu}, RunTime: time.Second,
	})
	s.AddCheck(Check{
		Name: "Shop certificate", Type: monitoring.CheckTypeSSL, Tags: []string{DemoProductionTag}, Locations: []string{us}, RunTime: time.Second,
	})
	s.AddCheck(Check{
		ID: DemoSuiteID, Name: "Storefront suite", Type: monitoring.CheckTypePlaywright, Tags: []string{DemoStagingTag, "browser"},
		Locations: []string{"private-dc-1"}, RunTime: 8 * time.Second,
	})
	s.AddCheck(Check{
		Name: "Search API", Type: monitoring.CheckTypeAPI, Tags: []string{DemoStagingTag, "api"}, Locations: []string{eu, us},
		RunTime: 5 * time.Second, Outcome: monitoring.SessionDegraded,
	})
	s.AddCheck(Check{
		Name: "Order import", Type: monitoring.CheckTypeMultiStep, Tags: []string{DemoStagingTag, "flaky"}, Locations: []string{eu},
		RunTime: 6 * time.Second, Attempts: 1,
	})
	s.AddCheck(Check{Name: "Legacy health", Type: monitoring.CheckTypeURL, Tags: []string{DemoProductionTag}, Deactivated: true})
}

func (s *Service) demoErrors(now time.Time) {
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
	group := s.AddErrorGroup(monitoring.ErrorGroup{
		ID: demoErrorGroupID, CheckID: DemoCheckID, ErrorHash: "9b74c9897bac770ffc029102a200c5de",
		RawErrorMessage: new("connect ECONNREFUSED 203.0.113.9:443"), CleanedErrorMessage: "connect ECONNREFUSED <ip>",
		FirstSeen: at(now.AddDate(0, 0, -12)), LastSeen: at(now.Add(-5 * time.Hour)),
		RootCauseAnalyses: []json.RawMessage{mustMarshal(fields{
			"id": DemoRootCauseAnalysisID, "provider": "some-provider", "model": "some-model-2", "durationMs": 9459.7,
			"created_at": stamp(now), "analysis": analysis, "userContext": nil,
		})},
	})
	s.AddErrorGroup(monitoring.ErrorGroup{
		CheckID: DemoCheckID, ErrorHash: "2f5c8a1be3d94c07a6d1b0e8f7c6a5d4", RawErrorMessage: new("Expected 500 to equal 200"),
		CleanedErrorMessage: "Expected <n> to equal <n>", FirstSeen: at(now.AddDate(0, -1, 0)), LastSeen: at(now.AddDate(0, 0, -3)),
		ArchivedUntilNextEvent: true,
	})
	rca := monitoring.RootCauseAnalysis{
		ID: DemoRootCauseAnalysisID, CheckType: monitoring.CheckTypeAPI, CheckID: new(DemoCheckID), ErrorGroupID: &group,
		DurationMs: 9459.7, Analysis: analysis,
	}
	s.AddRootCauseAnalysis(rca, 5*time.Second)
}

// at returns a moment in the form in which the service writes it.
func at(t time.Time) monitoring.Timestamp {
	var ts monitoring.Timestamp
	if err := ts.UnmarshalText([]byte(stamp(t))); err != nil {
		panic(fmt.Sprintf("monitoringtest: %s", err))
	}
	return ts
}
