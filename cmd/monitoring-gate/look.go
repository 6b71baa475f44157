package main

import (
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// look is how outputs show a verdict: never by a color alone.
type look struct {
	Sign, Emoji string
	Shape       string // what a mark in a drawing looks like, and its path from the middle
	Path        string
	Color       string // where the style is refused
	terminal    string
}

// verdicts are in the order in which outputs show them. The first three did not pass.
var verdicts = []monitoring.Verdict{
	monitoring.VerdictFailed, monitoring.VerdictUnknown, monitoring.VerdictCancelled, monitoring.VerdictDegraded, monitoring.VerdictPassed,
}

var looks = map[monitoring.Verdict]look{
	monitoring.VerdictPassed:    {"✓", "✅", "●", "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "#1a7f37", "32"},
	monitoring.VerdictDegraded:  {"▲", "🐢", "▲", "m0-4l4 7.5h-8z", "#8f5500", "33"},
	monitoring.VerdictFailed:    {"✗", "❌", "■", "m-3.5-3.5h7v7h-7z", "#c4241c", "31"},
	monitoring.VerdictCancelled: {"▬", "⏹️", "▬", "m-3.5-1.5h7v3h-7z", "#57606a", "33"},
	monitoring.VerdictUnknown:   {"?", "⚠️", "◆", "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", "#6045b4", "33"},
}

// plural returns a number with its noun: 1 check, 5 checks.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

func thousands(n int) string {
	if n >= 1000 {
		return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
	}
	return fmt.Sprint(n)
}

// millis formats a response time in milliseconds, "-" if there is none.
func millis(ms *float64) string {
	switch {
	case ms == nil:
		return "-"
	case *ms < 999.5:
		return fmt.Sprintf("%.0f ms", *ms)
	case *ms < 60_000:
		return fmt.Sprintf("%.2f s", *ms/1000)
	}
	return span(time.Duration(*ms * float64(time.Millisecond)))
}

// span formats a duration: 0.8s, 12s, 5m, 3m5s.
func span(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	text := strings.Replace(d.Round(time.Second).String(), "m0s", "m", 1)
	return strings.Replace(text, "h0m", "h", 1)
}
