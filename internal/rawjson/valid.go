package rawjson

import "bytes"

// MaxDepth is how deep objects and arrays may be nested. It is the bound of encoding/json.
const MaxDepth = 10000

// EndOfValid is [EndOfValue] for data that may not be valid: it accepts what [json.Valid] accepts.
// It returns 0 for another value, and for one with objects and arrays that are nested deeper than
// depth. A value that is no object or array has the depth 0.
func EndOfValid(data []byte, at, depth int) int {
	if at >= len(data) {
		return 0
	}
	switch data[at] {
	case '{', '[':
		return EachValid(data, at, depth, func(_ []byte, value int) int { return EndOfValid(data, value, depth-1) })
	case '"':
		return validString(data, at)
	case 't':
		return validWord(data, at, "true")
	case 'f':
		return validWord(data, at, "false")
	case 'n':
		return validWord(data, at, "null")
	}
	return validNumber(data, at)
}

// EachValid is [EachMember] for an object that may not be valid, and [EachItem] for an array, whose
// items have no name. It returns 0 where EndOfValid does, and if the visitor returns 0. It leaves
// the members and items to the visitor, which finds their end by EndOfValid or EachValid.
func EachValid(data []byte, at, depth int, visit func(name []byte, value int) int) int {
	if depth == 0 {
		return 0
	}
	object, end := data[at] == '{', data[at]+2 // { and }, [ and ] are two apart
	at = SkipSpace(data, at+1)
	if startsWith(data, at, end) {
		return at + 1
	}
	for {
		var name []byte
		if object {
			start := at
			if at = validString(data, start); at == 0 {
				return 0
			}
			name = data[start:at]
			if at = SkipSpace(data, at); !startsWith(data, at, ':') {
				return 0
			}
			at = SkipSpace(data, at+1)
		}
		if at >= len(data) {
			return 0
		}
		if at = visit(name, at); at == 0 {
			return 0
		}
		at = SkipSpace(data, at)
		switch {
		case startsWith(data, at, end):
			return at + 1
		case !startsWith(data, at, ','):
			return 0
		}
		at = SkipSpace(data, at+1)
	}
}

func validString(data []byte, at int) int {
	if !startsWith(data, at, '"') {
		return 0
	}
	for at++; at < len(data); at++ {
		switch c := data[at]; {
		case c == '"':
			return at + 1
		case c < ' ':
			return 0
		case c == '\\':
			_, ok := codeUnit(data[at:])
			if at++; !ok && (at >= len(data) || bytes.IndexByte([]byte(`"\/bfnrt`), data[at]) < 0) {
				return 0
			}
		}
	}
	return 0
}

func validWord(data []byte, at int, word string) int {
	if !bytes.HasPrefix(data[at:], []byte(word)) {
		return 0
	}
	return at + len(word)
}

func validNumber(data []byte, at int) int {
	if startsWith(data, at, '-') {
		at++
	}
	end := skipDigits(data, at)
	if end == at || data[at] == '0' && end > at+1 {
		return 0
	}
	if startsWith(data, end, '.') {
		at = end + 1
		if end = skipDigits(data, at); end == at {
			return 0
		}
	}
	if startsWith(data, end, 'e') || startsWith(data, end, 'E') {
		at = end + 1
		if startsWith(data, at, '+') || startsWith(data, at, '-') {
			at++
		}
		if end = skipDigits(data, at); end == at {
			return 0
		}
	}
	return end
}

func skipDigits(data []byte, at int) int {
	for at < len(data) && '0' <= data[at] && data[at] <= '9' {
		at++
	}
	return at
}

func startsWith(data []byte, at int, c byte) bool { return at < len(data) && data[at] == c }
