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
		"a read, 404":    {"read", 404, monitoring.ErrNotFound, false},
		"a create, 400":  {"create", 400, monitoring.ErrBadRequest, false},
		"a trigger, 503": {"trigger", 503, monitoring.ErrServer, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				err := kit.FirstOfKind[c.kind](ctx, kit.Client(t, stallingAfter(c.code, `{"message":"`)))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorIs(t, err, c.want)
				require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
				require.ErrorContains(t, err, ": read the response: context deadline exceeded")
				require.ErrorContains(t, err, fmt.Sprintf("(last status %d, ended after 1s", c.code))
				response, ok := errors.AsType[*monitoring.APIError](err)
				require.True(t, ok)
				require.Equal(t, `{"message":"`, string(response.Body))

				// The time of an attempt is not the end of the context: the status counts. Neither is what
				// ends after as much has arrived as an error keeps.
				for _, beginning := range []string{`{"message":"`, strings.Repeat("x", keptBody)} {
					ended, end := context.WithCancel(t.Context())
					client := kit.Client(t, stallingAfter(c.code, beginning), monitoring.WithTimeout(time.Second), monitoring.WithMaxRetries(0),
						monitoring.WithAttemptHook(func(context.Context, monitoring.Attempt) { end() }))
					err = kit.FirstOfKind[c.kind](ended, client)
					require.IsType(t, (*monitoring.APIError)(nil), err)
					require.NotErrorIs(t, err, context.Canceled)
					require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
				}
			})
		})
	}
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

func TestADecodeErrorOfTheKeySourceIsAboutAnotherResponse(t *testing.T) {
	asked := 0
	client := kit.NewClient(t, "https://monitoring.test", "", &http.Client{Transport: testkit.Faults["401"]}, monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
		if asked++; asked == 1 {
			return "key-1", nil
		}
		return "", &monitoring.DecodeError{Err: errors.New("no key in it")}
	}))
	err := kit.FirstOfKind["create"](t.Context(), client)
	require.ErrorContains(t, err, "get the API key: ")
	require.NotContains(t, err.Error(), "it was carried out")
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
	for first, succeeds := range map[string]bool{
		"reset after the request is written": true, "408": true, "499": true, "502 in HTML": true, "504": true,
		"503": false, "500": false, "429": false, "refused connection": false,
	} {
		t.Run("404 after "+first, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := kit.Client(t, testkit.InTurn(testkit.Faults[first], testkit.Faults["404"])).StatusPageServices.Delete(t.Context(), kit.UUID1)
				require.Equal(t, succeeds, err == nil)
				require.Equal(t, !succeeds, errors.Is(err, monitoring.ErrNotFound))
			})
		})
	}
}

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
		"an untyped call": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
			return kit.Second(monitoring.Do[struct{}](ctx, c, "POST", "/v1/x", nil, nil, opts...))
		},
	}
	for name, c := range map[string]struct {
		announced int64
		body      func(context.Context) io.Reader
		kept      int // bytes in the Body of WithResponse, 0 if it cannot be had
	}{
		"cut": {100, func(context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(`{"ok"`), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, 0},
		"announced too large": {1 << 40, func(context.Context) io.Reader { return strings.NewReader(`{}`) }, 2},
		"without an end":      {-1, func(context.Context) io.Reader { return endless{} }, 1 << 20},
		"stalled":             {-1, func(ctx context.Context) io.Reader { return io.MultiReader(strings.NewReader(`{}`), stalled{ctx}) }, 0},
	} {
		for of, call := range calls {
			t.Run(of+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						resp := testkit.Respond(200, nil, "")
						resp.ContentLength, resp.Body = c.announced, io.NopCloser(c.body(req.Context()))
						return resp, nil
					}), monitoring.WithMaxResponseSize(1<<20))
					var response monitoring.Response
					require.NoError(t, call(t.Context(), client))
					if c.kept > 0 {
						require.NoError(t, call(t.Context(), client, monitoring.WithResponse(&response)))
						require.Len(t, response.Body, c.kept)
					}
					ctx, stop := context.WithTimeout(t.Context(), time.Second)
					defer stop()
					require.NoError(t, call(ctx, client), "it was carried out before the context ended")
				})
			})
		}
	}
}
