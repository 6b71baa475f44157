package monitoringtest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// counting is the body of a request that counts what is read of it.
type counting struct {
	io.Reader
	read   int
	closed bool
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

func (c *counting) Close() error { c.closed = true; return nil }

// wrongKeys are values of the header Authorization without the key of a service.
var wrongKeys = []string{"", "Bearer", "Bearer wrong", "Bearer " + monitoringtest.APIKey + "x", "Basic " + monitoringtest.APIKey, monitoringtest.APIKey}

func TestTheKeyIsCheckedBeforeABodyIsRead(t *testing.T) {
	for _, key := range wrongKeys {
		for _, path := range []string{"/v2/check-sessions/trigger", "/v1/taught", "/v1/unknown"} {
			svc := monitoringtest.New()
			svc.Handle("POST /v1/taught", http.NotFoundHandler())
			request := newRequest(t, "POST", path, "{}")
			request.Header.Set("Authorization", key)
			body := &counting{Reader: strings.NewReader(`{"target":{}}`)}
			request.Body = body
			response, _ := sendOnce(t, svc, request)
			require.Equal(t, 401, response.StatusCode)
			require.Zero(t, body.read, "in memory, with %q", key)
			require.True(t, body.closed)

			request = httptest.NewRequest("POST", path, body)
			request.Header.Set("Authorization", key)
			w := httptest.NewRecorder()
			svc.ServeHTTP(w, request)
			require.Equal(t, 401, w.Code)
			require.Zero(t, body.read, "given to the handler, with %q", key)
			require.Len(t, svc.Requests(), 2)
			for _, r := range append(svc.Requests(), svc.Unexpected()...) {
				require.Empty(t, r.Body)
			}
		}
	}
}

func TestAFaultKnowsNoBodyWithoutTheKey(t *testing.T) {
	svc := monitoringtest.New()
	const operation = "POST /v2/check-sessions/trigger"
	svc.Inject(
		monitoringtest.Fault{Operation: operation, BodyContains: "secret", Status: 500},
		monitoringtest.Fault{Operation: operation, Status: 503, Match: func(r monitoringtest.Request) bool { return len(r.Body) > 0 }},
		monitoringtest.Fault{Operation: operation, Status: 502},
	)
	request := newRequest(t, "POST", "/v2/check-sessions/trigger", `{"target":"secret"}`)
	request.Header.Del("Authorization")
	response, _ := sendOnce(t, svc, request)
	require.Equal(t, 502, response.StatusCode)
	require.Empty(t, svc.Requests()[0].Body)
}

// Over a connection the response arrives although the body does not.
func TestAResponseDoesNotWaitForABodyThatIsNotRead(t *testing.T) {
	svc := monitoringtest.New()
	address, stop := svc.Start()
	defer stop()
	for name, header := range map[string]string{
		"of some bytes":           "Content-Length: 100",
		"of very many":            "Content-Length: 99999999999",
		"of any number":           "Transfer-Encoding: chunked",
		"that is sent on request": "Content-Length: 100\r\nExpect: 100-continue",
	} {
		t.Run("a body "+name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second))) // so that a failure ends
			_, err = fmt.Fprintf(conn, "POST /v2/check-sessions/trigger HTTP/1.1\r\nHost: fake\r\nContent-Type: application/json\r\n%s\r\n\r\n", header)
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.Equal(t, 401, response.StatusCode)
		})
	}
}
