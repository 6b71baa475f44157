package world

import "time"

// Demo names what stands in the data of the demo.
type Demo struct {
	ProductionTag, StagingTag        string
	GroupID                          int64
	BrowserCheckID, CheckID, SuiteID string
	RootCauseAnalysisID              string
	StatusPageServiceID, DashboardID string
}

// schedule is how far the demo's scheduler has come.
type schedule struct {
	start        time.Time // of the first scheduled session
	sessions     int       // how many the scheduler has started
	alerted      bool      // whether its last session failed and raised an alert
	windows      []string  // the ids of the maintenance windows
	windowsUntil time.Time // when they are replaced by new ones
}
