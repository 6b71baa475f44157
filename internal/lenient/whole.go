package lenient

import (
	"strconv"
	"strings"
)

// Whole returns a JSON number without its fraction. It works on decimal digits, so it is
// exact: 9007199254740993.0 is 9007199254740993, 1e3 is 1000, -2.5 is -2. exact says whether
// the fraction was 0. The text is empty if the number is far above 2^64.
func Whole(number string) (text string, exact bool) {
	digits, sign := strings.CutPrefix(number, "-")
	mantissa, power := digits, 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		mantissa = digits[:i]
		most := len(number) + maxDigits       // a greater power gives 0, or a number that is too large
		power, _ = strconv.Atoi(digits[i+1:]) // out of range: the greatest or the least int
		power = min(max(power, -most), most)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	point := len(all) - len(fraction) + power // how many of the digits are before the point
	switch {
	case all == "":
		return "0", true
	case point <= 0:
		return "0", false
	case point > maxDigits:
		return "", false
	case point >= len(all):
		text, exact = all+strings.Repeat("0", point-len(all)), true
	default:
		text, exact = all[:point], strings.Trim(all[point:], "0") == ""
	}
	if sign {
		text = "-" + text
	}
	return text, exact
}

// maxDigits is the number of digits of 2^64.
const maxDigits = 20
