// Package isotime reads the dates and times that services write: the forms of ISO 8601 with a
// calendar date, and years as JavaScript writes them. It returns the point in time, in the offset
// of the text, and in UTC if the text has none. It keeps nothing of the text. It refuses what is
// in no calendar and on no clock, and what names no day, such as a month or a time alone. The
// usual forms cost as much as in package time.
package isotime

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Longest is how many bytes a text has at most. Only digits that do not count could be longer.
const Longest = 128

// Parse reads a date, which means midnight, or a date and a time. For other texts it is false.
//
//	2026-07-14                 a date, also 20260714
//	2026-07-14T09:12:44.310Z   a date and a time, also without seconds, or of hours only
//	20260714T091244.310Z       the same without hyphens and colons
//	+012026-07-14T09:12:44Z    a year before 0 or after 9999, with a sign and six digits
//
// The last number of the time may have a fraction, after a point or a comma. It counts to
// billionths. Before the time there may also be a space or a small t. The zone is Z, z, ±hh,
// ±hhmm or ±hh:mm, and UTC if it is missing. 24:00 is midnight at the end of the day, and a leap
// second is the second after it.
func Parse(text string) (time.Time, bool) {
	if len(text) > Longest {
		return time.Time{}, false // package time would copy it twice for an error
	}
	if n := len(text); n >= len("2026-01-02T03:04:05Z") && text[10] == 'T' &&
		(text[n-1] == 'Z' || (text[n-6] == '+' || text[n-6] == '-') && inDay(text[n-6:])) {
		if at, err := time.ParseInLocation(time.RFC3339, text, time.UTC); err == nil {
			return at, true // the usual forms, for which package time is faster
		}
	}
	end := strings.IndexAny(text, "Tt ")
	if end < 0 {
		return parseDate(text)
	}
	clock, zone := text[end+1:], "Z"
	if i := strings.IndexAny(clock, "Zz+-"); i >= 0 {
		clock, zone = clock[:i], clock[i:]
	}
	day, isDate := parseDate(text[:end])
	since, isClock := parseClock(clock, strings.LastIndexByte(text[:end], '-') > 0)
	location, isZone := parseZone(zone)
	day = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, location)
	return day.Add(since), isDate && isClock && isZone
}

func parseDate(text string) (time.Time, bool) {
	if len(text) > 7 && (text[0] == '+' || text[0] == '-') {
		year, err := strconv.Atoi(text[:7])
		alike := (year%400 + 400) % 400 // has the same days, and four digits
		day, ok := parseDate(fmt.Sprintf("%04d%s", alike, text[7:]))
		return day.AddDate(year-alike, 0, 0), ok && err == nil && text[:7] != "-000000"
	}
	layout := "20060102"
	if len(text) > len(layout) {
		layout = time.DateOnly
	}
	day, err := time.Parse(layout, text)
	return day, err == nil
}

// parseClock returns how long a time of day is after midnight. An extended one has colons.
func parseClock(text string, extended bool) (since time.Duration, ok bool) {
	layout, units := "150405", [9]time.Duration{2: time.Hour, 4: time.Minute, 6: time.Second}
	if extended {
		layout, units = "15:04:05", [9]time.Duration{2: time.Hour, 5: time.Minute, 8: time.Second}
	}
	fraction := ""
	if i := strings.IndexAny(text, ".,"); i >= 0 {
		if text, fraction = text[:i], text[i+1:]; fraction == "" || strings.Trim(fraction, "0123456789") != "" {
			return 0, false
		}
	}
	layout = layout[:min(len(layout), len(text))]
	unit := units[len(layout)] // of the last number
	billionths, _ := strconv.Atoi((fraction + "000000000")[:9])
	since = time.Duration(billionths) * (unit / time.Second)
	if before, leap := strings.CutSuffix(text, "60"); leap && unit == time.Second {
		text, since = before+"59", since+time.Second
	}
	after, endOfDay := strings.CutPrefix(text, "24")
	if endOfDay {
		text, since = "00"+after, since+24*time.Hour
	}
	at, err := time.Parse(layout, text)
	since += at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
	return since, err == nil && unit > 0 && (!endOfDay || since == 24*time.Hour)
}

func parseZone(text string) (*time.Location, bool) {
	if text == "Z" || text == "z" {
		return time.UTC, true
	}
	layout := map[int]string{3: "-07", 5: "-0700", 6: "-07:00"}[len(text)]
	at, err := time.ParseInLocation(layout, text, time.UTC)
	return at.Location(), err == nil && inDay(text)
}

// inDay reports whether an offset is less than a day; package time also reads 24:60.
func inDay(offset string) bool { return offset[1:3] < "24" && offset[len(offset)-2:] < "60" }
