package monitoringtest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// body is the body of a request, which may fail.
type body struct {
	io.Reader
	closed error
}

func (b body) Close() error { return b.closed }

func TestARequestWhoseBodyCannotBeReadDoesNotArrive(t *testing.T) {
	broken, unclosed := errors.New("broken"), errors.New("not closed")
	for name, test := range map[string]struct {
		body body
		want error
	}{
		"it breaks off":         {body{iotest.ErrReader(broken), nil}, broken},
		"it cannot be closed":   {body{strings.NewReader("{}"), unclosed}, unclosed},
		"the first error is it": {body{iotest.ErrReader(broken), unclosed}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			request := newRequest(t, "POST", "/v2/check-sessions/trigger", "{}")
			request.Body = test.body
			_, err := svc.Transport().RoundTrip(request)
			require.ErrorIs(t, err, test.want)
			require.Zero(t, svc.Count(""))
		})
	}
}

func TestARequestWithoutAMethodIsAGet(t *testing.T) {
	svc := monitoringtest.New()
	request := newRequest(t, "GET", "/v1/locations", "")
	request.Method = ""
	response, err := svc.Transport().RoundTrip(request)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, 1, svc.Count("GET /v1/locations"))
}

func TestAResponseInMemoryLooksLikeARealOne(t *testing.T) {
	svc := monitoringtest.New()
	get := func(method, address string) *http.Response {
		request := newRequest(t, method, "/v1/locations", "")
		request.URL.Scheme, _, _ = strings.Cut(address, "://")
		response, err := svc.Transport().RoundTrip(request)
		require.NoError(t, err)
		require.Same(t, request, response.Request)
		return response
	}
	response := get("GET", "https://monitoring.test")
	require.Equal(t, "200 OK", response.Status)
	require.Equal(t, []any{"HTTP/1.1", 1, 1}, []any{response.Proto, response.ProtoMajor, response.ProtoMinor})
	require.True(t, response.TLS.HandshakeComplete)
	require.Equal(t, "monitoring.test", response.TLS.ServerName)
	require.NoError(t, response.Body.Close())
	_, err := response.Body.Read(make([]byte, 1))
	require.ErrorIs(t, err, http.ErrBodyReadAfterClose)

	response = get("GET", "http://monitoring.test")
	require.Nil(t, response.TLS)
	length := response.ContentLength
	require.Positive(t, length)

	svc.Handle("HEAD /v1/locations", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x") }))
	response = get("HEAD", "https://monitoring.test")
	require.Equal(t, http.NoBody, response.Body)
	require.Equal(t, int64(1), response.ContentLength)
	svc.Inject(monitoringtest.Fault{Status: 200, NoBody: true, Times: 1}, monitoringtest.Fault{Status: 200, Body: "x"})
	response = get("GET", "https://monitoring.test")
	require.Equal(t, http.NoBody, response.Body)
	require.Equal(t, "0", response.Header.Get("Content-Length"))
	require.Empty(t, response.Header.Get("Content-Type"))
	response = get("GET", "https://monitoring.test")
	require.Equal(t, "1", response.Header.Get("Content-Length"))
	require.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"))
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, "x", string(text))
	svc.ClearFaults()
	response = get("GET", "https://monitoring.test")
	n, err := response.Body.Read(make([]byte, 10_000))
	require.NoError(t, err)
	require.Equal(t, response.ContentLength, int64(n), "all of it is there at once")
}

func TestTheHooksOfARequestAreCalledInOrder(t *testing.T) {
	for name, test := range map[string]struct {
		address string
		fault   monitoringtest.Fault
		want    string
	}{
		"of a response":                         {monitoringtest.BaseURL, monitoringtest.Fault{}, "get monitoring.test:443, got, headers, request, first byte"},
		"without TLS":                           {"http://monitoring.test", monitoringtest.Fault{}, "get monitoring.test:80, got, headers, request, first byte"},
		"with a port":                           {"http://monitoring.test:8080", monitoringtest.Fault{}, "get monitoring.test:8080, got, headers, request, first byte"},
		"of a refused connection":               {monitoringtest.BaseURL, monitoringtest.Fault{Kind: monitoringtest.FaultRefuse}, "get monitoring.test:443"},
		"of a connection reset before":          {monitoringtest.BaseURL, monitoringtest.Fault{Kind: monitoringtest.FaultResetBeforeWrite}, "get monitoring.test:443, got"},
		"of a connection reset after the write": {monitoringtest.BaseURL, monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter}, "get monitoring.test:443, got, headers, request"},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			add := func(hook string) { called = append(called, hook) }
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GetConn: func(address string) { add("get " + address) },
				GotConn: func(httptrace.GotConnInfo) { add("got") }, WroteHeaders: func() { add("headers") },
				WroteRequest: func(httptrace.WroteRequestInfo) { add("request") }, GotFirstResponseByte: func() { add("first byte") },
			})
			svc := monitoringtest.New()
			svc.Inject(test.fault)
			request, err := http.NewRequestWithContext(ctx, "GET", test.address+"/v1/locations", nil)
			require.NoError(t, err)
			svc.Transport().RoundTrip(request)
			require.Equal(t, test.want, strings.Join(called, ", "))
		})
	}
}

// The addresses are those that are reserved for documentation.
func TestAConnectionInMemoryOnlyHasAddresses(t *testing.T) {
	var conn net.Conn
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { conn = info.Conn }})
	svc := monitoringtest.New()
	svc.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetUnhandled})
	_, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", "").WithContext(ctx))
	require.EqualError(t, err, "read tcp 192.0.2.2:443: read: connection reset by peer")
	require.Equal(t, "192.0.2.1:49152", conn.LocalAddr().String())
	require.Equal(t, "192.0.2.2:443", conn.RemoteAddr().String())
	n, err := conn.Read(make([]byte, 1))
	require.Zero(t, n)
	require.ErrorIs(t, err, net.ErrClosed)
	n, err = conn.Write([]byte("x"))
	require.Zero(t, n)
	require.ErrorIs(t, err, net.ErrClosed)
}

// A request whose context ends while it waits has the cause of the context as its error.
func TestAContextThatEndsIsTheErrorOfTheRequest(t *testing.T) {
	stop := errors.New("the user pressed a key")
	for name, fault := range map[string]monitoringtest.Fault{
		"before a connection is refused":     {Kind: monitoringtest.FaultRefuse, Delay: time.Minute},
		"before a connection is reset":       {Kind: monitoringtest.FaultResetBeforeWrite, Delay: time.Minute},
		"before the request is handled":      {Delay: time.Minute},
		"after the request was handled":      {DelayAfter: time.Minute},
		"while the body of it is on its way": {BodyTime: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Inject(fault)
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, stop)
				defer cancel()
				start := time.Now()
				response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", "").WithContext(ctx))
				if fault.BodyTime > 0 {
					require.NoError(t, err)
					_, err = io.ReadAll(response.Body)
				} else {
					require.Nil(t, response)
				}
				require.ErrorIs(t, err, stop)
				require.Equal(t, time.Second, time.Since(start))
			})
		})
	}
}

// The pieces of a slow body arrive at even distances, whatever its length is.
func TestASlowBodyArrivesInTenPieces(t *testing.T) {
	for name, test := range map[string]struct {
		fault monitoringtest.Fault
		want  []string // a piece for each second; "" for none
		end   error
	}{
		"of equal length":         {monitoringtest.Fault{Body: "abcdefghijklmnopqrst"}, []string{"ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st"}, nil},
		"the last ones longer":    {monitoringtest.Fault{Body: "abcdefghijklmno"}, []string{"a", "bc", "d", "ef", "g", "hi", "j", "kl", "m", "no"}, nil},
		"of which some are empty": {monitoringtest.Fault{Body: "ab"}, []string{"", "", "", "", "a", "", "", "", "", "b"}, nil},
		"up to the middle": {
			monitoringtest.Fault{Body: "abcdefghijklmnopqrst", Kind: monitoringtest.FaultCutBody}, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, io.ErrUnexpectedEOF,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				test.fault.BodyTime = 10 * time.Second
				svc.Inject(test.fault)
				response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", ""))
				require.NoError(t, err)
				start := time.Now()
				got := make([]string, 10)
				p := make([]byte, 100)
				for {
					var n int
					if n, err = response.Body.Read(p); err != nil {
						break
					}
					got[time.Since(start)/time.Second-1] += string(p[:n])
				}
				require.Equal(t, test.want, got)
				if test.end == nil {
					test.end = io.EOF
				}
				require.ErrorIs(t, err, test.end)
				require.Equal(t, 10*time.Second, time.Since(start))
			})
		})
	}
}

func TestACutBodyHasItsFirstHalf(t *testing.T) {
	svc := monitoringtest.New()
	svc.Inject(monitoringtest.Fault{Body: "abcdef", Kind: monitoringtest.FaultCutBody, Times: 1}, monitoringtest.Fault{Body: "x", Kind: monitoringtest.FaultCutBody})
	for _, want := range []string{"abc", ""} {
		response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", ""))
		require.NoError(t, err)
		one := make([]byte, 1) // a reader may read less than there is
		var got []byte
		for {
			var n int
			if n, err = response.Body.Read(one); err != nil {
				break
			}
			got = append(got, one[:n]...)
		}
		require.Equal(t, want, string(got))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}
	svc.ClearFaults()
	svc.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultCutBody})
	svc.AddDashboard("d")
	response, err := svc.Transport().RoundTrip(newRequest(t, "DELETE", "/v1/dashboards/d", ""))
	require.NoError(t, err)
	require.Equal(t, 204, response.StatusCode)
	require.Equal(t, http.NoBody, response.Body, "without a body it arrives whole")
	require.NotContains(t, response.Header, "Content-Length")
}
