package main

import (
	"bytes"
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// The report as JSON. Times are in milliseconds, and moments in ISO 8601.
type (
	jsonReport struct {
		Verdict  monitoring.Verdict `json:"verdict"`
		Started  string             `json:"started"`
		Ended    string             `json:"ended"`
		Sessions []jsonSession      `json:"sessions"`
		Missing  []string           `json:"missing"`
	}
	jsonSession struct {
		ID      string             `json:"id"`
		CheckID string             `json:"checkId"`
		Name    string             `json:"name"`
		Type    string             `json:"type"`
		Verdict monitoring.Verdict `json:"verdict"`
		Status  string             `json:"status"`
		Link    string             `json:"link"`
		Results []jsonResult       `json:"results"`
	}
	jsonResult struct {
		Location     string             `json:"location"`
		Verdict      monitoring.Verdict `json:"verdict"`
		Attempts     int                `json:"attempts"`
		ResponseTime *float64           `json:"responseTime"`
		Reasons      []string           `json:"reasons"`
	}
)

// json is the report as JSON. The verdicts of sessions and results are theirs: only the verdict at
// the top counts a degraded check as -fail-on-degraded says.
func (r *report) json() []byte {
	all := jsonReport{r.verdict(), iso(r.started), iso(r.ended), []jsonSession{}, append([]string{}, r.missing...)}
	for _, c := range r.checks {
		s := jsonSession{c.id, c.checkID, c.name, c.kind, c.said, c.status, c.link, []jsonResult{}}
		for _, l := range c.locations {
			one := jsonResult{l.name, l.said, l.attempts(), nil, append([]string{}, l.reasons...)}
			if l.ms >= 0 {
				one.ResponseTime = &l.ms
			}
			s.Results = append(s.Results, one)
		}
		all.Sessions = append(all.Sessions, s)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // it escapes < > &, so the JSON may stand in a page
	encoder.SetIndent("", " ")
	encoder.Encode(all) // it does not fail for these types
	return b.Bytes()
}

func iso(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
