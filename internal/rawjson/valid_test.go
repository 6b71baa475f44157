package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

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

func TestTheEndOfAValidValueIsFoundWhereItStands(t *testing.T) {
	for _, value := range []string{`"a\""`, `-1.5e+3`, `true`, `null`, `[]`, `{ }`, `[1,[2,{"a":"]}"}],3]`} {
		for _, behind := range []string{"", ",1", "]", " ", "x"} {
			require.Equal(t, 1+len(value), rawjson.EndOfValid([]byte(","+value+behind), 1, 3), value+behind)
		}
	}
	require.Zero(t, rawjson.EndOfValid([]byte(`[[]]`), 0, 1), "deeper than it may be")
	require.Equal(t, 4, rawjson.EndOfValid([]byte(`[[]]`), 0, 2))
	require.Equal(t, 1, rawjson.EndOfValid([]byte(`7`), 0, 0), "what is no object or array needs no depth")
	require.Zero(t, rawjson.EndOfValid([]byte(`7`), 1, 1), "nothing is there")
}

func TestMembersAndItemsAreVisitedUntilOneIsNotValid(t *testing.T) {
	for text, want := range map[string]string{
		`{ "a" : [1, 2] , "b\"":{"c":3}}`: `"a"=[1, 2];"b\""={"c":3};`, `[1 , [2], "]" ]`: `=1;=[2];="]";`, `[ ]`: ``,
		`[1,x,2]`: `=1;`, `[1,`: `=1;`, `{"a":1,b":2}`: `"a"=1;`, `{"a":1;"b":2}`: `"a"=1;`, `[1;2]`: `=1;`,
	} {
		got := ""
		end := rawjson.EachValid([]byte(text), 0, 2, func(name []byte, value int) int {
			end := rawjson.EndOfValid([]byte(text), value, 1)
			if end > 0 {
				got += string(name) + "=" + text[value:end] + ";"
			}
			return end
		})
		require.Equal(t, want, got, text)
		if json.Valid([]byte(text)) {
			require.Equal(t, len(text), end, text)
		} else {
			require.Zero(t, end, text)
		}
	}
}
