package rawjson

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Equal reports whether two values are the same JSON value, however they are written: strings
// by their text, numbers by their exact value, objects without the order of their members, and
// arrays item by item. Of several members with a name the last one counts. No value, nil, is
// equal to no value alone. An exponent of over 18 digits is compared as it is written.
func Equal(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(Canonical(a), Canonical(b))
}

// Canonical returns the one spelling of a value that all values which are equal to it have. It is
// meant for comparing only: text that is not valid Unicode stays so.
func Canonical(value []byte) []byte {
	value = bytes.Trim(value, space)
	c := canonizer{data: value, spans: spansOf(value)}
	c.value(0, len(value))
	return c.out
}

// Respell returns a value with each part spelled as it was read that has not changed. read is a
// value as it was read, was is the same after decoding and encoding it, and now is what was has
// become. So what decoding replaces, such as text that is not valid Unicode, survives a change
// beside it. What is deeper than [Levels] is one part.
func Respell(read, was, now []byte) []byte { return respell(read, was, now, Levels) }

// Levels is how deep values are compared member by member and item by item. What is deeper counts
// as one value: no body is described deeper, and each level costs a look at all that is in it.
const Levels = 16

func respell(read, was, now []byte, levels int) []byte {
	switch kind := Kind(now); {
	case Equal(was, now):
		return read
	case kind != Kind(was) || kind != Kind(read) || levels == 0:
	case kind == '{':
		members, befores, reads := Members(now), Index(was), Index(read)
		for i, m := range members {
			if before, as := befores[m.Name], reads[m.Name]; before != nil && as != nil {
				members[i].Value = respell(as, before, m.Value, levels-1)
			}
		}
		return Join(members)
	case kind == '[':
		return respellItems(slices.Collect(Items(read)), slices.Collect(Items(was)), now)
	}
	return now
}

// respellItems respells the items of an array that it had before, wherever they are now. Equal
// items stay where they were.
func respellItems(read, was [][]byte, now []byte) []byte {
	if len(read) != len(was) {
		return now
	}
	items := slices.Collect(Items(now))
	before, texts := make([]string, len(was)), make([]string, len(items))
	for i, item := range was {
		before[i] = string(Canonical(item))
	}
	for i, item := range items {
		texts[i] = string(Canonical(item))
	}
	stays := func(i int) bool { return i < min(len(before), len(texts)) && before[i] == texts[i] }
	places := make(map[string][]int)
	for i, text := range before {
		if !stays(i) {
			places[text] = append(places[text], i)
		}
	}
	for i, text := range texts {
		if stays(i) {
			items[i] = read[i]
		} else if found := places[text]; len(found) > 0 {
			items[i], places[text] = read[found[0]], found[1:]
		}
	}
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
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
