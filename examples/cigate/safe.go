package main

import (
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// safe makes texts of the service safe to show. They are shown in the logs of CI systems,
// which take some lines as commands, and which more people may read than may know the key. It does
// not use the SDK's own internal/scrub, which a program outside of this module cannot import.
type safe struct{ secrets []*regexp.Regexp }

// accounts is what stands before the account in links to the service's pages. They do not work
// without it.
const accounts = "/accounts/"

const (
	redacted    = "[redacted]"
	leastSecret = 5   // bytes; a shorter one would be found inside ordinary words
	mostText    = 200 // characters of a name, a location or a link
	mostStatus  = 40  // characters of a status that is not known
	deepest     = 20  // how often a text may be escaped: one that is escaped more often is not shown
)

// newSafe returns a safe that removes the key and the account of the environment.
func newSafe(getenv cli.Getenv) *safe {
	s := &safe{}
	for name, before := range map[string]string{cli.EnvAPIKey: "", cli.EnvAccount: "(?:" + accounts + ")?"} {
		if secret := strings.TrimSpace(getenv(name)); len(secret) >= leastSecret {
			s.secrets = append(s.secrets, regexp.MustCompile("(?i)"+before+regexp.QuoteMeta(secret)))
		}
	}
	return s
}

// line makes a text one line, without escape sequences, invisible characters and secrets.
func (s *safe) line(text string) string { return s.withoutSecrets(oneLine(text)) }

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point) {
			return ' '
		}
		return r
	}, cli.Uncolor(text))
}

// lines is line for a text that may have several lines.
func (s *safe) lines(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s.line(line))
	}
	return b.String()
}

// short is line for a name, which is cut if it is long.
func (s *safe) short(text string) string { return cut(strings.TrimSpace(s.line(text)), mostText) }

// location is short for a location, which has to have a name in reports.
func (s *safe) location(text string) string {
	if text = s.short(text); text == "" {
		return "no location"
	}
	return text
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// withoutSecrets removes the secrets from a text. If one is there only when escapes of URLs,
// JSON or HTML are resolved, nothing of the text remains.
func (s *safe) withoutSecrets(text string) string { return s.without(text, false) }

// link is line for a link, in which the account may stand where links have it.
func (s *safe) link(text string) string {
	return s.without(oneLine(text), strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"))
}

// without is withoutSecrets. With links it leaves accounts in links.
func (s *safe) without(text string, links bool) string {
	text = s.replace(text, links)
	if len(s.secrets) == 0 {
		return text
	}
	reading := text
	for range deepest {
		next := unescape(reading)
		if next == reading {
			return text
		}
		if s.replace(next, links) != next {
			return redacted
		}
		reading = next
	}
	return redacted
}

// replace replaces the secrets that are not escaped.
func (s *safe) replace(text string, links bool) string {
	for _, secret := range s.secrets {
		text = secret.ReplaceAllStringFunc(text, func(found string) string {
			if links && strings.HasPrefix(found, accounts) {
				return found
			}
			return redacted
		})
	}
	return text
}

var escapes = regexp.MustCompile(`%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[/"\\]`)

// unescape resolves one layer of escapes.
func unescape(text string) string {
	return escapes.ReplaceAllStringFunc(html.UnescapeString(text), func(escape string) string {
		switch {
		case escape[0] == '%':
			b, _ := strconv.ParseUint(escape[1:], 16, 8)
			return string([]byte{byte(b)})
		case escape[1] == 'u':
			r, _ := strconv.ParseUint(escape[2:], 16, 32)
			return string(rune(r))
		}
		return escape[1:]
	})
}

// session returns a copy of a session whose texts are safe to show.
func (s *safe) session(session *monitoring.CheckSession) *monitoring.CheckSession {
	c := *session
	c.Name, c.CheckID, c.CheckSessionID = s.short(c.Name), s.short(c.CheckID), s.short(c.CheckSessionID)
	c.CheckType, c.Status = monitoring.CheckType(s.short(string(c.CheckType))), s.status(c.Status)
	c.CheckSessionLink = s.link(c.CheckSessionLink)
	c.RunLocations = make([]string, len(session.RunLocations))
	for i, location := range session.RunLocations {
		c.RunLocations[i] = s.location(location)
	}
	c.Results = append([]monitoring.CheckSessionResult(nil), session.Results...)
	for i := range c.Results {
		r := &c.Results[i] // its id is not shown
		r.RunLocation, r.CheckResultLink = s.location(r.RunLocation), s.link(r.CheckResultLink)
	}
	return &c
}

// status returns a status to show. One that this program does not know is quoted and cut, so
// that it cannot be taken for another.
func (s *safe) status(status monitoring.CheckSessionStatus) monitoring.CheckSessionStatus {
	switch status {
	case "", monitoring.SessionStarted, monitoring.SessionProgress, monitoring.SessionProgressFailed, monitoring.SessionProgressDegraded:
		return status
	}
	if status.Done() {
		return status
	}
	text := strings.NewReplacer(`"`, "'", `\`, "/").Replace(strings.TrimSpace(s.line(string(status))))
	return monitoring.CheckSessionStatus(`UNKNOWN "` + cut(text, mostStatus) + `"`)
}

var (
	// CI systems take a line as a command if it begins with two colons after blanks, and if
	// ##[ or ##vso[ is anywhere in it.
	colons = regexp.MustCompile(`(?:^|[\n\r])[\s\v\x{85}\pZ\p{Cf}]*::`)
	hashes = regexp.MustCompile(`(?i)##((?:vso)?\[)`)
)

// guard is an output of the gate. It lets no secrets through, and no lines that CI systems
// take as commands. Each line must be written at once.
type guard struct {
	safe *safe
	out  io.Writer
}

func (g guard) Write(p []byte) (int, error) {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text, end := strings.CutSuffix(line, "\n")
		b.WriteString(g.safe.without(text, true))
		if end {
			b.WriteByte('\n')
		}
	}
	text := colons.ReplaceAllStringFunc(b.String(), func(found string) string { return found[:len(found)-1] + " :" })
	text = hashes.ReplaceAllString(text, "# #$1")
	if _, err := io.WriteString(g.out, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// screen returns a screen whose output is guarded.
func (s *safe) screen(out io.Writer, getenv cli.Getenv) *cli.Screen {
	screen := cli.NewScreen(out, getenv)
	screen.Writer = guard{s, out}
	return screen
}
