package front

import (
	"bytes"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// plainNumber writes a number as the service does: without a needless exponent, and null
// when it is too large.
func plainNumber(written []byte) []byte {
	var n float64
	if json.Unmarshal(written, &n) != nil {
		return world.Raw("null")
	}
	return world.JSON(n + 0) // -0 is 0
}

// plainNumbers writes the numbers in a valid JSON object as the service does: 7, 7.0 and
// 70e-1 all become 7.
func plainNumbers(data []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			i = rawjson.EndOfString(data, i) - 1
		case c == '-' || '0' <= c && c <= '9':
			end := i
			for bytes.IndexByte([]byte("+-.0123456789Ee"), data[end]) >= 0 {
				end++
			}
			if written := data[i:end]; c == '-' || bytes.ContainsAny(written, ".Ee") {
				out = append(append(out, data[done:i]...), plainNumber(written)...)
				done = end
			}
			i = end
		}
	}
	return append(out, data[done:]...)
}
