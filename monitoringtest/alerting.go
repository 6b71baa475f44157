package monitoringtest

import (
	"container/heap"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// alerting is what the alert rules keep about a check from one run to the next.
type alerting struct {
	failed   int       // runs in a row that failed
	since    time.Time // when the first of them ended
	alerted  bool      // whether an alert was sent about them
	degraded bool
}

// sessionHeap holds sessions, the one that ends first on top.
type sessionHeap []*session

func (h sessionHeap) Len() int           { return len(h) }
func (h sessionHeap) Less(i, j int) bool { return h[i].end().Before(h[j].end()) }
func (h sessionHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].heapAt, h[j].heapAt = i, j
}

func (h *sessionHeap) Push(x any) {
	one := x.(*session)
	one.heapAt = len(*h)
	*h = append(*h, one)
}

func (h *sessionHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h, x.heapAt = old[:len(old)-1], -1
	return x
}

// watch makes the end of a session count for the alerts of its check.
func (s *state) watch(x *session, c *check) {
	x.check = c
	heap.Push(&s.unsettled, x)
}

// settle sends the alerts of the sessions that have ended, in the order of their ends.
// It must run before anything that shows alerts or changes what they depend on.
func (s *state) settle(now time.Time) {
	for len(s.unsettled) > 0 && s.unsettled[0].done(now) {
		s.judge(heap.Pop(&s.unsettled).(*session))
	}
}

// judge applies the alert rules to a session that has ended. Cancelled sessions and
// those with an unknown status change nothing.
func (s *state) judge(x *session) {
	if x.isCancelled() {
		return
	}
	end, c := x.end(), x.check
	a := &c.alerting
	switch x.spec.Outcome {
	case monitoring.SessionFailed, monitoring.SessionTimedOut:
		if a.failed++; a.failed == 1 {
			a.since = end
		}
		if !a.alerted && s.escalates(c, end) {
			a.alerted = true
			s.alert(x, func(ch *AlertChannel) bool { return !ch.NoFailures })
		}
	case monitoring.SessionPassed, monitoring.SessionDegraded:
		degraded := x.spec.Outcome == monitoring.SessionDegraded
		switch {
		case a.alerted:
			s.alert(x, func(ch *AlertChannel) bool { return !ch.NoRecoveries })
		case degraded != a.degraded:
			s.alert(x, func(ch *AlertChannel) bool { return ch.Degraded && (degraded || !ch.NoRecoveries) })
		}
		*a = alerting{degraded: degraded}
	}
}

// escalates reports whether a check has failed often or long enough for an alert.
func (s *state) escalates(c *check, now time.Time) bool {
	settings := c.members
	if g := s.groups[c.spec.GroupID]; g.has("useGlobalAlertSettings") || g.has("alertSettings") {
		settings = g // the group's settings go before the check's
	}
	var rules struct {
		EscalationType      string
		RunBasedEscalation  struct{ FailedRunThreshold float64 }
		TimeBasedEscalation struct{ MinutesFailingThreshold float64 }
	}
	if !settings.is("useGlobalAlertSettings") { // the account's settings alert at the first failure
		settings.get("alertSettings", &rules)
	}
	if rules.EscalationType == string(monitoring.EscalationTimeBased) {
		return now.Sub(c.alerting.since).Minutes() >= rules.TimeBasedEscalation.MinutesFailingThreshold
	}
	return float64(c.alerting.failed) >= rules.RunBasedEscalation.FailedRunThreshold
}

// alert sends notifications about the end of a session over the channels of its check
// that want them.
func (s *state) alert(x *session, wants func(*AlertChannel) bool) {
	end := x.end()
	if s.silenced(x.check, end) {
		return
	}
	id := s.newID("check alert")
	for _, channel := range s.channelsOf(x.check) {
		if !wants(&channel) {
			continue
		}
		s.notify(notification{
			ID: s.newID("alert notification"), Type: string(channel.Type), Status: string(channel.Status), Config: mustMarshal(orEmpty(channel.Config)),
			Result: orNull(channel.Response), CheckType: string(x.spec.Type), CheckID: x.spec.CheckID, CheckAlertID: id,
			ChannelID: channel.ID, ResultID: s.decidingResult(x),
		}, end, end.Add(channel.SendTime))
	}
}

// decidingResult returns the id of the result that a notification names: the first final
// result that failed, or the first final result if none failed.
func (s *state) decidingResult(x *session) string {
	first := ""
	for _, r := range x.runs {
		for _, a := range x.attempts(r, x.end()) {
			if a.kind != monitoring.ResultFinal {
				continue
			}
			if x.flags(a).HasFailures {
				return a.id()
			}
			if first == "" {
				first = a.id()
			}
		}
	}
	return first
}

// silenced reports whether no alerts of a check are sent at a moment: it or its group
// is muted, or a maintenance window silences or pauses it.
func (s *state) silenced(c *check, moment time.Time) bool {
	g := s.groups[c.spec.GroupID]
	if c.spec.Muted || g.is("muted") {
		return true
	}
	return s.inWindow(c, moment, func(w *window, names []string) bool { return w.pauses.has(names) || w.silences.has(names) })
}

// paused reports whether a maintenance window pauses a check at a moment.
func (s *state) paused(c *check, moment time.Time) bool {
	return s.inWindow(c, moment, func(w *window, names []string) bool { return w.pauses.has(names) })
}

// inWindow reports whether a moment is in a window that is for a check, as told by its names and
// tags and those of its group.
func (s *state) inWindow(c *check, moment time.Time, isFor func(w *window, names []string) bool) bool {
	names := append([]string{c.spec.Name, s.groups[c.spec.GroupID].text("name")}, s.tagsOf(c)...)
	for i := range s.windows {
		if w := &s.windows[i]; isFor(w, names) && w.covers(moment) {
			return true
		}
	}
	return false
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
