package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	demoInterval = 3 * time.Hour // between sessions that the scheduler starts
	demoHistory  = 24            // sessions before the service was made
	demoRunTime  = 3 * time.Second

	demoErrorGroupID = "d2c6f1c8-17f8-4d35-9a0d-0c6a5e1f7b90"
)

// runSchedule adds the sessions that the scheduler has started since the last tick, and
// replaces the maintenance windows when the present one is over.
func (w *World) runSchedule(now time.Time) {
	d := &w.schedule
	for {
		begin := d.start.Add(time.Duration(d.sessions) * demoInterval)
		if now.Before(begin.Add(demoRunTime)) {
			break
		}
		w.demoSession(d.sessions, begin, now)
		d.sessions++
	}
	if !now.Before(d.windowsUntil) {
		day := now.UTC().Truncate(time.Second)
		d.windowsUntil = day.Add(90 * time.Minute)
		w.demoWindows(day)
	}
}

// demoSession adds a session that the scheduler started. One in four fails and the next
// one passes; both send alerts.
func (w *World) demoSession(i int, begin, now time.Time) {
	c := w.Check(w.Demo.CheckID)
	if c == nil || !w.canRun(c) || w.paused(c, begin) { // a test may have deleted it
		return
	}
	fails, recovers := i%4 == 1, i%4 == 2
	outcome := monitoring.SessionPassed
	if fails {
		outcome = monitoring.SessionFailed
	}
	x := w.addSession(SessionSpec{
		CheckID: w.Demo.CheckID, Name: c.Name, Type: monitoring.CheckTypeAPI, Locations: []string{"eu-central-1"},
		StartedAt: begin, Duration: w.Clock.Slowed(demoRunTime), Outcome: outcome, RunSource: monitoring.RunSourceScheduler,
	}, now, course{begins: begin})
	if g := w.Of(ErrorGroups).Find(demoErrorGroupID); fails && i >= demoHistory && g != nil {
		g.change(Object{"lastSeen": JSON(At(x.End()))})
	}
	recovers = recovers && w.schedule.alerted
	w.schedule.alerted = fails && !w.silenced(c, x.End())
	if !w.schedule.alerted && !recovers || w.silenced(c, x.End()) {
		return
	}
	alert, kind := uuidOf("check alert of the schedule", uint64(i)), "ALERT_RECOVERY"
	if fails {
		kind = "ALERT_FAILURE"
	}
	w.raise(alert, x, kind)
	for k, channel := range w.subscribed(c) {
		n := notification{
			ID: w.ids.text("alert notification"), Type: string(channel.Type), Status: channel.status, Config: channel.config,
			Result: nilIfEmpty(channel.response), CheckType: string(x.Spec.Type), CheckID: w.Demo.CheckID,
			CheckAlertID: alert, ChannelID: channel.ID, ResultID: x.runs[0].results[0],
		}
		if k == 0 && i%8 == 1 {
			n.Status, n.Result = string(monitoring.NotificationFailure), new(`{"error":"upstream 503"}`)
		}
		sent := begin.Add(time.Duration(4+k) * time.Second)
		w.Alerts.notify(n, sent, sent)
	}
}

// demoWindows replaces the maintenance windows by windows around a moment. They keep the
// ids that they got the first time.
func (w *World) demoWindows(now time.Time) {
	w.Of(MaintenanceWindows).remove(func(d *Document) bool { return slices.Contains(w.schedule.windows, d.ID) })
	ids := w.schedule.windows
	w.schedule.windows = nil
	add := func(name string, from, to time.Time, more func(*monitoring.MaintenanceWindow)) {
		m := monitoring.MaintenanceWindow{Name: name, StartsAt: At(from), EndsAt: At(to), CreatedAt: At(now.AddDate(0, -2, 0)),
			Tags: []string{w.Demo.StagingTag}}
		if more != nil {
			more(&m)
		}
		o := ObjectOf(m)
		if len(ids) > 0 {
			o["id"], ids = Raw(ids[0]), ids[1:]
		}
		w.schedule.windows = append(w.schedule.windows, must(w.Add(MaintenanceWindows, o, nil)).ID)
	}
	day := now.Truncate(24 * time.Hour)
	add("Staging refresh", now.Add(-30*time.Minute), now.Add(90*time.Minute), func(m *monitoring.MaintenanceWindow) {
		m.SilenceAlertsTags = []string{w.Demo.StagingTag}
	})
	add("Payment provider migration", day.AddDate(0, 0, 3).Add(2*time.Hour), day.AddDate(0, 0, 3).Add(4*time.Hour),
		func(m *monitoring.MaintenanceWindow) {
			m.Tags, m.PauseAllChecks, m.Description = []string{"checkout"}, new(true), monitoring.Value("Announced by the provider")
		})
	add("Network upgrade", day.AddDate(0, 0, -10), day.AddDate(0, 0, -10).Add(3*time.Hour), func(m *monitoring.MaintenanceWindow) {
		m.SilenceAllAlerts = new(true)
	})
	add("Weekly database upgrade", day.AddDate(0, 0, -20).Add(2*time.Hour), day.AddDate(0, 0, -20).Add(4*time.Hour+30*time.Minute),
		func(m *monitoring.MaintenanceWindow) {
			m.Tags = []string{"database"}
			m.RepeatInterval, m.RepeatUnit = monitoring.Value(1), monitoring.Value(monitoring.RepeatWeek)
			m.RepeatEndsAt = monitoring.Value(monitoring.DateOf(day.AddDate(0, 6, 0)))
			m.StatusPageVisibility = &monitoring.StatusPageVisibility{
				Enabled: new(true), AffectAllServices: new(false), SuppressAutoIncidents: new(true), NotifyOnStart: new(true),
				NotifyOnEnd: new(false), AutoStart: new(true), AutoEnd: new(true),
				Severity: monitoring.Value(monitoring.SeverityMinor), ReminderMinutesBefore: []int{60, 1440},
				ServiceIDs: []string{w.Demo.StatusPageServiceID},
			}
		})
}
