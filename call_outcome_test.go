package monitoring

import (
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

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

func TestTheAccountOfACallIsRemovedFromTheTextOfTheService(t *testing.T) {
	echo := roundTripper(func(req *http.Request) (*http.Response, error) {
		return respondWith(404, nil, `{"message":"no account `+req.Header.Get("x-service-account")+` for `+req.Header.Get("Authorization")+`"}`), nil
	})
	for name, opts := range map[string][]CallOption{"of the client": nil, "of the call": {WithAccount(uuid2)}} {
		t.Run(name, func(t *testing.T) {
			client := testClient(t, echo, WithAccount(uuid1))
			_, err := client.CheckGroups.Get(t.Context(), 1, opts...)
			require.ErrorContains(t, err, "no account [redacted] for Bearer [redacted]")
		})
	}
}

func TestTheErrorOfARefusedRedirectDoesNotQuoteNetHTTP(t *testing.T) {
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		return respondWith(307, http.Header{"Location": {"https://evil.test/"}}, ""), nil
	}))
	require.EqualError(t, second(client.Locations.List(t.Context())),
		"monitoring: GET /v1/locations at monitoring.test: redirect refused: it leads to https://evil.test, which is another host, port or scheme (last status 307)")
}

func TestAnyStatusOf200IsASuccess(t *testing.T) {
	for code, ok := range map[int]bool{199: false, 200: true, 299: true, 300: false} {
		err := second(testClient(t, status(code, "[]"), WithMaxRetries(0)).Locations.List(t.Context()))
		require.Equal(t, ok, err == nil, "%d: %v", code, err)
	}
}

func TestAFinalFailureBeforeTheContextEndedIsTheReason(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client := testClient(t, faults["TLS alert"], WithAttemptHook(func(context.Context, Attempt) { cancel() }))
	err := second(client.Locations.List(ctx))
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
		"a read, 503":    {"read", 503, ErrServer, false},
		"a read, 404":    {"read", 404, ErrNotFound, false},
		"a delete, 409":  {"delete", 409, ErrConflict, false},
		"a create, 400":  {"create", 400, ErrBadRequest, false},
		"a trigger, 401": {"trigger", 401, ErrUnauthorized, false},
		"a trigger, 429": {"trigger", 429, ErrRateLimited, false},
		"a trigger, 503": {"trigger", 503, ErrServer, true},
		"a create, 500":  {"create", 500, ErrServer, true},
		"a create, 408":  {"create", 408, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, stallingAfter(c.code, `{"message":"`), WithTimeout(time.Minute))
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				err := kinds[c.kind](ctx, client)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.unknown, errors.Is(err, ErrOutcomeUnknown))
				if c.want != nil {
					require.ErrorIs(t, err, c.want)
				}
				failed, ok := errors.AsType[*CallError](err)
				require.True(t, ok)
				require.Equal(t, c.code, failed.LastStatus)
				require.Equal(t, 1, failed.Attempts)
				response, ok := errors.AsType[*APIError](err)
				require.True(t, ok)
				require.Equal(t, c.code, response.StatusCode)
				require.Equal(t, `{"message":"`, string(response.Body))
				require.ErrorContains(t, err, ": read the response: context deadline exceeded")
				require.ErrorContains(t, err, fmt.Sprintf("(last status %d)", c.code))

				// The time of an attempt is not the end of the context: the status counts.
				client = testClient(t, stallingAfter(c.code, `{"message":"`), WithTimeout(time.Second), WithMaxRetries(0))
				err = kinds[c.kind](t.Context(), client)
				require.IsType(t, (*APIError)(nil), err)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.unknown, errors.Is(err, ErrOutcomeUnknown))
			})
		})
	}
}

func TestTheCauseOfAContextThatEndsInTheBodyOfAnErrorIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(errors.New("no more use for key-123")) })
		err := second(testClient(t, stallingAfter(500, "")).Locations.List(ctx))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, ErrServer)
		require.ErrorContains(t, err, "read the response: context canceled: no more use for")
		require.NotContains(t, err.Error(), "key-123")
	})
}

func TestAContextThatEndsAfterTheBodyOfAnErrorIsNotInTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := roundTripper(func(*http.Request) (*http.Response, error) {
			resp := respondWith(503, nil, "")
			resp.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
			return resp, nil
		})
		for name, transport := range map[string]roundTripper{
			"a body that is cut":       cut,
			"more than an error keeps": stallingAfter(503, strings.Repeat("x", exchange.SkimmedBody)),
		} {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			client := testClient(t, transport, WithMaxRetries(0), WithAttemptHook(func(context.Context, Attempt) { stop() }))
			err := second(client.Locations.List(ctx))
			require.IsType(t, (*APIError)(nil), err, name)
			require.Error(t, ctx.Err(), name)
		}
	})
}

// stallingAfter responds with the beginning of a body, whose rest does not arrive.
func stallingAfter(code int, beginning string) roundTripper {
	return func(req *http.Request) (*http.Response, error) {
		resp := respondWith(code, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(io.MultiReader(strings.NewReader(beginning), stalled{req.Context()}))
		return resp, nil
	}
}

func TestACreateWhoseResponseCannotBeReadWasCarriedOut(t *testing.T) {
	const note = "it was carried out, but its response cannot be read"
	create := func(c *Client) error { return second(c.Checks.CreateTCP(t.Context(), smtpBanner)) }
	for code, carriedOut := range map[int]bool{200: true, 201: true, 299: true} {
		err := create(testClient(t, status(code, `{"id":[]}`)))
		require.Equal(t, carriedOut, errors.As(err, new(*DecodeError)), err)
		require.ErrorContains(t, err, note)
		require.NotErrorIs(t, err, ErrOutcomeUnknown)
	}
	require.NotContains(t, create(testClient(t, status(201, ``))).Error(), note, "the outcome is unknown")
	require.NotContains(t, second(testClient(t, status(200, `{"id":[]}`)).CheckGroups.Get(t.Context(), 1)).Error(), note, "a read has no such note")

	// A DecodeError of the key source is about another response.
	asked := 0
	client := makeClient(t, "https://monitoring.test", "", &http.Client{Transport: faults["401"]}, WithKeySource(func(context.Context, Secret) (string, error) {
		if asked++; asked == 1 {
			return "key-1", nil
		}
		return "", &DecodeError{Err: errors.New("no key in it")}
	}))
	err := create(client)
	require.ErrorContains(t, err, "get the API key: ")
	require.NotContains(t, err.Error(), note)
}

// untidy is a value that keeps something of a body that cannot be read.
type untidy struct{ left, body string }

func (u *untidy) read(data []byte) error {
	if u.body = string(data); u.body == "cut" {
		u.left = "something"
		return errors.New("it is cut")
	}
	return nil
}

func TestAValueKeepsNothingOfAnEarlierAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, inTurn(status(200, "cut"), status(200, "whole")))
		value, err := call[untidy](t.Context(), &service{client.core}, &operation{method: "GET", path: path("/v1/x"), class: exchange.Read}, nil)
		require.NoError(t, err)
		require.Equal(t, &untidy{body: "whole"}, value)
	})
}

func TestAResponseOfAnEarlierCallIsReplaced(t *testing.T) {
	response := Response{StatusCode: 200, Attempts: 7, Body: []byte("old")}
	client := testClient(t, faults["refused connection"], WithMaxRetries(0))
	require.Error(t, second(client.Locations.List(t.Context(), WithResponse(&response))))
	require.Equal(t, []any{0, 1, []byte(nil)}, []any{response.StatusCode, response.Attempts, response.Body})
	require.Error(t, second(client.CheckGroups.Get(t.Context(), 0, WithResponse(&response))))
	require.Equal(t, Response{}, response)
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
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					if sent++; sent == 1 {
						return faults[c.first](req)
					}
					return faults["404"](req)
				}))
				err := client.StatusPageServices.Delete(t.Context(), uuid1)
				if c.succeed {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, ErrNotFound)
				}
			})
		})
	}
}

func TestATransportThatReturnsNothingOrBothIsAnError(t *testing.T) {
	closed := false
	for name, transport := range map[string]roundTripper{
		"nothing at all": func(*http.Request) (*http.Response, error) { return nil, nil },
		"both a response and an error": func(*http.Request) (*http.Response, error) {
			resp := respondWith(200, nil, "[]")
			resp.Body = &closing{&closed}
			return resp, errors.New("odd")
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testClient(t, transport, WithMaxRetries(0)).Locations.List(t.Context())
			require.Error(t, err)
		})
	}
	require.True(t, closed)
	resp := respondWith(200, nil, "")
	resp.Body, resp.Header = nil, nil
	require.NoError(t, testClient(t, roundTripper(func(*http.Request) (*http.Response, error) { return resp, nil })).Dashboards.Delete(t.Context(), "d"))
}

type closing struct{ closed *bool }

func (c *closing) Read([]byte) (int, error) { return 0, io.EOF }
func (c *closing) Close() error             { *c.closed = true; return nil }
