package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// strips are the response times of checks of one sort, a strip for each location. They have one
// scale, so that locations can be compared.
type strips struct {
	Title, Note string
	List        []strip
	Ticks       []tick
}

// strip has a mark for each result, or a histogram if there are many.
type strip struct {
	Location, Median string
	Slowest          string
	Results          int
	Marks            []mark
	Bars             string // the path of a histogram; "" if there are marks
	MedianAt         string
}

type tick struct{ X, Text string }

// mark is a path of all marks that look alike.
type mark struct {
	Verdict monitoring.Verdict
	Hollow  bool
	Path    string
}

const (
	stripWidth, stripHeight = 720, 40
	mostMarks               = 300 // in a strip; more run into each other
	bins                    = 72
	mostSlowest             = 3
)

// whole reports whether the response time of a kind of checks is that of a whole run, which is no
// number to compare with that of a request.
func whole(kind string) bool {
	return slices.Contains([]string{"BROWSER", "MULTI_STEP", "PLAYWRIGHT", "AGENTIC"}, kind)
}

type measured struct {
	name    string
	ms      float64
	verdict monitoring.Verdict
}

func (r *report) strips() (list []strips) {
	for _, runs := range []bool{false, true} {
		at := make(map[string][]measured)
		var locations []string
		highest, all := 0.0, []float64(nil)
		for _, c := range r.checks {
			for _, l := range c.locations {
				if whole(c.kind) != runs || l.ms < 0 {
					continue
				}
				if at[l.name] == nil {
					locations = append(locations, l.name)
				}
				at[l.name] = append(at[l.name], measured{c.name, l.ms, l.verdict})
				highest, all = max(highest, l.ms), append(all, l.ms)
			}
		}
		if len(all) == 0 {
			continue
		}
		slices.Sort(locations)
		s := strips{Title: "Requests"}
		if runs {
			s.Title = "Whole runs of scripts"
		}
		slices.Sort(all)
		x := s.scale(highest, all[len(all)/2])
		for _, name := range locations {
			s.List = append(s.List, newStrip(name, at[name], x))
		}
		list = append(list, s)
	}
	return list
}

// scale returns where a time stands in the strips, and sets their ticks. If a few are very slow,
// the scale is that of the square roots, so that the others do not all stand at its beginning.
func (s *strips) scale(highest, median float64) func(ms float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(max(highest, 1))))
	for _, part := range []float64{0.5, 0.4} { // 1, 0.5, 0.2
		if highest/step < 3 {
			step *= part
		}
	}
	end := step * math.Ceil(max(highest, 1)/step)
	bent := func(ms float64) float64 { return ms / end }
	if highest > 6*median {
		s.Note = "square-root scale, because a few are very slow"
		bent = func(ms float64) float64 { return math.Sqrt(ms / end) }
	}
	x := func(ms float64) float64 { return 6 + (stripWidth-12)*bent(max(ms, 0)) }
	last := math.Inf(-1)
	for ms := 0.0; ms <= end+step/2; ms += step {
		if x(ms)-last >= 80 {
			s.Ticks = append(s.Ticks, tick{number(x(ms)), millis(ms)})
			last = x(ms)
		}
	}
	return x
}

func newStrip(name string, list []measured, x func(float64) float64) strip {
	slices.SortStableFunc(list, func(a, b measured) int { return int(math.Copysign(1, a.ms-b.ms)) })
	median := list[len(list)/2].ms
	if len(list)%2 == 0 {
		median = (median + list[len(list)/2-1].ms) / 2
	}
	s := strip{Location: name, Median: millis(median), MedianAt: number(x(median)), Results: len(list)}
	var slowest []string
	for _, m := range slices.Backward(list) {
		if len(slowest) < mostSlowest {
			slowest = append(slowest, m.name+" "+millis(m.ms))
		}
	}
	s.Slowest = strings.Join(slowest, ", ")
	if len(list) > mostMarks {
		s.Bars = histogram(list, x)
		return s
	}
	drawn := make(marks)
	for i, m := range list {
		drawn.add(m.verdict, false, x(m.ms), stripHeight/2+float64(i%3-1)*6, 3.5) // three rows, so that neighbours are seen
	}
	s.Marks = drawn.list()
	return s
}

// histogram is the path of the bars.
func histogram(list []measured, x func(float64) float64) string {
	counts, highest := make([]int, bins), 0
	const width = float64(stripWidth) / bins
	for _, m := range list {
		i := min(int(x(m.ms)/width), bins-1)
		counts[i]++
		highest = max(highest, counts[i])
	}
	var b strings.Builder
	for i, n := range counts {
		if n > 0 {
			height := max(float64(n)/float64(highest)*(stripHeight-4), 1.5)
			fmt.Fprintf(&b, "M%s %dv-%sh%sv%sz", number(float64(i)*width+1), stripHeight, number(height), number(width-2), number(height))
		}
	}
	return b.String()
}

// marks are paths by how they look.
type marks map[mark]*strings.Builder

// add adds a shape: verdicts differ by their shapes, too.
func (m marks) add(v monitoring.Verdict, hollow bool, x, y, r float64) {
	like := mark{Verdict: v, Hollow: hollow}
	if m[like] == nil {
		m[like] = new(strings.Builder)
	}
	format := ""
	switch n := number; v {
	case monitoring.VerdictPassed:
		format = "M" + n(x-r) + " " + n(y) + "a" + n(r) + " " + n(r) + " 0 1 0 " + n(2*r) + " 0a" + n(r) + " " + n(r) + " 0 1 0-" + n(2*r) + " 0z"
	case monitoring.VerdictFailed:
		format = "M" + n(x-r) + " " + n(y-r) + "h" + n(2*r) + "v" + n(2*r) + "h-" + n(2*r) + "z"
	case monitoring.VerdictDegraded:
		format = "M" + n(x) + " " + n(y-r-0.5) + "l" + n(r+0.5) + " " + n(2*r) + "h-" + n(2*r+1) + "z"
	case monitoring.VerdictCancelled:
		format = "M" + n(x-r) + " " + n(y-1.5) + "h" + n(2*r) + "v3h-" + n(2*r) + "z"
	default:
		format = "M" + n(x) + " " + n(y-r-1) + "l" + n(r+1) + " " + n(r+1) + "l-" + n(r+1) + " " + n(r+1) + "l-" + n(r+1) + "-" + n(r+1) + "z"
	}
	m[like].WriteString(format)
}

// list returns the paths, those of good runs first, so that the others lie above them.
func (m marks) list() (list []mark) {
	for _, v := range slices.Backward(verdicts) {
		for _, hollow := range []bool{true, false} {
			if b := m[mark{Verdict: v, Hollow: hollow}]; b != nil {
				list = append(list, mark{v, hollow, b.String()})
			}
		}
	}
	return list
}

// number formats a coordinate with at most one decimal.
func number(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
