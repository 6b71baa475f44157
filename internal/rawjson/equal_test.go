package rawjson_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// spellings are values, each in several spellings. No two values are equal.
var spellings = [][]string{
	{``},
	{`null`, " null\n"},
	{`true`, `true `},
	{`false`},
	{`0`, `-0`, `0.0`, `-0.00`, `0e5`, `0e99999999999999999999999`},
	{`1`, `1.0`, `10e-1`, `0.1e1`, `1E0`, `1e+0`, `1e-000`, `0.0001e0004`},
	{`-1`, `-1.0`, `-100e-2`},
	{`100`, `1e2`, `1E+2`, `100.000`, `0.1e3`},
	{`0.5`, `5e-1`, `0.50`},
	{`9007199254740993`, `9007199254740993.0`, `9.007199254740993e15`}, // float64 cannot tell it from the next one
	{`9007199254740992`},
	{`0.1`, `1e-1`},
	{`0.1000000000000000055511151231257827`},
	{`1e400`, `10e399`, `0.1e401`},
	{`1e401`},
	{`1e999999999999999999`},
	{`1e9999999999999999999`},
	{`""`, ` "" `},
	{`"a&<>"`, `"a\u0026\u003C\u003e"`, `"\u0061&<>"`},
	{"\"\u2028\"", `"\u2028"`},
	{`"é"`, `"\u00e9"`, `"\u00E9"`},
	{`"😀"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`},
	{`"/\b\f\n\r\t\"\\"`, `"\/\u0008\u000c\u000a\u000d\u0009\u0022\u005c"`},
	{`"\\u0026"`},
	{`"\ud83d"`, `"\uD83D"`}, // unpaired surrogates differ from each other, and from the replacement character
	{`"\ud83e"`},
	{`"\ude00\ud83d"`},
	{`"\ud83d\u0041"`, `"\ud83dA"`},
	{`"\ufffd"`, "\"\uFFFD\""},
	{"\"\xff\""},
	{"\"\xfe\""},
	{`"1"`},
	{`"null"`},
	{`[]`, `[ ]`},
	{`[1,2]`, `[ 1.0, 2e0 ]`},
	{`[2,1]`},
	{`[1]`},
	{`[1,2,null]`},
	{`{}`, ` { } `},
	{`{"a":1,"b":[2]}`, `{ "b": [ 2.0 ], "a": 1 }`, `{"\u0061":1,"b":[2]}`, `{"a":7,"b":[2],"a":1}`},
	{`{"a":1,"b":[3]}`},
	{`{"a":1}`},
	{`{"a":1,"b":null}`},
	{`{"a":1,"c":null}`},
	{`{"\ud83d":1,"\ud83e":2}`},
	{`{"\ud83e":2}`},
	{`{"a":{"b":{"c":"&"}}}`, `{"a":{"b":{"c":"\u0026"}}}`},
}

func TestTwoSpellingsOfAValueAreEqual(t *testing.T) {
	for i, one := range spellings {
		for k, other := range spellings {
			for _, a := range one {
				for _, b := range other {
					require.Equal(t, i == k, rawjson.Equal([]byte(a), []byte(b)), "%s and %s", a, b)
				}
			}
		}
	}
}

func TestWhatHasNotChangedKeepsItsSpelling(t *testing.T) {
	for _, c := range []struct{ read, was, now, want string }{
		{`1.0`, `1`, `1`, `1.0`}, {`1.0`, `1`, `2`, `2`}, {`1.0`, `1`, `"1"`, `"1"`}, {`null`, `""`, `""`, `null`},
		{`["\ud800",null,"b"]`, `["\ufffd","","b"]`, `["\ufffd","","c"]`, `["\ud800",null,"c"]`},
		{`["\ud800","\ud801"]`, `["\ufffd","\ufffd"]`, `["\ufffd","\ufffd","x"]`, `["\ud800","\ud801","x"]`}, // equal items stay
		{`["\ud800","b"]`, `["\ufffd","b"]`, `["b","\ufffd","\ufffd"]`, `["b","\ud800","\ufffd"]`},           // or move
		{`["a","b"]`, `["a"]`, `["b"]`, `["b"]`},                                                             // not of one value
		{`{"a":1.0,"b":[2.0],"c":3}`, `{"a":1,"b":[2],"c":3}`, `{"b":[2,1],"a":1,"d":1}`, `{"b":[2.0,1],"a":1.0,"d":1}`},
	} {
		require.Equal(t, c.want, string(rawjson.Respell([]byte(c.read), []byte(c.was), []byte(c.now))), "%v", c)
	}
}

func TestTextIsUnicodeIfNothingOfItIsReplaced(t *testing.T) {
	for token, want := range map[string]bool{`""`: true, `"a\n"`: true, `"é😀"`: true, `"\ud83d\ude00"`: true, "\"\uFFFD\"": true, `"\ud83d"`: false, `"\ude00\ud83d"`: false, "\"a\xff\"": false, "\"\xed\xa0\xbd\"": false} {
		require.Equal(t, want, rawjson.IsUnicode([]byte(token)), token)
	}
}

func FuzzAValueIsEqualToItsOtherSpellings(f *testing.F) {
	for i, one := range spellings {
		for _, text := range one {
			f.Add([]byte(text), []byte(spellings[(i+1)%len(spellings)][0]))
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if !json.Valid(a) || !json.Valid(b) {
			return
		}
		require.Equal(t, rawjson.Equal(a, b), rawjson.Equal(b, a))
		again, err := json.Marshal(json.RawMessage(a)) // without white space, and with the escapes for HTML
		require.NoError(t, err)
		require.True(t, rawjson.Equal(a, again), "%s and %s", a, again)
	})
}
