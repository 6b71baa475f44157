// Package scrub removes secrets from untrusted texts: what a service, a proxy or a transport wrote,
// and ids of a caller that may be secrets in the wrong place. A [Scrubber] finds its secrets as
// they are and in the escapes of JSON, URLs and HTML, also in several of them at once. The work
// for a text is bounded; a text that cannot be searched whole is removed whole. Secrets of less
// than five bytes are not looked for. What a Scrubber has searched is a [Line] or a [Safe]: nothing
// else makes one, so what takes one cannot get a text that was not searched. [Clean] is for texts
// of the caller.
package scrub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The tuned constants of this package. Below and above say what is worse with a smaller and with a
// larger value; the test that is named shows it.
const (
	// leastSecret is the least length in bytes of a secret that is removed from texts. Below:
	// a secret such as "four" is cut out of ordinary words. Above: short passwords stay
	// (TestWhichTextsHaveASecretInThem).
	leastSecret = 5

	// leastShort is leastSecret for WithShort. Below: single letters are cut out everywhere. Above:
	// the wire log shows a short password that the service quotes
	// (TestShortSecretsAreRemovedOnRequest).
	leastShort = 3

	// longHeader is the length in bytes of a value that is taken for a secret whatever the name of its
	// header is. Below: ordinary words are cut out of texts. Above: short keys in base64 stay in them
	// (TestWhichHeadersMayBeSecrets).
	longHeader = 16

	// mostReadings is how many bytes all readings of a text may have, so that the work for hostile
	// texts is bounded. Below: a text that is escaped many times is removed
	// (TestTheReadingsOfATextAreBounded). Above: a header of a hostile service takes more memory
	// (TestAllValuesOfAHeaderShareTheWork).
	mostReadings = 1 << 20

	// MaxText is the length in bytes to which untrusted texts are cut in errors and logs. It bounds a
	// line of a log; the service's own messages are a sentence. Below: a list of broken rules
	// is cut in its first one. Above: an HTML page fills screens
	// (TestACleanTextIsOneLineOfAtMost500Bytes).
	MaxText = 500
)

// Redacted stands in the place of a secret.
const Redacted = "[redacted]"

// Scrubber removes secrets from texts. It is safe for concurrent use.
type Scrubber struct {
	secrets *secrets
	room    *int // what is left for the readings of several texts; nil if each text has its own
}

// TooManyEscapes replaces a text that has too many escapes to look for secrets in all of them.
const TooManyEscapes = "[text removed: too many escapes]"

// New returns a Scrubber that removes these secrets.
func New(texts ...string) *Scrubber {
	return &Scrubber{secrets: &secrets{list: atLeast(leastSecret, texts)}}
}

// atLeast returns the texts with a length.
func atLeast(least int, texts []string) (list []string) {
	for _, secret := range texts {
		if len(secret) >= least {
			list = append(list, secret)
		}
	}
	return list
}

// With returns a scrubber that removes further secrets, too.
func (s *Scrubber) With(texts ...string) *Scrubber {
	return New(slices.Concat(texts, s.secrets.list)...)
}

// WithShort returns a scrubber that removes further secrets, also those of three bytes, which
// ordinary words may contain. It is for texts in which that does not matter.
func (s *Scrubber) WithShort(texts ...string) *Scrubber {
	return &Scrubber{secrets: &secrets{list: slices.Concat(atLeast(leastShort, texts), s.secrets.list)}, room: s.room}
}

// ForResponse returns a scrubber for the texts of one response. All of them together get the room
// of one text, so a response with many texts costs no more than one with a long text.
func (s *Scrubber) ForResponse() *Scrubber { return &Scrubber{s.secrets, new(mostReadings)} }

// Text replaces every secret in a text, also a secret that is escaped: as in JSON (\/,
// \u0074), in a URL (%2F), in HTML (&amp;), or in several of them. A text that cannot be searched
// whole is replaced by TooManyEscapes.
func (s *Scrubber) Text(text string) string { return s.CutText(text, false) }

// Line is a text of others that may be shown: without secrets, control characters and line breaks.
// Only a Scrubber makes one that is not empty.
type Line struct{ text string }

// String returns the text.
func (l Line) String() string { return l.text }

// Line returns an untrusted text for one line of a log: without secrets, and as Clean makes it.
func (s *Scrubber) Line(text string) Line { return Line{Clean(s.Text(text))} }

// LongLine is Line without a cut.
func (s *Scrubber) LongLine(text string) Line { return Line{Printable(s.Text(text))} }

// CutText is Text for a text whose end may be cut off: then it also replaces the beginning of a
// secret at the end.
func (s *Scrubber) CutText(text string, cut bool) string {
	return s.replace(s.secrets.sorted(), text, cut)
}

func (s *Scrubber) replace(secrets *sorted, text string, cut bool) string {
	if len(secrets.list) == 0 {
		return text
	}
	room := s.room
	if room == nil {
		room = new(mostReadings)
	}
	all, whole := readings(text, room)
	if !whole {
		return TooManyEscapes
	}
	var found []span
	for _, r := range all {
		for _, part := range secrets.in(r.text) {
			found = append(found, r.source(part.from, part.to))
		}
		if from := r.beginningOf(secrets); cut && from >= 0 {
			found = append(found, span{r.source(from, len(r.text)).from, len(text)})
		}
	}
	return withoutSpans(text, found)
}

// withoutSpans replaces parts of a text by [redacted]. Parts that overlap become one.
func withoutSpans(text string, spans []span) string {
	if spans == nil {
		return text
	}
	const begins, inside = 1, 2
	marks := make([]byte, len(text))
	for _, s := range spans {
		if marks[s.from] == 0 {
			marks[s.from] = begins
		}
		for i := s.from + 1; i < s.to; i++ {
			marks[i] = inside
		}
	}
	var out strings.Builder
	for i, mark := range marks {
		switch mark {
		case begins:
			out.WriteString(Redacted)
		case inside:
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

// JSON is Text for JSON, with escapes for what could break or reorder a line. If the result is not
// JSON, it returns a text that says so instead.
func (s *Scrubber) JSON(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	scrubbed := s.Text(string(raw))
	switch {
	case scrubbed == TooManyEscapes:
		return json.RawMessage(`"` + TooManyEscapes + `"`)
	case !json.Valid([]byte(scrubbed)):
		return json.RawMessage(`"` + Redacted + `"`)
	}
	return json.RawMessage(Escape(scrubbed))
}

// Escape returns JSON with escapes for the characters that Clean removes, except for white space
// between its values.
func Escape(text string) string {
	if strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r < ' ' || !isControl(r): // in a string, JSON has no character below a space
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// Header scrubs and cleans the values of a header, and removes the fields that have a secret or a
// control character in their name.
func (s *Scrubber) Header(h http.Header) {
	for name, values := range h {
		if !s.NameIsClear(name) || Printable(name) != name {
			delete(h, name)
			continue
		}
		for i, value := range values {
			values[i] = Printable(s.Text(value))
		}
	}
}

// NameIsClear reports whether no secret is in the name of a header, in any case of letters: a
// transport may write the name in another case than it was sent.
func (s *Scrubber) NameIsClear(name string) bool {
	name = strings.ToLower(name)
	return s.replace(s.secrets.inSmallLetters(), name, false) == name
}

// IsSecretHeader reports whether the value of a header may be a secret: its name says it, or it is
// long.
func IsSecretHeader(name, value string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return len(value) >= longHeader
}

// Quoted scrubs only what is between quotation marks in a text of the client's own: values of
// the caller, which may be secrets in the wrong place.
func (s *Scrubber) Quoted(text string) string {
	parts := strings.Split(text, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = s.Text(parts[i])
	}
	return strings.Join(parts, `"`)
}

// Clear reports whether no secret is in a text.
func (s *Scrubber) Clear(text string) bool { return s.Text(text) == text }

// Clean makes a text of others safe for one line of a log: cut to MaxText, without control
// characters and line breaks.
func Clean(s string) string {
	cut := len(s) > 4*MaxText // no work on a part that is cut off anyway
	if cut {
		s = s[:4*MaxText]
	}
	s = Printable(s)
	if cut || len(s) > MaxText {
		s = strings.ToValidUTF8(s[:min(len(s), MaxText)], "") + "…"
	}
	return s
}

// Printable replaces control characters and line breaks by spaces.
func Printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || isControl(r) {
			return ' '
		}
		return r
	}, s))
}

// isControl reports whether a rune could break or reorder a line of a log, or is not seen in it.
func isControl(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// Quote returns a text of others in quotation marks, without secrets and characters that cannot be
// printed, and with at most this many characters between the marks, escapes included.
func (s *Scrubber) Quote(text string, most int) Line {
	cut := len(text) > MaxText // no work on a part that is not shown
	text = s.CutText(text[:min(len(text), MaxText)], cut)
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text))
	quoted := strconv.Quote(text)
	if utf8.RuneCountInString(quoted) <= most+len(`""`) {
		return Line{quoted}
	}
	var short strings.Builder
	room := most - 1 // the ellipsis takes one
	for _, r := range text {
		one := strconv.Quote(string(r))
		one = one[1 : len(one)-1]
		if room -= utf8.RuneCountInString(one); room < 0 {
			break
		}
		short.WriteString(one)
	}
	return Line{`"` + short.String() + `…"`}
}
