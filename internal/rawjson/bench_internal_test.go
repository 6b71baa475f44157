package rawjson

import (
	"strings"
	"testing"
)

// BenchmarkEndOfString has the JSON of a log in a text, and a text with few escapes.
func BenchmarkEndOfString(b *testing.B) {
	for name, piece := range map[string]string{"escaped often": `{\"level\":\"info\",\"n\":\"1\"}`, "escaped seldom": strings.Repeat("x", 2000) + `\"`} {
		data := []byte(`"` + strings.Repeat(piece, 1<<20/len(piece)) + `"`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				EndOfString(data, 0)
			}
		})
	}
}
