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
