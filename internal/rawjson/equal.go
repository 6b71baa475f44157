package rawjson

import (
	"bytes"
	"strconv"
	"strings"
)

// Equal reports whether two values are the same JSON value, however they are written: strings
// by their text, numbers by their exact value, objects without the order of their members, and
// arrays item by item. Of several members with a name the last one counts. No value, nil, is
// equal to no value alone. An exponent of over 18 digits is compared as it is written.
func Equal(a, b []byte) bool {
	a, b = bytes.Trim(a, space), bytes.Trim(b, space)
	if bytes.Equal(a, b) {
		return true
	}
	if isNumber(a) && isNumber(b) {
		x, ok := decimalOf(string(a))
		y, okToo := decimalOf(string(b))
		return ok && okToo && x == y
	}
	if Kind(a) != Kind(b) {
		return false
	}
	switch Kind(a) {
	case '"':
		return Text(a) == Text(b)
	case '{':
		return equalMembers(Index(a), Index(b))
	case '[':
		return equalItems(a, b)
	}
	return false
}

func equalMembers(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || !Equal(value, other) {
			return false
		}
	}
	return true
}

func equalItems(a, b []byte) bool {
	x, y := list(a), list(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

func list(array []byte) (items [][]byte) {
	for item := range Items(array) {
		items = append(items, item)
	}
	return items
}

func isNumber(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// decimal is a number as digits times a power of ten. Equal numbers have equal decimals, because
// the digits begin and end with another digit than 0. Zero has no digits and no sign.
type decimal struct {
	negative bool
	digits   string
	power    int64
}

// decimalOf returns the decimal of a number. It is not ok if the exponent is too large.
func decimalOf(number string) (d decimal, ok bool) {
	number, d.negative = strings.CutPrefix(number, "-")
	mantissa, exponent := number, "0"
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, exponent = number[:i], number[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	power, err := strconv.ParseInt(exponent, 10, 64)
	d.power = power + int64(len(digits)-len(d.digits)-len(fraction))
	return d, err == nil && power/1e18 == 0
}
