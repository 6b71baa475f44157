package world

import (
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// FoundResult is a result of a check in a list.
type FoundResult struct {
	ID        string
	Kind      monitoring.ResultType
	Ended     time.Time
	Location  string
	CheckType monitoring.CheckType

	session *Session
	attempt attempt
}

// ResultsOf returns the results of a check that have been created, the newest first. Of results
// that were created at the same time the one with the greater id comes first.
func (w *World) ResultsOf(checkID string, now time.Time) (list []FoundResult) {
	for _, x := range w.Sessions {
		if sameID(x.Spec.CheckID, checkID) {
			list = append(list, x.created(now)...)
		}
	}
	slices.SortFunc(list, func(a, b FoundResult) int {
		if c := b.Ended.Compare(a.Ended); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return list
}

// created returns the results of a session that have been created.
func (x *Session) created(now time.Time) (list []FoundResult) {
	if now.Before(x.visible) {
		return nil
	}
	for _, r := range x.runs {
		for _, a := range x.attempts(r, now) {
			if a.kind != "" {
				list = append(list, FoundResult{a.id(), a.kind, a.end, r.location, x.Spec.Type, x, a})
			}
		}
	}
	return list
}

// Whole returns all members of a result.
func (w *World) Whole(f FoundResult) Fields { return w.result(f.session, f.attempt) }
