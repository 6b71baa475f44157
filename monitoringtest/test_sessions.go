package monitoringtest

import (
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// TestRun is a run of a check in a test session, before it begins; see [Service.OnTestRun].
type TestRun struct {
	// Session is the name of the test session.
	Session string
	// CheckID, Name and Type are those of the check, and Location is that of the session, to read
	// only.
	CheckID  string
	Name     string
	Type     monitoring.CheckType
	Location string
	// Variables are those that the run sees: of the account, overridden by those of the trigger.
	Variables map[string]string

	// RunTime, Outcome, Error, HasErrors and Result are at first those of the check, as in [Check],
	// and may be changed. An Outcome of DEGRADED makes a session PASSED with a degraded result, and
	// TIMED_OUT makes it FAILED.
	RunTime   time.Duration
	Outcome   monitoring.CheckSessionStatus
	Error     string
	HasErrors bool
	Result    map[string]any
}

// OnTestRun makes decide set how the runs of test sessions go, for example by their variables; nil
// lets them go like those of their checks. It is called for each run when a test session is
// triggered, and may call methods of the service. Reset forgets it.
//
//	svc.OnTestRun(func(run *monitoringtest.TestRun) {
//		if run.Variables["BASE_URL"] != "https://preview.shop.test" {
//			run.Outcome, run.Error = monitoring.SessionFailed, "no such host"
//		}
//	})
func (s *Service) OnTestRun(decide func(*TestRun)) {
	s.world.Lock()
	defer s.world.Unlock()
	s.world.DecideTest = nil
	if decide != nil {
		s.world.DecideTest = func(run *world.TestRun) { decide((*TestRun)(run)) }
	}
}

// TestSessions returns the test sessions as they are now, even those that are not yet visible to
// reads, in the order in which they started. [Service.ResultIDs], [Service.SetResult] and
// [Service.AddAsset] accept their ids. Runs that fail with an Error add error groups;
// [Service.Seed] adds others.
func (s *Service) TestSessions() []monitoring.TestSession {
	s.world.Lock()
	defer s.world.Unlock()
	var list []monitoring.TestSession
	world.MustUnmarshal(world.JSON(s.world.TestViews(s.world.Clock.Now())), &list)
	return list
}
