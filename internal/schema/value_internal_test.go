package schema

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestBoundsAreWrittenInDigits(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.5: "0.5", -1: "-1", 68719476736: "68719476736", 1e21: "1000000000000000000000"} {
		require.Equal(t, want, digits(n))
	}
	require.Equal(t, strings.Repeat("7", 50), quoteNumber([]byte(strings.Repeat("7", 50))))
	require.Equal(t, strings.Repeat("7", 50)+"…", quoteNumber([]byte(strings.Repeat("7", 51))))
}

func TestNumbersAreJudgedByTheirBounds(t *testing.T) {
	for _, c := range []struct {
		node          *Node
		text          string
		client, whole string
	}{
		{bounded(Integer, between(1, 5)), "0", "0 is outside 1..5", ""},
		{bounded(Integer, between(1, 5)), "6", "6 is outside 1..5", ""},
		{bounded(Integer, atMost(5)), "6", "6 is over 5", ""},
		{bounded(Integer, atLeast(5)), "4", "4 is below 5", ""},
		{bounded(Integer, between(1, 1)), "1", "", ""},
		{whole, "9007199254740991", "", ""},
		{whole, "9007199254740992", "", "9007199254740992 is too large"},
		{whole, "-9007199254740991", "", ""},
		{whole, "-9007199254740992", "", "-9007199254740992 is too large"},
		{number, "1e999", "1e999 is too large", ""},
		{number, "-1e999", "-1e999 is too large", ""},
		{whole, "1.5", "", "1.5 is not a whole number"},
		{number, "1.5", "", ""},
		{&Node{Kinds: Number, Secret: true, Limits: Limits{Range: atMost(1)}}, "1234", "the value is over 1", ""},
	} {
		require.Equal(t, c.client, c.node.numberMistake([]byte(c.text), Client), c.text)
		require.Equal(t, cmp.Or(c.whole, c.client), c.node.numberMistake([]byte(c.text), Service), c.text)
	}
}

func TestPlainHostsAreLettersDigitsAndWhatJoinsThem(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	for b := range 256 {
		require.Equal(t, strings.IndexByte(plain, byte(b)) >= 0, plainHost([]byte{'a', byte(b), '1'}), "%q", b)
	}
}

func TestUUIDsAre32HexDigitsInFiveGroups(t *testing.T) {
	const id = "5b1d4f0e-7a53-4a8c-9a57-0C1A3D6F2E11"
	require.False(t, IsUUID(id[:35]))
	for i := range len(id) {
		for b := range 128 {
			digit := strings.IndexByte("0123456789abcdefABCDEF", byte(b)) >= 0
			want := digit != (id[i] == '-') && (digit || b == '-')
			require.Equal(t, want, IsUUID(id[:i]+string(rune(b))+id[i+1:]), "%q at %d", b, i)
		}
	}
}

func TestTextsAreReadAsByEncodingJSON(t *testing.T) {
	for _, written := range []string{`""`, `"ä€😀"`, `"\u00e4\n\t\"\\\/\b\f\r"`, `"\ud83d"`, "\"\xff\xfe\"", "\"a\xc3\"", `"\uD83D\uDE00"`, `"\ud83d\ud83d\ude00"`} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(written), &want))
		got := textIn([]byte(written))
		require.Equal(t, []rune(want), []rune(got.string(100)), written)
		require.Equal(t, len([]rune(want)), got.length(), written)
		require.Equal(t, utf8.ValidString(written), got.is(want), written)
	}
	require.False(t, text(`\n`).is("\n\ufffd"))
}
