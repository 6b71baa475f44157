package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	rowWidth  = 200
	rowHeight = 24
	mostLanes = 3 // lines of a timeline, for as many locations
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageSource string

//go:embed evidence.html
var evidenceSource string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"look":   func(v monitoring.Verdict) look { return looks[v] },
	"short":  shorten,
	"plural": plural, "millis": millis, "span": span,
	"ms": func(ms float64) string { return millis(&ms) },
}).Parse(pageSource + evidenceSource))

// page is what the template shows: a report, and what depends on all of its checks.
type page struct {
	*report
	Style    template.CSS
	Hash     string
	Sections []section
	Columns  []string // locations; none if there are too many for columns
	Rows     template.HTML
	Shown    int       // checks that the table has: those that did not pass first
	Retried  int       // checks with more than one attempt
	Worth    *worth    // what is worth a look on a green page; nil if there is nothing
	From, To time.Time // the scale of the timelines

	lanes    map[string]int     // the place of a location among the columns
	detailed map[*location]bool // failed results with all that is known of them
	opened   bool               // one of them is unfolded
	carded   map[*check]bool    // checks that a card has
}

// section has the cards of verdicts.
type section struct {
	ID, Title string
	Cards     template.HTML
	Shown, Of int
	Unread    string // failed results without details
}

// pageCard is a card on a page.
type pageCard struct {
	card
	Page *page
}

// One is the check of a card for one.
func (c pageCard) One() *check {
	if len(c.Checks) == 1 {
		return c.Checks[0]
	}
	return nil
}

// Anchor is that of the check of a card for one.
func (c pageCard) Anchor() string {
	if one := c.One(); one != nil {
		return one.Anchor
	}
	return ""
}

const (
	mostColumns = 12        // locations that are columns of the table; more do not fit on a screen
	mostRows    = 4_500_000 // bytes of the table
	mostCards   = 1_600_000 // bytes of the cards of a section: 200 of three locations with stack traces, and details of 50
	mostListed  = 500       // checks that a card lists
)

// page is the report as a page: one file without scripts, which asks for nothing. Its policy allows
// its own style alone, by its hash.
func (r *report) page() []byte {
	hash := sha256.Sum256([]byte(pageStyle))
	p := &page{
		report: r, Style: template.CSS(pageStyle), Hash: "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		From: r.Started, To: r.Ended, lanes: make(map[string]int), carded: make(map[*check]bool),
	}
	unread := p.detail()
	for _, s := range []struct {
		id, title string
		of        []monitoring.Verdict
	}{{"what-failed", "What failed", verdicts[:1]}, {"what-else", "What is not known", verdicts[1:3]}, {"what-slow", "What was slow", verdicts[3:4]}} {
		if cards := r.cards(s.of...); len(cards) > 0 {
			var list []pageCard
			for _, c := range cards {
				list = append(list, pageCard{c, p})
			}
			html, shown := rendered("card", mostCards, list)
			for _, c := range cards[:shown] {
				for _, check := range c.Checks[:min(len(c.Checks), mostListed)] {
					p.carded[check] = true
				}
			}
			p.Sections = append(p.Sections, section{s.id, s.title, html, shown, len(cards), ""})
		}
	}
	if len(unread) > 0 && len(p.Sections) > 0 {
		p.Sections[0].Unread = named(unread, mostNotRun)
	}
	p.Worth = p.worthALook()
	p.measure()
	var rows []row
	for _, c := range r.With(verdicts...) {
		rows = append(rows, row{c, p})
	}
	p.Rows, p.Shown = rendered("row", mostRows, rows)
	var b bytes.Buffer
	render(&b, "page", p)
	return b.Bytes()
}

// measure finds the columns of the table and the scale of its timelines.
func (p *page) measure() {
	var starts, ends []time.Time // by the clock of the service
	for _, c := range p.Checks {
		if c.Attempts() > 1 {
			p.Retried++
		}
		if !c.started.IsZero() {
			starts, ends = append(starts, c.started), append(ends, c.started.Add(c.Took))
		}
		for _, l := range c.Locations {
			ends, p.lanes[l.Name] = append(ends, l.ended), 0
		}
	}
	names := slices.Sorted(maps.Keys(p.lanes))
	for i, name := range names {
		p.lanes[name] = i
	}
	if len(names) <= mostColumns {
		p.Columns = names
	}
	if len(starts) > 0 {
		p.From, p.To = slices.MinFunc(starts, time.Time.Compare), slices.MaxFunc(ends, time.Time.Compare)
	}
}

// row is the row of a check in the table of a page.
type row struct {
	*check
	Page *page
}

// Cells are the locations of a check for a table without columns of them: those that did not pass
// first.
func (r row) Cells() []location { return r.worst()[:min(len(r.Locations), mostCells)] }

// Carded reports whether a card has the check.
func (r row) Carded() bool { return r.Page.carded[r.check] }

// More is how many locations have no cell.
func (r row) More() int { return max(len(r.Locations)-mostCells, 0) }

const mostCells = 5 // locations of a check in a table without columns of them

// worst returns the locations, those that did not pass first.
func (c *check) worst() []location {
	return slices.SortedStableFunc(slices.Values(c.Locations), func(a, b location) int {
		return cmp.Compare(slices.Index(verdicts, a.Verdict), slices.Index(verdicts, b.Verdict))
	})
}

// rendered renders items until there are so many bytes, and says how many there are.
func rendered[T any](name string, most int, items []T) (html template.HTML, shown int) {
	var b bytes.Buffer
	for _, item := range items {
		before := b.Len()
		if render(&b, name, item); b.Len() > most {
			b.Truncate(before)
			break
		}
		shown++
	}
	return template.HTML(b.String()), shown
}

func render(b *bytes.Buffer, name string, data any) {
	if err := pageTemplate.ExecuteTemplate(b, name, data); err != nil {
		panic(err) // never: the template is ours, and every value is of a type that it shows
	}
}

// At returns the run in a location, nil if there is none. Of one that is there twice it is the
// worse.
func (c *check) At(name string) (at *location) {
	for i := range c.Locations {
		if l := &c.Locations[i]; l.Name == name && (at == nil || !l.Verdict.OK()) {
			at = l
		}
	}
	return at
}

// timeline is when something was known of a check.
type timeline struct {
	Line, Label string
	Marks       []mark
}

// mostDrawn is how many locations of a check its timeline has. More run into each other.
const mostDrawn = 24

// Timeline draws a check, a line for each location. All have one scale, from the first start to
// the last end.
func (r row) Timeline() timeline {
	p, c := r.Page, r.check
	all := float64(max(p.To.Sub(p.From), 1))
	x := func(t time.Time) float64 { return 4 + (rowWidth-8)*min(max(float64(t.Sub(p.From))/all, 0), 1) }
	drawn, lanes := make(marks), min(len(p.lanes), mostLanes)
	var path strings.Builder
	var said []string
	for _, l := range c.Locations[:min(len(c.Locations), mostDrawn)] {
		y := rowHeight/2 + (float64(p.lanes[l.Name]%lanes)-float64(lanes-1)/2)*7
		for _, t := range l.tries {
			if !t.ended.IsZero() {
				drawn.add(monitoring.VerdictFailed, true, x(t.ended), y)
				said = append(said, "attempt "+span(t.ended.Sub(p.From)))
			}
		}
		end := c.started.Add(c.Took)
		switch {
		case !l.ended.IsZero():
			end = l.ended
			drawn.add(l.Verdict, false, x(end), y)
			said = append(said, l.Name+" "+span(end.Sub(p.From)))
		case c.Running:
			end = p.To
		}
		fmt.Fprintf(&path, "M%s %sH%s", number(x(c.started)), number(y), number(x(end)))
	}
	return timeline{path.String(), cmp.Or(named(said, mostDrawn), "no result"), drawn.list()}
}

// strips are the response times of checks of one sort, a strip for each location. They have one
// scale, so that locations can be compared.
type strips struct {
	Title, Note string
	List        []strip
	More        int // locations that have no strip: those with the fewest results
	Ticks       []struct{ X, Text string }
	Grid        string // the path of a line for each tick
}

// strip has a mark for each result, or a histogram if there are many.
type strip struct {
	Location, Median string
	Slowest          []measured
	Results          int
	Marks            []mark
	Bars             string // the path of a histogram; "" if there are marks
	MedianAt         string
}

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
	mostStrips              = 12
)

// scripted are the kinds of checks whose response time is that of a whole run, which is no number
// to compare with that of a request.
var scripted = []string{"BROWSER", "MULTI_STEP", "PLAYWRIGHT", "AGENTIC"}

// measured is a location of a check.
type measured struct {
	location
	Check string
}

// Strips returns those of requests, and those of whole runs.
func (r *report) Strips() (list []strips) {
	for _, s := range []strips{{Title: "Requests"}, {Title: "Whole runs of scripts"}} {
		at := make(map[string][]measured)
		var all []float64
		for _, c := range r.Checks {
			for _, l := range c.Locations {
				if l.Time != nil && slices.Contains(scripted, c.Kind) == (s.Title != "Requests") {
					at[l.Name] = append(at[l.Name], measured{l, c.Name})
					all = append(all, *l.Time)
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		x := s.scale(all[len(all)-1], all[len(all)/2])
		names := slices.Sorted(maps.Keys(at))
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(at[b]), len(at[a])) })
		if s.More = max(len(names)-mostStrips, 0); s.More > 0 {
			names = names[:mostStrips]
		}
		slices.Sort(names)
		for _, name := range names {
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
	bent := func(part float64) float64 { return part }
	if highest > 6*median {
		s.Note = "square-root scale, because a few are very slow"
		bent = math.Sqrt
	}
	x := func(ms float64) float64 { return 26 + (stripWidth-52)*bent(ms/end) } // labels are up to 52 wide
	last := math.Inf(-1)
	for ms := 0.0; ms <= end+step/2; ms += step {
		if x(ms)-last >= 80 {
			s.Ticks = append(s.Ticks, struct{ X, Text string }{number(x(ms)), millis(&ms)})
			s.Grid += fmt.Sprintf("M%s 0h1v%dh-1z", number(x(ms)), stripHeight)
			last = x(ms)
		}
	}
	return x
}

func newStrip(name string, list []measured, x func(float64) float64) strip {
	slices.SortStableFunc(list, func(a, b measured) int { return cmp.Compare(*a.Time, *b.Time) })
	median := (*list[len(list)/2].Time + *list[(len(list)-1)/2].Time) / 2 // of an even number the mean of two
	s := strip{Location: name, Median: millis(&median), MedianAt: number(x(median)), Results: len(list)}
	s.Slowest = slices.Clone(list[max(len(list)-mostSlowest, 0):])
	slices.Reverse(s.Slowest)
	drawn, inBins, highest := make(marks), make([]int, bins), 0
	few := len(list) <= mostMarks
	const width = float64(stripWidth) / bins
	for i, m := range list {
		if few {
			drawn.add(m.Verdict, false, x(*m.Time), stripHeight/2+float64(i%3-1)*6) // three rows, so that neighbors are seen
		}
		bin := min(int(x(*m.Time)/width), bins-1)
		inBins[bin]++
		highest = max(highest, inBins[bin])
	}
	if few {
		s.Marks = drawn.list()
		return s
	}
	for i, n := range inBins {
		if n > 0 {
			height := number(max(float64(n)/float64(highest)*(stripHeight-4), 1.5))
			s.Bars += fmt.Sprintf("M%s %dv-%sh%sv%sz", number(float64(i)*width+1), stripHeight, height, number(width-2), height)
		}
	}
	return s
}

// marks are paths by how they look, without what they draw.
type marks map[mark]*strings.Builder

func (m marks) add(v monitoring.Verdict, hollow bool, x, y float64) {
	like := mark{Verdict: v, Hollow: hollow}
	if m[like] == nil {
		m[like] = new(strings.Builder)
	}
	m[like].WriteString("M" + number(x) + " " + number(y) + looks[v].Path)
}

// list returns the paths, those of attempts and good runs first, so that the others lie above them.
func (m marks) list() (list []mark) {
	for _, hollow := range []bool{true, false} {
		for _, v := range slices.Backward(verdicts) {
			if path := m[mark{Verdict: v, Hollow: hollow}]; path != nil {
				list = append(list, mark{v, hollow, path.String()})
			}
		}
	}
	return list
}

// number formats a coordinate with at most one decimal.
func number(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
