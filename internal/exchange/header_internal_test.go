package exchange

import (
	"strings"
	"testing"
	"time"

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

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	now := time.Date(2026, 8, 19, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, " 7 ": 7 * time.Second, "0": 0, "1.5": 1500 * time.Millisecond,
		"Wed, 19 Aug 2026 10:00:20 GMT":     20 * time.Second,
		"Wednesday, 19-Aug-26 10:00:20 GMT": 20 * time.Second,
		"Wed Aug 19 10:00:20 2026":          20 * time.Second,
		"Wed, 19 Aug 2026 09:00:00 GMT":     0,
		"99999999999999999999":              (1 << 32) * time.Second,
		"Inf":                               (1 << 32) * time.Second,
	} {
		d, ok := parseRetryAfter(value, now)
		require.True(t, ok, value)
		require.Equal(t, want, d, value)
	}
	for _, value := range []string{"", "soon", "-1", "NaN", "2026-08-19T10:00:20Z"} {
		_, ok := parseRetryAfter(value, now)
		require.False(t, ok, value)
	}
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 8, 19, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, value string) {
		d, ok := parseRetryAfter(value, now)
		require.GreaterOrEqual(t, d, time.Duration(0))
		require.True(t, ok || d == 0)
	})
}
