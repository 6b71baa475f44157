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
	require.True(t, plainHost([]byte("Host-1.example_2.org")))
}

func TestUUIDsAre32HexDigitsInFiveGroups(t *testing.T) {
	for id, want := range map[string]bool{
		"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": true, "ABCDEF09-abcd-EF01-2345-67890abcdef0": true,
		"": false, "5b1d4f0e": false, "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1": false, "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e111": false,
		"5b1d4f0e07a53-4a8c-9a57-0c1a3d6f2e11": false, "5b1d4f0e-7a5304a8c-9a57-0c1a3d6f2e11": false, "5b1d4f0e-7a53-4a8c09a57-0c1a3d6f2e11": false, "5b1d4f0e-7a53-4a8c-9a5700c1a3d6f2e11": false,
		"00000000-0000-0000-0000-000000000000": true, "{b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1}": false, "５b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1": false,
		"-b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "gb1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "Gb1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "`b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false,
		"@b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "/b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, ":b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false,
	} {
		require.Equal(t, want, IsUUID(textOf(id).string(37)), id)
	}
}

func TestTextsAreReadAsByEncodingJSON(t *testing.T) {
	for _, written := range []string{
		`""`, `"a"`, `"ä€😀"`, `"\u00e4\n\t\"\\\/\b\f\r"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`, `"\ude00\ude00"`, `"\ud83d\ud83d\ude00"`,
		"\"\xff\xfe\"", "\"a\xc3\"", `"\u0000"`, `"\uFFFD"`, `"\uD83D\uDE00"`,
	} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(written), &want))
		got := textIn([]byte(written))
		require.Equal(t, []rune(want), []rune(got.string(100)), written)
		require.Equal(t, len([]rune(want)), got.length(), written)
		if !strings.Contains(want, "\ufffd") {
			require.True(t, got.is(want), written)
		}
		require.False(t, got.is(want+"x"), written)
		require.False(t, got.is("x"+want), written)
	}
}

func TestEveryPairOfCodeUnitsIsReadAsEncodingJSONReadsIt(t *testing.T) {
	edges := []string{`\u0041`, `\ud7ff`, `\ud800`, `\ud801`, `\udbff`, `\udc00`, `\udc01`, `\udfff`, `\ue000`, `\ue001`, `x`, `\n`}
	for _, first := range edges {
		for _, second := range edges {
			written := `"` + first + second + `"`
			var want string
			require.NoError(t, json.Unmarshal([]byte(written), &want))
			got := textIn([]byte(written))
			require.Equal(t, want, got.string(9), written)
			require.Equal(t, len([]rune(want)), got.length(), written)
			require.True(t, got.is(want), written)
		}
	}
}

func TestATextIsCutToTheLimit(t *testing.T) {
	got := text(`a\u00e4b`)
	require.Equal(t, "", got.string(0))
	require.Equal(t, "aä", got.string(2))
	require.Equal(t, "aäb", got.string(4))
	require.False(t, got.is(""))
	require.False(t, text(`\n`).is("\n\ufffd"))
	require.True(t, text(nil).is(""))
}
