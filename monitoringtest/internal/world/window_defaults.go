package world

import (
	"time"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// windowDefaults are the members that a window has by default.
var windowDefaults = Object{
	"tags": Raw("[]"), "repeatUnit": Raw("null"), "repeatInterval": Raw("null"), "repeatEndsAt": Raw("null"), "timezone": Raw("null"), "description": Raw("null"),
	"pauseAllChecks": Raw("false"), "silenceAllAlerts": Raw("false"), "silenceAlertsTags": Raw("[]"), "updated_at": Raw("null"),
}

// completeWindow completes the body of a create or an update. All its moments are written in one
// form; repeatEndsAt is the beginning of its day in UTC.
func completeWindow(sent Object) {
	completeVisibility(sent)
	for _, name := range []string{"startsAt", "endsAt"} {
		if written := sent.Text(name); written != "" {
			sent.Set(name, fakeclock.Stamp(Date(written)))
		}
	}
	if end := sent.Text("repeatEndsAt"); end != "" {
		sent.Set("repeatEndsAt", fakeclock.Stamp(dayOf(Date(end))))
	}
}

// dayOf returns the beginning of a day in UTC.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// vetWindow returns the rule that a window breaks, of those that the description of a body cannot
// have because an update leaves out members.
func vetWindow(m Object) *schema.Violation {
	if zone := m.Text("timezone"); zone != "" && Zone(zone) == nil {
		return &schema.Violation{Path: "timezone", Message: "must be the name of a time zone"}
	}
	if Date(m.Text("endsAt")).Before(Date(m.Text("startsAt"))) {
		return &schema.Violation{Path: "endsAt", Message: "must not be before startsAt"}
	}
	return nil
}

// Date reads a text that was checked to be a day or a timestamp.
func Date(text string) time.Time {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day
	}
	t, _ := time.Parse(time.RFC3339, text)
	return t
}
