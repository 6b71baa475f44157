package schema

import (
	"bytes"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// text is a JSON string between its quotation marks.
type text []byte

// textIn returns the text of a JSON string.
func textIn(quoted []byte) text { return quoted[1 : len(quoted)-1] }

// textOf returns a text that is not JSON, such as a value in a query.
func textOf(s string) text {
	quoted, _ := rawjson.Encode(s) // never fails for a string
	return textIn(quoted)
}

// hasEscapes reports whether the text is written with escapes.
func (t text) hasEscapes() bool { return bytes.IndexByte(t, '\\') >= 0 }

// is reports whether the text, without its escapes, is s.
func (t text) is(s string) bool {
	if !t.hasEscapes() {
		return string(t) == s
	}
	for _, want := range s {
		r, size := rawjson.DecodeRune(t)
		if size == 0 || r != want {
			return false
		}
		t = t[size:]
	}
	return len(t) == 0
}

// length counts the characters.
func (t text) length() (n int) {
	if !t.hasEscapes() {
		return utf8.RuneCount(t)
	}
	for ; len(t) > 0; n++ {
		_, size := rawjson.DecodeRune(t)
		t = t[size:]
	}
	return n
}

// string returns the text without its escapes, at most limit characters of it.
func (t text) string(limit int) string {
	var out []byte
	for ; len(t) > 0 && limit > 0; limit-- {
		r, size := rawjson.DecodeRune(t)
		out, t = utf8.AppendRune(out, r), t[size:]
	}
	return string(out)
}

// textMistake says what is wrong with a string, "" if nothing is.
func (n *Node) textMistake(t text, level Level, required bool) string {
	limits := n.LimitsAt(level)
	if !limits.Length.isZero() {
		length := t.length()
		switch {
		case length == 0 && limits.Length.HasMin && required:
			return "is required"
		case length == 0 && limits.Length.HasMin:
			return "must not be empty"
		case limits.Length.HasMax && float64(length) > limits.Length.Max:
			return strconv.Itoa(length) + " characters are over " + digits(limits.Length.Max)
		}
	}
	if limits.Enum != nil && !slices.ContainsFunc(limits.Enum, t.is) {
		said := " is not one of " + strings.Join(limits.Enum, ", ")
		if len(limits.Enum) == 1 {
			said = " is not " + limits.Enum[0]
		}
		return n.quoteText(t) + said
	}
	if limits.Format != "" {
		return n.formatMistake(limits.Format, t)
	}
	return ""
}

// quoteText returns a string in quotation marks, cut to maxQuoted characters.
func (n *Node) quoteText(t text) string {
	if n.Secret {
		return "the value"
	}
	return strconv.Quote(t.string(maxQuoted))
}

// pathName returns the name of an unknown member for a path: cut to maxQuoted characters,
// and without control characters, which could forge a line of a log.
func pathName(t text) string {
	name := t.string(maxQuoted)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// formatMistake says what is wrong with the form of a string, "" if nothing is.
func (n *Node) formatMistake(f Format, t text) string {
	switch f {
	case UUID:
		if !IsUUID(t.string(37)) {
			return n.quoteText(t) + " is not a UUID"
		}
	case Hostname:
		return hostnameMistake(t)
	case OneLine:
		if strings.ContainsFunc(t.string(len(t)), unicode.IsControl) {
			return "must not contain control characters"
		}
	case Tag:
		if t.is("") || t.is("!") {
			return "must not be empty"
		}
	case Date:
		if !isDate(t.string(len("2006-01-02T15:04:05.000000000+00:00") + 1)) {
			return "must be a date"
		}
	}
	return ""
}

// IsUUID reports whether a text is a UUID, in letters of any case.
func IsUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

// hostnameMistake says what is wrong with a host. It refuses only the parts of a URL:
// names may be international, and {{NAME}} is a variable of the check. The value is not
// quoted, because a URL may have a password.
func hostnameMistake(t text) string {
	if plainHost(t) {
		return ""
	}
	host := t.string(len(t))
	if strings.Contains(host, "://") {
		return "must have no scheme"
	}
	if strings.Contains(host, "{{") {
		return ""
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	switch {
	case strings.ContainsFunc(host, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return "must not contain spaces"
	case strings.ContainsAny(host, "/?#"):
		return "must have no path"
	case strings.Contains(host, "@"):
		return "must have no user"
	case strings.ContainsAny(host, "[]"):
		return "must have no brackets: an IPv6 address is given without them"
	case strings.Contains(host, ":"):
		return "must have no port: the port is a member of its own"
	}
	return ""
}

// plainHost reports whether a host has only letters, digits and the characters between them.
func plainHost(raw []byte) bool {
	for _, b := range raw {
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '-' || b == '.' || b == '_') {
			return false
		}
	}
	return true
}

func isDate(s string) bool {
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return true
	}
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}
