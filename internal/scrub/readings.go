package scrub

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reading is a text as it reads without escapes of one kind. It may be a reading of a reading:
// JSON in HTML has escapes of both.
type reading struct {
	text string
	of   *reading // nil for the text itself
	at   []int    // where each byte of text begins in of, and the length of of
}

// readings returns a text and what it reads as without escapes. It takes the bytes of the
// readings from room, and whole is false if they were more.
func readings(text string, room *int) (all []*reading, whole bool) {
	all = []*reading{{text: text}}
	if !strings.ContainsAny(text, `\%+&`) { // most texts have no escapes
		return all, true
	}
	known := make(map[string]bool)
	for i := 0; i < len(all); i++ {
		for _, escape := range [...]func(string) (int, string){jsonEscape, urlEscape, queryEscape, htmlEscape} {
			r := all[i].without(escape)
			if r == nil || known[r.text] {
				continue
			}
			if *room -= len(r.text); *room < 0 {
				return all, false
			}
			known[r.text] = true
			all = append(all, r)
		}
	}
	return all, true
}

// without returns the reading without the escapes of one kind, nil if there are none. escape
// returns the width of the escape that a text begins with, and what it stands for.
func (r *reading) without(escape func(string) (width int, means string)) *reading {
	var out []byte
	var at []int
	copied := 0
	for i := 0; i < len(r.text); {
		width, means := escape(r.text[i:])
		if width == 0 {
			i++
			continue
		}
		for ; copied < i; copied++ {
			out, at = append(out, r.text[copied]), append(at, copied)
		}
		for range len(means) {
			at = append(at, i)
		}
		out = append(out, means...)
		i += width
		copied = i
	}
	if copied == 0 {
		return nil
	}
	for ; copied < len(r.text); copied++ {
		out, at = append(out, r.text[copied]), append(at, copied)
	}
	return &reading{text: string(out), of: r, at: append(at, len(r.text))}
}

// source returns the part of the text itself that reads as a part of the reading. Escapes
// belong to it as a whole.
func (r *reading) source(from, to int) span {
	for ; r.of != nil; r = r.of {
		for r.at[to] == r.at[to-1] { // in the middle of what an escape stands for
			to++
		}
		from, to = r.at[from], r.at[to]
	}
	return span{from, to}
}

// longestEscape is the longest escape that a cut may leave a part of: a character of two
// escapes in JSON.
const longestEscape = len(`\ud83e\udd8a`)

// beginningOf returns where the last bytes of the reading begin that are the beginning of a
// secret, and are at least leastSecret; -1 if they are not. A part of an escape may follow.
func (r *reading) beginningOf(secrets *sorted) int {
	least := len(r.text)
	for end := len(r.text); end > len(r.text)-longestEscape && end >= leastSecret; end-- {
		if end < len(r.text) && !r.escapedAt(end) {
			continue
		}
		for from := max(0, end+1-secrets.longest); from < least && from <= end-leastSecret; from++ {
			if secrets.begin(r.text[from:end]) {
				least = from
			}
		}
	}
	if least == len(r.text) {
		return -1
	}
	return least
}

// escapedAt reports whether an escape in the text itself, or a part of one, is at a place of the
// reading.
func (r *reading) escapedAt(at int) bool {
	for ; r.of != nil; r = r.of {
		at = r.at[at]
	}
	return strings.IndexByte(`\%&`, r.text[at]) >= 0
}

// urlEscape is an escape of a URL.
func urlEscape(text string) (width int, means string) {
	if text[0] == '%' && len(text) >= 3 {
		if b, err := strconv.ParseUint(text[1:3], 16, 8); err == nil {
			return 3, string([]byte{byte(b)})
		}
	}
	return 0, ""
}

// queryEscape is an escape in the query of a URL.
func queryEscape(text string) (width int, means string) {
	if text[0] == '+' {
		return 1, " "
	}
	return urlEscape(text)
}

// The names of characters in HTML, without & and semicolon.
const (
	longestName    = len("CounterClockwiseContourIntegral")
	longestOpen    = 6 // of those that need no semicolon
	longestDecimal = len("1114111")
	longestHex     = len("10ffff")
)

// htmlEscape is an escape of HTML: a name or a number, with or without a semicolon.
func htmlEscape(text string) (width int, means string) {
	switch {
	case text[0] != '&':
		return 0, ""
	case strings.HasPrefix(text, "&#x"), strings.HasPrefix(text, "&#X"):
		return htmlNumber(text, "&#x", "0123456789abcdefABCDEF", longestHex)
	case strings.HasPrefix(text, "&#"):
		return htmlNumber(text, "&#", "0123456789", longestDecimal)
	}
	name, _, ok := strings.Cut(text[1:min(len(text), 1+longestName+1)], ";")
	if reference := "&" + name + ";"; ok && name != "" {
		if means = html.UnescapeString(reference); !strings.HasSuffix(means, ";") {
			return len(reference), means
		}
	}
	for n := min(longestOpen, len(text)-1); n > 0; n-- {
		if means = html.UnescapeString(text[:1+n]); utf8.RuneCountInString(means) == 1 {
			return 1 + n, means
		}
	}
	return 0, ""
}

// htmlNumber is the number of a character in HTML. There may be any number of zeros before it.
func htmlNumber(text, begin, digits string, longest int) (width int, means string) {
	rest := text[len(begin):]
	number := rest[:len(rest)-len(strings.TrimLeft(rest, digits))]
	if number == "" {
		return 0, ""
	}
	width = len(begin) + len(number)
	if width < len(text) && text[width] == ';' {
		width++
	}
	if number = strings.TrimLeft(number, "0"); len(number) > longest {
		return width, "\ufffd"
	}
	return width, html.UnescapeString(begin + "0" + number + ";")
}

// jsonEscape is an escape of JSON.
func jsonEscape(text string) (width int, means string) {
	if text[0] != '\\' || len(text) < 2 {
		return 0, ""
	}
	switch text[1] {
	case '"', '/', '\\':
		return 2, text[1:2]
	case 'n':
		return 2, "\n"
	case 't':
		return 2, "\t"
	case 'r':
		return 2, "\r"
	case 'b':
		return 2, "\b"
	case 'f':
		return 2, "\f"
	}
	first, ok := hexRune(text)
	if !ok {
		return 0, ""
	}
	if second, ok := hexRune(text[6:]); ok && utf16.IsSurrogate(first) {
		return 12, string(utf16.DecodeRune(first, second))
	}
	return 6, string(first)
}

// hexRune reads the code unit of an escape such as \u0074.
func hexRune(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
