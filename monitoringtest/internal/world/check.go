package world

import (
	"math"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// CheckSpec is a check that a test adds, and how its runs go. What its members mean stands at
// monitoringtest.Check.
type CheckSpec struct {
	ID                 string
	Name               string
	Type               monitoring.CheckType
	Tags               []string
	Locations          []string
	GroupID            int64
	Deactivated, Muted bool
	Members            map[string]any

	Every        time.Duration
	RunTime      time.Duration
	Outcome      monitoring.CheckSessionStatus
	Outcomes     []monitoring.CheckSessionStatus
	Progress     monitoring.CheckSessionStatus
	FailIn       []string
	Attempts     int
	ResponseTime time.Duration
	Error        string
	HasErrors    bool
	Result       map[string]any
	VisibleAfter time.Duration
}

// Check is a check of the account.
type Check struct {
	ID      string
	Type    monitoring.CheckType
	Members Object // as its update returns them, with secrets

	// These are members as well.
	Name       string
	GroupID    int64
	groupOrder float64 // the greatest number when it has none

	plan     CheckSpec // how its runs go
	added    bool      // by a test, so its locations must be known when it runs
	runs     int       // how many have started
	next     time.Time // when the scheduler starts it next, if its plan has an Every
	alerting alerting

	holds *Settings // under this group; see World.Holds
	under *Group
}

// alerting is what the alert rules keep about a check from one run to the next.
type alerting struct {
	failed   int       // runs in a row that failed
	since    time.Time // when the first of them ended
	alerted  bool      // whether an alert was raised about them
	degraded bool      // whether one was raised about runs that are degraded
}

// Check returns a check; nil if there is none with the id.
func (w *World) Check(id string) *Check { return w.checksByID.of(id) }

// change gives the check other members.
func (c *Check) change(m Object) {
	c.Members, c.holds = m, nil
	c.Name = m.Text("name")
	c.GroupID = 0
	m.Get("groupId", &c.GroupID)
	c.groupOrder = math.MaxFloat64
	m.Get("groupOrder", &c.groupOrder)
}

// APIURL returns the URL of the request of an API check, and "" for others.
func (c *Check) APIURL() string {
	var request Object
	if c.Type != monitoring.CheckTypeAPI {
		return ""
	}
	c.Members.Get("request", &request)
	return request.Text("url")
}
