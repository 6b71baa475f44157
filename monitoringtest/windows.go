package monitoringtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

type window struct {
	id           int64
	starts, ends time.Time
	every        int // of the unit; 0: once
	unit         monitoring.RepeatUnit
	until        time.Time // when repeating ends; zero: never
	pauses       scope
	silences     scope // besides what it pauses
	json         json.RawMessage
}

// scope is all checks, or those that have one of some tags or names, or whose group has.
type scope struct {
	all   bool
	names []string
}

func (x scope) has(names []string) bool {
	return x.all || slices.ContainsFunc(x.names, func(n string) bool { return n != "" && slices.Contains(names, n) })
}

// AddMaintenanceWindow adds a maintenance window and returns its id, which is generated
// if it is 0. While it lasts, its checks send no alerts. The
// scheduler of the demo does not start those that it pauses; a trigger does.
func (s *Service) AddMaintenanceWindow(w monitoring.MaintenanceWindow) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.settle(now)
	return s.addWindow(w, now)
}

func (s *state) addWindow(w monitoring.MaintenanceWindow, now time.Time) int64 {
	if w.ID == 0 {
		w.ID = s.newNumber("window")
	}
	if w.CreatedAt.IsZero() {
		w.CreatedAt = at(now)
	}
	if w.Tags == nil {
		w.Tags = []string{}
	}
	w.StartsAt, w.EndsAt, w.CreatedAt = asWritten(w.StartsAt), asWritten(w.EndsAt), asWritten(w.CreatedAt)
	w.UpdatedAt, w.RepeatEndsAt = asWrittenOrNil(w.UpdatedAt), asWrittenOrNil(w.RepeatEndsAt)
	s.windows = append(s.windows, readWindow(wireJSON(w)))
	return w.ID
}

// readWindow returns a window from its JSON. A day at which repeating ends is the last one, in the
// time zone of the window.
func readWindow(text json.RawMessage) window {
	var w monitoring.MaintenanceWindow
	mustUnmarshal(text, &w)
	zone := time.UTC
	if w.Timezone != nil {
		if named, err := time.LoadLocation(*w.Timezone); err == nil {
			zone = named
		}
	}
	read := window{
		id: w.ID, starts: w.StartsAt.In(zone), ends: w.EndsAt.In(zone), json: text,
		pauses: scope{w.PauseAllChecks, w.Tags}, silences: scope{w.SilenceAllAlerts, w.SilenceAlertsTags},
	}
	if w.RepeatInterval != nil && w.RepeatUnit != nil {
		read.every, read.unit = int(*w.RepeatInterval), *w.RepeatUnit
	}
	if end := w.RepeatEndsAt; end != nil {
		read.until = end.Time
		if end.DateOnly() {
			year, month, day := end.Date()
			read.until = time.Date(year, month, day+1, 0, 0, 0, 0, zone)
		}
	}
	return read
}

// covers reports whether a moment is in the window or in one of its later occurrences.
func (w *window) covers(t time.Time) bool {
	for n := 0; ; n++ {
		begin := w.begin(n)
		switch {
		case t.Before(begin), n > 0 && !w.until.IsZero() && !begin.Before(w.until):
			return false
		case t.Sub(begin) < w.ends.Sub(w.starts):
			return true
		case w.every <= 0:
			return false
		}
	}
}

// begin returns when the n-th occurrence begins; the 0th is the window itself.
func (w *window) begin(n int) time.Time {
	switch w.unit {
	case monitoring.RepeatWeek:
		return w.starts.AddDate(0, 0, 7*n*w.every)
	case monitoring.RepeatMonth:
		return w.starts.AddDate(0, n*w.every, 0)
	}
	return w.starts.AddDate(0, 0, n*w.every)
}

func (s *Service) listWindows(c *call) response {
	starts, ends := c.filter("startsAt"), c.filter("endsAt")
	list := s.windows
	if starts != nil || ends != nil {
		list = nil
		for _, w := range s.windows {
			if (starts == nil || starts(w.starts)) && (ends == nil || ends(w.ends)) {
				list = append(list, w)
			}
		}
	}
	return s.list(c, len(list), func(i int) json.RawMessage { return list[i].json })
}

// windowDefaults are the members that a window has by default.
var windowDefaults = object{
	"tags": raw("[]"), "repeatInterval": raw("null"), "repeatEndsAt": raw("null"), "timezone": raw("null"), "description": raw("null"),
	"pauseAllChecks": raw("false"), "silenceAllAlerts": raw("false"), "silenceAlertsTags": raw("[]"), "updated_at": raw("null"),
}

var visibilityDefaults = object{
	"enabled": raw("false"), "severity": raw("null"), "affectAllServices": raw("false"), "suppressAutoIncidents": raw("false"),
	"notifyOnStart": raw("false"), "notifyOnEnd": raw("false"), "reminderMinutesBefore": raw("[]"), "autoStart": raw("true"), "autoEnd": raw("true"),
	"showAffectedServices": raw("true"), "statusPageIds": raw("[]"), "serviceIds": raw("[]"),
}

// completeWindow checks what the description of the body cannot, and completes the body. A time at
// which repeating ends becomes its day in UTC.
func completeWindow(sent object) *bad {
	var visibility object
	if sent.get("statusPageVisibility", &visibility) {
		sent.set("statusPageVisibility", visibilityDefaults.with(visibility))
	}
	for _, name := range []string{"startsAt", "endsAt"} {
		if written := sent.text(name); strings.Contains(written, "T") {
			sent.set(name, stamp(date(written)))
		}
	}
	if end := sent.text("repeatEndsAt"); end != "" {
		sent.set("repeatEndsAt", date(end).UTC().Format(time.DateOnly))
	}
	if zone := sent.text("timezone"); zone != "" {
		if _, err := time.LoadLocation(zone); err != nil {
			return badBody(schema.Violation{Path: "timezone", Message: "must be the name of a time zone"})
		}
	}
	return nil
}

func (s *Service) createWindow(c *call) response {
	if problem := completeWindow(c.sent); problem != nil {
		return problem.response()
	}
	id := s.newNumber("window")
	for s.window(id) >= 0 { // a test has added it
		id = s.newNumber("window")
	}
	w := windowDefaults.with(c.sent)
	w.set("id", id)
	w.set("created_at", stamp(c.now))
	s.settle(c.now) // runs that ended before are judged without the window
	s.windows = append(s.windows, readWindow(mustMarshal(w)))
	s.journal.did(c.operation, itoa(int(id)), w.text("name"))
	return reply(http.StatusCreated, w)
}

// window returns the index of a window, -1 if there is none with the id.
func (s *state) window(id int64) int {
	return slices.IndexFunc(s.windows, func(w window) bool { return w.id == id })
}

func (s *Service) getWindow(c *call) response {
	i := s.window(number(c.params[0]))
	if i < 0 {
		return notFound()
	}
	return success(s.windows[i].json)
}

// putWindow changes the members that the body has.
func (s *Service) putWindow(c *call) response {
	i := s.window(number(c.params[0]))
	if i < 0 {
		return notFound()
	}
	if problem := completeWindow(c.sent); problem != nil {
		return problem.response()
	}
	var w object
	mustUnmarshal(s.windows[i].json, &w)
	merged := w.with(c.sent)
	merged.set("updated_at", stamp(c.now))
	s.settle(c.now) // runs that ended before the update are judged by the old window
	s.windows[i] = readWindow(mustMarshal(merged))
	s.journal.did(c.operation, c.params[0])
	return success(s.windows[i].json)
}

func (s *Service) deleteWindow(c *call) response {
	i := s.window(number(c.params[0]))
	if i < 0 {
		return notFound()
	}
	s.settle(c.now)
	s.windows = slices.Delete(s.windows, i, i+1)
	s.journal.did(c.operation, c.params[0])
	return noContent()
}

// filter reads a filter such as startsAt[gte]=2026-08-01; nil if there is none.
func (c *call) filter(field string) func(time.Time) bool {
	for operator, holds := range map[string]func(order int) bool{
		"[gt]":  func(order int) bool { return order > 0 },
		"[gte]": func(order int) bool { return order >= 0 },
		"[lt]":  func(order int) bool { return order < 0 },
		"[lte]": func(order int) bool { return order <= 0 },
	} {
		if text, given := c.param(field + operator); given {
			limit := date(text)
			return func(t time.Time) bool { return holds(t.Compare(limit)) }
		}
	}
	return nil
}

// date reads a parameter that was checked to be a day or a timestamp.
func date(text string) time.Time {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day
	}
	t, _ := time.Parse(time.RFC3339, text)
	return t
}
