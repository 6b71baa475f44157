package world

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// SessionItem is a session as a trigger returns it.
type SessionItem struct {
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

// SessionView is a session as it is read.
type SessionView struct {
	SessionItem
	Results []ResultItem `json:"results"`
}

// ResultItem is a result in a session.
type ResultItem struct {
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

// Item returns the session as a trigger does.
func (x *Session) Item(now time.Time) SessionItem {
	i := SessionItem{
		ID: x.Spec.ID, Link: x.link, CheckID: x.Spec.CheckID, CheckType: string(x.Spec.Type), Name: x.Spec.Name,
		Status: string(x.status(now)), StartedAt: fakeclock.Stamp(x.Spec.StartedAt), Locations: x.Spec.Locations,
		RunSource: new(string(x.Spec.RunSource)),
	}
	if end := x.End(); !now.Before(end) {
		i.StoppedAt = new(fakeclock.Stamp(end))
		now = end
	}
	i.TimeElapsed = millis(max(now.Sub(x.Spec.StartedAt), 0))
	return i
}

// HasSession reports whether there is a session, also one that reads do not find yet.
func (w *World) HasSession(id string) bool { return w.sessionsByID.of(id) != nil }

// View is a session as it is read, in the newer family of paths.
func (w *World) View(x *Session, now time.Time) SessionView {
	v := SessionView{SessionItem: x.Item(now), Results: []ResultItem{}}
	if x.Spec.RunSource == monitoring.RunSourceSlackRerun {
		v.RunSource = nil // the newer family does not have this source
	}
	for _, r := range x.runs {
		for _, a := range x.attempts(r, now) {
			i := ResultItem{
				ID: a.id(), Link: x.link + "/results/" + a.id(), CheckID: x.Spec.CheckID, CheckType: string(x.Spec.Type), Name: x.Spec.Name,
				Location: r.location, StartedAt: new(fakeclock.Stamp(a.begin)), resultFlags: x.flags(a),
			}
			if a.kind != "" {
				i.Type, i.ResponseTime, i.StoppedAt = new(string(a.kind)), new(x.responseTime(a)), new(fakeclock.Stamp(a.end))
				w.replaceItem(&i, x, a)
			}
			v.Results = append(v.Results, i)
		}
	}
	return v
}

// ViewV1 returns a session as the older family of paths shows it, which has no status
// CANCELLED.
func (w *World) ViewV1(x *Session, now time.Time) SessionView {
	v := w.View(x, now)
	v.RunSource = new(string(x.Spec.RunSource))
	if v.Status == string(monitoring.SessionCancelled) {
		v.Status = string(monitoring.SessionTimedOut)
	}
	return v
}

// replaceItem copies the members of a result that a test has set into the item of the
// session, if they have the type of the item's member.
func (w *World) replaceItem(i *ResultItem, x *Session, a attempt) {
	for _, members := range w.setMembers(x, a) {
		if data, err := json.Marshal(members); err == nil {
			item := *i
			if json.Unmarshal(data, &item) == nil {
				item.ID, item.CheckID = i.ID, i.CheckID
				*i = item
			}
		}
	}
}

// Session returns a session that is visible to reads; nil if there is none.
func (w *World) Session(id string, now time.Time) *Session {
	x := w.sessionsByID.of(id)
	if x == nil || now.Before(x.visible) {
		return nil
	}
	return x
}
