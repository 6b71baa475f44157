package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

func TestPlainTextIsASCIIWithoutEscapes(t *testing.T) {
	for c := range 256 {
		text, ok := rawjson.Plain([]byte{'"', 'a', byte(c), '"'})
		want := c >= ' ' && c < 0x7f && c != '"' && c != '\\'
		require.Equal(t, want, ok, "%q", rune(c))
		if want {
			require.Equal(t, string([]byte{'a', byte(c)}), string(text))
		} else {
			require.Nil(t, text)
		}
	}
	for _, token := range []string{``, `"`, `a`, `a"`, `"a`, `7`, `[]`} {
		_, ok := rawjson.Plain([]byte(token))
		require.False(t, ok, token)
	}
}

func TestTheEndOfAStringIsFound(t *testing.T) {
	for _, text := range []string{``, `a`, `\"`, `\\`, `\\\"`, `a\"b\\`, strings.Repeat(`\"`, 100), strings.Repeat(`x`, 70) + `\"` + strings.Repeat(`\\`, 70), strings.Repeat(`\"`+strings.Repeat("y", 61)+`\\`, 9)} {
		for pad := range 70 {
			token := `"` + strings.Repeat("z", pad) + text + `"`
			require.True(t, json.Valid([]byte(token)))
			require.Equal(t, len(token), rawjson.EndOfString([]byte(token+`,"next"`), 0), token)
			require.LessOrEqual(t, rawjson.EndOfString([]byte(token[:len(token)-1]), 0), len(token)-1, "a string that is cut off ends at the end of the text")
		}
	}
}

func TestAMemberIsFoundAsEncodingJSONReadsIt(t *testing.T) {
	for object, want := range map[string]string{
		`{"a":1,"b":2,"b":3}`: "3", `{"b":2,"B":3}`: "3", ` {"a":{"b":1},"\u0062":[2],`: "[2]", `{"b":"x"`: `"x"`, `{"a":1}`: "", `["b",1]`: "", ``: "", `"b"`: "",
	} {
		require.Equal(t, want, string(rawjson.Find([]byte(object), "b")), object)
	}
}

// isValid is json.Valid by EndOfValid.
func isValid(data []byte) bool {
	end := rawjson.EndOfValid(data, rawjson.SkipSpace(data, 0), rawjson.MaxDepth)
	return end > 0 && rawjson.SkipSpace(data, end) == len(data)
}

func FuzzWhatIsValidIsWhatEncodingJSONTakes(f *testing.F) {
	for _, text := range []string{
		`true`, `false`, `null`, `nul`, `nulx`, `[tru]`, `truefalse`, `0`, `-0`, `00`, `-01`, `-`, `+1`, `1.`, `.1`, `1.5`, `1e5`, `1E-5`, `1e+5`, `1e+-5`, `1e-+5`, `1e`, `1e+`, `[1.e5]`, `-x`, `1.x`, `1ex`, `x`, `/`, `:`,
		`"abc`, `"`, `"\`, `"a\"`, `["a`, `"\n"`, `"\"\\\/\b\f\r\t"`, `"\u00e4"`, `"\u123"`, `"\u12`, `["\,1]`, `["\x"]`, `"\u"`, `"\u000g"`, `"\u+123"`, `"\u00 0"`, "[\"a\n,1]", "[\"a\x1f\"]", "\"\x7f\xff\"",
		`[1 2]`, `[1,2]`, `[1,,2]`, `[,1]`, `[1,]`, `[1`, `[1,`, `[`, `]`, `[1}`, `{"a":1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{"a"=1}`, `{"a",1}`, `{"a"}`, `{:1}`, `{1:1}`, `{a:1}`, `{"a":}`, `{"a":1,}`, `{,}`, `{`, `{"a":1]`, `{"a`, `{"a":`, `{"a"`,
		`[[],{},[{}]]`, `{"a":[1,{"a":"x"}],"b":[2,{"c":"y"}]}`, `{"b":[1 2]}`, `{"b":{"c" 1}}`, `{"b":[nul]}`, "\t[ 1 ,\r\n2 ] ", "{ \"a\" :\t1\n}", ``, ` `, `[] []`, "[1]\x00", `{} {}`,
		strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
		strings.Repeat(`{"a":`, 10000) + `1` + strings.Repeat("}", 10000), strings.Repeat(`{"a":`, 10001) + `1` + strings.Repeat("}", 10001),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		require.Equal(t, json.Valid(data), isValid(data))
	})
}
