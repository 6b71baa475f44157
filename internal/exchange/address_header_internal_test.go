package exchange

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhichBaseAddressesAreValid(t *testing.T) {
	for address, want := range map[string]string{
		"https://api.test/":             "https://api.test",
		"HTTPS://API.test:8443/prefix/": "https://api.test:8443/prefix",
		"https://api.test/a/b%2Fc":      "https://api.test/a/b%2Fc",
		"https://api.test/a%2F/":        "https://api.test/a%2F",
		"https://api.test/v1":           "https://api.test/v1", // gateways have stages of this name
		"http://localhost:8080":         "http://localhost:8080",
		"HTTP://LOCALHOST":              "http://localhost",
		"http://127.9.9.9":              "http://127.9.9.9",
		"http://[::1]:80/x":             "http://[::1]:80/x",
	} {
		base, err := ParseBase(address, false)
		require.NoError(t, err, address)
		require.Equal(t, want, base.String())
	}
	for address, why := range map[string]string{
		"":                           "want https://host[:port][/prefix], got nothing",
		"api.test":                   "want https://host[:port][/prefix], got an address without https://",
		"localhost:8080":             "got an address without https://",
		"127.0.0.1:8080":             "got an address without https://",
		"ftp://api.test":             "want https://host[:port][/prefix], got another scheme, or no host",
		"https://":                   "got another scheme, or no host",
		"https:api.test":             "got an address without https://",
		"https://user:pw@api.test":   "remove the user name",
		"https://api.test?x=1":       "remove the query and the fragment",
		"https://api.test#":          "remove the query and the fragment",
		"https://api.test#a":         "remove the query and the fragment",
		"https://api.test?":          "remove the query and the fragment",
		"https://api.test/a/../b":    "dot segment",
		"https://api.test/a/%2e%2e":  "dot segment",
		"https://api.test//a":        "must not be empty",
		"http://127.0.0.1.evil.test": "plain http",
		"http://10.0.0.1":            "plain http",
		"http://[::2]":               "plain http",
		"https://api.test:port":      "not a URL",
		"https://[fe80::1%25eth0]/x": "base URL: want https://host[:port][/prefix], got something that is not a URL",
	} {
		_, err := ParseBase(address, false)
		require.ErrorContains(t, err, why, address)
		require.ErrorContains(t, err, "base URL: ")
		require.NotContains(t, err.Error(), "pw")
		require.Equal(t, why == "plain http", errors.Is(err, ErrPlainHTTP), address)
		_, err = ParseBase(address, true)
		require.Equal(t, why == "plain http", err == nil, address)
	}
}

func TestAnAddressIsUnderTheBaseAddressIfOriginAndPathAre(t *testing.T) {
	for _, c := range []struct {
		address, base string
		belongs       bool
	}{
		{"https://h.test/p/x", "https://h.test/p", true},
		{"https://h.test/p", "https://h.test/p", true},
		{"HTTPS://H.test/p/x", "https://h.test/p", true},
		{"https://h.test:443/p/x", "https://h.test/p", true},
		{"http://h.test:80/p/x", "http://h.test/p", true},
		{"https://h.test:80/p/x", "https://h.test/p", false},
		{"http://h.test:443/p/x", "http://h.test/p", false},
		{"http://h.test/p/x", "https://h.test/p", false},
		{"https://g.test/p/x", "https://h.test/p", false},
		{"https://h.test/q/x", "https://h.test/p", false},
		{"https://h.test/px", "https://h.test/p", false},
		{"https://h.test/p/../q", "https://h.test/p", false},
		{"https://h.test/p/%2e%2e/q", "https://h.test/p", false},
		{"https://h.test/p/./q", "https://h.test/p", false},
		{"https://h.test/p/%2e/q", "https://h.test/p", false},
		{"https://h.test", "https://h.test", true},
	} {
		u, err := url.Parse(c.address)
		require.NoError(t, err)
		base, err := url.Parse(c.base)
		require.NoError(t, err)
		require.Equal(t, c.belongs, belongs(u, base), "%s %s", c.address, c.base)
		if !c.belongs { // a transport around it may have changed the address
			attempt := &call{Call: &Call{}, sender: &Sender{Base: base, ErrRedirect: errRedirect}, result: new(Result)}
			_, err = attempt.RoundTrip((&http.Request{URL: u}).WithContext(t.Context()))
			require.Equal(t, &failed{errRedirect, Impossible}, err, "it is not sent")
		}
	}
}

func FuzzBaseAddress(f *testing.F) {
	f.Add("https://api.test/a%2F")
	f.Fuzz(func(t *testing.T, address string) {
		base, err := ParseBase(address, false)
		if err != nil {
			return
		}
		require.Nil(t, base.User)
		require.Empty(t, base.RawQuery+base.Fragment)
		require.False(t, strings.HasSuffix(base.EscapedPath(), "/"), "an escaped slash at the end is a part of the segment")
		full, err := url.Parse(base.String() + "/v1/locations")
		require.NoError(t, err)
		require.Equal(t, []string{base.Scheme, base.Host}, []string{full.Scheme, full.Host})
		require.True(t, full.Scheme == "https" || isLoopback(full.Hostname()))
	})
}

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

func TestResetsOfALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const none = -1
		unix := func(after time.Duration) string { return strconv.FormatInt(time.Now().Add(after).Unix(), 10) }
		date := func(after time.Duration) string { return time.Now().UTC().Add(after).Format(http.TimeFormat) }
		millis := func(after time.Duration) string { return strconv.FormatInt(time.Now().Add(after).UnixMilli(), 10) }
		for name, c := range map[string]struct {
			header []string // names and values
			want   time.Duration
		}{
			"Retry-After-Ms":                          {[]string{"Retry-After-Ms", "1500"}, 1500 * time.Millisecond},
			"before Retry-After":                      {[]string{"Retry-After-Ms", "1500", "Retry-After", "2"}, 1500 * time.Millisecond},
			"that is no number":                       {[]string{"Retry-After-Ms", "x", "Retry-After", "2"}, 2 * time.Second},
			"Retry-After before a reset":              {[]string{"RateLimit-Reset", "9", "Retry-After", "2"}, 2 * time.Second},
			"seconds left":                            {[]string{"RateLimit-Reset", "9"}, 9 * time.Second},
			"with X-":                                 {[]string{"X-RateLimit-Reset", "9"}, 9 * time.Second},
			"seconds since 1970":                      {[]string{"X-RateLimit-Reset", unix(300 * time.Second)}, 300 * time.Second},
			"milliseconds since 1970":                 {[]string{"X-RateLimit-Reset", millis(9500 * time.Millisecond)}, 9500 * time.Millisecond},
			"by the clock of the service":             {[]string{"X-RateLimit-Reset", unix(9 * time.Hour), "Date", date(9*time.Hour - 4*time.Second)}, 4 * time.Second},
			"Retry-After by the clock of the service": {[]string{"Retry-After", date(9*time.Hour + 3*time.Second), "Date", date(9 * time.Hour)}, 3 * time.Second},
			"a reset that is over":                    {[]string{"X-RateLimit-Reset", unix(-time.Second)}, none},
			"a reset in an hour":                      {[]string{"RateLimit-Reset", "3600"}, time.Hour},
			"of a daily quota":                        {[]string{"RateLimit-Reset", "3601"}, none},
			"a number beyond all clocks":              {[]string{"X-RateLimit-Reset", "1e300"}, none},
			"not a number":                            {[]string{"RateLimit-Reset", "NaN", "X-RateLimit-Reset", "-5"}, none},
			"of a limit with places left":             {[]string{"RateLimit-Reset", "9", "RateLimit-Remaining", "1"}, none},
			"of another one":                          {[]string{"RateLimit-Reset", "9", "RateLimit-Remaining", "1", "X-RateLimit-Reset", "4", "X-RateLimit-Remaining", "0"}, 4 * time.Second},
			"RateLimit":                               {[]string{"RateLimit", `"default";r=0;t=17`}, 17 * time.Second},
			"in the older form":                       {[]string{"RateLimit", "limit=600, remaining=0, reset=17"}, 17 * time.Second},
			"without what is left":                    {[]string{"RateLimit", `"a";t=17`}, 17 * time.Second},
			"of several the one that is used up":      {[]string{"RateLimit", `"a";r=5;t=99, "b";r=0;t=17, "c";r=0;t=3`}, 17 * time.Second},
			"in several headers":                      {[]string{"RateLimit", `"a";r=0;t=9`, "RateLimit", `"b";r=0;t=17`}, 17 * time.Second},
			"none is used up":                         {[]string{"RateLimit", `"a";r=5;t=99`}, none},
			"RateLimit that cannot be understood":     {[]string{"RateLimit", `;;=,"t=5",t=x`}, none},
			"nothing":                                 {nil, none},
		} {
			h := http.Header{}
			for i := 0; i < len(c.header); i += 2 {
				h.Add(c.header[i], c.header[i+1])
			}
			var clock Clock
			clock.hear(h)
			got, ok := clock.RetryAfter(429, h)
			require.Equal(t, c.want != none, ok, name)
			require.Equal(t, max(c.want, 0), got, name)
			if got, ok = clock.RetryAfter(503, h); h.Get("Retry-After")+h.Get("Retry-After-Ms") == "" {
				require.False(t, ok, "%s: only a 429 is about a limit", name)
			} else {
				require.Equal(t, c.want, got, name)
			}
		}
	})
}
