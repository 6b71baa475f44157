package rawjson

import "bytes"

// SkipSpace returns the position of the next byte that is not white space.
func SkipSpace(data []byte, at int) int {
	for at < len(data) && data[at] <= ' ' && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// nearby is how many bytes behind an escaped quotation mark are searched in a loop, which is faster
// if the next one is close. Below: JSON in a text is read more slowly. Above: a text with few
// escapes is read more slowly (BenchmarkEndOfString).
const nearby = 64

// EndOfString returns the end of the string that begins at a quotation mark.
func EndOfString(data []byte, at int) int {
	for at++; at < len(data); {
		n := bytes.IndexByte(data[at:], '"')
		if n < 0 {
			break
		}
		quote, slashes := at+n, 0
		for quote-slashes > at && data[quote-slashes-1] == '\\' {
			slashes++
		}
		at = quote + 1
		if slashes%2 == 0 {
			return at
		}
		for near := min(at+nearby, len(data)); at < near; at++ {
			switch data[at] {
			case '"':
				return at + 1
			case '\\':
				at++
			}
		}
	}
	return len(data)
}

// EndOfValue returns the end of the value that begins at a position.
func EndOfValue(data []byte, at int) int {
	depth := 0
	for at < len(data) {
		switch data[at] {
		case '"':
			at = EndOfString(data, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if depth > 0 { // also commas, colons and space
				at++
				continue
			}
			for at < len(data) && !endsLiteral(data[at]) {
				at++
			}
			return at
		}
		if depth <= 0 {
			return at
		}
	}
	return len(data)
}

// endsLiteral reports whether a byte can follow a number, true, false or null.
func endsLiteral(c byte) bool {
	switch c {
	case ',', ']', '}', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

// EachMember visits the members of the object at a position and returns the object's end. The
// name is the JSON string, with its quotation marks. The visitor returns the end of the value.
func EachMember(data []byte, at int, visit func(name []byte, value int) int) int {
	at = SkipSpace(data, at+1)
	for at < len(data) && data[at] == '"' {
		end := EndOfString(data, at)
		name := data[at:end]
		value := SkipSpace(data, min(SkipSpace(data, end)+1, len(data))) // after the colon
		at = SkipSpace(data, visit(name, value))
		if at >= len(data) || data[at] != ',' {
			break
		}
		at = SkipSpace(data, at+1)
	}
	return min(at+1, len(data))
}

// EachItem visits the items of the array at a position and returns the array's end. The
// visitor returns the end of the item.
func EachItem(data []byte, at int, visit func(index, item int) int) int {
	at = SkipSpace(data, at+1)
	for index := 0; at < len(data) && data[at] != ']'; index++ {
		at = SkipSpace(data, visit(index, at))
		if at >= len(data) || data[at] != ',' {
			break
		}
		at = SkipSpace(data, at+1)
	}
	return min(at+1, len(data))
}

// Plain returns the text of a JSON string, without its quotation marks, if it needs no
// decoding: it is ASCII and has no escapes. It returns false for other data.
func Plain(token []byte) ([]byte, bool) {
	if len(token) < 2 || token[0] != '"' || token[len(token)-1] != '"' {
		return nil, false
	}
	text := token[1 : len(token)-1]
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '\\' || c == '"' {
			return nil, false
		}
	}
	return text, true
}
