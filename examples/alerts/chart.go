package main

import (
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// chart counts notifications by hour, or by longer times if there are too many hours for a
// screen.
type chart struct {
	from time.Time
	step time.Duration
	bars []bar
}

type bar struct{ sent, failed int }

const (
	mostBars = 73 // three days by hour, and one more because days seldom begin on the hour
	barWidth = 40 // if the screen has room for it
	besides  = 30 // columns for the hour before a bar and the numbers after it
)

func newChart(from, to time.Time) *chart {
	c := &chart{}
	for _, c.step = range []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour} {
		c.from = from.UTC().Truncate(c.step)
		if to.Sub(c.from) <= mostBars*c.step {
			break
		}
	}
	n := int((to.Sub(c.from) + c.step - 1) / c.step)
	c.bars = make([]bar, max(n, 1))
	return c
}

func (c *chart) add(n monitoring.AlertNotification) {
	if n.Timestamp == nil {
		return // still being sent: it has no time
	}
	i := int(n.Timestamp.Sub(c.from) / c.step)
	if n.Timestamp.Before(c.from) || i >= len(c.bars) {
		return
	}
	if n.Status == monitoring.NotificationFailure || n.Status == monitoring.NotificationRateLimited {
		c.bars[i].failed++
	} else {
		c.bars[i].sent++
	}
}

// print draws a line for each hour. Notifications that could not be sent are at the end
// of a bar.
func (c *chart) print(w *cli.Screen) {
	highest := 0
	for _, b := range c.bars {
		highest = max(highest, b.sent+b.failed)
	}
	if highest == 0 {
		return
	}
	most := barWidth
	if w.Width > 0 {
		most = max(min(most, w.Width-besides), 5)
	}
	unit := "hour"
	if hours := int(c.step.Hours()); hours > 1 {
		unit = fmt.Sprintf("%d hours", hours)
	}
	fmt.Fprintf(w, "\nAlert notifications by %s, UTC (█ sent, ░ failed)\n", unit)
	for i, b := range c.bars {
		sent, failed := width(b.sent, highest, most), width(b.failed, highest, most)
		line := fmt.Sprintf("%s  %s%s", c.from.Add(time.Duration(i)*c.step).Format("01-02 15:04"), strings.Repeat("█", sent),
			strings.Repeat("░", failed))
		if b.sent+b.failed > 0 {
			line += fmt.Sprintf(" %d", b.sent+b.failed)
		}
		if b.failed > 0 {
			line += fmt.Sprintf(" (%d failed)", b.failed)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// width returns the width of a bar; at least 1 unless n is 0.
func width(n, highest, most int) int {
	if n == 0 {
		return 0
	}
	if highest <= most {
		return n
	}
	return max(n*most/highest, 1)
}
