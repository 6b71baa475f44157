package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const (
	mostBody  = 1024     // bytes of a body that the page shows
	mostRead  = 8 * 1024 // bytes of one that are searched: a secret must not be cut before it is found
	mostValue = 1024     // bytes of a header and the like that are searched; mostName of them are shown
	mostValid = 1 << 20  // bytes of one that is read as JSON; of a longer one the beginning is a text
)

// secretWord is in the names of members, parameters and elements whose values are secrets.
const secretWord = `(?:auth|key|token|secret|passw|cookie|session|credential|signature|csrf|jwt)`

var (
	secretName = regexp.MustCompile(`(?i)` + secretWord)
	// A member of JSON up to its value. The quotation marks may be escaped.
	member = regexp.MustCompile(`(\\*)["']([^"']{0,160}?)\\*["']\s*:\s*`)
	// A parameter of a form.
	secretParameter = regexp.MustCompile(`(?i)((?:^|[\s?&;,])[\w.\[\]-]{0,80}` + secretWord + `[\w.\[\]-]{0,80}=)[^\s&;,"'<>]+`)
	// What follows the name of a scheme in a header.
	scheme = regexp.MustCompile(`(?i)\b(bearer|basic|digest)(:? +)[\w.~+/=-]{6,}`)
	// A token that is a text of its own.
	webToken = regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?`)
	// What a form of HTML is filled in with, and elements whose name says that they have a secret.
	filledIn = regexp.MustCompile(`(?i)(<input\b[^>]*?\bvalue\s*=\s*)(?:"[^"]*"?|'[^']*'?|[^\s>]+)`)
	metadata = regexp.MustCompile(`(?i)(<meta\b[^>]*?` + secretWord + `[^>]*?\bcontent\s*=\s*)(?:"[^"]*"?|'[^']*'?|[^\s>]+)`)
)

// body returns the beginning of a body without secrets, and whether it is whole.
func (c *cleaner) body(text string) (shown string, whole bool) {
	whole = len(text) <= mostRead
	text = c.masked(text)
	if len(text) > mostBody {
		at := mostBody
		for !utf8.RuneStart(text[at]) {
			at--
		}
		return text[:at], false
	}
	return text, whole
}

// masked is text for a part of a request or a response: also without what its name says to be a
// secret, and without the values of queries.
func (c *cleaner) masked(text string) string { return c.maskedUpTo(text, mostRead) }

// maskedUpTo is masked for so many bytes at the beginning of a text.
func (c *cleaner) maskedUpTo(text string, most int) string {
	if data := []byte(text); len(text) <= mostValid && strings.ContainsAny(text[:min(len(text), 1)], "{[\"") && json.Valid(data) {
		text = maskedJSON(data, most)
	}
	if len(text) > most { // a part of a secret may stand at its end
		text = c.secrets.CutText(text[:most], true)
	}
	text = strings.ToValidUTF8(text, "�")
	if strings.Contains(text, "<") {
		text = filledIn.ReplaceAllString(text, "${1}"+scrub.Redacted)
		text = metadata.ReplaceAllString(text, "${1}"+scrub.Redacted)
	}
	if strings.Contains(text, "=") {
		text = secretParameter.ReplaceAllString(text, "${1}"+scrub.Redacted)
	}
	if strings.Contains(text, ":") {
		text = maskedMembers(text)
	}
	text = scheme.ReplaceAllString(text, "${1}${2}"+scrub.Redacted)
	text = webToken.ReplaceAllString(text, scrub.Redacted)
	return scrub.Addresses(c.text(text))
}

// value is masked for a value with a name, on one line.
func (c *cleaner) value(name, value string) string {
	if secretName.MatchString(name[:min(len(name), mostValue)]) {
		return scrub.Redacted
	}
	return c.name(c.maskedUpTo(value, mostValue))
}

// maskedJSON returns JSON in which the members with such names are masked, and not much more than
// so many bytes of it. Its layout stays, so that people know it again.
func maskedJSON(data []byte, most int) string {
	var out bytes.Buffer
	mask(&out, bytes.TrimSpace(data), most)
	return out.String()
}

func mask(out *bytes.Buffer, value []byte, most int) {
	at := 0 // what of the value is written
	through := func(inner []byte, masked func()) {
		begin := cap(value) - cap(inner) // inner is a part of the array of value
		out.Write(value[at:begin])
		masked()
		at = begin + len(inner)
	}
	switch rawjson.Kind(value) {
	case '{':
		for name, inner := range rawjson.Each(value) {
			if out.Len() > most {
				return
			}
			through(inner, func() {
				if secretName.Match(name) && !rawjson.IsNull(inner) {
					out.WriteString(`"` + scrub.Redacted + `"`)
				} else {
					mask(out, inner, most)
				}
			})
		}
	case '[':
		for inner := range rawjson.Items(value) {
			if out.Len() > most {
				return
			}
			through(inner, func() { mask(out, inner, most) })
		}
	}
	out.Write(value[at:])
}

// maskedMembers masks such members in a text that is no JSON, or JSON that is cut or stands in
// other JSON: up to the end of the value, or all that follows if the value is an object or a list.
func maskedMembers(text string) string {
	var b strings.Builder
	for {
		at := member.FindStringSubmatchIndex(text)
		if at == nil {
			return b.String() + text
		}
		b.WriteString(text[:at[1]])
		name, _ := unescaped(text[at[4]:at[5]])
		escapes := at[3] - at[2]
		if text = text[at[1]:]; secretName.MatchString(name) && !strings.HasPrefix(text, "null") {
			b.WriteString(scrub.Redacted)
			text = text[endOfValue(text, escapes):]
		}
	}
}

// endOfValue returns where a value ends whose quotation marks are escaped by so many backslashes.
func endOfValue(text string, escapes int) int {
	rest := strings.TrimLeft(text, `\`)
	switch {
	case rest == "", rest[0] == '{', rest[0] == '[':
		return len(text)
	case rest[0] != '"' && rest[0] != '\'':
		if end := strings.IndexAny(text, " \t\r\n,}]"); end >= 0 {
			return end
		}
		return len(text)
	}
	before := 0
	for i := len(text) - len(rest) + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			before++
		case rest[0]:
			if before <= escapes {
				return i + 1
			}
			before = 0
		default:
			before = 0
		}
	}
	return len(text)
}
