package monitoringtest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
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

const mostBody = 16 << 20

// padded is a JSON object of a number of bytes.
func padded(size int) string {
	return `{"name":"` + strings.Repeat("x", size-len(`{"name":""}`)) + `"}`
}

var tooLarge = sync.OnceValue(func() string { return padded(mostBody + 1) })

func TestABodyOverSixteenMebibytesIsRefused(t *testing.T) {
	fits, tooLarge := padded(mostBody), tooLarge()
	const refused = "Payload content length greater than maximum allowed: 16777216"
	for name, test := range map[string]struct {
		method, path, body string
		length             int64 // -1: not declared
		status             int
		message            string
	}{
		"the largest that is taken":            {"PUT", "/v2/check-groups/7", fits, mostBody, 404, "Not Found"},
		"the largest, not declared":            {"PUT", "/v2/check-groups/7", fits, -1, 404, "Not Found"},
		"one byte more":                        {"PUT", "/v2/check-groups/7", tooLarge, mostBody + 1, 413, refused},
		"one byte more, not declared":          {"PUT", "/v2/check-groups/7", tooLarge, -1, 413, refused},
		"of a newer operation":                 {"POST", "/v1/checks/tcp", tooLarge, mostBody + 1, 413, refused},
		"of an operation that takes no body":   {"GET", "/v1/locations", tooLarge, mostBody + 1, 413, refused},
		"of an operation that a test taught":   {"POST", "/v1/taught", tooLarge, -1, 413, refused},
		"of a request with other mistakes":     {"PUT", "/v2/check-groups/x?y=z", tooLarge, -1, 413, refused},
		"of an operation that does not exist":  {"POST", "/v1/unknown", tooLarge, -1, 404, "Not Found"},
		"small, of an operation that is there": {"POST", "/v1/taught", "{}", 2, 201, ""},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Handle("POST /v1/taught", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201) }))
			build := func() *http.Request {
				request := newRequest(t, test.method, test.path, test.body)
				request.ContentLength = test.length
				request.Body = &counting{Reader: strings.NewReader(test.body)}
				return request
			}
			response, body := sendOnce(t, svc, build())
			require.Equal(t, test.status, response.StatusCode)
			if test.status != 413 {
				return
			}
			sent := 1
			if strings.HasPrefix(name, "one byte more") {
				require.Equal(t, 413, statusInEachWay(t, svc, build))
				sent += 3
			}
			require.Len(t, svc.Unexpected(), sent, "it broke a rule")
			for _, r := range svc.Requests() {
				require.Empty(t, r.Body, "and is not kept")
				require.Equal(t, refused, r.Refusal)
			}
			require.JSONEq(t, `{"statusCode":413,"error":"Request Entity Too Large","message":"`+refused+`"}`, body)
			require.Zero(t, svc.Executed("POST /v1/taught"))
		})
	}
}

// In memory a length may be declared that is not that of the body.
func TestADeclaredLengthMayBeWrong(t *testing.T) {
	for name, test := range map[string]struct {
		body     string
		declared int64
		status   int
	}{
		"more than was declared":           {tooLarge(), 2, 413},
		"much less than was declared":      {`{"target":{}}`, mostBody + 1, 413},
		"less than was declared":           {`{"target":{}}`, mostBody, 404},
		"more than was declared, but less": {`{"target":{}}`, 1, 404},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			request := newRequest(t, "POST", "/v2/check-sessions/trigger", test.body)
			body := &counting{Reader: strings.NewReader(test.body)}
			request.Body, request.ContentLength = body, test.declared
			response, _ := sendOnce(t, svc, request)
			require.Equal(t, test.status, response.StatusCode)
			require.LessOrEqual(t, body.read, mostBody+1)
			if test.declared > mostBody {
				require.Zero(t, body.read, "it is refused at once")
			}
		})
	}
}

// endless is a body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestABodyWithoutAnEndIsRefused(t *testing.T) {
	svc := monitoringtest.New()
	status := statusInEachWay(t, svc, func() *http.Request {
		request := newRequest(t, "POST", "/v1/checks/tcp", "{}")
		request.Body, request.ContentLength = &counting{Reader: endless{}}, -1
		return request
	})
	require.Equal(t, 413, status)
	require.Zero(t, svc.Executed("POST /v1/checks/tcp"))
}

// Many HTTP libraries send all of a body before they read the response.
func TestAClientThatSendsAllBeforeItReadsSeesTheRefusal(t *testing.T) {
	svc := monitoringtest.New()
	mux := http.NewServeMux()
	mux.Handle("/", svc)
	mux.Handle(monitoringtest.ControlPath, svc.Control())
	server := httptest.NewServer(mux)
	defer server.Close()
	for name, test := range map[string]struct {
		path, key, header string
		status            int
	}{
		"of an operation":            {"/v1/checks/tcp", monitoringtest.APIKey, "Content-Length: 50331648", 413},
		"of an operation, in chunks": {"/v1/checks/tcp", monitoringtest.APIKey, "Transfer-Encoding: chunked", 413},
		"of the control":             {monitoringtest.ControlPath + "seed", "", "Content-Length: 50331648", 413},
		"with a wrong key":           {"/v1/checks/tcp", "wrong", "Content-Length: 50331648", 401},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			defer conn.Close()
			require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second))) // so that a failure ends
			_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: fake\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n\r\n",
				test.path, test.key, test.header)
			require.NoError(t, err)
			chunked := strings.HasPrefix(test.header, "Transfer")
			if chunked {
				_, err = io.WriteString(conn, "3000000\r\n") // 48 MiB
				require.NoError(t, err)
			}
			_, err = io.CopyN(conn, endless{}, 48<<20)
			require.NoError(t, err, "the connection stays open until all is sent")
			if chunked {
				_, err = io.WriteString(conn, "\r\n0\r\n\r\n")
				require.NoError(t, err)
			}
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.Equal(t, test.status, response.StatusCode)
		})
	}
}

func TestTheControlRefusesABodyOverSixteenMebibytes(t *testing.T) {
	svc := monitoringtest.New()
	for _, declared := range []int64{mostBody + 1, -1} {
		request := httptest.NewRequest("POST", monitoringtest.ControlPath+"seed", strings.NewReader(tooLarge()))
		request.ContentLength = declared
		w := httptest.NewRecorder()
		svc.Control().ServeHTTP(w, request)
		require.Equal(t, 413, w.Code)
		require.Contains(t, w.Body.String(), "over 16777216 bytes")
	}
}

// Many large bodies at once would fill the memory.
func TestLargeBodiesAreHandledAFewAtATime(t *testing.T) {
	const operation = "POST /v1/taught"
	for name, test := range map[string]struct {
		size, requests int
		want           time.Duration
	}{
		"bodies up to a mebibyte at once": {1 << 20, 12, time.Second},
		"larger ones four at a time":      {1<<20 + 1, 12, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Handle(operation, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					time.Sleep(time.Second)
					body, err := io.ReadAll(r.Body)
					if err != nil || len(body) != test.size {
						panic(fmt.Sprintf("read %d bytes: %v", len(body), err))
					}
				}))
				start := time.Now()
				var requests sync.WaitGroup
				for range test.requests {
					request := newRequest(t, "POST", "/v1/taught", padded(test.size))
					requests.Go(func() { svc.Transport().RoundTrip(request) })
				}
				requests.Wait()
				require.Equal(t, test.want, time.Since(start))
				require.Equal(t, test.requests, svc.Executed(operation))
			})
		})
	}
}

func TestALargeBodyIsNotWaitedForLongerThanItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Handle("POST /v1/taught", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Hour) }))
		send := func(timeout time.Duration, body string) error {
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			defer cancel()
			request := newRequest(t, "POST", "/v1/taught", body).WithContext(ctx)
			request.ContentLength = -1
			_, err := svc.Transport().RoundTrip(request)
			return err
		}
		large := padded(2 << 20)
		for range 4 {
			go send(2*time.Hour, large)
		}
		synctest.Wait()
		start := time.Now()
		require.ErrorIs(t, send(time.Minute, large), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(start))
		require.Equal(t, 4, svc.Count(""), "it did not arrive")
		require.NoError(t, list(t, svc), "others go on")
		require.NoError(t, send(2*time.Hour, large), "and so does a large one, later")
		for range 5 {
			require.NoError(t, send(time.Minute, tooLarge()), "one that is refused makes room")
		}
		require.Equal(t, 2*time.Hour, time.Since(start))
	})
}
