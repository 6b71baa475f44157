package world

import (
	"encoding/json"
	"fmt"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddAlert adds an alert notification and returns its id. An empty id is replaced by a generated
// one, and a missing timestamp by the present moment, unless it is still being sent.
func (w *World) AddAlert(n monitoring.AlertNotification) (string, error) {
	if w.HasAlert(n.ID) {
		return "", fmt.Errorf("an alert notification with the id %s exists already", n.ID)
	}
	generated := w.ids.text("alert notification")
	if n.ID == "" {
		n.ID = generated
	}
	w.addedAlerts[n.ID] = true
	if n.Type == "" {
		n.Type = monitoring.ChannelEmail
	}
	if n.Status == "" {
		n.Status = monitoring.NotificationSuccess
	}
	moment := w.Clock.Now()
	if n.Timestamp == nil && n.Status != monitoring.NotificationInProgress {
		n.Timestamp = new(At(moment))
	}
	if n.Timestamp != nil {
		moment = n.Timestamp.Time
	}
	w.Alerts.add(Alert{notification: notification{ID: n.ID}, at: moment, Channel: n.AlertChannelID, json: alertJSON(n), failed: sendingFailed(n.Status)})
	return n.ID, nil
}

// HasAlert reports whether a test has added an alert notification with an id.
func (w *World) HasAlert(id string) bool { return w.addedAlerts[id] }

// alertJSON returns an alert notification as JSON, with its configuration.
func alertJSON(n monitoring.AlertNotification) json.RawMessage {
	if n.AlertConfig.IsZero() {
		n.AlertConfig = monitoring.NewSecretJSON(Raw("{}"))
	}
	n.Timestamp = asWrittenOrNil(n.Timestamp)
	return JSON(n)
}
