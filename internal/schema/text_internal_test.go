package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainHostsAreLettersDigitsAndWhatJoinsThem(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	for b := range 256 {
		require.Equal(t, strings.IndexByte(plain, byte(b)) >= 0, plainHost([]byte{'a', byte(b), '1'}), "%q", b)
	}
}

func TestUUIDsAre32HexDigitsInFiveGroups(t *testing.T) {
	const id = "5b1d4f0e-7a53-4a8c-9a57-0C1A3D6F2E11"
	for i := range len(id) {
		for b := range 128 {
			digit := strings.IndexByte("0123456789abcdefABCDEF", byte(b)) >= 0
			want := digit != (id[i] == '-') && (digit || b == '-')
			require.Equal(t, want, IsUUID(id[:i]+string(rune(b))+id[i+1:]), "%q at %d", b, i)
		}
	}
	for _, other := range []string{"", id[:35], id + "1", "５" + id[3:], "{" + id[1:35] + "}"} {
		require.False(t, IsUUID(other), other)
	}
}

func TestTextsAreReadAsByEncodingJSON(t *testing.T) {
	texts := []string{`""`, `"ä€😀"`, `"\u00e4\n\t\"\\\/\b\f\r"`, `"\ud83d"`, "\"\xff\xfe\"", "\"a\xc3\"", `"\u0000"`, `"\uFFFD"`, `"\uD83D\uDE00"`, `"\ud83d\ud83d\ude00"`}
	edges := []string{`\u0041`, `\ud7ff`, `\ud800`, `\ud801`, `\udbff`, `\udc00`, `\udc01`, `\udfff`, `\ue000`, `\ue001`, `x`, `\n`}
	for _, first := range edges {
		for _, second := range edges {
			texts = append(texts, `"`+first+second+`"`)
		}
	}
	for _, written := range texts {
		var want string
		require.NoError(t, json.Unmarshal([]byte(written), &want))
		got := textIn([]byte(written))
		require.Equal(t, []rune(want), []rune(got.string(100)), written)
		require.Equal(t, len([]rune(want)), got.length(), written)
		require.Equal(t, string([]rune(want)[:min(1, len([]rune(want)))]), string([]rune(got.string(1))), "a text is cut to the limit")
		if !strings.Contains(written, "\xff") && !strings.Contains(written, "\xc3") {
			require.True(t, got.is(want), written)
		}
		require.False(t, got.is(want+"x"), written)
		require.False(t, got.is("x"+want), written)
	}
	require.False(t, text(`\n`).is("\n\ufffd"))
	require.True(t, text(nil).is(""))
}
