package monitoring

import (
	"encoding/json"
	"errors"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// leastSecret is the least length in bytes of a secret that is removed from texts; shorter
// ones would be found inside ordinary words.
const leastSecret = 5

// scrubber removes the secrets of a call from texts of others: those of the service or a
// proxy, and ids of the caller. Texts of this package contain no values, so scrubbing them
// could only damage ordinary words.
type scrubber struct{ secrets []string } // the longest first

func newScrubber(secrets ...string) *scrubber {
	s := &scrubber{}
	for _, secret := range secrets {
		if len(secret) >= leastSecret {
			s.secrets = append(s.secrets, secret)
		}
	}
	// The longest first: a secret may begin with another one, and its rest must not stay.
	slices.SortFunc(s.secrets, func(a, b string) int { return len(b) - len(a) })
	return s
}

// text replaces every secret in a text, also a secret that is escaped: as in JSON (\/,
// \u0074), in a URL (%2F) or in HTML (&amp;).
func (s *scrubber) text(text string) string {
	var out strings.Builder
	for text != "" {
		if n := s.match(text); n != 0 {
			out.WriteString(redacted)
			text = text[n:]
			continue
		}
		out.WriteByte(text[0])
		text = text[1:]
	}
	return out.String()
}

// match returns the length of the secret that the text begins with, or 0.
func (s *scrubber) match(text string) int {
	for _, secret := range s.secrets {
		if n := matchEscaped(text, secret); n != 0 {
			return n
		}
	}
	return 0
}

// matchEscaped returns the length of the secret, which may be escaped, at the beginning of
// the text; 0 if it is not there.
func matchEscaped(text, secret string) int {
	tries := mostTries
	return max(0, spelledBy(text, secret, &tries))
}

// mostTries is how often a text may be read in another way, for one secret at one place.
const mostTries = 1000

// spelledBy returns the length of the beginning of a text that spells a secret, or -1.
// Some texts can be read in several ways: %25 is an escaped "%", or it is "%25". They are
// tried one after the other.
func spelledBy(text, secret string, tries *int) int {
	matched := 0
	for secret != "" {
		if text == "" {
			return -1
		}
		width, spelled := unit(text, secret)
		if spelled == 0 {
			return -1
		}
		for _, other := range [...]int{1, 2, 4, 8} { // unescaped; a backslash in JSON, in JSON inside of JSON, and so on
			possible := other == 1 || secret[0] == '\\'
			if !possible || other == width || *tries == 0 || !strings.HasPrefix(text, strings.Repeat(secret[:1], other)) {
				continue
			}
			*tries--
			if n := spelledBy(text[other:], secret[1:], tries); n >= 0 {
				return matched + other + n
			}
		}
		text, secret = text[width:], secret[spelled:]
		matched += width
	}
	return matched
}

// longReference is the longest reference to a character in HTML, except for rare names.
const longReference = "&#1114111;"

// unit compares the beginning of a text, which may be escaped, with that of a secret. It
// returns how many bytes of the text spell how many bytes of the secret; 0 and 0 if they
// differ.
func unit(text, secret string) (width, spelled int) {
	switch text[0] {
	case '%':
		if len(text) >= 3 {
			if b, err := strconv.ParseUint(text[1:3], 16, 0); err == nil && byte(b) == secret[0] {
				return 3, 1
			}
		}
	case '+': // a space in a query
		if secret[0] == ' ' {
			return 1, 1
		}
	case '&': // an escape of HTML
		if reference, _, ok := strings.Cut(text[:min(len(text), len(longReference))], ";"); ok {
			reference += ";"
			if decoded := html.UnescapeString(reference); strings.HasPrefix(secret, decoded) {
				return len(reference), len(decoded)
			}
		}
	case '\\':
		slashes := len(text) - len(strings.TrimLeft(text, `\`)) // more than one in JSON inside of JSON
		if slashes < len(text) && (slashes < 2 || secret[0] != '\\') {
			if n, decoded := unescape(text[slashes:]); n > 0 && strings.HasPrefix(secret, decoded) {
				return slashes + n, len(decoded)
			}
		}
		if secret[0] == '\\' && strings.HasPrefix(text, `\\`) && !strings.HasPrefix(secret, `\\`) {
			return 2, 1
		}
	}
	if text[0] == secret[0] {
		return 1, 1
	}
	return 0, 0
}

// unescape reads what follows the backslash of a JSON escape.
func unescape(text string) (width int, decoded string) {
	switch text[0] {
	case '"', '/':
		return 1, text[:1]
	case 'n':
		return 1, "\n"
	case 't':
		return 1, "\t"
	case 'r':
		return 1, "\r"
	case 'b':
		return 1, "\b"
	case 'f':
		return 1, "\f"
	case 'u':
		first, ok := hexRune(text)
		if !ok {
			return 0, ""
		}
		if utf16.IsSurrogate(first) && strings.HasPrefix(text[5:], `\`) {
			if second, ok := hexRune(text[6:]); ok {
				return 11, string(utf16.DecodeRune(first, second))
			}
		}
		return 5, string(first)
	}
	return 0, ""
}

// hexRune reads the code unit of an escape such as u0074.
func hexRune(text string) (rune, bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:5], 16, 0)
	return rune(n), err == nil
}

// raw scrubs raw JSON. If the result is not JSON, it returns the text [redacted] instead.
func (s *scrubber) raw(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	scrubbed := json.RawMessage(s.text(string(raw)))
	if !json.Valid(scrubbed) {
		return json.RawMessage(`"` + redacted + `"`)
	}
	return scrubbed
}

// quoted scrubs only what is between quotation marks in a text of this package: values of
// the caller, which may be secrets in the wrong place.
func (s *scrubber) quoted(text string) string {
	parts := strings.Split(text, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = s.text(parts[i])
	}
	return strings.Join(parts, `"`)
}

// error returns err, or an error with a scrubbed text if the text of err contains a secret.
func (s *scrubber) error(err error) error {
	text := err.Error()
	if scrubbed := s.text(text); scrubbed != text {
		return &scrubbedError{text: scrubbed, err: err}
	}
	return err
}

// scrubbedError works with errors.Is, but does not return the error behind it, because the
// text of that error contains a secret.
type scrubbedError struct {
	text string
	err  error
}

func (e *scrubbedError) Error() string        { return e.text }
func (e *scrubbedError) GoString() string     { return strconv.Quote(e.text) }
func (e *scrubbedError) Is(target error) bool { return errors.Is(e.err, target) }

// Timeout reports whether the error was a timeout, as net.Error does.
func (e *scrubbedError) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.err)
	return ok && t.Timeout()
}

// maxText is the length in bytes to which texts of others are cut in errors and logs.
const maxText = 500

// clean makes a text of others safe for one line of a log: cut to maxText, without control
// characters and line breaks.
func clean(s string) string {
	cut := len(s) > 4*maxText // no work on a part that is cut off anyway
	if cut {
		s = s[:4*maxText]
	}
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || isControl(r) {
			return ' '
		}
		return r
	}, s))
	if cut || len(s) > maxText {
		s = strings.ToValidUTF8(s[:min(len(s), maxText)], "") + "…"
	}
	return s
}

// isControl reports whether a rune could break or reorder a line of a log.
func isControl(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029',
		r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}
