package monitoringtest

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// demoClock is how far the demo data has come.
type demoClock struct {
	start        time.Time // of the first scheduled session
	sessions     int       // how many the scheduler has started
	windows      []int64   // the ids of the maintenance windows
	windowsUntil time.Time // when they are replaced by new ones
}

const (
	demoInterval = 3 * time.Hour // between sessions that the scheduler starts
	demoHistory  = 24            // sessions before the service was made
	demoRunTime  = 3 * time.Second

	demoErrorGroupID = "d2c6f1c8-17f8-4d35-9a0d-0c6a5e1f7b90"
)

var demoChannels = []AlertChannel{
	{ID: 263584, Type: monitoring.ChannelWebhook, Config: map[string]any{"name": "incident hook", "url": "https://hooks.shop.test/x", "method": "POST"}},
	{ID: 263585, Type: monitoring.ChannelEmail, Config: map[string]any{"address": "oncall@shop.test"}},
	{ID: 263586, Type: monitoring.ChannelSlack, Config: map[string]any{"url": "https://chat.shop.test/h", "channel": "#alerts"}},
}

func (s *Service) addDemoChannels() {
	for _, c := range demoChannels {
		s.AddAlertChannel(c)
	}
}

// tickDemo adds the sessions that the scheduler has started since the last tick, and
// replaces the maintenance windows when the present one is over.
func (s *Service) tickDemo(now time.Time) {
	d := &s.demoClock
	for {
		begin := d.start.Add(time.Duration(d.sessions) * demoInterval)
		if now.Before(begin.Add(demoRunTime)) {
			break
		}
		s.demoSession(d.sessions, begin, now)
		d.sessions++
	}
	if !now.Before(d.windowsUntil) {
		day := now.UTC().Truncate(time.Second)
		d.windowsUntil = day.Add(90 * time.Minute)
		s.demoWindows(day)
	}
}

// demoSession adds a session that the scheduler started. One in four fails and the next
// one passes; both send alerts.
func (s *Service) demoSession(i int, begin, now time.Time) {
	c := s.checksByID[DemoCheckID]
	if c == nil || !s.eligible(c) || s.paused(c, begin) { // a test may have deleted it
		return
	}
	fails, recovers := i%4 == 1, i%4 == 2
	outcome := monitoring.SessionPassed
	if fails {
		outcome = monitoring.SessionFailed
	}
	x := s.addSession(Session{
		CheckID: DemoCheckID, Name: c.spec.Name, Type: monitoring.CheckTypeAPI, Locations: []string{"eu-central-1"},
		StartedAt: begin, Duration: time.Duration(float64(demoRunTime) * s.speed), Outcome: outcome, RunSource: monitoring.RunSourceScheduler,
	}, now, begin)
	for k := range s.errorGroups[DemoCheckID] {
		if g := &s.errorGroups[DemoCheckID][k]; fails && i >= demoHistory && g.id == demoErrorGroupID {
			g.json = seenAgain(g.json, x.end())
		}
	}
	if !fails && !recovers || s.silenced(c, x.end()) {
		return
	}
	for k, channel := range s.channelsOf(c) {
		n := notification{
			ID: s.newID("alert notification"), Type: string(channel.Type), Status: string(channel.Status), Config: mustMarshal(orEmpty(channel.Config)),
			Result: orNull(channel.Response), CheckType: string(x.spec.Type), CheckID: DemoCheckID, CheckAlertID: uuidOf("check alert", uint64(i)),
			ChannelID: channel.ID, ResultID: x.runs[0].results[0],
		}
		if k == 0 && i%8 == 1 {
			n.Status, n.Result = string(monitoring.NotificationFailure), new(`{"error":"upstream 503"}`)
		}
		sent := begin.Add(time.Duration(4+k) * time.Second)
		s.notify(n, sent, sent)
	}
}

// seenAgain returns an error group with another time at which it was last seen.
func seenAgain(group json.RawMessage, moment time.Time) json.RawMessage {
	var o object
	if json.Unmarshal(group, &o) != nil {
		return group
	}
	o.set("lastSeen", stamp(moment))
	return mustMarshal(o)
}

// demoWindows replaces the maintenance windows by windows around a moment. They keep the
// ids that they got the first time.
func (s *Service) demoWindows(now time.Time) {
	s.windows = slices.DeleteFunc(s.windows, func(w window) bool { return slices.Contains(s.demoClock.windows, w.id) })
	ids := s.demoClock.windows
	s.demoClock.windows = nil
	add := func(name string, from, to time.Time, more func(*monitoring.MaintenanceWindow)) {
		w := monitoring.MaintenanceWindow{Name: name, StartsAt: at(from), EndsAt: at(to), CreatedAt: at(now.AddDate(0, -2, 0)), Tags: []string{DemoStagingTag}}
		if more != nil {
			more(&w)
		}
		if len(ids) > 0 {
			w.ID, ids = ids[0], ids[1:]
		}
		s.demoClock.windows = append(s.demoClock.windows, s.addWindow(w, now))
	}
	day := now.Truncate(24 * time.Hour)
	add("Staging refresh", now.Add(-30*time.Minute), now.Add(90*time.Minute), func(w *monitoring.MaintenanceWindow) {
		w.SilenceAlertsTags = []string{DemoStagingTag}
	})
	add("Payment provider migration", day.AddDate(0, 0, 3).Add(2*time.Hour), day.AddDate(0, 0, 3).Add(4*time.Hour), func(w *monitoring.MaintenanceWindow) {
		w.Tags, w.PauseAllChecks, w.Description = []string{"checkout"}, true, new("Announced by the provider")
	})
	add("Network upgrade", day.AddDate(0, 0, -10), day.AddDate(0, 0, -10).Add(3*time.Hour), func(w *monitoring.MaintenanceWindow) {
		w.SilenceAllAlerts = true
	})
	add("Weekly database upgrade", day.AddDate(0, 0, -20).Add(2*time.Hour), day.AddDate(0, 0, -20).Add(4*time.Hour+30*time.Minute), func(w *monitoring.MaintenanceWindow) {
		w.Tags = []string{"database"}
		w.RepeatInterval, w.RepeatUnit, w.RepeatEndsAt = new(1), new(monitoring.RepeatWeek), new(at(day.AddDate(0, 6, 0)))
		w.StatusPageVisibility = &monitoring.StatusPageVisibility{
			Enabled: new(true), AffectAllServices: new(false), SuppressAutoIncidents: new(true), NotifyOnStart: new(true), NotifyOnEnd: new(false), AutoStart: new(true), AutoEnd: new(true),
			Severity: monitoring.Value(monitoring.SeverityMinor), ReminderMinutesBefore: []int{60, 1440}, ServiceIDs: []string{DemoStatusPageServiceID},
		}
	})
}
