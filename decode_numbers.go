package monitoring

import (
	"math"
	"strconv"
	"strings"
)

// wholeNumbers rewrites numbers outside of strings that are whole but not written so,
// 5.0 and 1e3. It returns nil when there are none.
func wholeNumbers(data []byte) []byte {
	const most = 1 << 53
	var out []byte
	copied := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case c >= '0' && c <= '9':
			end := i + 1
			for end < len(data) && strings.IndexByte("0123456789.eE+-", data[end]) >= 0 {
				end++
			}
			number := string(data[i:end])
			if f, err := strconv.ParseFloat(number, 64); err == nil && strings.ContainsAny(number, ".eE") && f == math.Trunc(f) && f <= most {
				out = strconv.AppendInt(append(out, data[copied:i]...), int64(f), 10)
				copied = end
			}
			i = end - 1
		}
	}
	if copied == 0 {
		return nil
	}
	return append(out, data[copied:]...)
}
