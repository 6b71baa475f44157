package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The elements of JUnit XML as the common readers understand them: a suite for each
// check, a case for each location.
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

		taken map[string]bool // the classes and names of the cases
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Time       string           `xml:"time,attr"`
		Timestamp  string           `xml:"timestamp,attr,omitempty"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
		Output     string           `xml:"system-out,omitempty"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
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

// writeJUnit writes the report as JUnit XML. The time of a case is its response time, and
// the time of a suite is how long the whole session took. Runs with an unknown outcome are
// errors, and cancelled runs are skipped.
func (r *report) writeJUnit(w io.Writer) error {
	all := junitReport{Name: gateName, Time: seconds(r.took), taken: make(map[string]bool)}
	for _, c := range r.checks {
		all.add(c.suite())
	}
	all.add(r.suite())
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suite returns the suite of the gate itself. Its properties count the checks by verdict:
// the attributes of JUnit count locations and have no degraded ones. If an outcome is not
// known, its only case says why.
func (r *report) suite() junitSuite {
	s := junitSuite{Name: gateName, Time: "0.000", Timestamp: timestamp(r.started), Output: r.headline() + ": " + r.counts() + "."}
	s.Properties = &junitProperties{[]junitProperty{{"checks", strconv.Itoa(len(r.checks))}}}
	for _, v := range verdicts {
		s.Properties.List = append(s.Properties.List, junitProperty{v.name, strconv.Itoa(r.count(v.verdict))})
	}
	if len(r.problems) > 0 {
		s.Tests, s.Errors = 1, 1
		s.Cases = []junitCase{{Name: "outcome", Classname: gateName, Time: "0.000", Error: &junitDetail{
			Message: r.problems[0], Type: "UNKNOWN", Text: strings.Join(r.problems, "\n"),
		}}}
	}
	return s
}

// add adds a suite. Each of its cases gets a name of its own: a location may be there twice.
func (j *junitReport) add(s junitSuite) {
	for i := range s.Cases {
		c := &s.Cases[i]
		key := func(name string) string { return c.Classname + "_" + name } // readers join them
		c.Name = unused(c.Name, func(name string) bool { return j.taken[key(name)] })
		j.taken[key(c.Name)] = true
	}
	j.Suites = append(j.Suites, s)
	j.Tests += s.Tests
	j.Failures += s.Failures
	j.Errors += s.Errors
	j.Skipped += s.Skipped
}

func (c *check) suite() junitSuite {
	session := c.session
	s := junitSuite{Name: c.name(), Time: seconds(session.Duration()), Timestamp: timestamp(session.StartedAt.Time)}
	s.Properties = &junitProperties{[]junitProperty{
		{"checkId", session.CheckID}, {"checkType", string(session.CheckType)},
		{"checkSessionId", session.CheckSessionID}, {"checkSessionLink", session.CheckSessionLink},
	}}
	for _, run := range c.runs {
		s.Tests++
		one := junitCase{Name: run.location, Classname: c.name(), Time: "0.000", Output: run.output()}
		if run.response != nil {
			one.Time = fmt.Sprintf("%.3f", *run.response/1000)
		}
		detail := &junitDetail{Message: run.summary(), Type: run.status, Text: run.text()}
		switch run.verdict {
		case failed:
			one.Failure = detail
			s.Failures++
		case unknown:
			one.Error = detail
			s.Errors++
		case cancelled:
			one.Skipped = &junitDetail{Message: "cancelled"}
			s.Skipped++
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

// summary returns in one line what went wrong.
func (r locationRun) summary() string {
	if len(r.messages) == 0 {
		return r.status
	}
	first, _, _ := strings.Cut(r.messages[0], "\n")
	return first
}

// output returns what JUnit has no attribute for in a case that passed.
func (r locationRun) output() string {
	var lines []string
	if r.retries > 0 {
		lines = append(lines, fmt.Sprintf("Retried %s, because earlier tries failed.", times(r.retries)))
	}
	if r.verdict == degraded {
		lines = append(lines, "The check is degraded: it works but is slow.")
	}
	return strings.Join(lines, "\n")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
