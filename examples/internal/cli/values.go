package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

var errDuration = errors.New("want a duration such as 90s, 15m, 12h, 90d or 1d12h")

// ParseDuration is [time.ParseDuration] with days: 90d, 1d12h, -3d. A day is 24 hours.
func ParseDuration(text string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	var total float64
	if before, after, found := strings.Cut(rest, "d"); found {
		days, err := strconv.ParseFloat(before, 64)
		if err != nil || strings.ContainsAny(before, "+-eExXnNiI_") {
			return 0, errDuration
		}
		total, rest = days*float64(day), after
	} else if rest == "" {
		return 0, errDuration
	}
	var small time.Duration
	if rest != "" {
		var err error
		if small, err = time.ParseDuration(rest); err != nil || strings.ContainsAny(rest[:1], "+-") {
			return 0, errDuration
		}
	}
	if total+float64(small) >= math.MaxInt64 {
		return 0, errors.New("the duration is too long")
	}
	d := time.Duration(total) + small
	if negative {
		d = -d
	}
	return d, nil
}

// ParseTime reads a moment: a date (2026-12-24, which is its midnight in UTC), a
// timestamp of RFC 3339 (2026-12-24T18:00:00+01:00), now, or a distance from now with
// its sign (-3d, +12h).
func ParseTime(text string, now time.Time) (time.Time, error) {
	if text == "now" {
		return now.UTC(), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	d, err := ParseDuration(text)
	if err == nil && strings.ContainsAny(text[:1], "+-") {
		return now.Add(d).UTC(), nil
	}
	if err == nil {
		return time.Time{}, fmt.Errorf("want a sign before a distance from now: -%s is before, +%s is after", text, text)
	}
	return time.Time{}, errors.New("want a date (2026-12-24), a timestamp (2026-12-24T18:00:00Z), now, or a distance from now (-3d, +12h)")
}

// Span formats a duration in its two largest units: 3d2h, 1h30m, 45s.
func Span(d time.Duration) string {
	if d < 0 {
		return "-" + Span(-d)
	}
	if d < time.Second {
		return d.String()
	}
	if d = d.Round(time.Second); d >= time.Hour {
		d = d.Round(time.Minute)
	}
	units := []struct {
		size time.Duration
		name string
	}{{day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}}
	var text string
	for i, u := range units {
		if n := d / u.size; n > 0 {
			text = fmt.Sprintf("%d%s", n, u.name)
			if i+1 < len(units) {
				if n := d % u.size / units[i+1].size; n > 0 {
					text += fmt.Sprintf("%d%s", n, units[i+1].name)
				}
			}
			break
		}
	}
	return text
}
