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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
	"github.com/stretchr/testify/require"
)

// vault is a key source whose key a test replaces, and a service that accepts only valid keys.
type vault struct {
	mu    sync.Mutex
	key   string
	err   error
	asked int
	valid []string
	sent  []string // what was sent: method, path, key and body

	ask    func(context.Context, monitoring.Secret) (string, error) // instead of source
	answer testkit.RoundTripper                                     // instead of the service
}

func (v *vault) source(context.Context, monitoring.Secret) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked++
	return v.key, v.err
}

func (v *vault) rotate(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.key = key
}

func (v *vault) RoundTrip(req *http.Request) (*http.Response, error) {
	if v.answer != nil {
		return v.answer(req)
	}
	key := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sent = append(v.sent, fmt.Sprintf("%s %s %s %s", req.Method, req.URL.Path, key, body))
	if !slices.Contains(v.valid, key) {
		return testkit.Respond(401, nil, `{"statusCode":401,"error":"Unauthorized","message":"`+key+` is not valid"}`), nil
	}
	if req.Method == http.MethodPost {
		return testkit.Respond(201, nil, `{"sessions":[]}`), nil
	}
	return testkit.Respond(200, nil, `[]`), nil
}

func (v *vault) client(t *testing.T, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	ask := func(ctx context.Context, refused monitoring.Secret) (string, error) {
		if v.ask != nil {
			return v.ask(ctx, refused)
		}
		return v.source(ctx, refused)
	}
	opts = append([]monitoring.ClientOption{monitoring.WithHTTPClient(&http.Client{Transport: v}), monitoring.WithKeySource(ask)}, opts...)
	client, err := monitoring.NewClient("https://monitoring.test", "", opts...)
	require.NoError(t, err)
	return client
}

func TestTheKeySourceIsCalledForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var sent []*http.Request
		v := &vault{ask: func(context.Context, monitoring.Secret) (string, error) {
			asked++
			return fmt.Sprintf("key-%d", asked), nil
		}}
		service := testkit.InTurn(testkit.Faults["503"], testkit.Faults["401"], testkit.Faults["503"], testkit.Status(200, "[]"))
		v.answer = func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req)
			return service(req)
		}
		require.NoError(t, kit.Second(v.client(t).Locations.List(t.Context())))
		require.Equal(t, 4, asked)
		for i, req := range sent {
			require.Equal(t, fmt.Sprintf("Bearer key-%d", i+1), req.Header.Get("Authorization"), "the request of an attempt is not changed by the next")
		}
	})
}

func TestAfterA401ACallIsSentOnceMoreWithANewKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vault{valid: []string{"new-key"}}
		var attempts []monitoring.Attempt
		v.key = "old-key"
		client := v.client(t, monitoring.WithMaxRetries(0), monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) {
			attempts = append(attempts, a)
			v.rotate("unused-key") // the key that is fetched after the 401 is sent, not this one
		}))
		asks := 0
		v.ask = func(ctx context.Context, refused monitoring.Secret) (string, error) {
			if asks++; asks == 2 {
				v.rotate("new-key")
			}
			return v.source(ctx, refused)
		}
		var response monitoring.Response
		_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WithResponse(&response))
		require.NoError(t, err)
		const trigger = "POST /v2/check-sessions/trigger "
		require.Len(t, v.sent, 2)
		first, second := strings.TrimPrefix(v.sent[0], trigger+"old-key"), strings.TrimPrefix(v.sent[1], trigger+"new-key")
		require.Equal(t, first, second, "the body is sent again")
		require.Contains(t, first, "{")
		require.Equal(t, 2, response.Attempts)
		require.Equal(t, 2, v.asked, "once for the attempt and once after the 401")
		require.Len(t, attempts, 2)
		require.Equal(t, []any{401, true, time.Duration(0), 200 + 1, false},
			[]any{attempts[0].StatusCode, attempts[0].Retry, attempts[0].RetryIn, attempts[1].StatusCode, attempts[1].Retry})
	})
}

func TestAfterA401TheKeySourceGetsTheRefusedKey(t *testing.T) {
	v := &vault{valid: []string{"new-key"}}
	var refusals []monitoring.Secret
	cached := "old-key"
	client := v.client(t)
	v.ask = func(_ context.Context, refused monitoring.Secret) (string, error) {
		refusals = append(refusals, refused)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", refused, refused, refused), "old-key")
		if refused.Reveal() == cached {
			cached = "new-key"
		}
		return cached, nil
	}
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Equal(t, []monitoring.Secret{{}, monitoring.NewSecret("old-key")}, refusals)
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Equal(t, []monitoring.Secret{{}, monitoring.NewSecret("old-key"), {}}, refusals, "the refusal of an earlier call")
}

func TestASlowKeySourceTakesNoPlaceInTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1, Per: time.Minute})
		require.NoError(t, err)
		slow := &vault{valid: []string{"key"}, ask: func(context.Context, monitoring.Secret) (string, error) {
			time.Sleep(10 * time.Second)
			return "key", nil
		}}
		quick := &vault{key: "key", valid: []string{"key"}}
		var calls sync.WaitGroup
		calls.Go(func() { slow.client(t, monitoring.WithLimiter(limiter)).Locations.List(t.Context()) })
		time.Sleep(time.Second)
		began := time.Now()
		require.NoError(t, kit.Second(quick.client(t, monitoring.WithLimiter(limiter)).Locations.List(t.Context())))
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
		v := &vault{valid: []string{"key"}, ask: func(context.Context, monitoring.Secret) (string, error) {
			asked++
			time.Sleep(time.Minute)
			return "key", nil
		}}
		client := v.client(t)
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

func TestManyCallsSucceedDuringARotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vault{key: "key-0", valid: []string{"key-0"}}
		client := v.client(t, monitoring.WithMaxRetries(0), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
		var failed atomic.Int32
		var calls sync.WaitGroup
		for range 50 {
			calls.Go(func() {
				for range 20 {
					if _, err := client.Locations.List(t.Context()); err != nil {
						failed.Add(1)
					}
					time.Sleep(time.Millisecond)
				}
			})
		}
		time.Sleep(5*time.Millisecond + time.Microsecond)
		v.mu.Lock()
		v.key, v.valid = "key-1", []string{"key-1"}
		v.mu.Unlock()
		calls.Wait()
		require.Zero(t, failed.Load())
	})
}

func TestAClientHasOneKeyOrOneKeySource(t *testing.T) {
	v := &vault{key: "good-key", valid: []string{"good-key"}}
	source, none := monitoring.WithKeySource(v.source), monitoring.WithKeySource(nil)
	for name, c := range map[string]struct {
		key  string
		opts []monitoring.ClientOption
		want string
	}{
		"neither":      {"", nil, "the API key is empty"},
		"both":         {"key-123", []monitoring.ClientOption{source}, "both an API key and WithKeySource were given: leave the key empty"},
		"two sources":  {"", []monitoring.ClientOption{source, source}, "two key sources were given: use WithKeySource once"},
		"a nil source": {"", []monitoring.ClientOption{none}, "an option is nil"},
	} {
		_, err := monitoring.NewClient("https://monitoring.test", c.key, c.opts...)
		require.EqualError(t, err, "monitoring: new client: "+c.want, name)
	}
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test")
	for name, key := range map[string]string{"unset": "", "set": "key-123"} {
		t.Setenv("MONITORING_API_KEY", key)
		client, err := monitoring.NewClientFromEnv(source, monitoring.WithHTTPClient(&http.Client{Transport: v}))
		require.NoError(t, err, name)
		require.NoError(t, kit.Second(client.Locations.List(t.Context())), name)
	}
	t.Setenv("MONITORING_API_KEY", "")
	for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithMaxRetries(1), none}} {
		_, err := monitoring.NewClientFromEnv(opts...)
		require.ErrorContains(t, err, "MONITORING_API_KEY")
	}
}

func TestAnErrorOfTheKeySourceIsTheErrorOfTheCall(t *testing.T) {
	sealed := errors.New("the vault is sealed")
	const operation = "monitoring: GET /v1/locations: get the API key: "
	for name, c := range map[string]struct {
		key  string
		err  error
		want string
	}{
		"an error":                       {"", &url.Error{Op: "Get", URL: "https://vault.test", Err: sealed}, operation + `Get "https://vault.test": the vault is sealed`},
		"an error with a key in it":      {"secret-key-1", fmt.Errorf("%w: secret-key-1 has expired", sealed), operation + "the vault is sealed: [redacted] has expired"},
		"a key with a line break":        {"secret-key-1\n", nil, operation + "the API key has a byte that is not allowed at position 12 (white space, a line break or a non-ASCII character): remove it"},
		"a deadline of the source's own": {"", fmt.Errorf("ask the vault: %w", context.DeadlineExceeded), operation + "ask the vault: context deadline exceeded"},
	} {
		v := &vault{key: c.key, err: c.err}
		var calls []monitoring.Call
		client := v.client(t, monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { calls = append(calls, c) }))
		_, err := client.Locations.List(t.Context())
		require.EqualError(t, err, c.want, name)
		require.Equal(t, []any{1, 0, err}, []any{v.asked, calls[0].Attempts, calls[0].Err}, "the error is not retried")
		require.Equal(t, errors.Is(c.err, sealed), errors.Is(err, sealed), name)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "the context of the call has not ended")
	}
	v := &vault{ask: func(context.Context, monitoring.Secret) (string, error) { panic("no vault") }}
	require.PanicsWithValue(t, "no vault", func() { v.client(t).Locations.List(t.Context()) })
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
	require.Equal(t, 2, asks)
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
