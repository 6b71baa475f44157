package monitoring

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHeaderValuesAreVisibleASCII(t *testing.T) {
	for _, value := range []string{"a", "!", "~", "!~"} {
		require.NoError(t, checkHeaderValue("key", value), value)
	}
	for value, position := range map[string]string{" ": "position 0", "a b": "position 1", "ab\x7f": "position 2", "ab\x1f": "position 2", "é": "position 0", "a\n": "position 1"} {
		require.ErrorContains(t, checkHeaderValue("key", value), position, "%q", value)
	}
	require.EqualError(t, checkHeaderValue("key", ""), "the key is empty")
	for _, text := range []string{"", " ", "~", "a b", "a\tb", " ~"} {
		require.NoError(t, checkHeaderText("X", text), "%q", text)
	}
	for _, text := range []string{"\x00", "\x1f", "\x7f", "\x80", "a\nb"} {
		require.ErrorContains(t, checkHeaderText("X", text), "position ", "%q", text)
	}
}

func TestHeaderNamesAreTokens(t *testing.T) {
	for _, c := range "azAZ09bB5!#$%&'*+-.^_`|~" {
		require.True(t, validHeaderName(string(c)), "%q", c)
		require.True(t, validHeaderName("x"+string(c)), "%q", c)
	}
	for _, c := range "\x00\t \"(),/:;<=>?@[\\]{}\x7f" {
		require.False(t, validHeaderName(string(c)), "%q", c)
		require.False(t, validHeaderName("x"+string(c)+"y"), "%q", c)
	}
	require.False(t, validHeaderName(""))
	require.False(t, validHeaderName("é"))
}

func TestHeadersThatTheClientOrNetHTTPSetsAreReserved(t *testing.T) {
	for _, name := range []string{"authorization", "Proxy-Authorization", "HOST", "content-length", "Transfer-Encoding", "te", "Trailer", "Connection", "Upgrade", "Accept-Encoding"} {
		require.True(t, reservedHeader(name), name)
		require.True(t, reservedHeader(strings.ToUpper(name)), name)
	}
	for _, name := range []string{"Accept", "X-Te", "User-Agent", ""} {
		require.False(t, reservedHeader(name), name)
	}
}
