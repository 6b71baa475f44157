package monitoringtest

import (
	"encoding/json"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

type window struct {
	id           int64
	starts, ends time.Time
	json         json.RawMessage
}

// AddMaintenanceWindow adds a maintenance window and returns its id, which is made up
// when it is 0.
func (s *Service) AddMaintenanceWindow(w monitoring.MaintenanceWindow) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	generated := s.newNumber("window")
	if w.ID == 0 {
		w.ID = generated
	}
	if w.CreatedAt.IsZero() {
		w.CreatedAt = at(time.Now())
	}
	if w.Tags == nil {
		w.Tags = []string{}
	}
	s.windows = append(s.windows, window{w.ID, w.StartsAt.Time, w.EndsAt.Time, mustMarshal(w)})
	return w.ID
}

func (s *Service) listWindows(c *call) answer {
	p, problem := c.readPage()
	if problem != nil {
		return problem.answer()
	}
	starts, problem := c.readFilter("startsAt")
	if problem != nil {
		return problem.answer()
	}
	ends, problem := c.readFilter("endsAt")
	if problem != nil {
		return problem.answer()
	}
	list := s.windows
	if starts != nil || ends != nil {
		list = nil
		for _, w := range s.windows {
			if (starts == nil || starts(w.starts)) && (ends == nil || ends(w.ends)) {
				list = append(list, w)
			}
		}
	}
	return s.list(c, p, len(list), func(i int) json.RawMessage { return list[i].json })
}

// readFilter reads a filter like startsAt[gte]=2026-08-01; nil is none.
func (c *call) readFilter(field string) (func(time.Time) bool, *bad) {
	var filter func(time.Time) bool
	for name := range c.query {
		operator, isFilter := strings.CutPrefix(name, field)
		if !isFilter {
			continue
		}
		if filter != nil {
			return nil, badQuery(field, "must have one operator")
		}
		value := c.query.Get(name)
		at, err := time.Parse(time.DateOnly, value)
		if err != nil {
			at, err = time.Parse(time.RFC3339, value)
		}
		if err != nil {
			return nil, badQuery(name, "must be a date")
		}
		switch operator {
		case "[gt]":
			filter = func(t time.Time) bool { return t.After(at) }
		case "[gte]":
			filter = func(t time.Time) bool { return !t.Before(at) }
		case "[lt]":
			filter = func(t time.Time) bool { return t.Before(at) }
		case "[lte]":
			filter = func(t time.Time) bool { return !t.After(at) }
		default:
			return nil, badQuery(name, "is not allowed")
		}
	}
	return filter, nil
}
