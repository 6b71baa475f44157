package monitoringtest

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

type window struct {
	id           int64
	starts, ends time.Time
	every        int // of the unit; 0: once
	unit         monitoring.RepeatUnit
	until        time.Time // when repeating ends; zero: never
	all          bool      // whether it silences or pauses all checks
	names        []string  // tags, and names, of the checks and groups it is for
	json         json.RawMessage
}

// AddMaintenanceWindow adds a maintenance window and returns its id, which is generated
// if it is 0. While it lasts, its checks send no alerts.
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
	added := window{
		id: w.ID, starts: w.StartsAt.Time, ends: w.EndsAt.Time, all: w.PauseAllChecks || w.SilenceAllAlerts,
		names: append(append([]string{}, w.Tags...), w.SilenceAlertsTags...), json: wireJSON(w),
	}
	if w.RepeatInterval != nil && w.RepeatUnit != nil {
		added.every, added.unit = int(*w.RepeatInterval), *w.RepeatUnit
	}
	if w.RepeatEndsAt != nil {
		added.until = w.RepeatEndsAt.Time
	}
	s.windows = append(s.windows, added)
	return w.ID
}

// silences reports whether the window covers a check with one of these tags and names.
func (w *window) silences(names []string) bool {
	return w.all || slices.ContainsFunc(w.names, func(n string) bool { return n != "" && slices.Contains(names, n) })
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
