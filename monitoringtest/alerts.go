package monitoringtest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// alert is an alert notification. It is kept as JSON, which is made when it is first
// asked for.
type alert struct {
	at      time.Time
	channel int64
	failed  bool
	json    json.RawMessage
}

// alertList is sorted by time when it is read.
type alertList struct {
	items  []alert
	sorted bool
}

// AddAlertNotification adds an alert notification and returns its id, which is made up
// when it is empty. One without a timestamp lies at the moment of adding.
func (s *Service) AddAlertNotification(n monitoring.AlertNotification) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addAlert(n)
}

// AddAlertNotifications adds alert notifications, as [Service.AddAlertNotification] does.
func (s *Service) AddAlertNotifications(notifications ...monitoring.AlertNotification) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range notifications {
		s.addAlert(n)
	}
}

func (s *Service) addAlert(n monitoring.AlertNotification) string {
	generated := s.newID("alert notification")
	if n.ID == "" {
		n.ID = generated
	}
	if n.Type == "" {
		n.Type = monitoring.ChannelEmail
	}
	if n.Status == "" {
		n.Status = monitoring.NotificationSuccess
		if n.Timestamp == nil {
			n.Status = monitoring.NotificationInProgress
		}
	}
	if n.AlertConfig.IsZero() {
		n.AlertConfig = monitoring.NewSecretJSON(raw("{}"))
	}
	at := time.Now()
	if n.Timestamp != nil {
		at = n.Timestamp.Time
	}
	s.alerts.sorted = s.alerts.sorted && len(s.alerts.items) > 0 && !at.Before(s.alerts.items[len(s.alerts.items)-1].at)
	s.alerts.items = append(s.alerts.items, alert{
		at: at, channel: n.AlertChannelID, json: mustMarshal(n),
		failed: n.Status == monitoring.NotificationFailure || n.Status == monitoring.NotificationRateLimited,
	})
	return n.ID
}

// between returns the alerts from a moment, inclusive, to another, exclusive.
func (l *alertList) between(from, to time.Time) []alert {
	if !l.sorted {
		slices.SortStableFunc(l.items, func(a, b alert) int { return a.at.Compare(b.at) })
		l.sorted = true
	}
	find := func(t time.Time) int {
		i, _ := slices.BinarySearchFunc(l.items, t, func(a alert, t time.Time) int {
			return cmp.Or(a.at.Compare(t), 1) // the first that is not before t
		})
		return i
	}
	first, end := find(from), find(to)
	return l.items[first:max(first, end)]
}

const (
	alertDefault = 6 * time.Hour
	alertMost    = 24 * time.Hour
)

func (s *Service) listAlerts(c *call) answer {
	p, problem := c.readPage()
	if problem != nil {
		return problem.answer()
	}
	from, hasFrom, problem := c.readSeconds("from")
	if problem != nil {
		return problem.answer()
	}
	to, hasTo, problem := c.readSeconds("to")
	if problem != nil {
		return problem.answer()
	}
	switch {
	case !hasFrom && !hasTo:
		from, to = c.now.Add(-alertDefault), c.now
	case !hasFrom:
		from = to.Add(-alertDefault)
	case !hasTo:
		to = from.Add(alertDefault)
	}
	if to.Sub(from) > alertMost {
		return badQuery("to", "must be at most 24 hours after from").answer()
	}
	if to.Before(from) {
		return badQuery("to", "must not be before from").answer()
	}
	var channel int64
	if text, given := c.param("alertChannelId"); given {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return badQuery("alertChannelId", "must be an integer").answer()
		}
		channel = n
	}
	if problem := c.checkBool("hasFailures"); problem != nil {
		return problem.answer()
	}
	list := s.alerts.between(from, to)
	text, byFailure := c.param("hasFailures")
	if channel != 0 || byFailure {
		var kept []alert
		for _, a := range list {
			if (channel == 0 || a.channel == channel) && (!byFailure || a.failed == (text == "true")) {
				kept = append(kept, a)
			}
		}
		list = kept
	}
	return s.list(c, p, len(list), func(i int) json.RawMessage { return list[i].json })
}

// readSeconds reads a UNIX timestamp.
func (c *call) readSeconds(name string) (time.Time, bool, *bad) {
	text, given := c.param(name)
	if !given {
		return time.Time{}, false, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > 1<<36 {
		return time.Time{}, false, badQuery(name, "must be a UNIX timestamp in seconds")
	}
	return time.Unix(n, 0), true, nil
}
