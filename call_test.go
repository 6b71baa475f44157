package monitoring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

func TestATransportThatIsReplacedAfterNewClientIsUsed(t *testing.T) {
	users := &http.Client{}
	client := testClient(t, faults["404"], WithHTTPClient(users))
	httpmock.ActivateNonDefault(users)
	defer httpmock.DeactivateAndReset()
	httpmock.RegisterResponder("GET", "https://monitoring.test/v1/locations", httpmock.NewStringResponder(200, `[{"region":"eu-west-1"}]`))
	list, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestADefaultTransportThatIsReplacedIsUsed(t *testing.T) {
	client, err := NewClient("https://monitoring.test", "key-123")
	require.NoError(t, err)
	mock := httpmock.NewMockTransport()
	mock.RegisterNoResponder(httpmock.NewStringResponder(200, "[]"))
	standard := http.DefaultTransport
	http.DefaultTransport = mock
	defer func() { http.DefaultTransport = standard }()
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, mock.GetTotalCallCount())
	http.DefaultTransport = standard
	require.Same(t, client.core.own, client.core.transport())
	client.CloseIdleConnections()
}

func TestTheCookieJarOfTheUsersHTTPClientIsUsed(t *testing.T) {
	jar := &recordingJar{}
	client, err := NewClient("https://monitoring.test", "key-123", WithHTTPClient(&http.Client{Transport: status(200, "[]"), Jar: jar}))
	require.NoError(t, err)
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), jar.asked.Load())
}

type recordingJar struct{ asked atomic.Int64 }

func (j *recordingJar) SetCookies(*url.URL, []*http.Cookie) {}
func (j *recordingJar) Cookies(*url.URL) []*http.Cookie {
	j.asked.Add(1)
	return nil
}

func TestAtMostNineRedirectsAreFollowed(t *testing.T) {
	for redirects, want := range map[int]error{9: nil, 10: ErrRedirect, 11: ErrRedirect} {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent <= redirects {
				return respondWith(307, http.Header{"Location": {"/v1/locations?n=" + strconv.Itoa(sent)}}, ""), nil
			}
			return respondWith(200, nil, "[]"), nil
		}))
		require.ErrorIs(t, second(client.Locations.List(t.Context())), want)
		require.Equal(t, 10, sent, "%d redirects", redirects)
	}
}

func TestRedirectsStayUnderThePathOfTheBaseAddress(t *testing.T) {
	for location, followed := range map[string]bool{
		"/prefix/v1/other": true, "/prefix/v1/other?x=1": true, "https://api.service.test/prefix/x": true, "other": true,
		"/v1/other": false, "/prefixed/v1": false, "/prefix/../admin": false, "/prefix/%2e%2e/admin": false, "/": false, "../../admin": false,
		"https://api.service.test:444/prefix/x": false, "http://api.service.test/prefix/x": false, "https://evil.test/prefix/x": false,
	} {
		t.Run(location, func(t *testing.T) {
			var sent []*http.Request
			client, err := NewClient(testBase, testKey, WithMaxRetries(0), WithHTTPClient(&http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				if sent = append(sent, req); len(sent) == 1 {
					return respondWith(307, http.Header{"Location": {location}}, ""), nil
				}
				return respondWith(200, nil, "[]"), nil
			})}))
			require.NoError(t, err)
			_, err = client.Locations.List(t.Context())
			if followed {
				require.NoError(t, err)
				require.Len(t, sent, 2)
				require.Equal(t, "Bearer "+testKey, sent[1].Header.Get("Authorization"))
				return
			}
			require.ErrorIs(t, err, ErrRedirect)
			require.Len(t, sent, 1)
		})
	}
}

func TestIDsOfUpTo1024BytesAreSent(t *testing.T) {
	client := testClient(t, faults["404"])
	_, err := client.CheckSessions.Get(t.Context(), strings.Repeat("x", maxSegment))
	require.ErrorIs(t, err, ErrNotFound)
	_, err = client.CheckSessions.Get(t.Context(), strings.Repeat("x", maxSegment+1))
	require.ErrorAs(t, err, new(*ValidationError))
	require.ErrorContains(t, err, "is longer than 1024 bytes")
}

// TestLongErrorBodiesKeepTheConnection sends bodies that are longer than an error keeps. The
// rest must be read too, because net/http closes a connection whose body was not read.
func TestLongErrorBodiesKeepTheConnection(t *testing.T) {
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, strings.Repeat("x", 2*exchange.SkimmedBody))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := loopback(t, server)
	defer client.CloseIdleConnections()
	for range 5 {
		_, err := client.CheckGroups.Get(t.Context(), 1)
		apiErr, ok := errors.AsType[*APIError](err)
		require.True(t, ok)
		require.Len(t, apiErr.Body, exchange.SkimmedBody)
	}
	require.Equal(t, int64(1), connections.Load())
}

func TestTheBudgetAllowsOneRetryOfEachOfManyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen sync.Map
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if _, again := seen.LoadOrStore(req.URL.Path, true); !again {
				return faults["reset after the request is written"](req)
			}
			return respondWith(200, nil, `{"name":"g"}`), nil
		}), WithRateLimit(RateLimit{Requests: 1e6, Per: time.Second}))
		var workers sync.WaitGroup
		for i := range 100 {
			workers.Go(func() {
				if _, err := client.CheckGroups.Get(t.Context(), int64(i+1)); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			})
		}
		workers.Wait()
	})
}

func TestAnErrorSaysIfTheBudgetRefusedTheRetry(t *testing.T) {
	for name, fault := range map[string]string{"a status": "503", "a lost connection": "refused connection"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, faults[fault])
				for range 25 { // with five retries each
					require.Error(t, second(client.CheckGroups.Get(t.Context(), 1)))
				}
				var response Response
				_, err := client.CheckGroups.Get(t.Context(), 1, WithResponse(&response))
				require.Equal(t, 1, response.Attempts)
				require.ErrorContains(t, err, "the retry budget of this client is used up")
			})
		})
	}
}

func TestHooksGetTheContextAndAreCalledInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type keyOfTest struct{}
		var order []string
		note := func(name string) func(context.Context, Attempt) {
			return func(ctx context.Context, a Attempt) {
				order = append(order, fmt.Sprint(name, a.Number, ctx.Value(keyOfTest{})))
			}
		}
		var calls []Call
		client := testClient(t, faults["503 with Retry-After"], WithMaxRetries(1), WithAttemptHook(note("a")), WithAttemptHook(note("b")),
			WithCallHook(func(ctx context.Context, c Call) {
				order = append(order, fmt.Sprint("call ", ctx.Value(keyOfTest{})))
				calls = append(calls, c)
			}), WithCallHook(func(context.Context, Call) { order = append(order, "second") }))
		ctx := context.WithValue(t.Context(), keyOfTest{}, "mine")
		_, err := client.CheckGroups.Get(ctx, 1)
		require.Equal(t, []string{"a1mine", "b1mine", "a2mine", "b2mine", "call mine", "second"}, order)
		require.Len(t, calls, 1)
		require.Equal(t, err, calls[0].Err)
		calls[0].Err = nil
		require.Equal(t, Call{
			Operation: "GET /v1/check-groups/{id}", Attempts: 2, StatusCode: 503, RetryWait: 3 * time.Second, Duration: 3 * time.Second,
		}, calls[0])

		_, err = client.CheckGroups.Get(ctx, 0)
		require.Error(t, err)
		require.Equal(t, Call{Operation: "GET /v1/check-groups/{id}", Err: err}, calls[1], "the call was refused, nothing was sent")
	})
}

func TestTheCallHookReportsTheTimeInEachPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var calls []Call
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
			time.Sleep(150 * time.Millisecond)
			return respondWith(200, nil, "[]"), nil
		}), WithRateLimit(RateLimit{Requests: 1, Per: 10 * time.Second}), WithCallHook(func(_ context.Context, c Call) { calls = append(calls, c) }),
			WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		for range 2 {
			_, err := client.Locations.List(t.Context())
			require.NoError(t, err)
		}
		require.Zero(t, calls[0].LimiterWait)
		require.Equal(t, 150*time.Millisecond, calls[0].InFlight)
		require.Equal(t, 150*time.Millisecond, calls[1].InFlight)
		require.Greater(t, calls[1].LimiterWait, 9*time.Second)
		require.Equal(t, calls[1].LimiterWait+calls[1].InFlight, calls[1].Duration)
		require.Equal(t, 1, strings.Count(log.String(), "waited for the rate limit"), log.String())
		require.Contains(t, log.String(), `operation="GET /v1/locations" limiter_wait=`)
	})
}

func TestWithOperationNamesAnUntypedCall(t *testing.T) {
	var names []string
	client := testClient(t, faults["404"],
		WithAttemptHook(func(_ context.Context, a Attempt) { names = append(names, a.Operation) }),
		WithCallHook(func(_ context.Context, c Call) { names = append(names, c.Operation) }))
	_, err := Do[any](t.Context(), client, "GET", "/v1/checks/"+uuid1, nil, nil, WithOperation("GET /v1/checks/{id}"))
	require.ErrorIs(t, err, ErrNotFound)
	require.Equal(t, []string{"GET /v1/checks/{id}", "GET /v1/checks/{id}"}, names)
	names = nil
	_, err = Do[any](t.Context(), client, "GET", "/v1/checks/"+uuid1, nil, nil)
	require.ErrorContains(t, err, "GET /v1/checks/"+uuid1)
	require.Equal(t, "GET /v1/checks/"+uuid1, names[0])
}

func TestWithQuerySetsAParameter(t *testing.T) {
	client, sent := newTestClient(t, 200, `[]`)
	_, err := client.Variables.List(t.Context(), VariableListOptions{ListOptions{Limit: 5}}, WithQuery("limit", "7"), WithQuery("new", "a b"))
	require.NoError(t, err)
	require.Equal(t, "limit=7&new=a+b", strings.TrimPrefix(sent.Sent[0].URL, testBase+"/v1/variables?"))
}

func TestErrorsNameTheAddressAndTheKindOfResponse(t *testing.T) {
	client := func(base string, transport http.RoundTripper) *Client {
		return makeClient(t, base, testKey, &http.Client{Transport: transport}, WithMaxRetries(0))
	}
	html := func(code int) roundTripper { return status(code, "<html>nginx</html>") }
	get := func(c *Client) error { return second(c.CheckGroups.Get(t.Context(), 1)) }
	trigger := func(c *Client) error {
		return second(c.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}))
	}
	for name, c := range map[string]struct {
		err      error
		contains []string
		noMatch  bool
	}{
		"a proxy's 404 to a read":     {get(client("https://gw.test/mon", html(404))), []string{"at gw.test/mon", "404 Not Found", "the response is HTML, not JSON"}, false},
		"a proxy's 404 to a trigger":  {trigger(client("https://gw.test", html(404))), []string{"at gw.test", "is HTML"}, false},
		"an empty 404 to a trigger":   {trigger(client("https://gw.test", status(404, ""))), []string{"the response is empty"}, false},
		"a 404 of another path":       {trigger(client("https://gw.test", faults["404"])), []string{"404 Not Found"}, false},
		"the service's 404":           {trigger(client("https://gw.test", status(404, `{"statusCode":404,"error":"Not Found","message":"No matching checks were found."}`))), []string{"No matching checks"}, true},
		"the service's 404 in short":  {trigger(client("https://gw.test", status(404, `{"statusCode":404,"error":"Not Found"}`))), nil, true},
		"the service's 404 by code":   {trigger(client("https://gw.test", status(404, `{"error":"x","errorCode":"ERR_NO_MATCHING_CHECKS"}`))), nil, true},
		"no match of a read":          {get(client("https://gw.test", status(404, `{"message":"No matching checks were found."}`))), nil, false},
		"a base that ends in /v1":     {get(client("https://gw.test/v1/", html(404))), []string{"every path begins with /v1 already: remove it from the end of the base address"}, false},
		"a base that ends in /api/v2": {get(client("https://gw.test/api/v2", faults["404"])), []string{"every path begins with /v2 already"}, false},
		"an HTML success":             {get(client("https://gw.test/mon", html(200))), []string{"at gw.test/mon", "it is HTML, not JSON"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, c.err)
			for _, text := range c.contains {
				require.ErrorContains(t, c.err, text)
			}
			require.Equal(t, c.noMatch, errors.Is(c.err, ErrNoMatchingChecks), c.err)
		})
	}
}
