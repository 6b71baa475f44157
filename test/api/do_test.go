package api_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestDoTakesJSONAndAnyMethod(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "not read")
	ctx := t.Context()
	require.NoError(t, kit.Second(monitoring.Do[struct{}](ctx, client, "post", "/v1/x", nil, json.RawMessage(`{"a":1}`))))
	require.Equal(t, "POST", sent.Sent[0].Method)
	require.Equal(t, `{"a":1}`, sent.Sent[0].Body)
	for _, c := range []struct {
		err error
		why string
	}{
		{kit.Second(monitoring.Do[struct{}](ctx, client, "POST", "/v1/x", nil, []byte(`{}`))), "is not sent: pass a value to encode"},
		{kit.Second(monitoring.Do[struct{}](ctx, client, "POST", "/v1/x", nil, strings.NewReader(`{}`))), "is not sent: pass a value to encode"},
		{kit.Second(monitoring.Do[any](ctx, client, "POST", "/v1/x", nil, make(chan int))), "encode the body: json: unsupported type: chan int"},
		{kit.Second(monitoring.Do[chan int](ctx, client, "POST", "/v1/x", nil, nil)), "monitoring: do: JSON cannot be decoded into a chan int"},
		{kit.Second(monitoring.Do[any](ctx, client, "POST", "", nil, nil)), "path: "},
		{kit.Second(monitoring.Do[any](ctx, client, "connect", "/v1/x", nil, nil)), "method: "},
	} {
		require.ErrorContains(t, c.err, c.why)
	}
	require.Len(t, sent.Sent, 1, "the others were not sent")
	for _, body := range []string{"", " \n"} {
		got, err := monitoring.Do[monitoring.CheckGroup](ctx, kit.Client(t, testkit.Status(200, body)), "POST", "/v1/x", nil, nil)
		require.NoError(t, err)
		require.Equal(t, &monitoring.CheckGroup{}, got, "there is a value if there is no error")
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
