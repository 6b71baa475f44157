package routes

import (
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// listReports reports on the last 24 hours, unless another period is given: its ends count before
// its name.
func listReports(w *world.World, c *Call) Reply {
	name, _ := c.Param("timezone")
	zone := world.Zone(name) // "" is UTC
	if zone == nil {
		return refusedQuery("timezone", "must be the name of a time zone")
	}
	spec := world.ReportSpec{Zone: zone}
	spec.From, spec.To = rangeOf(monitoring.ReportRange(c.Query.Get("quickRange")), c.Now.In(zone))
	if text, given := c.Param("to"); given {
		spec.To = time.Unix(Number(text), 0)
	}
	if text, given := c.Param("from"); given {
		spec.From = time.Unix(Number(text), 0)
	}
	spec.Granularity = monitoring.ReportGranularity(c.Query.Get("granularity"))
	spec.Selects = func(tags []string, deactivated bool) bool {
		return world.HasTag(tags, c.Query["filterByTags"]) && (!c.Query.Has("deactivated") || c.asks("deactivated") == deactivated)
	}
	return success(w.Reports(spec, c.Now))
}

// rangeOf returns the period of a name.
func rangeOf(name monitoring.ReportRange, now time.Time) (from, to time.Time) {
	week, month := world.BeginOf(monitoring.ReportWeekly, now), world.BeginOf(monitoring.ReportMonthly, now)
	switch name {
	case monitoring.ReportLast7Days:
		return now.AddDate(0, 0, -7), now
	case monitoring.ReportLast30Days:
		return now.AddDate(0, 0, -30), now
	case monitoring.ReportThisWeek:
		return week, now
	case monitoring.ReportThisMonth:
		return month, now
	case monitoring.ReportLastWeek:
		return week.AddDate(0, 0, -7), week
	case monitoring.ReportLastMonth:
		return month.AddDate(0, -1, 0), month
	}
	return now.Add(-24 * time.Hour), now
}
