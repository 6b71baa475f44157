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
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
	"github.com/stretchr/testify/require"
)

// keySource is what WithKeySource takes.
type keySource = func(context.Context, monitoring.Secret) (string, error)

// inTurn is a key source that returns one key after the other, and then the last one.
func inTurn(keys ...string) keySource {
	asked := 0
	return func(context.Context, monitoring.Secret) (string, error) {
		asked++
		return keys[min(asked, len(keys))-1], nil
	}
}

// accepting is a service that accepts one key, and writes down what was sent: method, path, key and body.
func accepting(valid string, sent *[]string) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		key := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
		var body []byte
		if req.Body != nil {
			body, _ = io.ReadAll(req.Body)
		}
		*sent = append(*sent, fmt.Sprintf("%s %s %s %s", req.Method, req.URL.Path, key, body))
		switch {
		case key != valid:
			return testkit.Respond(401, nil, `{"statusCode":401,"error":"Unauthorized","message":"`+key+` is not valid"}`), nil
		case req.Method == http.MethodPost:
			return testkit.Respond(201, nil, `{"sessions":[]}`), nil
		}
		return testkit.Respond(200, nil, `[]`), nil
	}
}

// keyed makes a client with a key source.
func keyed(t *testing.T, source keySource, transport testkit.RoundTripper, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	return kit.NewClient(t, "https://monitoring.test", "", &http.Client{Transport: transport}, append(opts, monitoring.WithKeySource(source))...)
}

func triggerAll(t *testing.T, client *monitoring.Client, opts ...monitoring.CallOption) error {
	return kit.Second(client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}, opts...))
}

func TestAfterA401ACallIsSentOnceMoreWithANewKey(t *testing.T) {
	var sent []string
	var refusals []monitoring.Secret
	var attempts []monitoring.Attempt
	cached := "old-key"
	client := keyed(t, func(_ context.Context, refused monitoring.Secret) (string, error) {
		refusals = append(refusals, refused)
		if refused.Reveal() == cached {
			cached = "new-key"
		}
		return cached, nil
	}, accepting("new-key", &sent), monitoring.WithMaxRetries(0), monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { attempts = append(attempts, a) }))
	var response monitoring.Response
	require.NoError(t, triggerAll(t, client, monitoring.WithResponse(&response)))
	const trigger = "POST /v2/check-sessions/trigger "
	require.Equal(t, []string{trigger + "old-key {}", trigger + "new-key {}"}, sent, "the body is sent again")
	require.Equal(t, 2, response.Attempts)
	require.Equal(t, []any{401, true, time.Duration(0), 201, false},
		[]any{attempts[0].StatusCode, attempts[0].Retry, attempts[0].RetryIn, attempts[1].StatusCode, attempts[1].Retry})
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Equal(t, []monitoring.Secret{{}, monitoring.NewSecret("old-key"), {}}, refusals, "once for each attempt, and with the refused key after a 401")
}

func TestASecond401IsFinal(t *testing.T) {
	for want, keys := range map[string][]string{
		"the key source returned the same key again":     {"revoked-key"},
		"the service refused two keys of the key source": {"revoked-key", "wrong-key", "third-key"},
	} {
		var sent []string
		err := triggerAll(t, keyed(t, inTurn(keys...), accepting("new-key", &sent)))
		require.ErrorIs(t, err, monitoring.ErrUnauthorized)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "[redacted] is not valid")
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Len(t, sent, min(2, len(keys)))
	}
}

func TestASlowKeySourceTakesNoPlaceInTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1, Per: time.Minute})
		require.NoError(t, err)
		slow := keyed(t, func(context.Context, monitoring.Secret) (string, error) {
			time.Sleep(10 * time.Second)
			return "key", nil
		}, testkit.Status(200, "[]"), monitoring.WithLimiter(limiter))
		var calls sync.WaitGroup
		calls.Go(func() { slow.Locations.List(t.Context()) })
		time.Sleep(time.Second)
		began := time.Now()
		require.NoError(t, kit.Second(kit.Client(t, testkit.Status(200, "[]"), monitoring.WithLimiter(limiter)).Locations.List(t.Context())))
		require.Zero(t, time.Since(began), "the other call has not taken the place yet")
		calls.Wait()
	})
}

// goroutinesOf counts the goroutines that a package has started, by a dump of their stacks. Unlike
// runtime.NumGoroutine it never counts a goroutine that has just ended.
func goroutinesOf(path string) int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "\ncreated by "+path)
}

// A source that hangs costs one goroutine, however many calls give up waiting for it.
func TestACallDoesNotHangWithItsKeySource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := keyed(t, func(context.Context, monitoring.Secret) (string, error) {
			asked++
			time.Sleep(time.Minute)
			return "key", nil
		}, testkit.Status(200, "[]"))
		var calls sync.WaitGroup
		for i := range 10 {
			calls.Go(func() {
				time.Sleep(time.Duration(i%2) * time.Second) // half of them begin when the others have given up
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
				began := time.Now()
				err := kit.Second(client.Locations.List(ctx))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "get the API key: context deadline exceeded")
				require.Equal(t, 200*time.Millisecond, time.Since(began))
			})
		}
		calls.Wait()
		synctest.Wait()
		require.Equal(t, 1, goroutinesOf("github.com/monitoring-api/monitoring-go"))
		require.NoError(t, kit.Second(client.Locations.List(t.Context())), "it gets the answer that comes at last")
		require.Equal(t, 1, asked)
	})
}

func TestAClientHasOneKeyOrOneKeySource(t *testing.T) {
	source, none := monitoring.WithKeySource(inTurn("good-key")), monitoring.WithKeySource(nil)
	var sent []string
	valid := accepting("good-key", &sent)
	newClient := func(key string, opts ...monitoring.ClientOption) error {
		return kit.Second(monitoring.NewClient("https://monitoring.test", key, opts...))
	}
	for want, err := range map[string]error{
		"the API key is empty": newClient(""),
		"both an API key and WithKeySource were given: leave the key empty": newClient("key-123", source),
		"two key sources were given: use WithKeySource once":                newClient("", source, source),
		"an option is nil": newClient("", none),
	} {
		require.EqualError(t, err, "monitoring: new client: "+want)
	}
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test")
	for _, key := range []string{"key-123", ""} {
		t.Setenv("MONITORING_API_KEY", key)
		client, err := monitoring.NewClientFromEnv(source, monitoring.WithHTTPClient(&http.Client{Transport: valid}))
		require.NoError(t, err)
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	}
	for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithMaxRetries(1), none}} {
		_, err := monitoring.NewClientFromEnv(opts...)
		require.ErrorContains(t, err, "MONITORING_API_KEY")
	}
}

func TestAnErrorOfTheKeySourceIsTheErrorOfTheCall(t *testing.T) {
	sealed := errors.New("the vault is sealed")
	for want, c := range map[string]struct {
		key string
		err error
	}{
		`Get "https://vault.test": the vault is sealed`: {"", &url.Error{Op: "Get", URL: "https://vault.test", Err: sealed}},
		"the vault is sealed: [redacted] has expired":   {"secret-key-1", fmt.Errorf("%w: secret-key-1 has expired", sealed)},
		"the vault: context deadline exceeded":          {"", fmt.Errorf("the vault: %w", context.DeadlineExceeded)}, // of the source's own
		"the API key has a byte that is not allowed at position 12 (white space, a line break or a non-ASCII character): remove it": {"secret-key-1\n", nil},
	} {
		var calls []monitoring.Call
		client := keyed(t, func(context.Context, monitoring.Secret) (string, error) { return c.key, c.err }, testkit.Faults["404"],
			monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { calls = append(calls, c) }))
		err := kit.Second(client.Locations.List(t.Context()))
		require.EqualError(t, err, "monitoring: GET /v1/locations: get the API key: "+want)
		require.Equal(t, []any{0, err}, []any{calls[0].Attempts, calls[0].Err}, "the error is not retried")
		require.Equal(t, errors.Is(c.err, sealed), errors.Is(err, sealed), want)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "the context of the call has not ended")
	}
	panics := keyed(t, func(context.Context, monitoring.Secret) (string, error) { panic("no vault") }, testkit.Faults["404"])
	require.PanicsWithValue(t, "no vault", func() { panics.Locations.List(t.Context()) })

	var sent []string
	client := keyed(t, func(_ context.Context, refused monitoring.Secret) (string, error) {
		if refused.IsWithheld() {
			return "old-key", nil
		}
		return "", sealed
	}, accepting("new-key", &sent))
	err := triggerAll(t, client)
	require.EqualError(t, err, `monitoring: POST /v2/check-sessions/trigger at monitoring.test: get the API key: the vault is sealed (last status 401)`)
	require.ErrorIs(t, err, sealed)
	require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	require.Len(t, sent, 1)
}

func TestNoKeyOfAKeySourceIsInAnErrorOrALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown bytes.Buffer
		service := testkit.InTurn(testkit.Status(401, `{"message":"first-key"}`), func(*http.Request) (*http.Response, error) {
			return nil, errors.New("the proxy does not like first-key and second-key")
		})
		answer := inTurn("first-key", "second-key")
		client := keyed(t, func(ctx context.Context, refused monitoring.Secret) (string, error) {
			fmt.Fprintf(&shown, "%v %+v %#v", refused, refused, refused)
			return answer(ctx, refused)
		}, service, monitoring.WithLogger(slog.New(slog.NewTextHandler(&shown, &slog.HandlerOptions{Level: slog.LevelDebug}))),
			monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { fmt.Fprintf(&shown, "%+v %#v", a, a) }))
		err := kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(1)))
		fmt.Fprintf(&shown, "%v %+v %#v %+v %+v", err, err, err, client, *client)
		require.ErrorContains(t, err, "does not like [redacted] and [redacted]")

		answer = func(context.Context, monitoring.Secret) (string, error) {
			return "", errors.New("second-key has expired")
		}
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context())), "[redacted] has expired", "the last key of earlier calls is removed, too")
		err = kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/second-key?", nil, nil))
		require.Error(t, err)
		fmt.Fprint(&shown, err)
		require.NotContains(t, shown.String(), "first-key")
		require.NotContains(t, shown.String(), "second-key")
	})
}
