package rawjson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnObjectIsSplitAsEncodingJSONReadsIt(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `"{}"`, `-1.5e3`, ` { } `, `{"a":1}`, `{"a":-1.5e3,"b":true,"c":null,"d":"x"}`,
		"\t{ \"a\" : [ 1 , { \"b\" : \"}\" } ] ,\r\n\"c\":{\"d\":[[],{}]} } ", `{"\u0061\"":"\\\"","b\\":"]"}`, `{"a":1,"a":{"b":2}}`,
		`{"a":"\\"}`, `{"":{}}`, `{"ü":"\ud83d\ude00"}`,
	} {
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil {
			want = nil
		}
		got := map[string]json.RawMessage{}
		for _, m := range Members([]byte(text)) {
			got[m.Name] = m.Value
			require.True(t, json.Valid(m.Value), "%s: %s", text, m.Value)
		}
		require.Len(t, got, len(want), text)
		for name, value := range want {
			require.Equal(t, string(value), string(got[name]), text)
			require.Equal(t, string(value), string(Get([]byte(text), name)), text)
		}
	}
}

func TestAnArrayIsSplitAsEncodingJSONReadsIt(t *testing.T) {
	for _, text := range []string{`[]`, `{}`, `null`, `[1]`, ` [ 1 , "a,]" , [ ] , {"a":[1]} , null,true ] `, `[[[1],[2]],-1]`} {
		var want, got []json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil {
			want = nil
		}
		for item := range Items([]byte(text)) {
			got = append(got, item)
		}
		require.Len(t, got, len(want), text)
		for i := range want {
			require.Equal(t, string(want[i]), string(got[i]), text)
		}
	}
}

func TestJoiningTheMembersGivesTheSameObject(t *testing.T) {
	const text = `{"a":[1,{"b":"}"}],"c\"":{"d":null}}`
	require.Equal(t, text, string(Join(Members([]byte(text)))))
	require.Equal(t, `{}`, string(Join(nil)))
	require.Equal(t, `{"a":[1,"x y"]}`, string(Compact([]byte("{ \"a\" : [ 1,\n\"x y\" ] }"))))
	require.Nil(t, Get([]byte(text), "z"))
	require.Equal(t, byte('{'), Kind([]byte(" \n{}")))
	require.Equal(t, byte(0), Kind(nil))
	require.True(t, IsNull([]byte(" null")))
}

func TestTheFirstByteTellsTheKindOfAValue(t *testing.T) {
	for value, want := range map[string]byte{"": 0, " ": 0, "7": '7', "\t\r\n -1": '-', "[": '[', "true": 't', `"x"`: '"'} {
		require.Equal(t, want, Kind([]byte(value)), "%q", value)
	}
	require.False(t, IsNull(nil))
	require.False(t, IsNull([]byte(`"null"`)))
}

func TestAValueIsDescribedByItsFirstByte(t *testing.T) {
	for text, want := range map[string][2]string{
		"{": {"object", "an object"}, "[": {"array", "an array"}, "t": {"bool", "a boolean"}, "f": {"bool", "a boolean"},
		`"`: {"string", "a string"}, " 7": {"number", "a number"}, "-1": {"number", "a number"}, "": {"number", "a number"},
	} {
		require.Equal(t, want, [2]string{KindName([]byte(text)), Describe([]byte(text))}, text)
	}
}

func TestTextIsThatOfAStringAlone(t *testing.T) {
	for value, want := range map[string]string{
		`"abc"`: "abc", " \"a\\u0062\\n\" ": "ab\n", `"` + "a b" + `"`: "a b", `""`: "", `7`: "", `["a"]`: "", `null`: "", ``: "",
	} {
		require.Equal(t, want, Text([]byte(value)), "%q", value)
	}
}

func TestAnIndexHasTheLastMemberOfAName(t *testing.T) {
	require.Equal(t, map[string][]byte{"a": []byte("3"), "b": []byte("[2]")}, Index([]byte(`{"a":1,"b":[2],"\u0061":3}`)))
	for _, text := range []string{`{}`, `[1]`, `null`, ``} {
		require.Nil(t, Index([]byte(text)), text)
	}
}

func TestAnObjectOrArrayCanBeLeftEarly(t *testing.T) {
	for name := range Each([]byte(`{"a":1,"b":2}`)) {
		require.Equal(t, "a", string(name))
		break
	}
	for item := range Items([]byte(`[1,2]`)) {
		require.Equal(t, "1", string(item))
		break
	}
}

func TestAnArrayThatIsCutGivesWhatIsThere(t *testing.T) {
	for text, want := range map[string][]string{
		``: nil, `[`: nil, `[ `: nil, `[7`: {"7"}, `[7,`: {"7"}, `[1,23`: {"1", "23"}, `["a`: {`"a`}, `["a\`: {`"a\`}, `[[1`: {"[1"}, `[{"a":`: {`{"a":`},
	} {
		var got []string
		for item := range Items([]byte(text)) {
			got = append(got, string(item))
		}
		require.Equal(t, want, got, text)
	}
}

func FuzzValidJSONIsTakenApart(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"}"}],"c":{"d":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		for _, m := range Members(data) {
			require.True(t, json.Valid(m.Value), "%s", m.Value)
		}
		for item := range Items(data) {
			require.True(t, json.Valid(item), "%s", item)
		}
	})
}

// FuzzAnyBytes takes data apart that may be anything: nothing panics or loops for ever.
func FuzzAnyBytes(f *testing.F) {
	for _, seed := range []string{`"`, `{"`, `{"a"`, `{"a":`, `{"a":1,`, `[1,`, `{"a\`, `{1}`, ``, `,`, `{"a":[1,{"b":"c"}],"d":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := 0
		for name, value := range Each(data) {
			whole += len(name) + len(value)
		}
		for value := range Items(data) {
			whole += len(Text(value))
		}
		Get(data, "a")
		Plain(data)
		Unquote(data)
		walk := func(_, at int) int { return EndOfValue(data, at) }
		if len(data) > 0 {
			require.LessOrEqual(t, EachItem(data, 0, walk), len(data))
			require.LessOrEqual(t, EachMember(data, 0, func(_ []byte, at int) int { return EndOfValue(data, at) }), len(data))
		}
		require.LessOrEqual(t, whole, 2*len(data)+len(data))
	})
}
