package schema

import (
	"net/netip"
	"strings"
	"time"
	"unicode"
)

// Format is the form of a string.
type Format string

// The formats.
const (
	UUID     Format = "uuid"
	Hostname Format = "hostname"
	// Tag is a tag of a trigger: a leading ! excludes the tag.
	Tag Format = "tag"
	// Date is a day or a timestamp, in a query parameter.
	Date Format = "date"
)

// formatMistake says what is wrong with the form of a string, "" if nothing is.
func (n *Node) formatMistake(f Format, t text) string {
	switch f {
	case UUID:
		if !IsUUID(t.string(37)) {
			return n.quoteText(t) + " is not a UUID"
		}
	case Hostname:
		return hostnameMistake(t)
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
	if plainHost(t.raw) {
		return ""
	}
	host := t.string(len(t.raw))
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
		return "must have no brackets: an IPv6 address stands without them"
	case strings.Contains(host, ":"):
		return "must have no port: it is a member of its own"
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
