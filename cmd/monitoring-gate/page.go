package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const (
	mostPageCards  = 200  // of a section; the table has all checks
	mostPageReason = 2000 // characters
	mostOpen       = 12   // checks that a card lists without being opened
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"sign": sign, "shape": shape, "color": color, "count": count,
}).Parse(pageSource))

// page is the report as a page: one file without scripts, which asks for nothing. Its policy allows
// its own style alone, by its hash.
func (r *report) page() []byte {
	hash := sha256.Sum256([]byte(pageStyle))
	p := &page{
		report: r, Style: template.CSS(pageStyle), Hash: "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		Verdict: r.verdict(), Headline: r.headline(), Counted: r.counted(), Started: r.started.UTC().Format("2006-01-02 15:04:05 UTC"),
		Problems: r.problems, Demo: r.demo,
	}
	p.Failed, p.FailedMore = r.pageCards(monitoring.VerdictFailed)
	p.Other, p.OtherMore = r.pageCards(monitoring.VerdictUnknown, monitoring.VerdictCancelled, monitoring.VerdictDegraded)
	p.Strips = r.strips()
	p.fillTable()
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		panic(err) // never: the template is ours, and every value is of a type that it shows
	}
	return b.Bytes()
}

// page is what the template shows.
type page struct {
	*report
	Style                      template.CSS
	Hash                       string
	Verdict                    monitoring.Verdict
	Headline, Counted, Started string
	Problems                   []string
	Demo                       bool
	Counts                     []counted
	Failed, Other              []pageCard
	FailedMore, OtherMore      int
	Strips                     []strips
	Locations                  []string
	Rows                       []row
	Scale                      string // the time at the end of the timelines
	Retried                    int
	LocationsAreMany           bool
}

// counted is how many checks have a verdict.
type counted struct {
	Verdict monitoring.Verdict
	N       int
}

type pageCard struct {
	Verdict    monitoring.Verdict
	Title      string
	Link       string
	Meta       string
	Findings   []pageFinding
	Open, More []pageLink // of a card of several checks
}

type pageFinding struct{ Where, Reason, Link string }

type pageLink struct{ Name, Link string }

// pageCards returns the cards of verdicts, and how many are left out.
func (r *report) pageCards(verdicts ...monitoring.Verdict) (list []pageCard, more int) {
	for _, v := range verdicts {
		for _, c := range r.cards(v) {
			if len(list) == mostPageCards {
				more++
				continue
			}
			list = append(list, c.page())
		}
	}
	return list, more
}

func (c *card) page() pageCard {
	p := pageCard{Verdict: c.verdict, Title: c.title()}
	var kinds []string
	most := 0
	for i, check := range c.checks {
		most = max(most, check.attempts())
		if check.kind != "" && !slices.Contains(kinds, check.kind) {
			kinds = append(kinds, check.kind)
		}
		switch link := (pageLink{check.name, check.link}); {
		case len(c.checks) == 1:
			p.Link = check.link
		case i < mostOpen:
			p.Open = append(p.Open, link)
		default:
			p.More = append(p.More, link)
		}
	}
	slices.Sort(kinds)
	meta := []string{strings.Join(kinds, ", ")}
	if most > 1 {
		meta = append(meta, count(most, "attempt"))
	}
	p.Meta = strings.Join(slices.DeleteFunc(meta, func(s string) bool { return s == "" }), " · ")
	for _, f := range c.findings {
		one := pageFinding{Where: strings.Join(f.locations, ", "), Reason: shorten(f.reason, mostPageReason)}
		if len(c.checks) == 1 && f.link != p.Link {
			one.Link = f.link
		}
		p.Findings = append(p.Findings, one)
	}
	return p
}

// row is a check in the table. Each location of the page has a cell.
type row struct {
	*check
	Verdict     monitoring.Verdict
	Class       string
	Name, Kind  string
	Link, Took  string
	Cells       []cell
	Marks       []mark
	Line, Label string
}

type cell struct {
	Where    string
	Verdict  monitoring.Verdict // "" if the check does not run there
	Text     string
	Attempts int
}

const (
	rowWidth, rowHeight = 200, 14
	manyLocations       = 5
)

// fillTable fills in the rows, those of checks that did not pass first.
func (p *page) fillTable() {
	for _, v := range verdicts {
		if n := len(p.with(v)); n > 0 {
			p.Counts = append(p.Counts, counted{v, n})
		}
	}
	for _, c := range p.checks {
		for _, l := range c.locations {
			if !slices.Contains(p.Locations, l.name) {
				p.Locations = append(p.Locations, l.name)
			}
		}
	}
	slices.Sort(p.Locations)
	p.LocationsAreMany = len(p.Locations) > manyLocations
	from, to := p.period()
	p.Scale = span(to.Sub(from))
	x := func(t time.Time) float64 {
		return 4 + (rowWidth-8)*min(max(float64(t.Sub(from))/float64(max(to.Sub(from), 1)), 0), 1)
	}
	for _, v := range verdicts {
		for _, c := range p.with(v) {
			p.Rows = append(p.Rows, p.row(c, x, from, to))
		}
	}
}

// period is from the trigger to the last end.
func (r *report) period() (from, to time.Time) {
	for _, c := range r.checks {
		if !c.started.IsZero() && (from.IsZero() || c.started.Before(from)) {
			from = c.started
		}
		to = latest(to, c.started.Add(c.took))
		for _, l := range c.locations {
			to = latest(to, l.ended)
		}
	}
	if from.IsZero() || to.Before(from) {
		return r.started, r.ended
	}
	return from, to
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (p *page) row(c *check, x func(time.Time) float64, from, to time.Time) row {
	r := row{check: c, Verdict: c.verdict, Class: string(c.verdict), Name: c.name, Kind: c.kind, Link: c.link, Took: span(c.took)}
	if c.running {
		r.Took += ", still running"
	}
	if c.attempts() > 1 {
		p.Retried++
		r.Class += " retried"
	}
	r.Cells = make([]cell, len(p.Locations))
	drawn := make(marks)
	var said []string
	for _, l := range c.locations {
		at := slices.Index(p.Locations, l.name)
		text := string(l.verdict)
		if l.ms >= 0 {
			text = millis(l.ms)
			if l.verdict != monitoring.VerdictPassed {
				text = string(l.verdict) + " " + text
			}
		}
		if r.Cells[at].Verdict == "" || !l.verdict.Good() { // of a location that is there twice, the worse
			r.Cells[at] = cell{l.name, l.verdict, text, l.attempts()}
		}
		for _, t := range l.tries {
			if !t.IsZero() {
				drawn.add(monitoring.VerdictFailed, true, x(t), rowHeight/2, 3)
				said = append(said, "attempt "+span(t.Sub(from)))
			}
		}
		if !l.ended.IsZero() {
			drawn.add(l.verdict, false, x(l.ended), rowHeight/2, 3.5)
			said = append(said, l.name+" "+span(l.ended.Sub(from)))
		}
	}
	end := c.started.Add(c.took)
	if c.running {
		end = to
	}
	r.Line = fmt.Sprintf("M%s %dH%s", number(x(c.started)), rowHeight/2, number(x(end)))
	r.Marks = drawn.list()
	r.Label = cmp.Or(strings.Join(said, ", "), "no result")
	return r
}

// sign tells verdicts apart without colours.
func sign(v monitoring.Verdict) string {
	switch v {
	case monitoring.VerdictPassed:
		return "✓"
	case monitoring.VerdictDegraded:
		return "▲"
	case monitoring.VerdictFailed:
		return "✗"
	case monitoring.VerdictCancelled:
		return "▬"
	}
	return "?"
}

// shape is what a mark in a drawing looks like.
func shape(v monitoring.Verdict) string {
	switch v {
	case monitoring.VerdictPassed:
		return "●"
	case monitoring.VerdictFailed:
		return "■"
	case monitoring.VerdictUnknown:
		return "◆"
	}
	return sign(v)
}

// color is what a shape has where the style is refused. With the style the class of the verdict
// has the color, which then fits light and dark.
func color(v monitoring.Verdict) string {
	switch v {
	case monitoring.VerdictPassed:
		return "#1a7f37"
	case monitoring.VerdictDegraded:
		return "#8f5500"
	case monitoring.VerdictFailed:
		return "#c4241c"
	case monitoring.VerdictUnknown:
		return "#6045b4"
	}
	return "#57606a"
}
