package faults_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheErrorOfARefusedRedirectDoesNotQuoteNetHTTP(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		return testkit.Respond(307, http.Header{"Location": {"https://evil.test/"}}, ""), nil
	}))
	require.EqualError(t, kit.Second(client.Locations.List(t.Context())),
		"monitoring: GET /v1/locations at monitoring.test: redirect refused: it leads to https://evil.test, which is another host, port or scheme (last status 307)")
}

func TestAnyStatusOf200IsASuccess(t *testing.T) {
	for code, ok := range map[int]bool{199: false, 200: true, 299: true, 300: false} {
		err := kit.Second(kit.Client(t, testkit.Status(code, "[]"), monitoring.WithMaxRetries(0)).Locations.List(t.Context()))
		require.Equal(t, ok, err == nil, "%d: %v", code, err)
	}
}

func TestAFinalFailureBeforeTheContextEndedIsTheReason(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client := kit.Client(t, testkit.Faults["TLS alert"], monitoring.WithAttemptHook(func(context.Context, monitoring.Attempt) { cancel() }))
	err := kit.Second(client.Locations.List(ctx))
	require.ErrorContains(t, err, "protocol version not supported")
	require.NotErrorIs(t, err, context.Canceled)
}

// TestAContextThatEndsInTheBodyOfAnErrorIsInTheError has responses whose status arrives and
// whose body stalls. The status still says whether a create was carried out.
func TestAContextThatEndsInTheBodyOfAnErrorIsInTheError(t *testing.T) {
	for name, c := range map[string]struct {
		kind    string
		code    int
		want    error
		unknown bool
	}{
		"a read, 503":    {"read", 503, monitoring.ErrServer, false},
		"a read, 404":    {"read", 404, monitoring.ErrNotFound, false},
		"a delete, 409":  {"delete", 409, monitoring.ErrConflict, false},
		"a create, 400":  {"create", 400, monitoring.ErrBadRequest, false},
		"a trigger, 401": {"trigger", 401, monitoring.ErrUnauthorized, false},
		"a trigger, 429": {"trigger", 429, monitoring.ErrRateLimited, false},
		"a trigger, 503": {"trigger", 503, monitoring.ErrServer, true},
		"a create, 500":  {"create", 500, monitoring.ErrServer, true},
		"a create, 408":  {"create", 408, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, stallingAfter(c.code, `{"message":"`), monitoring.WithTimeout(time.Minute))
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				err := kit.FirstOfKind[c.kind](ctx, client)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
				if c.want != nil {
					require.ErrorIs(t, err, c.want)
				}
				failed, ok := errors.AsType[*monitoring.CallError](err)
				require.True(t, ok)
				require.Equal(t, c.code, failed.LastStatus)
				require.Equal(t, 1, failed.Attempts)
				response, ok := errors.AsType[*monitoring.APIError](err)
				require.True(t, ok)
				require.Equal(t, c.code, response.StatusCode)
				require.Equal(t, `{"message":"`, string(response.Body))
				require.ErrorContains(t, err, ": read the response: context deadline exceeded")
				require.ErrorContains(t, err, fmt.Sprintf("(last status %d)", c.code))

				// The time of an attempt is not the end of the context: the status counts.
				client = kit.Client(t, stallingAfter(c.code, `{"message":"`), monitoring.WithTimeout(time.Second), monitoring.WithMaxRetries(0))
				err = kit.FirstOfKind[c.kind](t.Context(), client)
				require.IsType(t, (*monitoring.APIError)(nil), err)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
			})
		})
	}
}

func TestTheCauseOfAContextThatEndsInTheBodyOfAnErrorIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(errors.New("no more use for key-123")) })
		err := kit.Second(kit.Client(t, stallingAfter(500, "")).Locations.List(ctx))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.ErrorContains(t, err, "read the response: context canceled: no more use for")
		require.NotContains(t, err.Error(), "key-123")
	})
}

func TestAContextThatEndsAfterTheBodyOfAnErrorIsNotInTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(503, nil, "")
			resp.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
			return resp, nil
		})
		for name, transport := range map[string]testkit.RoundTripper{
			"a body that is cut":       cut,
			"more than an error keeps": stallingAfter(503, strings.Repeat("x", keptBody)),
		} {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			client := kit.Client(t, transport, monitoring.WithMaxRetries(0), monitoring.WithAttemptHook(func(context.Context, monitoring.Attempt) { stop() }))
			err := kit.Second(client.Locations.List(ctx))
			require.IsType(t, (*monitoring.APIError)(nil), err, name)
			require.Error(t, ctx.Err(), name)
		}
	})
}

// stalled is a body that does not arrive until the context has ended.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// stallingAfter responds with the beginning of a body, whose rest does not arrive.
func stallingAfter(code int, beginning string) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		resp := testkit.Respond(code, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(io.MultiReader(strings.NewReader(beginning), stalled{req.Context()}))
		return resp, nil
	}
}

func TestACreateWhoseResponseCannotBeReadWasCarriedOut(t *testing.T) {
	const note = "it was carried out, but its response cannot be read"
	create := func(c *monitoring.Client) error {
		return kit.Second(c.Checks.CreateTCP(t.Context(), monitoring.TCPCheckCreate{Name: "n", Request: monitoring.TCPRequest{Hostname: "h", Port: 1}}))
	}
	for code, carriedOut := range map[int]bool{200: true, 201: true, 299: true} {
		err := create(kit.Client(t, testkit.Status(code, `{"id":[]}`)))
		require.Equal(t, carriedOut, errors.As(err, new(*monitoring.DecodeError)), err)
		require.ErrorContains(t, err, note)
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	}
	require.NotContains(t, create(kit.Client(t, testkit.Status(201, ``))).Error(), note, "the outcome is unknown")
	require.NotContains(t, kit.Second(kit.Client(t, testkit.Status(200, `{"id":[]}`)).CheckGroups.Get(t.Context(), 1)).Error(), note, "a read has no such note")

	// A DecodeError of the key source is about another response.
	asked := 0
	client := kit.NewClient(t, "https://monitoring.test", "", &http.Client{Transport: testkit.Faults["401"]}, monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
		if asked++; asked == 1 {
			return "key-1", nil
		}
		return "", &monitoring.DecodeError{Err: errors.New("no key in it")}
	}))
	err := create(client)
	require.ErrorContains(t, err, "get the API key: ")
	require.NotContains(t, err.Error(), note)
}

func TestAResponseOfAnEarlierCallIsReplaced(t *testing.T) {
	response := monitoring.Response{StatusCode: 200, Attempts: 7, Body: []byte("old")}
	client := kit.Client(t, testkit.Faults["refused connection"], monitoring.WithMaxRetries(0))
	require.Error(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithResponse(&response))))
	require.Equal(t, []any{0, 1, []byte(nil)}, []any{response.StatusCode, response.Attempts, response.Body})
	require.Error(t, kit.Second(client.CheckGroups.Get(t.Context(), 0, monitoring.WithResponse(&response))))
	require.Equal(t, monitoring.Response{}, response)
}

func TestADeleteSucceedsIfALostAttemptMayHaveDoneTheWork(t *testing.T) {
	for name, c := range map[string]struct {
		first   string
		succeed bool
	}{
		"404 after a reset":              {"reset after the request is written", true},
		"404 after a 408":                {"408", true},
		"404 after a 499":                {"499", true},
		"404 after a 502":                {"502 in HTML", true},
		"404 after a 504":                {"504", true},
		"404 after a 503":                {"503", false},
		"404 after a 500":                {"500", false},
		"404 after a 429":                {"429", false},
		"404 after a refused connection": {"refused connection", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if sent++; sent == 1 {
						return testkit.Faults[c.first](req)
					}
					return testkit.Faults["404"](req)
				}))
				err := client.StatusPageServices.Delete(t.Context(), kit.UUID1)
				if c.succeed {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, monitoring.ErrNotFound)
				}
			})
		})
	}
}

func TestATransportThatReturnsNothingOrBothIsAnError(t *testing.T) {
	closed := false
	for name, transport := range map[string]testkit.RoundTripper{
		"nothing at all": func(*http.Request) (*http.Response, error) { return nil, nil },
		"both a response and an error": func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(200, nil, "[]")
			resp.Body = &closing{&closed}
			return resp, errors.New("odd")
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kit.Client(t, transport, monitoring.WithMaxRetries(0)).Locations.List(t.Context())
			require.Error(t, err)
		})
	}
	require.True(t, closed)
	resp := testkit.Respond(200, nil, "")
	resp.Body, resp.Header = nil, nil
	require.NoError(t, kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return resp, nil })).Dashboards.Delete(t.Context(), "d"))
}

func TestAWriterThatFailsEndsTheCopy(t *testing.T) {
	sent := 0
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return testkit.Respond(200, nil, `{"openapi":"3.0.0"}`), nil
	}))
	err := client.OpenAPI(t.Context(), testkit.FailingWriter{})
	require.ErrorContains(t, err, "monitoring: GET /openapi.json at monitoring.test: copy the response: disk full")
	require.Equal(t, 1, sent)
}

type closing struct{ closed *bool }

func (c *closing) Read([]byte) (int, error) { return 0, io.EOF }
func (c *closing) Close() error             { *c.closed = true; return nil }

func TestAStreamHasNoBodyOfAnEarlierAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.InTurn(testkit.Status(503, "busy"), testkit.Status(200, `{"openapi":"3.0.0"}`)))
		var out bytes.Buffer
		var response monitoring.Response
		require.NoError(t, client.OpenAPI(t.Context(), &out, monitoring.WithResponse(&response)))
		require.Equal(t, `{"openapi":"3.0.0"}`, out.String())
		require.Nil(t, response.Body)
		require.Equal(t, 200, response.StatusCode)
	})
}

// TestABodyThatIsNotReadDecidesNothing has bodies of successes that are of no use to an operation
// that returns only an error. The service has carried it out.
func TestABodyThatIsNotReadDecidesNothing(t *testing.T) {
	calls := map[string]func(context.Context, *monitoring.Client, ...monitoring.CallOption) error{
		"a delete": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return c.Dashboards.Delete(ctx, "x", opts...)
		},
		"a cancel": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return c.CheckSessions.Cancel(ctx, kit.UUID1, monitoring.CancelRequest{}, opts...)
		},
		"an untyped call": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return kit.Second(monitoring.Do[struct{}](ctx, c, "POST", "/v1/x", nil, nil, opts...))
		},
	}
	for name, c := range map[string]struct {
		announced int64
		body      func(context.Context) io.Reader
		kept      int // bytes in the Body of WithResponse
	}{
		"cut": {100, func(context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(`{"ok"`), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, 5},
		"announced too large": {1 << 40, func(context.Context) io.Reader { return strings.NewReader(`{}`) }, 2},
		"without an end":      {-1, func(context.Context) io.Reader { return endless{} }, 1 << 20},
		"stalled":             {-1, func(ctx context.Context) io.Reader { return io.MultiReader(strings.NewReader(`{}`), stalled{ctx}) }, 2},
	} {
		for of, call := range calls {
			t.Run(of+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sent := 0
					client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						sent++
						resp := testkit.Respond(200, nil, "")
						resp.ContentLength, resp.Body = c.announced, io.NopCloser(c.body(req.Context()))
						return resp, nil
					}), monitoring.WithMaxResponseSize(1<<20))
					var response monitoring.Response
					require.NoError(t, call(t.Context(), client))
					require.NoError(t, call(t.Context(), client, monitoring.WithResponse(&response)))
					require.Equal(t, 2, sent)
					require.Len(t, response.Body, c.kept)
					ctx, stop := context.WithTimeout(t.Context(), time.Second)
					defer stop()
					require.NoError(t, call(ctx, client), "it was carried out before the context ended")
				})
			})
		}
	}
}
