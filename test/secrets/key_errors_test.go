package secrets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAnErrorOfTheKeySourceIsTheErrorOfTheCall(t *testing.T) {
	sealed := errors.New("the vault is sealed")
	const operation = "monitoring: GET /v1/locations: get the API key: "
	for name, c := range map[string]struct {
		key  string
		err  error
		want string
	}{
		"an error":                            {"", sealed, operation + "the vault is sealed"},
		"an error with a key in it":           {"secret-key-1", fmt.Errorf("%w: secret-key-1 has expired", sealed), operation + "the vault is sealed: [redacted] has expired"},
		"an error of net/http":                {"", &url.Error{Op: "Get", URL: "https://vault.test", Err: sealed}, operation + `Get "https://vault.test": the vault is sealed`},
		"no key":                              {"", nil, operation + "the API key is empty"},
		"a key with a line break":             {"secret-key-1\n", nil, operation + "the API key has a byte that is not allowed at position 12 (white space, a line break or a non-ASCII character): remove it"},
		"a deadline of the source's own":      {"", fmt.Errorf("ask the vault: %w", context.DeadlineExceeded), operation + "ask the vault: context deadline exceeded"},
		"a cancelled context of the source's": {"", context.Canceled, operation + "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			v := &vault{key: c.key, err: c.err}
			var calls []monitoring.Call
			client := v.client(t, monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { calls = append(calls, c) }))
			_, err := client.Locations.List(t.Context())
			require.EqualError(t, err, c.want)
			require.Equal(t, 1, v.asked, "the error is not retried")
			require.Empty(t, v.sent)
			require.Equal(t, 0, calls[0].Attempts)
			require.Equal(t, err, calls[0].Err)
			if errors.Is(c.err, sealed) {
				require.ErrorIs(t, err, sealed)
			}
			require.NotErrorIs(t, err, context.DeadlineExceeded, "the context of the call has not ended")
			require.NotErrorIs(t, err, context.Canceled, "the context of the call has not ended")
		})
	}
}

func TestAnErrorOfTheKeySourceAfterA401HasBothErrors(t *testing.T) {
	v := &vault{}
	client := v.client(t)
	asks := 0
	sealed := &url.Error{Op: "Get", URL: "https://vault.test", Err: errors.New("sealed")}
	v.ask = func(context.Context, monitoring.Secret) (string, error) {
		if asks++; asks == 1 {
			return "old-key", nil
		}
		return "", sealed
	}
	_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
	require.EqualError(t, err, `monitoring: POST /v2/check-sessions/trigger at monitoring.test: get the API key: Get "https://vault.test": sealed (last status 401)`)
	require.ErrorIs(t, err, sealed)
	require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	require.Len(t, v.sent, 1)
}

func TestAContextThatEndsInTheKeySourceIsAContextError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vault{}
		client := v.client(t)
		v.ask = func(ctx context.Context, _ monitoring.Secret) (string, error) {
			<-ctx.Done()
			return "", errors.New("interrupted")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Locations.List(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "get the API key: context deadline exceeded")
		require.Empty(t, v.sent)
	})
}

func TestAPanicOfTheKeySourceReachesTheCaller(t *testing.T) {
	v := &vault{}
	client := v.client(t)
	v.ask = func(context.Context, monitoring.Secret) (string, error) { panic("no vault") }
	require.PanicsWithValue(t, "no vault", func() { client.Locations.List(t.Context()) })
}

func TestNoKeyOfAKeySourceIsInAnErrorOrALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown bytes.Buffer
		v := &vault{key: "first-key"}
		hook := func(_ context.Context, a monitoring.Attempt) { fmt.Fprintf(&shown, "%+v %#v", a, a) }
		client := v.client(t, monitoring.WithAttemptHook(hook), monitoring.WithLogger(slog.New(slog.NewTextHandler(&shown, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		asks := 0
		v.ask = func(context.Context, monitoring.Secret) (string, error) {
			if asks++; asks > 1 {
				return "second-key", nil
			}
			return "first-key", nil
		}
		v.answer = testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if v.sent = append(v.sent, req.Header.Get("Authorization")); len(v.sent) == 1 {
				return testkit.Respond(401, nil, `{"message":"first-key"}`), nil
			}
			return nil, errors.New("the proxy does not like first-key and second-key")
		})
		_, err := client.Locations.List(t.Context(), monitoring.WithMaxRetries(1))
		fmt.Fprintf(&shown, "%v %+v %#v %+v %+v", err, err, err, client, *client)
		require.ErrorContains(t, err, "does not like [redacted] and [redacted]")

		v.ask = func(context.Context, monitoring.Secret) (string, error) {
			return "", errors.New("second-key has expired")
		}
		_, err = client.Locations.List(t.Context())
		require.ErrorContains(t, err, "[redacted] has expired", "the last key of earlier calls is removed, too")
		_, err = monitoring.Do[any](t.Context(), client, "GET", "/v1/second-key?", nil, nil)
		require.Error(t, err)
		fmt.Fprint(&shown, err)
		require.NotContains(t, shown.String(), "first-key")
		require.NotContains(t, shown.String(), "second-key")
	})
}

func TestAClientHasOneKeyOrOneKeySource(t *testing.T) {
	source := monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) { return "key-123", nil })
	for name, c := range map[string]struct {
		key  string
		opts []monitoring.ClientOption
		want string
	}{
		"neither":      {"", nil, "the API key is empty"},
		"both":         {"key-123", []monitoring.ClientOption{source}, "both an API key and WithKeySource were given: leave the key empty"},
		"two sources":  {"", []monitoring.ClientOption{source, source}, "two key sources were given: use WithKeySource once"},
		"a nil source": {"", []monitoring.ClientOption{monitoring.WithKeySource(nil)}, "an option is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := monitoring.NewClient("https://monitoring.test", c.key, c.opts...)
			require.EqualError(t, err, "monitoring: new client: "+c.want)
		})
	}
}

func TestASecond401IsFinal(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"if the key source gives the same key": {[]string{"revoked-key"}, "the key source returned the same key again"},
		"if the second key is refused, too":    {[]string{"revoked-key", "wrong-key", "third-key"}, "the service refused two keys of the key source"},
	} {
		t.Run(name, func(t *testing.T) {
			v := &vault{}
			client := v.client(t)
			asks := 0
			v.ask = func(context.Context, monitoring.Secret) (string, error) {
				asks++
				return c.keys[min(asks, len(c.keys))-1], nil
			}
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.ErrorIs(t, err, monitoring.ErrUnauthorized)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "[redacted] is not valid")
			require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
			require.Len(t, v.sent, min(2, len(c.keys)))
		})
	}
}

func TestWithoutAKeySourceA401IsFinal(t *testing.T) {
	v := &vault{}
	client := kit.Client(t, v)
	_, err := client.Locations.List(t.Context())
	require.ErrorIs(t, err, monitoring.ErrUnauthorized)
	require.NotContains(t, err.Error(), "key source")
	require.Len(t, v.sent, 1)
}

func TestAKeySourceThatFailsAfterA401IsNotCalledAThirdTime(t *testing.T) {
	asked := 0
	var attempts []monitoring.Attempt
	client := kit.NewClient(t, "https://monitoring.test", "", &http.Client{Transport: testkit.Faults["401"]},
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { attempts = append(attempts, a) }),
		monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
			if asked++; asked > 1 {
				return "", io.ErrClosedPipe
			}
			return "key-1", nil
		}))
	require.ErrorIs(t, kit.Second(client.Locations.List(t.Context())), io.ErrClosedPipe)
	require.Equal(t, 2, asked)
	require.Len(t, attempts, 1)
	require.False(t, attempts[0].Retry)
}
