package monitoringtest

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// notification is an alert notification as JSON.
type notification struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Status       string          `json:"status"`
	Config       json.RawMessage `json:"alertConfig"`
	Result       *string         `json:"notificationResult"`
	Timestamp    *string         `json:"timestamp"`
	CheckType    string          `json:"checkType"`
	CheckID      string          `json:"checkId"`
	CheckAlertID string          `json:"checkAlertId"`
	ChannelID    int64           `json:"alertChannelId"`
	ResultID     string          `json:"checkResultId"`
}

// alert is an alert notification and its time. Its JSON is made when it is first read.
type alert struct {
	notification
	at      time.Time
	sent    time.Time // until then the status is IN_PROGRESS
	channel int64
	failed  bool            // whether sending fails in the end
	json    json.RawMessage // what is read once it is sent
	sending json.RawMessage // what is read before that
}

// now returns the notification as the service shows it at a moment.
func (a *alert) now(now time.Time) json.RawMessage {
	if now.Before(a.sent) {
		if a.sending == nil {
			n := a.notification
			n.Status, n.Result = string(monitoring.NotificationInProgress), nil
			a.sending = mustMarshal(n)
		}
		return a.sending
	}
	if a.json == nil {
		n := a.notification
		n.Timestamp = new(stamp(a.sent))
		a.json = mustMarshal(n)
	}
	return a.json
}

// hasFailed reports whether sending has failed at a moment.
func (a *alert) hasFailed(now time.Time) bool { return a.failed && !now.Before(a.sent) }

// alertList holds the alerts. They are sorted by time only when the list is read.
type alertList struct {
	items  []alert
	sorted bool
}

func (l *alertList) add(a alert) {
	l.sorted = len(l.items) == 0 || l.sorted && !a.at.Before(l.items[len(l.items)-1].at)
	l.items = append(l.items, a)
}

func sendingFailed(status monitoring.AlertNotificationStatus) bool {
	return status == monitoring.NotificationFailure || status == monitoring.NotificationRateLimited
}

// notify adds a notification whose sending begins at one moment and ends at another.
func (s *state) notify(n notification, begins, sent time.Time) {
	s.alerts.add(alert{
		notification: n, at: begins, sent: sent, channel: n.ChannelID,
		failed: sendingFailed(monitoring.AlertNotificationStatus(n.Status)),
	})
}

// AddAlertNotification adds an alert notification and returns its id. An empty id is
// replaced by a generated one, and a missing timestamp by the present time.
func (s *Service) AddAlertNotification(n monitoring.AlertNotification) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addAlert(n)
}

// AddAlertNotifications adds alert notifications, as [Service.AddAlertNotification] does.
func (s *Service) AddAlertNotifications(notifications ...monitoring.AlertNotification) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range notifications {
		s.addAlert(n)
	}
}

func (s *Service) addAlert(n monitoring.AlertNotification) string {
	generated := s.newID("alert notification")
	if n.ID == "" {
		n.ID = generated
	}
	if n.Type == "" {
		n.Type = monitoring.ChannelEmail
	}
	if n.Status == "" {
		n.Status = monitoring.NotificationSuccess
		if n.Timestamp == nil {
			n.Status = monitoring.NotificationInProgress
		}
	}
	moment := time.Now()
	if n.Timestamp != nil {
		moment = n.Timestamp.Time
	}
	s.alerts.add(alert{at: moment, channel: n.AlertChannelID, json: alertJSON(n), failed: sendingFailed(n.Status)})
	return n.ID
}

// between returns the alerts from a moment, inclusive, to another, exclusive.
func (l *alertList) between(from, to time.Time) []alert {
	if !l.sorted {
		slices.SortStableFunc(l.items, func(a, b alert) int { return a.at.Compare(b.at) })
		l.sorted = true
	}
	find := func(t time.Time) int {
		i, _ := slices.BinarySearchFunc(l.items, t, func(a alert, t time.Time) int { return a.at.Compare(t) })
		return i
	}
	first, end := find(from), find(to)
	return l.items[first:max(first, end)]
}

func (s *Service) listAlerts(c *call) response {
	from, to := c.period()
	s.settle(c.now)
	list := s.alerts.between(from, to)
	id, byChannel := c.param("alertChannelId")
	failures, byFailure := c.param("hasFailures")
	if byChannel || byFailure {
		var kept []alert
		for _, a := range list {
			if (!byChannel || a.channel == number(id)) && (!byFailure || a.hasFailed(c.now) == (failures == "true")) {
				kept = append(kept, a)
			}
		}
		list = kept
	}
	return s.list(c, len(list), func(i int) json.RawMessage { return list[i].now(c.now) })
}

// alertDefault is the length of the period if from, to or both are missing.
const alertDefault = 6 * time.Hour

// period returns the period that the parameters from and to ask for.
func (c *call) period() (from, to time.Time) {
	first, hasFrom := c.param("from")
	last, hasTo := c.param("to")
	if hasFrom {
		from = time.Unix(number(first), 0)
	}
	to = c.now
	switch {
	case hasTo:
		to = time.Unix(number(last), 0)
	case hasFrom:
		to = from.Add(alertDefault)
	}
	if !hasFrom {
		from = to.Add(-alertDefault)
	}
	return from, to
}
