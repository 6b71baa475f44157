package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// The elements of JUnit XML as the common readers understand them: a suite for each check, a case
// for each location.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Output     string          `xml:"system-out,omitempty"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string       `xml:"name,attr"`
		Classname string       `xml:"classname,attr"`
		Time      string       `xml:"time,attr"`
		Failure   *junitDetail `xml:"failure"`
		Error     *junitDetail `xml:"error"`
		Skipped   *junitDetail `xml:"skipped"`
		Output    string       `xml:"system-out,omitempty"`
	}
	junitDetail struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// junit is the report as JUnit XML. The time of a case is its response time, and that of a suite is
// how long the session took. Runs of which nothing is known are errors, cancelled ones are skipped.
func (r *report) junit() []byte {
	all := junitReport{Name: gateName, Time: seconds(r.ended.Sub(r.started))}
	taken := make(map[string]bool) // readers join the class and the name of a case
	for _, c := range r.checks {
		s := c.suite()
		for i := range s.Cases {
			one := &s.Cases[i]
			one.Name = unused(one.Name, func(name string) bool { return taken[one.Classname+"_"+name] })
			taken[one.Classname+"_"+one.Name] = true
		}
		all.Suites = append(all.Suites, s)
	}
	all.Suites = append(all.Suites, r.suite())
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	encoder := xml.NewEncoder(&b)
	encoder.Indent("", " ")
	encoder.Encode(all) // it does not fail for these types
	b.WriteByte('\n')
	return b.Bytes()
}

// suite is the suite of the gate itself. Its properties count the checks by verdict: the attributes
// of JUnit count locations and have no degraded ones. Its only case says what is not known.
func (r *report) suite() junitSuite {
	s := junitSuite{Name: gateName, Time: "0.000", Timestamp: timestamp(r.started), Output: r.headline() + ": " + r.counted() + "."}
	s.Properties = []junitProperty{{"checks", strconv.Itoa(len(r.checks))}}
	for _, v := range verdicts {
		s.Properties = append(s.Properties, junitProperty{string(v), strconv.Itoa(len(r.with(v)))})
	}
	if len(r.problems) > 0 {
		s.Tests, s.Errors = 1, 1
		detail := &junitDetail{r.problems[0], string(monitoring.VerdictUnknown), strings.Join(r.problems, "\n")}
		s.Cases = []junitCase{{Name: "outcome", Classname: gateName, Time: "0.000", Error: detail}}
	}
	return s
}

func (c *check) suite() junitSuite {
	s := junitSuite{Name: c.name, Time: seconds(c.took), Timestamp: timestamp(c.started)}
	for _, p := range []junitProperty{{"checkId", c.checkID}, {"checkType", c.kind}, {"checkSessionId", c.id}, {"checkSessionLink", c.link}} {
		if p.Value != "" {
			s.Properties = append(s.Properties, p)
		}
	}
	locations := c.locations
	if len(c.reasons) > 0 || len(locations) == 0 {
		locations = append(locations[:len(locations):len(locations)], location{
			name: "session", said: c.said, verdict: c.verdict, ms: -1, reasons: c.reasons, link: c.link,
		})
	}
	for _, l := range locations {
		s.Tests++
		one := junitCase{Name: l.name, Classname: c.name, Time: fmt.Sprintf("%.3f", max(l.ms, 0)/1000), Output: l.output()}
		switch l.verdict {
		case monitoring.VerdictFailed:
			one.Failure = l.detail()
			s.Failures++
		case monitoring.VerdictUnknown:
			one.Error = l.detail()
			s.Errors++
		case monitoring.VerdictCancelled:
			one.Skipped = &junitDetail{Message: "cancelled"}
			s.Skipped++
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

func (l location) detail() *junitDetail {
	text := strings.Join(l.reasons, "\n")
	message, _, _ := strings.Cut(text, "\n")
	if l.link != "" {
		text += "\n" + l.link
	}
	return &junitDetail{message, string(l.verdict), text}
}

// output is what JUnit has no attribute for.
func (l location) output() string {
	var list []string
	if n := l.attempts(); n > 1 {
		list = append(list, fmt.Sprintf("It took %d attempts.", n))
	}
	if l.verdict == monitoring.VerdictDegraded {
		list = append(list, "The check is degraded: it works but is slow.")
	}
	return strings.Join(list, "\n")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
