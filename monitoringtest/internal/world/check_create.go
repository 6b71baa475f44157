package world

import (
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// CreateCheck creates a check of a type from the body of its create, which it completes.
func (w *World) CreateCheck(kind monitoring.CheckType, sent Object, subscribe bool, now time.Time) *Check {
	body := BodyOfCreate(kind)
	fill(body, sent)
	w.name(sent)
	m := newCheck(kind, now).With(sent)
	m.Set("checkType", kind)
	if sent["frequencyOffset"] == nil && m["frequencyOffset"] != nil {
		m["frequencyOffset"] = firstOffset(m)
	}
	if sent["request"] != nil {
		m["request"] = completeRequest(body, kind, sent["request"])
	}
	id := w.ids.text("check")
	m.Set("id", id)
	w.subscribeTo(subscribe, m)
	made := &Check{ID: id, Type: kind, plan: CheckSpec{ID: id, Type: kind}}
	w.insertCheck(made, m)
	return made
}

// newCheck returns the members of a check whose create leaves out all that it may.
func newCheck(kind monitoring.CheckType, now time.Time) Object {
	m := defaultCheck(kind, now)
	m["doubleCheck"] = Raw("true")
	if kind == monitoring.CheckTypeAPI {
		m["degradedResponseTime"], m["maxResponseTime"] = Raw("5000"), Raw("20000")
	}
	return m
}
