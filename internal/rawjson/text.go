package rawjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode is [json.Marshal] without the escapes that JSON does not need: <, >, & and the
// separators U+2028 and U+2029 are written as they are.
func Encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return plainSeparators(bytes.TrimSuffix(out.Bytes(), []byte("\n"))), nil
}

// AppendText appends a string as Encode writes it. Most need no escape, and are copied.
func AppendText(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := Encode(text) // never fails for a string
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}

// AppendBytes is AppendText, but keeps bytes that are not UTF-8, which Encode replaces by U+FFFD.
func AppendBytes(to []byte, text string) []byte {
	if utf8.ValidString(text) {
		return AppendText(to, text)
	}
	to = append(to, '"')
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			to = append(to, text[0])
		} else {
			quoted := AppendText(nil, text[:size])
			to = append(to, quoted[1:len(quoted)-1]...)
		}
		text = text[size:]
	}
	return append(to, '"')
}

// plainSeparators replaces the escapes of U+2028 and U+2029 in JSON by the characters, because
// encoding/json cannot be told to leave them as they are. It reuses the memory of the JSON.
func plainSeparators(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u202`)) {
		return data
	}
	out := data[:0]
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] != '\\':
			out = append(out, data[i])
		case bytes.HasPrefix(data[i:], []byte(`\u2028`)), bytes.HasPrefix(data[i:], []byte(`\u2029`)):
			out = utf8.AppendRune(out, 0x2020+rune(data[i+5]-'0'))
			i += 5
		default: // the next byte belongs to this escape, also if it is a backslash
			out = append(out, data[i:min(i+2, len(data))]...)
			i++
		}
	}
	return out
}

// unescape returns the text of a string that is given with its quotation marks. Unlike
// encoding/json it keeps what is not valid Unicode, so that different texts stay different: an
// unpaired surrogate has the three bytes that UTF-8 would have for it.
func unescape(quoted []byte) []byte {
	text := quoted[1:max(1, len(quoted)-1)]
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := rune(text[0]), 1
		if r == '\\' {
			r, size = escape(text)
		}
		switch {
		case size == 1:
			out = append(out, text[0])
		case utf16.IsSurrogate(r):
			out = append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		default:
			out = utf8.AppendRune(out, r)
		}
		text = text[size:]
	}
	return out
}

// DecodeRune is [utf8.DecodeRune] for the text between the quotation marks of a string, in which a
// character may be an escape. As in encoding/json, half of a surrogate pair is [utf8.RuneError].
func DecodeRune(text []byte) (r rune, size int) {
	if len(text) == 0 || text[0] != '\\' {
		return utf8.DecodeRune(text)
	}
	if r, size = escape(text); utf16.IsSurrogate(r) {
		r = utf8.RuneError
	}
	return r, size
}

// IsUnicode reports whether encoding/json reads a string without replacing anything: it is UTF-8,
// and none of its escapes is half of a surrogate pair. An escaped U+FFFD counts as replaced.
func IsUnicode(token []byte) bool {
	if _, ok := Plain(token); ok {
		return true
	}
	for len(token) > 0 {
		r, size := DecodeRune(token)
		if r == utf8.RuneError && size != len("\uFFFD") {
			return false
		}
		token = token[size:]
	}
	return true
}

// escape returns the character of the escape that a text begins with, and the length of the escape.
// Two escapes that are a surrogate pair are one character; half of a pair is returned as it is.
func escape(text []byte) (r rune, size int) {
	r, ok := codeUnit(text)
	switch {
	case !ok && len(text) == 1: // the text is cut off
		return '\\', 1
	case !ok:
		return escaped(text[1]), 2
	case utf16.IsSurrogate(r):
		low, _ := codeUnit(text[6:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return r, 6
}

// codeUnit reads an escape such as \u00e9 at the beginning of a text.
func codeUnit(text []byte) (r rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// escaped returns the character that stands behind a backslash as c.
func escaped(c byte) rune {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return rune(c) // a quotation mark, a backslash or a slash
}
