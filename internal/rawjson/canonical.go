package rawjson

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns the one spelling of a value that all values which are equal to it have. It is
// meant for comparing only: text that is not valid Unicode stays so.
func Canonical(value []byte) []byte {
	value = bytes.Trim(value, space)
	c := canonizer{data: value, spans: spansOf(value)}
	c.value(0, len(value))
	return c.out
}

// canonizer writes the one spelling of a value. It knows where each array and object ends, so that
// it looks at each byte as often in a deep value as in a flat one.
type canonizer struct {
	data  []byte
	spans []span // in the order in which they begin
	out   []byte
}

// span is where an array or an object begins and ends.
type span struct{ begin, end int }

func spansOf(data []byte) (spans []span) {
	var open []int
	for at := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			at = EndOfString(data, at) - 1
		case '{', '[':
			open = append(open, len(spans))
			spans = append(spans, span{at, len(data)})
		case '}', ']':
			if last := len(open) - 1; last >= 0 {
				spans[open[last]].end, open = at+1, open[:last]
			}
		}
	}
	return spans
}

// end returns the end of the value at a position.
func (c *canonizer) end(at int) int {
	if at < len(c.data) && (c.data[at] == '{' || c.data[at] == '[') {
		i, _ := slices.BinarySearchFunc(c.spans, at, func(s span, at int) int { return s.begin - at })
		return c.spans[i].end
	}
	return EndOfValue(c.data, at)
}

// value writes the value at a position.
func (c *canonizer) value(at, end int) {
	value := c.data[at:end]
	switch kind := Kind(value); {
	case kind == '"':
		c.text(Text(value))
	case kind == '{':
		members := make(map[string]span)
		EachMember(c.data, at, func(name []byte, value int) int {
			members[string(unescape(name))] = span{value, c.end(value)}
			return c.end(value)
		})
		c.out = append(c.out, '{')
		for _, name := range slices.Sorted(maps.Keys(members)) {
			c.text(name)
			c.out = append(c.out, ':')
			c.value(members[name].begin, members[name].end)
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, '}')
	case kind == '[':
		c.out = append(c.out, '[')
		EachItem(c.data, at, func(_, item int) int {
			end := c.end(item)
			c.value(item, end)
			c.out = append(c.out, ',')
			return end
		})
		c.out = append(c.out, ']')
	case kind == '-' || '0' <= kind && kind <= '9':
		c.out = append(c.out, canonicalNumber(string(value))...)
	default:
		c.out = append(c.out, value...)
	}
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (c *canonizer) text(text string) {
	c.out = append(append(append(c.out, '"'), quoted.Replace(text)...), '"')
}

// canonicalNumber returns a number as digits times a power of ten. The digits begin and end with
// another digit than 0; zero has no sign.
func canonicalNumber(number string) string {
	unsigned, negative := strings.CutPrefix(number, "-")
	mantissa, exponent := unsigned, "0"
	if i := strings.IndexAny(unsigned, "eE"); i >= 0 {
		mantissa, exponent = unsigned[:i], unsigned[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	kept := strings.TrimRight(digits, "0")
	power, err := strconv.ParseInt(exponent, 10, 64)
	switch {
	case kept == "":
		return "0"
	case err != nil || power/1e18 != 0:
		return number
	}
	if negative {
		kept = "-" + kept
	}
	return kept + "e" + strconv.FormatInt(power+int64(len(digits)-len(strings.TrimPrefix(kept, "-"))-len(fraction)), 10)
}
