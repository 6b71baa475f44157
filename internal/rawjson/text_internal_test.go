package rawjson

import (
	"encoding/json"
	"strings"
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
	require.Equal(t, `{"a":[1,"x y"]}`, string(Compact([]byte("\r{ \"a\" :\t[ 1,\n\"x y\"\r ] }\r\n"))))
}

func TestEscapesHaveTheirSizeAndTheirCharacter(t *testing.T) {
	for text, want := range map[string]struct {
		r    rune
		size int
		unit bool
	}{
		`\`: {'\\', 1, false}, `\n`: {'\n', 2, false}, `\"x`: {'"', 2, false}, `\\`: {'\\', 2, false}, `\/`: {'/', 2, false}, `\u12345`: {0x1234, 6, true}, `\u0000`: {0, 6, true},
		`\uabcdef`: {0xabcd, 6, true}, `\uABCF`: {0xabcf, 6, true}, `\ufF09`: {0xff09, 6, true}, `\ud83d\ude00x`: {0x1f600, 12, true}, `\ud83dx`: {0xfffd, 6, true}, `\ude00\ud83d`: {0xfffd, 6, true},
		``: {0xfffd, 0, false}, `ä\n`: {'ä', 2, false}, "\xffx": {0xfffd, 1, false}, `u1234`: {'u', 1, false},
	} {
		r, size := DecodeRune([]byte(text))
		require.Equal(t, want.r, r, text)
		require.Equal(t, want.size, size, text)
		_, ok := codeUnit([]byte(text))
		require.Equal(t, want.unit, ok, text)
	}
	for _, text := range []string{`\u`, `\u123`, `\x0000`, `xu1234`, `\u000g`, "\\u000`", `\u000@`, `\u000/`, `\u00 0`, `\u+123`} {
		r, ok := codeUnit([]byte(text))
		require.Zero(t, r, text)
		require.False(t, ok, text)
	}
	for quoted, want := range map[string]string{`"\"`: `\`, `"\u12zz"`: "u12zz", `"\ud83d\u"`: "\xed\xa0\xbdu", "\"ä\xff\\n\"": "ä\xff\n"} {
		require.Equal(t, want, string(unescape([]byte(quoted))), "a text that may be cut: %s", quoted)
	}
}

func FuzzATextIsReadAsEncodingJSONReadsIt(f *testing.F) {
	f.Add(`"a\u00e9\ud83d\ude00\n\/"`)
	f.Fuzz(func(t *testing.T, quoted string) {
		var want string
		if json.Unmarshal([]byte(quoted), &want) != nil || quoted[0] != '"' {
			return
		}
		runes := []rune{}
		for text := []byte(quoted[1 : EndOfString([]byte(quoted), 0)-1]); len(text) > 0; {
			r, size := DecodeRune(text)
			runes, text = append(runes, r), text[size:]
		}
		require.Equal(t, []rune(want), runes)
		if !strings.Contains(want, "\uFFFD") { // encoding/json replaces what is not valid Unicode
			require.Equal(t, want, Text([]byte(quoted)))
		}
	})
}

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
