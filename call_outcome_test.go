package monitoring

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

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
	client := makeClient(t, "https://monitoring.test", "", &http.Client{Transport: faults["401"]}, WithKeySource(func(context.Context) (string, error) {
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
		value, err := call[untidy](t.Context(), &service{client}, &operation{method: "GET", path: path("/v1/x"), class: classRead}, nil)
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
		"404 after a 502":                {"502 in HTML", true},
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
