package monitoringtest

import "github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"

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
	// DemoCheckID is the id of an API check that failed in the last days. It has error groups, one
	// of them with a root cause analysis.
	DemoCheckID = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	// DemoSuiteID is the id of the PLAYWRIGHT check, whose sessions can be canceled.
	DemoSuiteID = "90f2c7d4-52c1-4c66-8d0a-1f4b8e2a7c33"
	// DemoRootCauseAnalysisID is the id of a root cause analysis that is PENDING for the first
	// seconds.
	DemoRootCauseAnalysisID = "5f0d8f6c-3a3e-4d6d-8a55-7b9c2e1f4a10"
	// DemoStatusPageServiceID is the id of a status page service.
	DemoStatusPageServiceID = "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"
	// DemoDashboardID is the id of a dashboard.
	DemoDashboardID = "shop-overview"
)

// NewDemo returns a service with the data of a small shop:
//
//   - checks of several types, tagged production or staging, some of them in a group, and
//     subscribed to alert channels;
//   - sessions of the Checkout API and alert notifications of the last days, and a new session
//     every three hours of the clock;
//   - two test sessions of previews, of which the later one failed;
//   - variables of the account, one of them secret;
//   - maintenance windows: past, present, future and repeating;
//   - error groups, a root cause analysis, status page services and dashboards.
//
// When triggered, all checks pass, except for one of staging, which is degraded.
func NewDemo(opts ...Option) *Service {
	demo := func(s *Service) {
		s.account.Demo = &world.Demo{
			ProductionTag: DemoProductionTag, StagingTag: DemoStagingTag, GroupID: DemoGroupID,
			BrowserCheckID: DemoBrowserCheckID, CheckID: DemoCheckID, SuiteID: DemoSuiteID, RootCauseAnalysisID: DemoRootCauseAnalysisID,
			StatusPageServiceID: DemoStatusPageServiceID, DashboardID: DemoDashboardID,
		}
	}
	return New(append([]Option{demo}, opts...)...)
}
