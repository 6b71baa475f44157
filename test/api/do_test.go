package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestDoTakesJSONAndAnyMethod(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "")
	require.NoError(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "post", "/v1/x", nil, json.RawMessage(`{"a":1}`))))
	require.Equal(t, "POST", sent.Sent[0].Method)
	require.Equal(t, `{"a":1}`, sent.Sent[0].Body)
	for _, in := range []any{[]byte(`{}`), strings.NewReader(`{}`)} {
		_, err := monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/x", nil, in)
		require.ErrorContains(t, err, "is not sent: pass a value to encode")
	}
}

func TestDoOfBytesTakesTheBodyAsItIs(t *testing.T) {
	for _, body := range []string{"", "\ufeff{}", "<html>", `{"statusCode":500,"error":"x"}`, "\xff\x00", "192.0.2.1\n192.0.2.2\n"} {
		client, sent := kit.Recorded(t, 200, body)
		got, err := monitoring.Do[[]byte](t.Context(), client, "GET", "/v1/static-ips.txt", nil, nil)
		require.NoError(t, err)
		require.Equal(t, body, string(*got))
		require.Equal(t, "*/*", sent.Sent[0].Header.Get("Accept"))
	}
	client, sent := kit.Recorded(t, 200, "12345", monitoring.WithMaxResponseSize(4))
	require.ErrorIs(t, kit.Second(monitoring.Do[[]byte](t.Context(), client, "GET", "/v1/x", nil, nil, monitoring.WithHeader("Accept", "text/csv"))), monitoring.ErrResponseTooLarge)
	require.Equal(t, "text/csv", sent.Sent[0].Header.Get("Accept"))
	type named []byte
	require.ErrorContains(t, kit.Second(monitoring.Do[named](t.Context(), client, "GET", "/v1/x", nil, nil)), "too large", "it is decoded from JSON")
	require.ErrorContains(t, kit.Second(monitoring.Collect(monitoring.All[[]byte](t.Context(), client, "/v1/x", nil))), "a []byte would hold base64")
}

func TestWithOperationNamesAnUntypedCall(t *testing.T) {
	var names []string
	client := kit.Client(t, testkit.Faults["404"],
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { names = append(names, a.Operation) }),
		monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { names = append(names, c.Operation) }))
	_, err := monitoring.Do[any](t.Context(), client, "GET", "/v1/checks/"+kit.UUID1, nil, nil, monitoring.WithOperation("GET /v1/checks/{id}"))
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	require.Equal(t, []string{"GET /v1/checks/{id}", "GET /v1/checks/{id}"}, names)
	names = nil
	_, err = monitoring.Do[any](t.Context(), client, "GET", "/v1/checks/"+kit.UUID1, nil, nil)
	require.ErrorContains(t, err, "GET /v1/checks/"+kit.UUID1)
	require.Equal(t, "GET /v1/checks/"+kit.UUID1, names[0])
}

func TestDoRefusesInvalidTypesAndBodies(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "{}")
	ctx := t.Context()
	for name, err := range map[string]error{
		"a channel":                kit.Second(monitoring.Do[chan int](ctx, client, "POST", "/v1/x", nil, nil)),
		"an interface":             kit.Second(monitoring.Do[io.Reader](ctx, client, "POST", "/v1/x", nil, nil)),
		"a body that is a channel": kit.Second(monitoring.Do[any](ctx, client, "POST", "/v1/x", nil, make(chan int))),
		"no path":                  kit.Second(monitoring.Do[any](ctx, client, "POST", "", nil, nil)),
		"no method":                kit.Second(monitoring.Do[any](ctx, client, "", "/v1/x", nil, nil)),
		"CONNECT":                  kit.Second(monitoring.Do[any](ctx, client, "connect", "/v1/x", nil, nil)),
	} {
		require.ErrorContains(t, err, "monitoring: ", name)
	}
	require.Empty(t, sent.Sent)
}

func TestDoReturnsAValueIfThereIsNoError(t *testing.T) {
	for name, transport := range map[string]testkit.RoundTripper{
		"204": testkit.Status(204, ""), "an empty 200": testkit.Status(200, ""), "white space": testkit.Status(200, " \n"),
	} {
		got, err := monitoring.Do[monitoring.CheckGroup](t.Context(), kit.Client(t, transport), "POST", "/v1/x", nil, nil)
		require.NoError(t, err, name)
		require.Equal(t, &monitoring.CheckGroup{}, got, name)
	}
	list, err := monitoring.Do[[]monitoring.Location](t.Context(), kit.Client(t, testkit.Status(200, `[{"region":"eu-west-1"}]`)), "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.Equal(t, []monitoring.Location{{Region: "eu-west-1"}}, *list)
	none, err := monitoring.Do[struct{}](t.Context(), kit.Client(t, testkit.Status(200, `not read`)), "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.NotNil(t, none)
}

func TestTheMethodOfAnUntypedCallSaysWhetherItIsRetried(t *testing.T) {
	for method, retried := range map[string]bool{
		"GET": true, "HEAD": true, "OPTIONS": true, "PUT": true, "DELETE": true, "POST": false, "PATCH": false, "BREW": false,
	} {
		synctest.Test(t, func(t *testing.T) {
			client := kit.Client(t, testkit.Faults["reset after the request is written"], monitoring.WithMaxRetries(1))
			var response monitoring.Response
			_, err := monitoring.Do[struct{}](t.Context(), client, method, "/v1/x", nil, nil, monitoring.WithResponse(&response))
			require.Equal(t, retried, response.Attempts == 2, method)
			require.Equal(t, !retried, errors.Is(err, monitoring.ErrOutcomeUnknown), method)
		})
	}
}
