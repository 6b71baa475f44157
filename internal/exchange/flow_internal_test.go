package exchange

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func asking(status int, retryAfter string) testkit.RoundTripper {
	return func(*http.Request) (*http.Response, error) {
		return testkit.Respond(status, http.Header{"Retry-After": {retryAfter}}, ""), nil
	}
}

func refused(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED }

func TestHowOftenAndWhenACallIsSent(t *testing.T) {
	for name, c := range map[string]struct {
		transport testkit.RoundTripper
		class     Class
		deadline  time.Duration
		attempts  int
		waited    time.Duration
	}{
		"as often as it may":                            {asking(503, "1"), Read, 0, 6, 5 * time.Second},
		"once, as it must not be done twice":            {asking(503, "1"), Unsafe, 0, 1, 0},
		"again, as it was not sent":                     {testkit.InTurn(asking(429, "3"), testkit.Status(200, "x")), Unsafe, 0, 2, 3 * time.Second},
		"after the longest wait":                        {testkit.InTurn(asking(503, "60"), testkit.Status(200, "x")), Read, 0, 2, time.Minute},
		"once, as the service asks for too much":        {asking(503, "61"), Read, 0, 1, 0},
		"once, as the wait would end at the context":    {asking(503, "9"), Read, 9 * time.Second, 1, 0},
		"again, as the wait ends before the context":    {testkit.InTurn(asking(503, "9"), testkit.Status(200, "x")), Read, 9*time.Second + 1, 2, 9 * time.Second},
		"after a back-off, as the service asks for 0":   {testkit.InTurn(asking(503, "0"), testkit.Status(200, "x")), Read, 0, 2, -1},
		"more often, as 429s do not count for a minute": {asking(429, "9"), Read, 0, 1 + 7 + 5, 12 * 9 * time.Second},
		"with a connection that is refused":             {testkit.InTurn(refused, asking(503, "1"), testkit.Status(200, "x")), Read, 0, 3, -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(c.deadline, time.Hour))
				defer cancel()
				began := time.Now()
				result := sender(t, c.transport).send(ctx, &caller{}, func(in *Call) { in.Class = c.class })
				require.NoError(t, result.Err)
				require.Equal(t, c.attempts, result.Attempts)
				require.Equal(t, time.Since(began), result.RetryWait)
				require.Equal(t, c.class == Unsafe && c.attempts == 1, result.Unknown)
				if c.waited < 0 {
					require.Positive(t, result.RetryWait)
				} else {
					require.Equal(t, c.waited, result.RetryWait)
				}
			})
		})
	}
}

func TestWhatATransportReturnsIsTheReason(t *testing.T) {
	closed := false
	for want, transport := range map[string]testkit.RoundTripper{
		"the transport returned neither a response nor an error": func(*http.Request) (*http.Response, error) { return nil, nil },
		"odd": func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(200, nil, "")
			resp.Body = &closing{&closed}
			return resp, errors.New("odd")
		},
		"response too large: the header is over the limit of the transport": func(*http.Request) (*http.Response, error) {
			return nil, errors.New("net/http: server response headers exceeded 1 bytes; aborted")
		},
		"context canceled": func(*http.Request) (*http.Response, error) { return nil, context.Canceled },
		"http: server gave HTTP response to HTTPS client: check the scheme and the port of the base URL": func(*http.Request) (*http.Response, error) {
			return nil, tls.RecordHeaderError{Msg: "odd", RecordHeader: [5]byte([]byte("HTTP/"))}
		},
		"tls: odd": func(*http.Request) (*http.Response, error) {
			return nil, tls.RecordHeaderError{Msg: "odd", RecordHeader: [5]byte([]byte("SSH-2"))}
		},
		"lookup api.test: no such host: check the host of the base URL": func(*http.Request) (*http.Response, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "api.test", IsNotFound: true}
		},
		"lookup api.test: server misbehaving": func(*http.Request) (*http.Response, error) {
			return nil, &net.DNSError{Err: "server misbehaving", Name: "api.test"}
		},
		"the attempt timed out after 1s": func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			result := sender(t, transport).send(t.Context(), &caller{}, func(in *Call) { in.Timeout, in.MaxRetries = time.Second, 0 })
			require.EqualError(t, result.Err, want)
			require.False(t, errors.Is(result.Err, context.Canceled) || errors.Is(result.Err, context.DeadlineExceeded), "it is not the caller's context")
			require.Equal(t, strings.Contains(want, "too large"), errors.Is(result.Err, errLarge))
		})
	}
	require.True(t, closed)
}

func TestAProxyThatConnectsIsNoError(t *testing.T) {
	proxy := &url.URL{Host: "proxy.test:3128"}
	require.NoError(t, CheckProxy(t.Context(), proxy, nil, testkit.Respond(http.StatusOK, nil, "")))
	require.EqualError(t, CheckProxy(t.Context(), proxy, nil, testkit.Respond(407, nil, "")),
		"the proxy proxy.test:3128 refused to connect to the service: 407 Proxy Authentication Required: check the proxy, or HTTPS_PROXY and NO_PROXY")
}

// net/http has a text of its own for it in each version of HTTP.
func TestAHeaderOverTheLimitOfTheTransportIsTooLarge(t *testing.T) {
	for protocol, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, protocol, r.Proto)
			for i := range 12 { // of more than twice the limit HTTP/2 tells only that the connection is broken
				w.Header().Set(fmt.Sprint("X-Long-", i), strings.Repeat("x", 1000))
			}
		}))
		server.EnableHTTP2 = http2
		server.StartTLS()
		transport := server.Client().Transport.(*http.Transport)
		transport.MaxResponseHeaderBytes = 10_000
		s := sender(t, func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.URL.Host = server.Listener.Addr().String()
			return transport.RoundTrip(r)
		})
		result := s.send(t.Context(), &caller{}, func(in *Call) { in.MaxRetries = 0 })
		require.EqualError(t, result.Err, "response too large: the header is over the limit of the transport", protocol)
		require.ErrorIs(t, result.Err, errLarge)
		server.Close()
	}
}

func TestABodyThatIsNotNeededIsSkimmed(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(io.ErrUnexpectedEOF))
	for _, c := range []struct {
		status     int
		skim       int64
		body       io.Reader
		kept, read int
	}{{404, 0, endless{}, SkimmedBody, 2 * SkimmedBody}, {204, 1, endless{}, 1, 1 + SkimmedBody}, {200, 5, broken, 2, 2}} {
		const most = 1 << 30
		body := &io.LimitedReader{R: c.body, N: most}
		result := sender(t, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: c.status, ContentLength: most, Body: io.NopCloser(body)}, nil
		}).send(t.Context(), &caller{}, func(in *Call) { in.Skim = c.skim })
		require.Equal(t, []any{nil, nil, c.kept, c.read}, []any{result.Err, result.Interrupted, len(result.Body), int(most - body.N)}, c.status)
	}
}

func TestAResponseWithoutContentIsFinalIfItMustHaveSome(t *testing.T) {
	for status, attempts := range map[int]int{200: 6, 204: 1} {
		synctest.Test(t, func(t *testing.T) {
			c := &caller{accept: func(context.Context, []byte) (Fault, error) { return Lost, errEmpty }}
			result := sender(t, testkit.Status(status, "")).send(t.Context(), c)
			require.ErrorIs(t, result.Err, errEmpty)
			require.Equal(t, attempts, result.Attempts)
		})
	}
}

func TestARedirectIsFollowedUnderTheBaseAddress(t *testing.T) {
	const odd = "redirect refused: its path contains a backslash, a semicolon, a control character or an encoded dot, and may lead anywhere"
	users := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("no redirects today") }}
	type redirect struct {
		method, location string
		status, times    int
		http             *http.Client
		want             string
	}
	redirects := []redirect{
		{"GET", "/p/x?1", 307, 9, nil, ""},
		{"GET", "/p/x?1", 307, 10, nil, "redirect refused: stopped after 10 redirects: " + checkAddress},
		{"GET", "https://SERVICE.test:443/p/x", 302, 1, nil, ""},
		{"POST", "https://key-123.test/", 307, 1, nil, "redirect refused: https://[redacted].test is another host, port or scheme: " + checkAddress},
		{"GET", "/q/x", 307, 1, nil, "redirect refused: it leads out of the path of the base URL"},
		{"POST", "/p/x", 303, 1, nil, "redirect refused: it changes the method from POST to GET"},
		{"GET", "/p/x", 307, 1, users, "no redirects today"},
	}
	for _, location := range []string{"/p/x/%2E%2e/y", `/p/x/..\q`, "/p/x/..%5cq", "/p/x/..;/q", "/p/x/.%00./q", "/p/x/%252e%252e/q", "/p/x%7f"} {
		redirects = append(redirects, redirect{"POST", location, 308, 1, nil, odd})
	}
	for _, c := range redirects {
		sent := 0
		s := sender(t, func(req *http.Request) (*http.Response, error) {
			require.Equal(t, "Bearer key-123", req.Header.Get("Authorization"))
			if sent++; sent <= c.times {
				return testkit.Respond(c.status, http.Header{"Location": {c.location}}, ""), nil
			}
			return testkit.Respond(200, nil, "x"), nil
		})
		s.Base.Path, s.HTTP = "/p", c.http
		result := s.send(t.Context(), &caller{}, func(in *Call) { in.Method, in.Class = c.method, Unsafe })
		require.Equal(t, c.status == 303, result.Unknown, c.location)
		if c.want == "" {
			require.NoError(t, result.Err, c.location)
			require.Equal(t, 200, result.StatusCode)
			continue
		}
		require.EqualError(t, result.Err, c.want, c.location)
		require.Equal(t, c.http == nil, errors.Is(result.Err, errRedirect))
		require.Equal(t, c.times, sent)
	}
}

func TestACallIsSentOnceMoreWithAnotherKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, testkit.AtMost(t, 5, "a key is renewed at most once in a call",
			testkit.InTurn(asking(503, "4"), testkit.Status(401, ""))))
		n := 0
		s.Keys = KeySource(func(context.Context, string) (string, error) { n++; return fmt.Sprint("key-", n), nil })
		c := &caller{}
		result := s.send(t.Context(), c, func(in *Call) { in.MaxRetries = 1 })
		require.Equal(t, []any{401, 3, "the service refused two keys of the key source"}, []any{result.StatusCode, result.Attempts, result.Note})
		require.Equal(t, 4*time.Second, result.RetryWait, "the attempt with another key follows at once")
		require.Nil(t, result.Err)
		require.True(t, c.attempts[1].Retry)
		require.Zero(t, c.attempts[1].RetryIn)

		s.Keys = KeySource(func(_ context.Context, refused string) (string, error) {
			if refused != "" {
				return "", errors.New("no key instead of " + refused)
			}
			return "key-8", nil
		})
		result = s.send(t.Context(), c)
		require.EqualError(t, result.Err, "get the API key: no key instead of [redacted]")
		require.NotContains(t, fmt.Sprintf("%+v %#v", s, s), "key-8")
		require.Equal(t, 401, result.StatusCode)
	})
	for _, first := range []int{401, 503} { // the most retries that there can be, and none from an empty budget for another key
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, testkit.InTurn(testkit.Status(first, ""), testkit.Status(200, "")))
			s.Keys = KeySource(func(_ context.Context, refused string) (string, error) { return "key-8" + refused, nil })
			s.Budget.tokens, s.Budget.asked = 50, time.Now()
			result := s.send(t.Context(), &caller{}, func(in *Call) { in.MaxRetries = math.MaxInt })
			require.Equal(t, []int{200, 2}, []int{result.StatusCode, result.Attempts}, first)
			require.InDelta(t, 50.09, s.Budget.tokens, 1e-9, "the call has added to it, and the retry was given back, or not charged")
		})
	}
}

func TestAResultIsThatOfTheLastAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &caller{}
		result := sender(t, testkit.InTurn(testkit.Status(504, "busy"), refused)).send(t.Context(), c, func(in *Call) { in.MaxRetries = 1 })
		require.ErrorIs(t, result.Err, syscall.ECONNREFUSED)
		require.Equal(t, []any{504, 0}, []any{c.attempts[0].StatusCode, c.attempts[1].StatusCode})
		require.Equal(t, 504, result.StatusCode, "the last one that there was")
		require.True(t, result.MayHaveDone, "the first attempt may have done it")
		require.Nil(t, result.Body)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		time.AfterFunc(10*time.Second, cancel)
		result = sender(t, testkit.InTurn(refused, asking(503, "30"))).send(ctx, c)
		require.ErrorIs(t, result.Err, context.Canceled)
		require.NoError(t, result.LastFailure, "the failure of an earlier attempt")

		ctx, cancel = context.WithCancel(t.Context())
		s := sender(t, refused)
		s.Backoff = Backoff{Min: time.Hour, Max: time.Hour}
		time.AfterFunc(time.Nanosecond, cancel)
		result = s.send(ctx, c)
		require.Equal(t, time.Nanosecond, result.RetryWait, "the time that was waited")
		require.ErrorIs(t, result.Err, context.Canceled)
		require.ErrorIs(t, result.LastFailure, syscall.ECONNREFUSED)
		require.False(t, result.Unknown)
	})
}

func TestACallWhoseContextEndedIsNotTemporary(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c := &caller{}
	require.ErrorIs(t, sender(t, testkit.Status(200, "x")).send(ended, c).Err, context.Canceled)
	require.Empty(t, c.order, "nothing is asked or sent")
	for _, fault := range []Fault{NoFault, Lost} {
		ctx, cancel := context.WithCancel(t.Context())
		c := &caller{accept: func(context.Context, []byte) (Fault, error) { cancel(); return fault, errEmpty }}
		result := sender(t, testkit.Status(200, "x")).send(ctx, c)
		require.ErrorIs(t, result.Err, context.Canceled)
		require.False(t, result.Temporary)
		require.True(t, result.MayHaveDone)
	}
}

func TestOnlyTheContextOfACallIsMatchedByItsError(t *testing.T) {
	for _, own := range []error{context.DeadlineExceeded, context.Canceled} {
		c := &caller{place: func(context.Context) error { return &StepError{What: "wait", Err: fmt.Errorf("redis: %w", own)} }}
		result := sender(t, nil).send(t.Context(), c)
		require.EqualError(t, result.Err, "wait: redis: "+own.Error())
		require.NotErrorIs(t, result.Err, own, "the context of the call has not ended")
		require.Equal(t, []string{"place"}, c.order, "an attempt without a place is not reported")
		require.Zero(t, result.Attempts)
	}
}

func TestARequestMayHaveBeenSentUnlessTheTransportOrTheErrorSaysNo(t *testing.T) {
	reset := errors.New("reset")
	for name, c := range map[string]struct {
		report func(*httptrace.ClientTrace)
		err    error
		may    bool
	}{
		"the header was written":    {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteHeaders() }, syscall.ECONNREFUSED, true},
		"the request was written":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteRequest(httptrace.WroteRequestInfo{}) }, syscall.ECONNREFUSED, true},
		"there was no connection":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x") }, reset, false},
		"no report, any error":      {nil, reset, true},
		"no report, a refusal":      {nil, fmt.Errorf("x: %w", syscall.ECONNREFUSED), false},
		"no report, a dial":         {nil, &net.OpError{Op: "dial", Err: reset}, false},
		"no report, a read":         {nil, &net.OpError{Op: "read", Err: reset}, true},
		"no report, no DNS name":    {nil, &net.DNSError{}, false},
		"no report, a certificate":  {nil, &tls.CertificateVerificationError{Err: reset}, false},
		"no report, an alert":       {nil, tls.AlertError(40), false},
		"no report, no TLS at all":  {nil, tls.RecordHeaderError{}, false},
		"no report, a remote alert": {nil, &net.OpError{Op: "remote error", Err: reset}, false},
		"no report, our own alert":  {nil, &net.OpError{Op: "local error", Err: reset}, false},
	} {
		var sent sentTrace
		if trace := sent.trace(t.Context()); c.report != nil {
			c.report(trace)
		}
		require.Equal(t, c.may, sent.may(c.err), name)
	}
}

func TestOnlyWhatWasSentOverHTTP1TakesAnotherPlaceToBeSentAgain(t *testing.T) {
	twice := []string{"ended 0 0s 2s", "place", "ended 0 0s 0s", "place"}
	for name, c := range map[string]struct {
		field   string // of the header
		address string // of the first connection
		wrote   bool
		want    []string
	}{
		"it was sent":                        {"Host", "x:443", true, twice},
		"it was not sent":                    {"Host", "x:443", false, nil},
		"it was sent over HTTP/2":            {":authority", "x:443", true, nil},
		"it was sent over HTTP/2 of Go 1.27": {"", "x:443", true, nil},
		"another request was sent elsewhere": {"Host", "tokens:443", true, twice[2:]},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller := &caller{place: func(context.Context) error {
					time.Sleep(time.Minute)
					return nil
				}}
				sent := sentTrace{req: httptest.NewRequest("GET", "https://x/", nil), began: time.Now(), caller: caller, most: mostUnread}
				trace := sent.trace(t.Context())
				for _, address := range []string{c.address, "x:443"} {
					trace.GetConn(address)
					if address == c.address && len(caller.order) == 0 && len(c.want) != 2 {
						time.Sleep(2 * time.Second)
					}
					if c.field != "" {
						trace.WroteHeaderField(c.field, nil)
					}
					if c.wrote {
						trace.WroteHeaders()
					}
				}
				trace.GetConn("x:443")
				require.Equal(t, c.want, caller.order)
				require.Equal(t, time.Duration(len(c.want)/2)*time.Minute, time.Duration(sent.waited.Load()))
			})
		})
	}
}

// resends is a transport that sends a request over HTTP/1, loses it and sends it again, three times.
func resends(req *http.Request) (*http.Response, error) {
	trace := httptrace.ContextClientTrace(req.Context())
	for range 3 {
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		trace.GetConn(addressOf(req.URL))
		trace.WroteHeaderField("Host", nil)
		trace.WroteHeaders()
		time.Sleep(10 * time.Second)
	}
	return testkit.Respond(200, nil, "{}"), nil
}

func TestEachSendHasOnePlaceAtATimeAndItsOwnDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller := &caller{}
		result := sender(t, resends).send(t.Context(), caller, func(in *Call) { in.Timeout = time.Hour })
		require.Nil(t, result.Err)
		require.Equal(t, []string{"place", "ended 0 0s 10s", "place", "ended 0 0s 10s", "place", "accept {}", "ended 200 0s 10s", "attempted 200"}, caller.order)
	})
}

func TestAnAttemptEndsWithoutAnotherPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller := &caller{}
		caller.place = func(context.Context) error {
			if len(caller.order) > 1 {
				return errors.New("closed")
			}
			return nil
		}
		result := sender(t, resends).send(t.Context(), caller, func(in *Call) { in.MaxRetries = 0 })
		require.EqualError(t, result.Err.Err(), "closed")
		require.Equal(t, []string{"place", "ended 0 0s 10s", "place", "attempted 0"}, caller.order)
	})
}

// The body of a 101 is the connection, which the service may keep open, and which no context ends.
func TestA101EndsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, func(*http.Request) (*http.Response, error) {
			open, _ := io.Pipe()
			response := testkit.Respond(101, nil, "")
			response.Body = open
			return response, nil
		})
		result := s.send(t.Context(), &caller{}, func(in *Call) { in.Class = Unsafe })
		require.True(t, result.Unknown)
		require.Equal(t, 101, result.StatusCode)
	})
}

// A service that is overloaded may refuse all requests of HTTP/2 unread. net/http sends them again at
// once, on another connection, as long as the attempt may take. It cannot be seen that one was read
// after all, so that what must not be done twice is not sent again.
func TestAnAttemptEndsWhenItIsSentAgainAndAgainOverHTTP2(t *testing.T) {
	for class, want := range map[Class]struct{ attempts, sends int }{Read: {3, mostUnread}, Unsafe: {1, 1}} {
		synctest.Test(t, func(t *testing.T) {
			sends := 0
			s := sender(t, func(req *http.Request) (*http.Response, error) {
				trace := httptrace.ContextClientTrace(req.Context())
				for range 100 {
					trace.GetConn("service.test:443")
					if err := req.Context().Err(); err != nil {
						return nil, err
					}
					trace.WroteHeaders()
					sends++
				}
				return testkit.Respond(200, nil, "{}"), nil
			})
			result := s.send(t.Context(), &caller{}, func(in *Call) { in.Class, in.MaxRetries = class, 2 })
			require.EqualError(t, result.Err.Err(), errReset.Error())
			require.Equal(t, want.attempts, result.Attempts)
			require.Equal(t, want.attempts*want.sends, sends)
			require.Equal(t, class == Unsafe, result.Unknown)
		})
	}
}

// net/http reads a status of three digits, whatever they are.
func TestAStatusThatIsNoneIsNoResponse(t *testing.T) {
	for _, status := range []int{0, 42, 99} {
		s := sender(t, func(*http.Request) (*http.Response, error) { return testkit.Respond(status, nil, "{}"), nil })
		result := s.send(t.Context(), &caller{}, func(in *Call) { in.Class = Unsafe })
		require.EqualError(t, result.Err.Err(), fmt.Sprintf("the response has the status %03d", status))
		require.True(t, result.Unknown)
		require.Zero(t, result.StatusCode)
	}
}
