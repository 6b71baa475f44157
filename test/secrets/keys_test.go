package secrets_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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
		n := 0
		var keys []string
		client, err := monitoring.NewClient("https://monitoring.test", "", monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
			n++
			return fmt.Sprintf("key-%d", n), nil
		}), monitoring.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			keys = append(keys, req.Header.Get("Authorization"))
			if len(keys) < 3 {
				return testkit.Respond(503, nil, ""), nil
			}
			return testkit.Respond(200, nil, "[]"), nil
		})}))
		require.NoError(t, err)
		_, err = client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"Bearer key-1", "Bearer key-2", "Bearer key-3"}, keys)
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

func TestTheAttemptWithANewKeyDoesNotCountAsARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent, keys := 0, 0
		v := &vault{}
		client := v.client(t, monitoring.WithMaxRetries(1))
		v.ask = func(context.Context, monitoring.Secret) (string, error) {
			keys++
			return fmt.Sprint("key-", keys), nil
		}
		v.answer = func(*http.Request) (*http.Response, error) {
			sent++
			return testkit.Respond([]int{401, 503, 200}[sent-1], nil, "[]"), nil
		}
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, sent)
		sent = 1 // without a 401 there is one retry
		v.ask = func(context.Context, monitoring.Secret) (string, error) { return "key-0", nil }
		v.answer = func(*http.Request) (*http.Response, error) {
			sent++
			return testkit.Respond(503, nil, ""), nil
		}
		_, err = client.Locations.List(t.Context())
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Equal(t, 3, sent)
	})
}

// The budget of retries has 100 at the beginning.
func TestTheAttemptWithANewKeyIsNotChargedToTheBudgetOfRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vault{}
		client := v.client(t, monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
		keys := 0
		v.ask = func(context.Context, monitoring.Secret) (string, error) {
			keys++
			return fmt.Sprint("key-", keys), nil
		}
		for range 150 {
			v.answer = testkit.InTurn(testkit.Faults["401"], testkit.Faults["404"])
			require.ErrorIs(t, kit.Second(client.Locations.List(t.Context())), monitoring.ErrNotFound)
		}
		v.answer = testkit.Faults["503"]
		var response monitoring.Response
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithResponse(&response))), monitoring.ErrServer)
		require.Equal(t, 6, response.Attempts)
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

func TestOnlyTheKeySourceOfTheSameClientGetsTheRefusedKey(t *testing.T) {
	other := &vault{valid: []string{"good-key"}}
	inner := other.client(t)
	other.ask = func(_ context.Context, refused monitoring.Secret) (string, error) {
		require.True(t, refused.IsWithheld())
		return "good-key", nil
	}
	v := &vault{valid: []string{"new-key"}}
	client, keys := v.client(t), []string{"old-key", "new-key"}
	v.ask = func(ctx context.Context, refused monitoring.Secret) (string, error) {
		key := keys[0]
		require.Equal(t, key == "old-key", refused.IsWithheld())
		keys = keys[1:]
		require.NoError(t, kit.Second(inner.Locations.List(ctx)), "a call of another client within the key source")
		return key, nil
	}
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Empty(t, keys)
}

func TestASlowKeySourceTakesNoPlaceInTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vault{key: "good-key", valid: []string{"good-key"}}
		client := v.client(t, monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Minute}))
		v.ask = func(ctx context.Context, refused monitoring.Secret) (string, error) {
			if ctx.Value(slowly{}) != nil {
				time.Sleep(10 * time.Second)
			}
			return v.source(ctx, refused)
		}
		var slow sync.WaitGroup
		slow.Go(func() { client.Locations.List(context.WithValue(t.Context(), slowly{}, true)) })
		time.Sleep(time.Second)
		began := time.Now()
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Zero(t, time.Since(began), "the other call has not taken the place yet")
		slow.Wait()
	})
}

type slowly struct{}

func TestARedirectIsFollowedWithTheKeyOfTheSource(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path+" "+r.Header.Get("Authorization"))
		if r.URL.Path != "/moved" {
			http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
			return
		}
		if r.Header.Get("Authorization") == "Bearer old-key" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, "[]")
	}))
	defer server.Close()
	var asks atomic.Int32
	client, err := monitoring.NewClient(server.URL, "", monitoring.WithHTTPClient(server.Client()), monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
		if asks.Add(1) > 2 {
			return "new-key", nil
		}
		return "old-key", nil
	}))
	require.NoError(t, err)
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"/v1/locations Bearer old-key", "/moved Bearer old-key", "/v1/locations Bearer new-key", "/moved Bearer new-key"}, seen)
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

func TestAKeySourceReplacesTheKeyInTheEnvironment(t *testing.T) {
	v := &vault{key: "good-key", valid: []string{"good-key"}}
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test")
	for name, key := range map[string]string{"unset": "", "set": "key-123"} {
		t.Setenv("MONITORING_API_KEY", key)
		client, err := monitoring.NewClientFromEnv(monitoring.WithKeySource(v.source), monitoring.WithHTTPClient(&http.Client{Transport: v}))
		require.NoError(t, err, name)
		_, err = client.Locations.List(t.Context())
		require.NoError(t, err, name)
	}
}

func TestANilKeySourceDoesNotCount(t *testing.T) {
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test")
	t.Setenv("MONITORING_API_KEY", "")
	for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithMaxRetries(1)}, {monitoring.WithMaxRetries(1), monitoring.WithKeySource(nil)}} {
		_, err := monitoring.NewClientFromEnv(opts...)
		require.EqualError(t, err, "monitoring: new client: set MONITORING_API_KEY in the environment")
	}
}

func TestARetryAfterANewKeyCallsTheKeySourceAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var sent []*http.Request
		transport := testkit.InTurn(testkit.Faults["401"], testkit.Faults["503"], testkit.Status(200, "[]"))
		client := kit.NewClient(t, "https://monitoring.test", "", &http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req)
			return transport(req)
		})}, monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
			asked++
			return fmt.Sprintf("key-%d", asked), nil
		}))
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		require.Equal(t, 3, asked)
		for i, req := range sent {
			require.Equal(t, fmt.Sprintf("Bearer key-%d", i+1), req.Header.Get("Authorization"), "the request of an attempt is not changed by the next")
		}
	})
}
