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
func Canonical(value []byte) []byte { return appendCanonical(nil, bytes.Trim(value, space)) }

// Respell returns a value with each part spelled as it was read that has not changed. read is a value
// as it was read, was is the same after decoding and encoding it, and now is what was has become. So
// what decoding replaces, such as text that is not valid Unicode, survives a change beside it.
func Respell(read, was, now []byte) []byte {
	switch kind := Kind(now); {
	case Equal(was, now):
		return read
	case kind != Kind(was) || kind != Kind(read):
	case kind == '{':
		members := Members(now)
		for i, m := range members {
			if before := Get(was, m.Name); before != nil && Get(read, m.Name) != nil {
				members[i].Value = Respell(Get(read, m.Name), before, m.Value)
			}
		}
		return Join(members)
	case kind == '[':
		return respellItems(slices.Collect(Items(read)), slices.Collect(Items(was)), now)
	}
	return now
}

// respellItems respells the items of an array that it had before, wherever they are now.
func respellItems(read, was [][]byte, now []byte) []byte {
	if len(read) != len(was) {
		return now
	}
	places := make(map[string][]int)
	for i, item := range was {
		text := string(Canonical(item))
		places[text] = append(places[text], i)
	}
	var items [][]byte
	for item := range Items(now) {
		text := string(Canonical(item))
		if found := places[text]; len(found) > 0 {
			at := max(0, slices.Index(found, len(items))) // equal items stay where they were
			item = read[found[at]]
			places[text] = slices.Delete(found, at, at+1)
		}
		items = append(items, item)
	}
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

func appendCanonical(out, value []byte) []byte {
	switch kind := Kind(value); {
	case kind == '"':
		return appendText(out, Text(value))
	case kind == '{':
		members := Index(value)
		out = append(out, '{')
		for _, name := range slices.Sorted(maps.Keys(members)) {
			out = append(appendCanonical(append(appendText(out, name), ':'), members[name]), ',')
		}
		return append(out, '}')
	case kind == '[':
		out = append(out, '[')
		for item := range Items(value) {
			out = append(appendCanonical(out, item), ',')
		}
		return append(out, ']')
	case kind == '-' || '0' <= kind && kind <= '9':
		return append(out, canonicalNumber(string(value))...)
	}
	return append(out, value...)
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func appendText(out []byte, text string) []byte {
	return append(append(append(out, '"'), quoted.Replace(text)...), '"')
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
