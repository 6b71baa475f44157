package world

import (
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// windowDefaults are the members that a window has by default.
var windowDefaults = Object{
	"tags": Raw("[]"), "repeatInterval": Raw("null"), "repeatEndsAt": Raw("null"), "timezone": Raw("null"), "description": Raw("null"),
	"pauseAllChecks": Raw("false"), "silenceAllAlerts": Raw("false"), "silenceAlertsTags": Raw("[]"), "updated_at": Raw("null"),
}

// completeWindow checks what the description of the body cannot, and completes the body. A time at
// which repeating ends becomes its day in UTC.
func completeWindow(sent Object) *schema.Violation {
	completeVisibility(sent)
	for _, name := range []string{"startsAt", "endsAt"} {
		if written := sent.Text(name); strings.Contains(written, "T") {
			sent.Set(name, fakeclock.Stamp(Date(written)))
		}
	}
	if end := sent.Text("repeatEndsAt"); end != "" {
		sent.Set("repeatEndsAt", Date(end).UTC().Format(time.DateOnly))
	}
	if zone := sent.Text("timezone"); zone != "" {
		if _, err := time.LoadLocation(zone); err != nil {
			return &schema.Violation{Path: "timezone", Message: "must be the name of a time zone"}
		}
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
