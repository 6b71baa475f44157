package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// element is an element of XML.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

// newElement makes an element with attributes of pairs of names and values.
func newElement(name, text string, pairs ...string) element {
	e := element{XMLName: xml.Name{Local: name}, Text: text}
	for i := 0; i < len(pairs); i += 2 {
		e.Attrs = append(e.Attrs, xml.Attr{Name: xml.Name{Local: pairs[i]}, Value: pairs[i+1]})
	}
	return e
}

// countOf returns how many elements of a name there are, with those inside others.
func countOf(name string, elements []element) (n int) {
	for _, e := range elements {
		if e.XMLName.Local == name {
			n++
		}
		n += countOf(name, e.Children)
	}
	return n
}

// summed makes an element that counts the cases in it.
func summed(kind, name string, took time.Duration, children []element) element {
	n := func(of string) string { return strconv.Itoa(countOf(of, children)) }
	e := newElement(kind, "", "name", name, "tests", n("testcase"), "failures", n("failure"), "errors", n("error"), "skipped", n("skipped"),
		"time", fmt.Sprintf("%.3f", took.Seconds()))
	e.Children = children
	return e
}

// junit is the report as JUnit XML, as the common readers understand it: a suite for each check, a
// case for each location. The time of a case is its response time, and that of a suite is how long
// the session took. Runs of which nothing is known are errors, cancelled ones are skipped.
func (r *report) junit() []byte {
	var suites []element
	taken := make(map[string]int) // readers join the class and the name of a case
	for _, c := range r.Checks {
		locations := c.Locations
		if len(c.reasons) > 0 || len(locations) == 0 { // none of them says why it did not pass
			locations = append(slices.Clip(locations), location{Name: "session", Verdict: c.Verdict, Reasons: c.reasons, Link: c.Link})
		}
		session := "checkSession"
		if c.test != "" {
			session = "testSession"
		}
		suites = append(suites, newSuite(c.Name, c.Took, c.started, locations, taken,
			"checkId", c.CheckID, "checkType", c.Kind, session+"Id", c.ID, session+"Link", c.Link))
	}
	// The properties of the gate itself count the checks by verdict: the attributes of JUnit count
	// locations and have no degraded ones. Its only case says what is not known.
	properties := []string{"checks", strconv.Itoa(len(r.Checks))}
	for _, v := range verdicts {
		properties = append(properties, string(v), strconv.Itoa(len(r.With(v))))
	}
	var outcome []location
	if len(r.Problems) > 0 {
		outcome = []location{{Name: "outcome", Verdict: monitoring.VerdictUnknown, Reasons: r.Problems}}
	}
	own := newSuite(gateName, 0, r.Started, outcome, taken, properties...)
	own.Children = append(own.Children, newElement("system-out", strings.TrimSpace(r.Headline+": "+r.Totals()+".\n"+strings.TrimSpace(r.NotRunText()+"\n"+r.SinceText()))))
	var b bytes.Buffer
	b.WriteString(xml.Header)
	encoder := xml.NewEncoder(&b)
	encoder.Indent("", " ")
	encoder.Encode(summed("testsuites", gateName, r.Ended.Sub(r.Started), append(suites, own))) // it does not fail for this type
	b.WriteByte('\n')
	return b.Bytes()
}

// newSuite makes a suite with a case for each location, and with the properties that have a value.
func newSuite(name string, took time.Duration, started time.Time, locations []location, taken map[string]int, pairs ...string) element {
	properties := newElement("properties", "")
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			properties.Children = append(properties.Children, newElement("property", "", "name", pairs[i], "value", pairs[i+1]))
		}
	}
	children := []element{properties}
	for _, l := range locations {
		children = append(children, l.junit(name, taken))
	}
	s := summed("testsuite", name, took, children)
	if !started.IsZero() {
		s.Attrs = append(s.Attrs, newElement("", "", "timestamp", started.UTC().Format("2006-01-02T15:04:05")).Attrs...)
	}
	return s
}

// junit is the case of a location.
func (l location) junit(class string, taken map[string]int) element {
	name, time := unused(l.Name, taken, class+"_"), fmt.Sprintf("%.3f", monitoring.ValueOr(l.Time, 0)/1000)
	one := newElement("testcase", "", "name", name, "classname", class, "time", time)
	reasons := strings.Join(l.Reasons, "\n")
	output := "" // what JUnit has no attribute for
	if l.Attempts > 1 {
		output = fmt.Sprintf("It took %d attempts.", l.Attempts)
	}
	switch bad := map[monitoring.Verdict]string{"failed": "failure", "unknown": "error", "cancelled": "skipped"}[l.Verdict]; {
	case bad != "":
		message, _, _ := strings.Cut(reasons, "\n")
		text := strings.TrimSpace(reasons + "\n" + l.Link)
		one.Children = append(one.Children, newElement(bad, text, "message", message, "type", string(l.Verdict)))
	case l.Attempts > 1 && l.Verdict.OK():
		one.Children = append(one.Children, newElement("flakyFailure", "", "message", "it passed only at attempt "+strconv.Itoa(l.Attempts), "type", "failed"))
		output = strings.TrimSpace(output + "\n" + reasons)
	case reasons != "":
		output = strings.TrimSpace(output + "\n" + reasons)
	}
	if output != "" {
		one.Children = append(one.Children, newElement("system-out", output))
	}
	return one
}
