package main

import (
	"fmt"
	"iter"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// occurrence is one time at which a window is in force.
type occurrence struct {
	window       *monitoring.MaintenanceWindow
	starts, ends time.Time
}

// occurrences yields the occurrences of a window in order. It never ends for a window that
// repeats for ever. The API document does not say how they are counted; this is what
// calendars do:
//
//   - they keep the time of day in the time zone of the window, or in UTC;
//   - if a month lacks the day of a monthly window, it has the window on its last day;
//   - the last one starts at the latest when the repeating ends, or on that day if the end
//     is a date.
func occurrences(w *monitoring.MaintenanceWindow) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		starts, ends := w.StartsAt.In(zone(w)), w.EndsAt.In(zone(w))
		until, limited := repeatsUntil(w)
		last := time.Time{}
		for n := 0; ; n++ {
			o := occurrence{w, moved(w, starts, n), moved(w, ends, n)}
			outOfOrder := n > 0 && !o.starts.After(last) // years that no calendar has
			if outOfOrder || n > 0 && limited && !o.starts.Before(until) || !yield(o) || !isRepeating(w) {
				return
			}
			last = o.starts
		}
	}
}

func isRepeating(w *monitoring.MaintenanceWindow) bool {
	if w.RepeatUnit == nil || w.RepeatInterval == nil || *w.RepeatInterval < 1 {
		return false
	}
	switch *w.RepeatUnit {
	case monitoring.RepeatDay, monitoring.RepeatWeek, monitoring.RepeatMonth:
		return true
	}
	return false // a unit that this program does not know
}

// moved returns a time of the first occurrence, moved to the n-th occurrence after it.
func moved(w *monitoring.MaintenanceWindow, first time.Time, n int) time.Time {
	if n == 0 {
		return first
	}
	n *= *w.RepeatInterval
	switch *w.RepeatUnit {
	case monitoring.RepeatDay:
		return first.AddDate(0, 0, n)
	case monitoring.RepeatWeek:
		return first.AddDate(0, 0, 7*n)
	}
	moved := first.AddDate(0, n, 0)
	if moved.Day() != first.Day() { // it ran over into the next month
		moved = moved.AddDate(0, 0, -moved.Day())
	}
	return moved
}

// repeatsUntil returns the time before which an occurrence must start.
func repeatsUntil(w *monitoring.MaintenanceWindow) (until time.Time, limited bool) {
	if w.RepeatEndsAt == nil || w.RepeatEndsAt.IsZero() {
		return time.Time{}, false
	}
	if w.RepeatEndsAt.DateOnly() {
		year, month, day := w.RepeatEndsAt.Date()
		return time.Date(year, month, day+1, 0, 0, 0, 0, zone(w)), true
	}
	return w.RepeatEndsAt.Add(1), true // inclusive
}

// zone returns the time zone of a window. An unknown one counts as UTC.
func zone(w *monitoring.MaintenanceWindow) *time.Location {
	if w.Timezone != nil {
		if location, err := time.LoadLocation(*w.Timezone); err == nil {
			return location
		}
	}
	return time.UTC
}

// repeats returns how a window repeats, such as "every 2 weeks until 2027-05-21".
func repeats(w *monitoring.MaintenanceWindow) string {
	if w.RepeatUnit == nil || w.RepeatInterval == nil {
		return "-"
	}
	unit := strings.ToLower(string(*w.RepeatUnit))
	text := "every " + unit
	if *w.RepeatInterval != 1 {
		text = fmt.Sprintf("every %d %ss", *w.RepeatInterval, unit)
	}
	if !isRepeating(w) {
		text += " (not understood)"
	}
	if _, limited := repeatsUntil(w); limited {
		text += " until " + w.RepeatEndsAt.In(zone(w)).Format(time.DateOnly)
	}
	return text
}
