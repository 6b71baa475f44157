package main

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

var (
	// A word of a text, which may be an address.
	words = regexp.MustCompile(`[^\s"'<>]+`)
	// A query, or a part of a fragment, that lets everybody read what it is the address of.
	signature = regexp.MustCompile(`(?i)([?&#;](?:x-amz-[a-z-]+|x-goog-[a-z-]+|[a-z_-]*(?:signature|token|secret|password|api[_-]?key)|sig|policy))=[^&#]*`)
	// The name and the password of an address.
	userinfo = regexp.MustCompile(`(?i)([a-z][a-z0-9+.-]*://)[^/?#\s]*@`)
)

// unsigned masks what signs an address, however it is escaped. Such a word is shown without its
// escapes.
func unsigned(text string) string {
	if !strings.ContainsAny(text, `=@%\&`) { // most texts
		return text
	}
	return words.ReplaceAllStringFunc(text, func(word string) string {
		reading, whole := unescaped(word)
		switch {
		case !whole:
			return scrub.Redacted
		case !isSigned(reading):
			return word
		}
		reading = userinfo.ReplaceAllString(reading, "${1}"+scrub.Redacted+"@")
		return signature.ReplaceAllString(reading, "$1="+scrub.Redacted)
	})
}

func isSigned(reading string) bool {
	return signature.MatchString(reading) || userinfo.MatchString(reading)
}

// mostEscapes is how often a text may be escaped. At 2, what a log has quoted is not read; more
// than 6 is no accident.
const mostEscapes = 6

// unescaped returns what a text reads as without escapes of HTML, of addresses and of JSON, also in
// several of them at once. It is not whole if there are still escapes in it.
func unescaped(text string) (reading string, whole bool) {
	for range mostEscapes {
		reading = replaced(html.UnescapeString(text))
		if reading == text {
			return reading, true
		}
		text = reading
	}
	return text, false
}

// replaced replaces escapes of addresses and of JSON.
func replaced(text string) string {
	if !strings.ContainsAny(text, `%\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case rest[0] == '%' && len(rest) > 2 && isHex(rest[1:3]):
			n, _ := strconv.ParseUint(rest[1:3], 16, 8)
			b.WriteByte(byte(n))
			i += 2
		case strings.HasPrefix(rest, `\u`) && len(rest) > 5 && isHex(rest[2:6]):
			n, _ := strconv.ParseUint(rest[2:6], 16, 16)
			b.Write(utf8.AppendRune(nil, rune(n)))
			i += 5
		case strings.HasPrefix(rest, `\/`):
			b.WriteByte('/')
			i++
		default:
			b.WriteByte(rest[0])
		}
	}
	return strings.ToValidUTF8(b.String(), "�")
}

func isHex(text string) bool {
	_, err := strconv.ParseUint(text, 16, 32)
	return err == nil && !strings.ContainsAny(text, "+-_")
}
