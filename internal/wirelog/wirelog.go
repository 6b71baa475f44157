// Package wirelog writes what each attempt of a call sent and received, for people who look for a
// mistake. It masks by meaning: what a type calls a secret is masked by its place, however short it
// is, and what no type describes is shown as names, kinds and lengths. Queries and user names in
// addresses are cut, and texts pass the scrubber of the call, with short secrets of the request, too.
// An attempt is one write of whole lines, without control characters, and ends with a curl command
// that no value can break out of. The package knows of types only what [Types] says.
package wirelog

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Log writes attempts to a writer, one at a time. Errors of the writer are ignored.
type Log struct {
	to    io.Writer
	types *Types
	mu    sync.Mutex
}

// New returns a log that writes to w.
func New(w io.Writer, types *Types) *Log { return &Log{to: w, types: types} }

// Attempt is one attempt.
type Attempt struct {
	Began     time.Time
	Operation string // as it may be shown
	Number    int

	Method        string
	Address       string     // without its query, as it may be shown
	Query         url.Values // of which ShownQuery are shown; the values of others are masked
	ShownQuery    []string
	Header        http.Header
	AccountHeader string
	Body          Body

	LimiterWait, Duration time.Duration

	StatusCode     int // 0 if there was no response
	ResponseHeader http.Header
	Response       Body
	Err            scrub.Safe // why there is no usable response; may be nil

	Scrubber *scrub.Scrubber
	Secrets  []string // of the body of the request, also short ones
}

// Body is a body with what it was made of, or is decoded into. A nil type describes nothing.
type Body struct {
	Data   []byte
	Type   reflect.Type
	Copied bool // to the caller, so it is not known here
}

// Write writes an attempt.
func (l *Log) Write(a *Attempt) {
	m := &mask{types: l.types, scrubber: a.Scrubber.WithShort(slices.Concat(a.Secrets, l.types.secretsIn(a.Response))...)}
	body := m.body(a.Body)
	address := a.Scrubber.LongLine(a.Address).String() + m.query(a.Query, a.ShownQuery)
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s %s, attempt %d\n", a.Began.UTC().Format(timeFormat), a.Scrubber.Line(a.Operation), a.Number)
	fmt.Fprintf(&b, "> %s %s\n", a.Method, address)
	command := "$ curl -gsS -X " + a.Method + " " + quoted(address)
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		for _, value := range a.Header[name] {
			shown := m.headerValue(name, value, a.AccountHeader)
			fmt.Fprintf(&b, "> %s: %s\n", name, shown)
			command += " -H " + header(name, shown, a.AccountHeader)
		}
	}
	if len(a.Body.Data) > 0 {
		fmt.Fprintf(&b, "> %s\n", body)
		command += " --data-raw " + quoted(body)
	}
	waited := ""
	if a.LimiterWait > 0 {
		waited = fmt.Sprintf(", and %s before it for its place", a.LimiterWait.Round(time.Microsecond))
	}
	status := "no response"
	if a.StatusCode != 0 {
		status = strings.TrimSpace(fmt.Sprintf("%d %s", a.StatusCode, http.StatusText(a.StatusCode)))
	}
	fmt.Fprintf(&b, "< %s after %s%s\n", status, a.Duration.Round(time.Microsecond), waited)
	for _, name := range slices.Sorted(maps.Keys(a.ResponseHeader)) {
		for _, value := range a.ResponseHeader[name] {
			fmt.Fprintf(&b, "< %s: %s\n", a.Scrubber.Line(name), m.headerValue(name, value, a.AccountHeader))
		}
	}
	if text := m.body(a.Response); text != "" {
		fmt.Fprintf(&b, "< %s\n", text)
	}
	if a.Err != nil {
		fmt.Fprintf(&b, "! %s\n", a.Scrubber.Line(a.Err.Error()))
	}
	b.WriteString(command + "\n")
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.to, b.String())
}

// timeFormat has milliseconds, as the service writes them.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// headerValue returns the value of a header. Its name says whether it is a secret.
func (m *mask) headerValue(name, value, account string) string {
	switch {
	case strings.EqualFold(name, "Authorization") && strings.HasPrefix(value, "Bearer "):
		return "Bearer " + scrub.Redacted
	case strings.EqualFold(name, account), scrub.IsSecretHeader(name, ""):
		return scrub.Redacted
	}
	return m.scrubber.LongLine(m.text(value)).String()
}

// header is a header for curl. The key and the account come from the environment.
func header(name, shown, account string) string {
	switch {
	case strings.EqualFold(name, "Authorization"):
		return quoted("Authorization: Bearer ") + `"$MONITORING_API_KEY"`
	case strings.EqualFold(name, account):
		return quoted(name+": ") + `"$MONITORING_ACCOUNT_ID"`
	}
	return quoted(name + ": " + shown)
}

// quoted quotes a text for a shell. Nothing in it ends the quotation marks or is expanded.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// query returns a query with its question mark.
func (m *mask) query(values url.Values, shown []string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			if value = m.text(value); !slices.Contains(shown, name) {
				value = scrub.Redacted
			}
			parts = append(parts, url.QueryEscape(m.scrubber.LongLine(name).String())+"="+strings.ReplaceAll(url.QueryEscape(value), url.QueryEscape(scrub.Redacted), scrub.Redacted))
		}
	}
	if parts == nil {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}
