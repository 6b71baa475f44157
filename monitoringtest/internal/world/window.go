package world

import (
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Window is when a maintenance window is, and for what.
type Window struct {
	Starts, Ends time.Time
	every        int // of the unit; 0: once
	unit         monitoring.RepeatUnit
	until        time.Time // when repeating ends; zero: never
	pauses       scope
	silences     scope // besides what it pauses
}

// Window returns what a maintenance window is read as.
func (d *Document) Window() *Window { return parsed(d, readWindow) }

// scope is all checks, or those that have one of some tags or names, or whose group has.
type scope struct {
	all   bool
	names []string
}

func (x scope) has(names []string) bool {
	return x.all || slices.ContainsFunc(x.names, func(n string) bool { return n != "" && slices.Contains(names, n) })
}

// readWindow reads a window. The day in UTC at which repeating ends is the last
// one, in the time zone of the window.
func readWindow(d *Document) *Window {
	var w monitoring.MaintenanceWindow
	MustUnmarshal(JSON(d.Members), &w)
	zone := time.UTC
	if name, ok := w.Timezone.Get(); ok {
		if named := Zone(name); named != nil {
			zone = named
		}
	}
	read := &Window{
		Starts: w.StartsAt.In(zone), Ends: w.EndsAt.In(zone),
		pauses:   scope{monitoring.ValueOr(w.PauseAllChecks, false), w.Tags},
		silences: scope{monitoring.ValueOr(w.SilenceAllAlerts, false), w.SilenceAlertsTags},
	}
	if every, repeats := w.RepeatInterval.Get(); repeats {
		switch unit, _ := w.RepeatUnit.Get(); unit { // a create takes any text, and what nobody knows does not repeat
		case monitoring.RepeatDay, monitoring.RepeatWeek, monitoring.RepeatMonth:
			read.every, read.unit = every, unit
		}
	}
	if end, ok := w.RepeatEndsAt.Get(); ok {
		read.until = time.Date(end.Year, end.Month, end.Day+1, 0, 0, 0, 0, zone)
	}
	return read
}

// covers reports whether a moment is in the window or in one of its later occurrences.
func (w *Window) covers(t time.Time) bool {
	for n := 0; ; n++ {
		begin := w.begin(n)
		switch {
		case t.Before(begin), n > 0 && !w.until.IsZero() && !begin.Before(w.until):
			return false
		case t.Sub(begin) < w.Ends.Sub(w.Starts):
			return true
		case w.every <= 0:
			return false
		}
	}
}

// begin returns when the n-th occurrence begins; the 0th is the window itself.
func (w *Window) begin(n int) time.Time {
	switch w.unit {
	case monitoring.RepeatWeek:
		return w.Starts.AddDate(0, 0, 7*n*w.every)
	case monitoring.RepeatMonth:
		return monthsLater(w.Starts, n*w.every)
	}
	return w.Starts.AddDate(0, 0, n*w.every)
}

// monthsLater returns the same day some months later, or the last one of a month that is shorter.
func monthsLater(t time.Time, months int) time.Time {
	first := t.AddDate(0, months, 1-t.Day())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// Zone returns the time zone with a name of the IANA; nil if there is none. The zone of the machine
// has no such name.
func Zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return nil
	}
	return zone
}
