package rawjson_test

import (
	"encoding/json"
	"strconv"
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

func TestWhiteSpaceIsSkipped(t *testing.T) {
	for text, want := range map[string]int{"": 0, " ": 1, " \t\r\n": 4, " a ": 1, "\va": 0, "a": 0} {
		require.Equal(t, want, rawjson.SkipSpace([]byte(text), 0), "%q", text)
	}
}

func TestTheEndOfAValueIsFound(t *testing.T) {
	values := []string{`""`, `"a"`, `"a\"]"`, `"\\"`, `7`, `-1.5e3`, `true`, `null`, `[]`, `[ ]`, `{}`, `[1,[2,{"a":"]}"}],3]`, `{"a":{"b":[null , true]},"c":"\""}`, `"` + strings.Repeat(`\"`, 40) + `"`}
	for _, value := range values {
		require.True(t, json.Valid([]byte(value)), value)
		for _, behind := range []string{"", ",1", "]", "}", " ", "\n", "\t", "\r", ` ,"x"`} {
			require.Equal(t, len(value), rawjson.EndOfValue([]byte(value+behind), 0), value+behind)
			require.Equal(t, len(value)+1, rawjson.EndOfValue([]byte(","+value+behind), 1), value+behind)
		}
	}
	for _, cut := range []string{`[1`, `{"a":`, `"a`, `"`, `"a\"`, `"a\`, `[[1]`, `12`} {
		require.Equal(t, len(cut), rawjson.EndOfValue([]byte(cut), 0), cut)
	}
}

func TestMembersAndItemsAreVisitedInOrder(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: ``, ` { } `: ``, `{ "a" : [1, 2] , "b\"":{"c":3}}`: `"a"=[1, 2];"b\""={"c":3};`, `{"a":1`: `"a"=1;`, `{"a":1,`: `"a"=1;`, `{`: ``, `{"a`: `"a=;`, `{"a":`: `"a"=;`,
		`[]`: ``, ` [ ] `: ``, `[1 , [2], "]" ]`: `0=1;1=[2];2="]";`, `[1`: `0=1;`, `[1,`: `0=1;`, `[`: ``,
	} {
		got, data, at := "", []byte(text), rawjson.SkipSpace([]byte(text), 0)
		visited := func(name string, at int) int {
			end := rawjson.EndOfValue(data, at)
			got += name + "=" + text[at:end] + ";"
			return end
		}
		end := 0
		if data[at] == '{' {
			end = rawjson.EachMember(data, at, func(name []byte, value int) int { return visited(string(name), value) })
		} else {
			end = rawjson.EachItem(data, at, func(index, item int) int { return visited(strconv.Itoa(index), item) })
		}
		require.Equal(t, want, got, text)
		require.Equal(t, len(strings.TrimRight(text, " ")), end, text)
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
