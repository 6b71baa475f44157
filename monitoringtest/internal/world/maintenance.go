package world

import (
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// MaintenanceWindows pause checks, or silence their alerts.
var MaintenanceWindows = &Kind{
	Name: "maintenance window", List: "maintenanceWindows", ID: "id",
	Made: "created_at", Moments: []string{"updated_at", "startsAt", "endsAt", "repeatEndsAt"},
	Members: []string{
		"name", "tags", "repeatInterval", "repeatUnit", "timezone", "description", "statusPageVisibility", "pauseAllChecks",
		"silenceAlertsTags", "silenceAllAlerts", "projectBindings",
	},
	Needs: []string{"name", "startsAt", "endsAt"},
	Defaults: Object{
		"name": Raw(`""`), "tags": Raw("[]"), "repeatUnit": Raw("null"), "repeatInterval": Raw("null"), "repeatEndsAt": Raw("null"), "timezone": Raw("null"),
		"description": Raw("null"), "pauseAllChecks": Raw("false"), "silenceAllAlerts": Raw("false"), "silenceAlertsTags": Raw("[]"),
		"updated_at": Raw("null"),
	},
	Example:  func() any { return new(monitoring.MaintenanceWindow) },
	complete: completeWindow, vet: vetWindow,
}

// completeWindow writes all moments of a window in one form; repeatEndsAt is the beginning of its
// day in UTC. What an update leaves out of statusPageVisibility gets its default, too.
func completeWindow(o Object) {
	if o.Has("statusPageVisibility") {
		o["statusPageVisibility"] = visibilityBody.Filled(o["statusPageVisibility"])
	}
	for _, name := range []string{"startsAt", "endsAt"} {
		if written := o.Text(name); written != "" {
			o.Set(name, fakeclock.Stamp(Date(written)))
		}
	}
	if end := o.Text("repeatEndsAt"); end != "" {
		o.Set("repeatEndsAt", fakeclock.Stamp(dayOf(Date(end))))
	}
}

// visibilityBody describes the statusPageVisibility of a new maintenance window: its defaults, and
// that affectAllServices excludes serviceIds, one of which status pages need.
var visibilityBody = schema.Lookup("POST /v1/maintenance-windows").Body.Member("statusPageVisibility").Node

// dayOf returns the beginning of a day in UTC.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// vetWindow returns the rule that a window breaks, of those that the description of a body cannot
// have because an update leaves out members.
func vetWindow(_ *Store, m Object) *schema.Violation {
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
