package world

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
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

// Alert is an alert notification and its time.
type Alert struct {
	notification
	at      time.Time
	sent    time.Time // until then the status is IN_PROGRESS
	Channel int64
	failed  bool            // whether sending fails in the end
	json    json.RawMessage // what is read of one that a test has added
}

// Now returns the notification as the service shows it at a moment.
func (a *Alert) Now(now time.Time) json.RawMessage {
	if now.Before(a.sent) {
		n := a.notification
		n.Status, n.Result = string(monitoring.NotificationInProgress), nil
		return JSON(n)
	}
	if a.json != nil {
		return a.json
	}
	n := a.notification
	n.Timestamp = new(fakeclock.Stamp(a.sent))
	return JSON(n)
}

// HasFailed reports whether sending has failed at a moment.
func (a *Alert) HasFailed(now time.Time) bool { return a.failed && !now.Before(a.sent) }

// AlertList holds the alerts. They are sorted by time only when the list is read.
type AlertList struct {
	items  []Alert
	sorted bool
}

// Len returns how many there are.
func (l *AlertList) Len() int { return len(l.items) }

func (l *AlertList) add(a Alert) {
	l.sorted = len(l.items) == 0 || l.sorted && !a.at.Before(l.items[len(l.items)-1].at)
	l.items = append(l.items, a)
}

func sendingFailed(status monitoring.AlertNotificationStatus) bool {
	return status == monitoring.NotificationFailure || status == monitoring.NotificationRateLimited
}

// notify adds a notification whose sending begins at one moment and ends at another.
func (l *AlertList) notify(n notification, begins, sent time.Time) {
	l.add(Alert{
		notification: n, at: begins, sent: sent, Channel: n.ChannelID,
		failed: sendingFailed(monitoring.AlertNotificationStatus(n.Status)),
	})
}

// Between returns the alerts from a moment, inclusive, to another, exclusive.
func (l *AlertList) Between(from, to time.Time) []Alert {
	if !l.sorted {
		slices.SortStableFunc(l.items, func(a, b Alert) int { return a.at.Compare(b.at) })
		l.sorted = true
	}
	find := func(t time.Time) int {
		i, _ := slices.BinarySearchFunc(l.items, t, func(a Alert, t time.Time) int { return a.at.Compare(t) })
		return i
	}
	first, end := find(from), find(to)
	return l.items[first:max(first, end)]
}
