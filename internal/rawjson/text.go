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
	return PlainSeparators(bytes.TrimSuffix(out.Bytes(), []byte("\n"))), nil
}

// PlainSeparators replaces the escapes of U+2028 and U+2029 in JSON by the characters, because
// encoding/json cannot be told to leave them as they are. It reuses the memory of the JSON.
func PlainSeparators(data []byte) []byte {
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
	inside := quoted[1:max(1, len(quoted)-1)]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	out := make([]byte, 0, len(inside))
	for i := 0; i < len(inside); {
		if inside[i] != '\\' || i+1 == len(inside) {
			out = append(out, inside[i])
			i++
			continue
		}
		r, ok := escapedRune(inside[i:])
		switch {
		case !ok:
			out = append(out, escaped(inside[i+1]))
			i += 2
			continue
		case utf16.IsSurrogate(r):
			low, _ := escapedRune(inside[i+6:])
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				out = utf8.AppendRune(out, pair)
				i += 12
				continue
			}
			out = append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		default:
			out = utf8.AppendRune(out, r)
		}
		i += 6
	}
	return out
}

// escapedRune reads an escape such as \u00e9 at the beginning of a text.
func escapedRune(text []byte) (r rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// escaped returns the character that stands behind a backslash as c.
func escaped(c byte) byte {
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
	return c // a quotation mark, a backslash or a slash
}
