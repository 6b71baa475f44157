package reveal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATagGivesANameThatEncodingJSONTakes(t *testing.T) {
	for _, tag := range []string{"plain-Name_1.5", "ä", "a b"} {
		name, ok := tagName(tag)
		require.Equal(t, tag, name)
		require.True(t, ok, tag)
	}
	for _, tag := range []string{`a\b`, `a"b`, "a`b"} { // versions of Go differ
		name, ok := tagName(tag)
		require.Equal(t, name != "", ok, tag)
	}
}

func TestPlainCharactersAreLettersDigitsAndWhatJoinsThem(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	for r := range rune(300) {
		require.Equal(t, strings.ContainsRune(plain, r), isPlain(r), "%q", r)
	}
}

func TestEveryCharacterIsWrittenAsEncodingJSONWritesIt(t *testing.T) {
	for c := range 256 {
		requireLikeJSON(t, string([]byte{byte(c)}))
		requireLikeJSON(t, []any{string(rune(c)) + "a"})
	}
}
