package monitoringtest

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// sessionItem is a session as a trigger returns it.
type sessionItem struct {
	ID          string   `json:"checkSessionId"`
	Link        string   `json:"checkSessionLink"`
	CheckID     string   `json:"checkId"`
	CheckType   string   `json:"checkType"`
	Name        string   `json:"name"`
	Status      string   `json:"status"`
	StartedAt   string   `json:"startedAt"`
	StoppedAt   *string  `json:"stoppedAt"`
	TimeElapsed float64  `json:"timeElapsed"`
	Locations   []string `json:"runLocations"`
	RunSource   *string  `json:"runSource"`
}

// sessionView is a session as it is read.
type sessionView struct {
	sessionItem
	Results []resultItem `json:"results"`
}

type resultItem struct {
	ID        string  `json:"checkResultId"`
	Link      string  `json:"checkResultLink"`
	CheckID   string  `json:"checkId"`
	CheckType string  `json:"checkType"`
	Name      string  `json:"name"`
	Location  string  `json:"runLocation"`
	Type      *string `json:"resultType"`
	resultFlags
	ResponseTime *float64 `json:"responseTime"`
	StartedAt    *string  `json:"startedAt"`
	StoppedAt    *string  `json:"stoppedAt"`
}

func (x *session) item(now time.Time) sessionItem {
	i := sessionItem{
		ID: x.spec.ID, Link: x.link, CheckID: x.spec.CheckID, CheckType: string(x.spec.Type), Name: x.spec.Name,
		Status: string(x.status(now)), StartedAt: stamp(x.spec.StartedAt), Locations: x.spec.Locations, RunSource: new(string(x.spec.RunSource)),
	}
	if end := x.end(); !now.Before(end) {
		i.StoppedAt = new(stamp(end))
		now = end
	}
	i.TimeElapsed = millis(max(now.Sub(x.spec.StartedAt), 0))
	return i
}

// view is a session as it is read, in the newer family of paths.
func (s *state) view(x *session, now time.Time) sessionView {
	v := sessionView{sessionItem: x.item(now), Results: []resultItem{}}
	if x.spec.RunSource == monitoring.RunSourceSlackRerun {
		v.RunSource = nil // the newer family does not have this source
	}
	for _, r := range x.runs {
		for _, a := range x.attempts(r, now) {
			i := resultItem{
				ID: a.id(), Link: x.link + "/results/" + a.id(), CheckID: x.spec.CheckID, CheckType: string(x.spec.Type), Name: x.spec.Name,
				Location: r.location, StartedAt: new(stamp(a.begin)), resultFlags: x.flags(a),
			}
			if a.kind != "" {
				i.Type, i.ResponseTime, i.StoppedAt = new(string(a.kind)), new(x.responseTime(a)), new(stamp(a.end))
				s.replaceItem(&i, x, a)
			}
			v.Results = append(v.Results, i)
		}
	}
	return v
}

// viewV1 returns a session as the older family of paths shows it, which has no status
// CANCELLED.
func (s *state) viewV1(x *session, now time.Time) sessionView {
	v := s.view(x, now)
	v.RunSource = new(string(x.spec.RunSource))
	if v.Status == string(monitoring.SessionCancelled) {
		v.Status = string(monitoring.SessionTimedOut)
	}
	return v
}

// replaceItem copies the members of a result that a test has set into the item of the
// session, if they have the type of the item's member.
func (s *state) replaceItem(i *resultItem, x *session, a attempt) {
	for _, members := range s.setMembers(x, a) {
		if data, err := json.Marshal(members); err == nil {
			item := *i
			if json.Unmarshal(data, &item) == nil {
				item.ID, item.CheckID = i.ID, i.CheckID
				*i = item
			}
		}
	}
}
