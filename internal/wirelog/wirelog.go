// Package wirelog writes what each attempt of a call sent and received, for debugging. It
// masks by meaning: what a type calls a secret is masked by its place, however short it is, and
// what no type describes is shown as names, kinds and lengths. Queries and user names in
// addresses are cut, and texts pass the scrubber of the call, with short secrets of the request,
// too. An attempt is one write of whole lines, without control characters, and ends with a curl
// command that no value can break out of. The package knows of types only what [Types] says.
package wirelog

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
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

// Write writes an attempt. If the context ends before the response was searched for its secrets,
// nothing of the response is written but its status.
func (l *Log) Write(ctx context.Context, a *Attempt) {
	received, err := l.types.secretsIn(ctx, a.Response)
	sent, _ := l.types.secretsIn(context.WithoutCancel(ctx), a.Body) // which was encoded in time
	m := &mask{types: l.types, scrubber: a.Scrubber.ForResponse().WithShort(slices.Concat(a.Secrets, sent, received)...)}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s %s, attempt %d\n", a.Began.UTC().Format(timeFormat), m.line(a.Operation), a.Number)
	command := m.request(&b, a)
	waited := ""
	if a.LimiterWait > 0 {
		waited = fmt.Sprintf(", and %s before it for the rate limit", a.LimiterWait.Round(time.Microsecond))
	}
	status := "no response"
	if a.StatusCode != 0 {
		status = strings.TrimSpace(fmt.Sprintf("%d %s", a.StatusCode, http.StatusText(a.StatusCode)))
	}
	fmt.Fprintf(&b, "< %s after %s%s\n", status, a.Duration.Round(time.Microsecond), waited)
	if err != nil {
		fmt.Fprintf(&b, "< [not shown, because the time ended before %d bytes were searched for secrets: %s]\n", len(a.Response.Data), err)
	} else {
		m.response(&b, a)
	}
	b.WriteString(command + "\n")
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.to, b.String())
}

// request writes the request, and returns a command that sends it.
func (m *mask) request(b *strings.Builder, a *Attempt) (command string) {
	address := m.line(a.Address) + m.query(a.Query, a.ShownQuery)
	fmt.Fprintf(b, "> %s %s\n", a.Method, address)
	command = "$ curl -gsS -X " + a.Method + " " + quoted(address)
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		for _, value := range a.Header[name] {
			shown, name := m.headerValue(name, value, a.AccountHeader), m.headerName(name)
			fmt.Fprintf(b, "> %s: %s\n", name, shown)
			command += " -H " + header(name, shown, a.AccountHeader)
		}
	}
	if len(a.Body.Data) > 0 {
		body := m.body(a.Body)
		fmt.Fprintf(b, "> %s\n", body)
		command += " --data-raw " + quoted(body)
	}
	return command
}

// response writes the header and the body of the response, and why there is none that can be used.
func (m *mask) response(b *strings.Builder, a *Attempt) {
	for _, name := range slices.Sorted(maps.Keys(a.ResponseHeader)) {
		for _, value := range a.ResponseHeader[name] {
			fmt.Fprintf(b, "< %s: %s\n", m.headerName(name), m.headerValue(name, value, a.AccountHeader))
		}
	}
	if text := m.body(a.Response); text != "" {
		fmt.Fprintf(b, "< %s\n", text)
	}
	if a.Err != nil {
		fmt.Fprintf(b, "! %s\n", m.scrubber.Line(a.Err.Error()))
	}
}

// line returns a text on one line, without secrets.
func (m *mask) line(text string) string { return m.scrubber.LongLine(text).String() }

// headerName returns the name of a header, or none of it if a secret is in it.
func (m *mask) headerName(name string) string {
	if !m.scrubber.NameIsClear(name) {
		return scrub.Redacted
	}
	return scrub.Printable(m.cut(name))
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
	return scrub.Printable(m.text(value))
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
			parts = append(parts, url.QueryEscape(m.line(name))+"="+strings.ReplaceAll(url.QueryEscape(value),
				url.QueryEscape(scrub.Redacted), scrub.Redacted))
		}
	}
	if parts == nil {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}
