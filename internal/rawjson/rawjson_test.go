package rawjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

func TestAValueIsDescribedByItsFirstByte(t *testing.T) {
	for text, want := range map[string]struct {
		kind       byte
		name, said string
	}{
		"\t\r\n {": {'{', "object", "an object"}, "[": {'[', "array", "an array"}, "true": {'t', "bool", "a boolean"}, "f": {'f', "bool", "a boolean"},
		`"x"`: {'"', "string", "a string"}, " 7": {'7', "number", "a number"}, "-1": {'-', "number", "a number"}, " ": {0, "number", "a number"}, " null": {'n', "number", "a number"},
	} {
		require.Equal(t, want.kind, rawjson.Kind([]byte(text)), text)
		require.Equal(t, [2]string{want.name, want.said}, [2]string{rawjson.KindName([]byte(text)), rawjson.Describe([]byte(text))}, text)
		require.Equal(t, want.kind == 'n', rawjson.IsNull([]byte(text)), text)
	}
}

func TestTextIsThatOfAStringAlone(t *testing.T) {
	for value, want := range map[string]string{`"abc"`: "abc", " \"a\\u0062\\n\" ": "ab\n", `""`: "", `7`: "", `["a"]`: "", `null`: "", ``: ""} {
		require.Equal(t, want, rawjson.Text([]byte(value)), "%q", value)
	}
	require.Equal(t, []string{"x", "y", "ü"}, rawjson.Texts([]byte(`{"name":["x",1,"",{"n":"y"}],"b":null,"c":"\u00fc"}`)))
	require.Empty(t, rawjson.Texts([]byte(`7`)))
}

func TestAMemberIsSetInItsPlace(t *testing.T) {
	for _, test := range []struct {
		object string
		path   []string
		want   string
	}{
		{`{"a":1,"b":2}`, []string{"a"}, `{"a":0,"b":2}`},
		{`{"a":1}`, []string{"b"}, `{"a":1,"b":0}`},
		{`{"a":1,"b":2,"a":3}`, []string{"a"}, `{"a":0,"b":2,"a":0}`},
		{`{"a":{"b":1,"c":2}}`, []string{"a", "b"}, `{"a":{"b":0,"c":2}}`},
		{`{}`, []string{"a", "b", "c"}, `{"a":{"b":{"c":0}}}`},
	} {
		got, err := rawjson.Set([]byte(test.object), test.path, []byte("0"))
		require.NoError(t, err)
		require.Equal(t, test.want, string(got))
	}
	for _, object := range []string{`{"a":1}`, `{"a":null}`, `{"a":[]}`, `{"b":{"a":1}}`} {
		path := []string{"a", "b"}
		if object[2] == 'b' {
			path = []string{"b", "a", "b"}
		}
		_, err := rawjson.Set([]byte(object), path, []byte("0"))
		require.EqualError(t, err, "a is not an object: set it as a whole")
	}
}

// FuzzAnyBytes takes data apart that may be anything, such as JSON that is cut: nothing panics or
// loops forever, and the parts of valid objects and arrays are those that encoding/json reads.
func FuzzAnyBytes(f *testing.F) {
	for _, seed := range []string{
		`null`, ` { } `, "\t{ \"a\" : [ 1 , { \"b\" : \"}\" } ] ,\r\n\"c\":{\"d\":[[],{}]} } ", `{"\u0061\"":"\\\"","b\\":"]","":{},"ü":"\ud83d\ude00"}`, `{"a":1,"a":{"b":2}}`, `{1}`, `,`,
		` [ 1 , "a,]" , [ ] , {"a":[1]} , null,true , -1.5e3 ] `, `[[[1],[2]],-1]`, `[ ] `, `[1,x,2]`, `[1 2]`, `[1;2]`, `{"a":1,b":2}`, `{"a":1;"b":2}`,
		`"\u00fc\n\"\/\ud83d\ude00\ufffdü"`, `"\ud83d\u0041"`, `"\x"`, "\"\xc3\"", "\"a\nb\"",
	} {
		for end := range len(seed) + 1 {
			f.Add([]byte(seed[:end]))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var parts, visited, valid, names, validNames []string
		whole, at, end := 0, rawjson.SkipSpace(data, 0), 0
		for name, value := range rawjson.Each(data) {
			whole += len(name) + len(value)
			parts = append(parts, string(value))
		}
		for value := range rawjson.Items(data) {
			whole += len(rawjson.Text(value))
			parts = append(parts, string(value))
		}
		require.LessOrEqual(t, whole, 3*len(data))
		var text string
		if json.Unmarshal(data, &text) != nil {
			text = ""
		}
		require.Equal(t, text, rawjson.Unquote(data))
		visit := func(index, at int) int {
			require.Equal(t, len(visited), index)
			end := rawjson.EndOfValue(data, at)
			visited = append(visited, string(data[at:end]))
			return end
		}
		if rawjson.Kind(data) == '{' {
			end = rawjson.EachMember(data, at, func(name []byte, value int) int {
				names = append(names, string(name))
				return visit(len(visited), value)
			})
		} else if at < len(data) {
			end = rawjson.EachItem(data, at, visit)
		}
		require.LessOrEqual(t, end, len(data))
		if kind := rawjson.Kind(data); kind != '{' && kind != '[' {
			return
		}
		endOfValid := rawjson.EachValid(data, at, rawjson.MaxDepth, func(name []byte, at int) int {
			end := rawjson.EndOfValid(data, at, rawjson.MaxDepth)
			valid, validNames = append(valid, string(data[at:max(at, end)])), append(validNames, string(name))
			return end
		})
		if !json.Valid(data) {
			require.True(t, endOfValid == 0 || json.Valid(data[at:endOfValid]) && rawjson.SkipSpace(data, endOfValid) < len(data))
			return
		}
		require.Equal(t, len(bytes.TrimRight(data, " \t\r\n")), end)
		require.Equal(t, []any{parts, parts, end}, []any{visited, valid, endOfValid})
		require.Equal(t, strings.Join(names, ""), strings.Join(validNames, ""))
		var members map[string]json.RawMessage
		var items []json.RawMessage
		_, _ = json.Unmarshal(data, &members), json.Unmarshal(data, &items) // one of them fits
		for i, item := range items {
			require.Equal(t, string(item), parts[i])
		}
		for name, value := range members {
			if !strings.Contains(name, "\uFFFD") { // encoding/json replaces what is not valid Unicode
				require.Equal(t, string(value), string(rawjson.Get(data, name)))
				require.Equal(t, string(value), string(rawjson.Index(data)[name]))
			}
		}
	})
}

func TestItemsOfAnArrayThatIsCutAreRead(t *testing.T) {
	for text, want := range map[string]string{``: "", `[ `: "", `[7,`: "7", `[1,23`: "1 23", `["a\`: `"a\`, `[[1`: "[1", `[{"a":`: `{"a":`} {
		require.Equal(t, want, string(bytes.Join(slices.Collect(rawjson.Items([]byte(text))), []byte(" "))), text)
	}
}

func TestPathsAreWrittenStepByStep(t *testing.T) {
	empty := rawjson.Step{Index: -1}
	for want, path := range map[string]rawjson.Path{
		"": nil, "a": {{Name: "a"}}, "a.b[0].c d": {{Name: "a"}, {Name: "b"}, {Index: 0}, {Name: "c d"}}, "[3].a": {{Index: 3}, {Name: "a"}}, "[1][2]": {{Index: 1}, {Index: 2}}, "a.": {{Name: "a"}, empty},
	} {
		require.Equal(t, want, path.String())
	}
	for name, want := range map[string]string{"azAZ_09": "$.azAZ_09", "a b": `$["a b"]`, "a.b": `$["a.b"]`, "{": `$["{"]`, "@": `$["@"]`, "é": `$["é"]`, "a\n\"": `$["a\n\""]`, "": `$[""]`} {
		require.Equal(t, want, string(rawjson.Step{Name: name, Index: -1}.AppendQuotedTo([]byte("$"))))
	}
	require.Equal(t, "$[7]", string(rawjson.Step{Index: 7}.AppendQuotedTo([]byte("$"))))
	require.Equal(t, "a.b", rawjson.Step{Name: "b"}.After("a"))
	require.Equal(t, "b", rawjson.Step{Name: "b"}.After(""))
	for path, under := range map[string]bool{"a": true, "a.b": true, "a[0].b": true, "ab": false, "b": false, "": false, "b.a": false} {
		require.Equal(t, under, rawjson.IsUnder(path, "a"), path)
	}
}

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

func TestValuesAreEqualIfTheyHaveOneCanonicalForm(t *testing.T) {
	var many []string
	for i := range 70 {
		many = append(many, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	object := func(members []string) string { return "{" + strings.Join(members, ",") + "}" }
	deep := func(inside string) string {
		return strings.Repeat(`{"a":[`, 20) + inside + strings.Repeat(`]}`, 20)
	}
	values := []string{
		object(many), object(append([]string{`"m0":1.0`}, many...)), object(append(slices.Clone(many), `"m0":1.0`)), object(many[:64]), object(many[:65]),
		deep(`1`), deep(`1.0`), deep(`2`), deep(`1,2`), `{"a":1,"a":2}`, `{"a":3,"a":2}`, `{"a":2,"a":1}`, `{"a":2}`, `{"a":2,"b":1}`, `{"b":1,"a":2,"b":1}`,
		`{"b":2,"a":1,"b":1,"a":2}`, `{"a":1,"b":1,"a":1}`, `{"a":1,"c":1}`, `[[]]`, `[[],[]]`, `[]`, `[{}]`, `[{"a":null}]`, `[{"a":1},2]`, `[{"a":1},3]`, `[[1],2]`, `[[1],3]`, `{"a":{"b":1},"c":2}`, `{"a":{"b":1,"c":2}}`, `0`, `0.0`, `-0`, `["a",[1,2],3]`, `[ "\u0061" , [ 1 , 2.0 ] , 3 ]`,
	}
	slices.Reverse(many)
	values = append(values, object(many))
	for _, one := range spellings {
		values = append(values, one...)
	}
	for _, a := range values {
		for _, b := range values {
			want := string(rawjson.Canonical([]byte(a))) == string(rawjson.Canonical([]byte(b)))
			require.Equal(t, want, rawjson.Equal([]byte(a), []byte(b)), "%s and %s", a, b)
		}
	}
}

func TestEqualCopiesNothing(t *testing.T) {
	a := []byte(`{"name":"é","list":[{"key":"a","value":true},{"key":"b","value":null}],"inner":{"a":{"b":["x"]}}}`)
	b := []byte(`{"inner": {"a":{"b":["x"]}}, "name":"é", "list":[{"key":"a","value":true},{"value":null,"key":"b"}]}`)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if !rawjson.Equal(a, b) {
			panic("not equal")
		}
	}))
}

func TestNamesOfMembersAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, name := range []string{"", "a b", `"`, `\`, "\n", "é", "\u2028", "\xff", "<&>", "\x7f"} {
		want, err := rawjson.Encode(name)
		require.NoError(t, err)
		require.Equal(t, "{"+string(want)+":1}", string(rawjson.Join([]rawjson.Member{{Name: name, Value: []byte("1")}})), "%q", name)
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
		require.Equal(t, bytes.Equal(rawjson.Canonical(a), rawjson.Canonical(b)), rawjson.Equal(a, b), "%s and %s", a, b)
		again, err := json.Marshal(json.RawMessage(a)) // without white space, and with the escapes for HTML
		require.NoError(t, err)
		require.True(t, rawjson.Equal(a, again), "%s and %s", a, again)
	})
}

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
		`true`, `false`, `null`, `nul`, `nulx`, `[tru]`, `truefalse`, `0`, `-0`, `-01`, `-`, `+1`, `1.`, `.1`, `1.5`, `1e5`, `1E-5`, `1e+5`, `1e+-5`, `1e-+5`, `1e`, `1e+`, `[1.e5]`, `-x`, `1.x`, `1ex`, `x`, `/`, `:`,
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
