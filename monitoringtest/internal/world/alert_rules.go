package world

import (
	"container/heap"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Settle starts what the scheduler has to start, and sends the alerts of the sessions that have
// ended, in the order of their ends. It must run before anything that shows sessions or alerts, or
// changes what they depend on.
func (w *World) Settle(now time.Time) {
	w.startDue(now)
	for len(w.unsettled) > 0 && w.unsettled[0].Done(now) {
		w.judge(heap.Pop(&w.unsettled).(*Session))
	}
}

// judge applies the alert rules to a session that has ended. Cancelled sessions and
// those with an unknown status change nothing. An alert that is silenced is due at the next run of
// the same kind, and a recovery is raised only from what was raised before.
func (w *World) judge(x *Session) {
	if x.isCancelled() {
		return
	}
	w.noteError(x)
	end, c := x.End(), x.check
	a := &c.alerting
	switch x.Spec.Outcome {
	case monitoring.SessionFailed, monitoring.SessionTimedOut:
		if a.failed++; a.failed == 1 {
			a.since = end
		}
		if !a.alerted && w.escalates(c, end) {
			a.alerted = w.alert(x, "ALERT_FAILURE", func(ch *Channel) bool { return ch.failures })
		}
	case monitoring.SessionPassed, monitoring.SessionDegraded:
		isDegraded, next := x.Spec.Outcome == monitoring.SessionDegraded, alerting{}
		switch {
		case a.alerted:
			w.alert(x, "ALERT_RECOVERY", func(ch *Channel) bool { return ch.recoveries })
		case isDegraded:
			next.degraded = a.degraded || w.alert(x, "ALERT_DEGRADED", func(ch *Channel) bool { return ch.slow })
		case a.degraded:
			w.alert(x, "ALERT_DEGRADED_RECOVERY", func(ch *Channel) bool { return ch.slow && ch.recoveries })
		}
		*a = next
	}
}

// escalates reports whether a check has failed often or long enough for an alert.
func (w *World) escalates(c *Check, now time.Time) bool {
	settings := w.Holds(c).Members
	var rules struct {
		EscalationType      string
		RunBasedEscalation  struct{ FailedRunThreshold float64 }
		TimeBasedEscalation struct{ MinutesFailingThreshold float64 }
	}
	if !settings.Is("useGlobalAlertSettings") { // the account's settings alert at the first failure
		settings.Get("alertSettings", &rules)
	}
	if rules.EscalationType == string(monitoring.EscalationTimeBased) {
		return now.Sub(c.alerting.since).Minutes() >= rules.TimeBasedEscalation.MinutesFailingThreshold
	}
	return float64(c.alerting.failed) >= rules.RunBasedEscalation.FailedRunThreshold
}

// alert raises an alert about the end of a session, and sends notifications over the channels of
// its check that want them. It reports whether it did: not if alerts of the check are silenced.
func (w *World) alert(x *Session, kind string, wants func(*Channel) bool) bool {
	end := x.End()
	if w.silenced(x.check, end) {
		return false
	}
	id := w.ids.text("check alert")
	w.raise(id, x, kind)
	for _, channel := range w.subscribed(x.check) {
		if !wants(channel) {
			continue
		}
		w.Alerts.notify(notification{
			ID: w.ids.text("alert notification"), Type: string(channel.Type), Status: channel.status, Config: channel.config,
			Result: nilIfEmpty(channel.response), CheckType: string(x.Spec.Type), CheckID: x.Spec.CheckID, CheckAlertID: id,
			ChannelID: channel.ID, ResultID: x.decidingResult(),
		}, end, end.Add(channel.sendTime))
	}
	return true
}

// decidingResult returns the id of the result that a notification names: the first final
// result that failed, or the first final result if none failed.
func (x *Session) decidingResult() string {
	first := ""
	for _, r := range x.runs {
		for _, a := range x.attempts(r, x.End()) {
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
