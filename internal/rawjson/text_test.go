package rawjson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEncodeEscapesOnlyWhatJSONMustEscape(t *testing.T) {
	for text, want := range map[string]string{
		"a&<>'/": `"a&<>'/"`, "\u2028\u2029\u202a": "\"\u2028\u2029\u202a\"", "é😀": `"é😀"`, "\"\\\n\x01": `"\"\\\n\u0001"`,
		`\u2028`: `"\\u2028"`, `\\u2029`: `"\\\\u2029"`, "\\\u2028\\": "\"\\\\\u2028\\\\\"", `\u202`: `"\\u202"`,
	} {
		got, err := Encode(text)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		got, err = Encode(map[string][]string{text: {text}})
		require.NoError(t, err)
		require.Equal(t, `{`+want+`:[`+want+`]}`, string(got))
		require.Equal(t, `{`+want+`:1}`, string(Join([]Member{{text, []byte("1")}})), "the name of a member")
	}
	_, err := Encode(make(chan int))
	require.Error(t, err)
}

func TestATextThatIsCutIsReadAsFarAsItGoes(t *testing.T) {
	for quoted, want := range map[string]string{`"\"`: `\`, `"\u12"`: "u12", `"\u12zz"`: "u12zz", `"\ud83d\u"`: "\xed\xa0\xbdu", `"\ud83d\"`: "\xed\xa0\xbd\\"} {
		require.Equal(t, want, string(unescape([]byte(quoted))), quoted)
	}
}

func FuzzATextIsReadAsEncodingJSONReadsIt(f *testing.F) {
	f.Add(`"a\u00e9\ud83d\ude00\n\/"`)
	f.Fuzz(func(t *testing.T, quoted string) {
		var want string
		if json.Unmarshal([]byte(quoted), &want) != nil || quoted[0] != '"' {
			return
		}
		got, err := json.Marshal(Text([]byte(quoted)))
		require.NoError(t, err)
		var again string // encoding/json replaces what is not valid Unicode
		require.NoError(t, json.Unmarshal(got, &again))
		if want == again {
			return
		}
		require.Contains(t, want, "\uFFFD")
	})
}
