package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxWhole is the greatest whole number that JavaScript keeps exactly.
const maxWhole = 1<<53 - 1

var kindNames = []struct {
	kind Kind
	name string
}{
	{String, "a string"}, {Integer, "a whole number"}, {Number, "a number"}, {Boolean, "true or false"},
	{Array, "an array"}, {Object, "an object"}, {Null, "null"},
}

// String lists the types as text, such as "a string or null".
func (k Kind) String() string {
	var names []string
	for _, n := range kindNames {
		if k&n.kind != 0 {
			names = append(names, n.name)
		}
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return strings.Join(names, "")
}

// kindOf returns the type of the value that begins with a byte. Numbers are Number.
func kindOf(first byte) Kind {
	switch first {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't', 'f':
		return Boolean
	case 'n':
		return Null
	}
	return Number
}

// wrongKind says that a value is not of an accepted type.
func (n *Node) wrongKind(kind Kind, level Level) string {
	taken := n.KindsAt(level)
	switch said := n.Refusals[kind]; {
	case said != "":
		return said
	case kind == Null:
		return "must not be null"
	case taken&Integer != 0 && level == Client:
		taken = taken&^Integer | Number // whole or not: the client does not ask
	}
	return "must be " + taken.String()
}

// numberMistake says what is wrong with a number, "" if nothing is.
func (n *Node) numberMistake(written []byte, level Level) string {
	limits, value := n.LimitsAt(level), parseNumber(written)
	whole := level == Service && n.KindsAt(level)&(Integer|Number) == Integer
	switch {
	case math.IsInf(value, 0), whole && math.Abs(value) > maxWhole:
		return n.quote(written) + " is too large"
	case whole && value != math.Trunc(value):
		return n.quote(written) + " is not a whole number"
	case limits.Numbers != nil && !slices.Contains(limits.Numbers, value):
		return fmt.Sprintf("%s is not one of %v", n.quote(written), limits.Numbers)
	case limits.Range.has(value):
		return ""
	case n.Beyond != "":
		return n.quote(written) + " " + n.Beyond
	case limits.Range.Above:
		return n.quote(written) + " is not over " + digits(limits.Range.Min) + " and up to " + digits(limits.Range.Max)
	case limits.Range.HasMin && limits.Range.HasMax:
		return n.quote(written) + " is outside " + digits(limits.Range.Min) + ".." + digits(limits.Range.Max)
	case limits.Range.HasMin:
		return n.quote(written) + " is below " + digits(limits.Range.Min)
	}
	return n.quote(written) + " is over " + digits(limits.Range.Max)
}

// digits writes a bound without an exponent.
func digits(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// quote returns a number as it is written, unless the value is secret.
func (n *Node) quote(written []byte) string {
	if n.Secret {
		return "the value"
	}
	return quoteNumber(written)
}

// quoteNumber returns a number as it is written, cut to maxQuoted characters.
func quoteNumber(written []byte) string {
	if len(written) > maxQuoted {
		return string(written[:maxQuoted]) + "…"
	}
	return string(written)
}

// countMistake says what is wrong with the number of items, "" if nothing is.
func (n *Node) countMistake(count int, level Level) string {
	allowed := n.LimitsAt(level).Count
	if allowed.has(float64(count)) {
		return ""
	}
	unit := n.Unit
	if unit == "" {
		unit = "items"
	}
	switch {
	case count == 0 && n.WhenEmpty != "":
		return n.WhenEmpty
	case count == 0:
		return "must not be empty"
	}
	return fmt.Sprintf("%d %s are over %s", count, unit, digits(allowed.Max))
}

// parseNumber returns the value of a JSON number: infinite if it is too large.
func parseNumber(written []byte) float64 {
	if len(written) <= 15 {
		n, rest := int64(0), written
		if rest[0] == '-' {
			rest = rest[1:]
		}
		for len(rest) > 0 && '0' <= rest[0] && rest[0] <= '9' {
			n, rest = n*10+int64(rest[0]-'0'), rest[1:]
		}
		if len(rest) == 0 && written[0] == '-' {
			return -float64(n)
		}
		if len(rest) == 0 {
			return float64(n)
		}
	}
	value, _ := strconv.ParseFloat(string(written), 64) // out of range: infinite
	return value
}
