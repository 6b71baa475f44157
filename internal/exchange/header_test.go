package exchange

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHeaderValuesAreVisibleASCII(t *testing.T) {
	for _, value := range []string{"a", "!", "~", "!~"} {
		require.NoError(t, CheckSecretHeader("key", value), value)
	}
	for value, position := range map[string]string{" ": "position 0", "a b": "position 1", "ab\x7f": "position 2", "ab\x1f": "position 2", "é": "position 0", "a\n": "position 1"} {
		require.ErrorContains(t, CheckSecretHeader("key", value), position, "%q", value)
	}
	require.EqualError(t, CheckSecretHeader("key", ""), "the key is empty")
	for _, text := range []string{"", " ", "~", "a b", "a\tb", " ~"} {
		require.NoError(t, CheckHeader("X", text), "%q", text)
	}
	for _, text := range []string{"\x00", "\x1f", "\x7f", "\x80", "a\nb"} {
		require.ErrorContains(t, CheckHeader("X", text), "position ", "%q", text)
	}
}

func TestHeaderNamesAreTokens(t *testing.T) {
	for _, c := range "azAZ09bB5!#$%&'*+-.^_`|~" {
		require.True(t, ValidHeaderName(string(c)), "%q", c)
		require.True(t, ValidHeaderName("x"+string(c)), "%q", c)
	}
	for _, c := range "\x00\t \"(),/:;<=>?@[\\]{}\x7f" {
		require.False(t, ValidHeaderName(string(c)), "%q", c)
		require.False(t, ValidHeaderName("x"+string(c)+"y"), "%q", c)
	}
	require.False(t, ValidHeaderName(""))
	require.False(t, ValidHeaderName("é"))
}

func TestHeadersThatTheClientOrNetHTTPSetsAreReserved(t *testing.T) {
	for _, name := range []string{"authorization", "Proxy-Authorization", "HOST", "content-length", "Transfer-Encoding", "te", "Trailer", "Connection", "Upgrade", "Accept-Encoding"} {
		require.True(t, ReservedHeader(name), name)
		require.True(t, ReservedHeader(strings.ToUpper(name)), name)
	}
	for _, name := range []string{"Accept", "X-Te", "User-Agent", ""} {
		require.False(t, ReservedHeader(name), name)
	}
}
