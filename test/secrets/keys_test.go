package secrets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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

// accepting is a service that accepts one key, and writes down what was sent: method, path, key and
// body.
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

func TestAfterA401ACallIsSentOnceMoreWithANewKey(t *testing.T) {
	sealed := errors.New("the vault is sealed")
	for _, c := range []struct {
		keys []string // and then an error
		sent int
		want string
	}{
		{nil, 0, "monitoring: POST /v2/check-sessions/trigger: get the API key: the vault is sealed"},
		{[]string{"old-key"}, 1, "monitoring: POST /v2/check-sessions/trigger at monitoring.test: get the API key: the vault is sealed (last status 401)"},
		{[]string{"old-key", "old-key"}, 1, "401 Unauthorized: [redacted] is not valid: check the API key (the key source returned the same key again)"},
		{[]string{"old-key", "new-key"}, 2, ""},
		{[]string{"old-key", "any-key"}, 2, "401 Unauthorized: [redacted] is not valid: check the API key (after 2 attempts, the service refused two keys of the key source)"},
	} {
		var sent []string
		asked := 0
		err := kit.Second(keyed(t, func(_ context.Context, refused monitoring.Secret) (string, error) {
			require.Equal(t, asked == 0, refused.IsWithheld(), "no key was refused before the first attempt")
			if asked++; asked > len(c.keys) {
				return "", sealed
			}
			return c.keys[asked-1], nil
		}, accepting("new-key", &sent), monitoring.WithMaxRetries(0)).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}))
		require.Len(t, sent, c.sent)
		for i, one := range sent {
			require.Equal(t, "POST /v2/check-sessions/trigger "+c.keys[i]+" {}", one, "the body is sent again")
		}
		require.Equal(t, asked > len(c.keys), errors.Is(err, sealed))
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// goroutinesOf counts the goroutines of bubbles that a package has started, by a dump of their stacks.
// One of an earlier test without a bubble may still be about to end: it does not count.
func goroutinesOf(path string) (n int) {
	dump := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(dump[:runtime.Stack(dump, true)]), "\n\n") {
		head, _, _ := strings.Cut(stack, "\n")
		if strings.Contains(head, "synctest bubble") && strings.Contains(stack, "\ncreated by "+path) {
			n++
		}
	}
	return n
}

// TestACallDoesNotHangWithItsKeySource makes calls of 0.3 s, one after the other.
func TestACallDoesNotHangWithItsKeySource(t *testing.T) {
	for name, c := range map[string]struct {
		takes     func(asked int) time.Duration
		succeed   int // of ten calls, at least
		goroutine int // that are left after them
	}{
		"hangs once, then answers": {func(asked int) time.Duration { return time.Duration(2-min(asked, 2)) * time.Hour }, 9, 1},
		// A call that begins with an answer ends with the next one, if all take the same time: then
		// nothing says which of the two comes first.
		"always takes 0.5 s": {func(asked int) time.Duration { return time.Duration(520-7*asked) * time.Millisecond }, 5, 1},
		"hangs always":       {func(int) time.Duration { return time.Hour }, 0, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int64
			places := &kit.Limiter{}
			client := keyed(t, func(context.Context, monitoring.Secret) (string, error) {
				time.Sleep(c.takes(int(asked.Add(1)))) // whatever the context says
				return "key", nil
			}, testkit.Status(200, "[]"), monitoring.WithLimiter(places))
			succeeded := 0
			for range 10 {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				began := time.Now()
				err := kit.Second(client.Locations.List(ctx))
				cancel()
				if err == nil {
					succeeded++
					continue
				}
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "get the API key: context deadline exceeded")
				require.Equal(t, 300*time.Millisecond, time.Since(began), name)
			}
			synctest.Wait()
			require.GreaterOrEqual(t, succeeded, c.succeed, name)
			require.Len(t, places.Asked, succeeded, "a call takes its place when it has its key")
			require.Equal(t, c.goroutine, goroutinesOf("github.com/monitoring-api/monitoring-go"), name)
			time.Sleep(time.Hour) // the source returns at last
		})
	}
}

// Its calls wait for the answer that they are a part of.
func TestAKeySourceThatUsesItsOwnClientIsToldWhatIsWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var client *monitoring.Client
		client = keyed(t, func(context.Context, monitoring.Secret) (string, error) {
			return "key", kit.Second(client.Locations.List(context.Background()))
		}, testkit.Status(200, "[]"))
		began := time.Now()
		err := kit.Second(client.Locations.List(t.Context()))
		require.ErrorContains(t, err, "get the API key: ")
		require.ErrorContains(t, err, "must not call the same client")
		require.Equal(t, time.Minute, time.Since(began))
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
		"both an API key and WithKeySource were passed: pass an empty key": newClient("key-123", source),
		"WithKeySource was passed twice":                                   newClient("", source, source),
		"WithKeySource needs a function":                                   newClient("", none),
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
			monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { fmt.Fprintf(&shown, "%+v %#v", a, a) }))
		err := kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(1)))
		fmt.Fprintf(&shown, "%v %+v %#v %+v %+v", err, err, err, client, *client)
		require.ErrorContains(t, err, "does not like [redacted] and [redacted]")

		answer = func(context.Context, monitoring.Secret) (string, error) {
			return "third-key", errors.New("second-key and third-key have expired")
		}
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context())), "[redacted] and [redacted] have expired", "the last key of earlier calls is removed, too")
		err = kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/second-key?", nil, nil))
		require.Error(t, err)
		fmt.Fprint(&shown, err)
		require.NotContains(t, shown.String(), "first-key")
		require.NotContains(t, shown.String(), "second-key")
	})
}

func TestRedirectsAwayFromTheBaseAddressAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		from, to func(http.Handler) *httptest.Server
		code     int
	}{
		"from http to https": {httptest.NewServer, httptest.NewTLSServer, 301},
		"from https to http": {httptest.NewTLSServer, httptest.NewServer, 307},
		"to another port":    {httptest.NewServer, httptest.NewServer, 308},
	} {
		t.Run(name, func(t *testing.T) {
			var leaked atomic.Int32
			target := c.to(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
			defer target.Close()
			client := kit.Loopback(t, c.from(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, target.URL+r.URL.Path, c.code)
			})), monitoring.WithAccount(kit.UUID1))
			for kind, do := range kit.FirstOfKind {
				err := do(t.Context(), client)
				require.ErrorIs(t, err, monitoring.ErrRedirect, kind)
				unsafe := kind == "trigger" || kind == "create"
				require.Equal(t, unsafe && c.code <= http.StatusSeeOther, errors.Is(err, monitoring.ErrOutcomeUnknown), "the service may respond like this after it has carried out the request")
			}
			require.Zero(t, leaked.Load())
		})
	}
}

// Other letters of the host are the same address, though net/http takes the key off there.
func TestRedirectsWithinTheBaseAddressKeepMethodBodyAndKey(t *testing.T) {
	var sent []string
	respond := accepting("key-123", &sent)
	client := keyed(t, inTurn("key-123"), func(r *http.Request) (*http.Response, error) {
		response, err := respond(r)
		if r.URL.Path == "/v1/things" {
			response = testkit.Respond(http.StatusPermanentRedirect, http.Header{"Location": {"https://MONITORING.test/v1/moved"}}, "")
		}
		return response, err
	})
	require.NoError(t, kit.Second(monitoring.Do[any](t.Context(), client, "POST", "/v1/things", nil, map[string]int{"a": 1})))
	require.Equal(t, []string{`POST /v1/things key-123 {"a":1}`, `POST /v1/moved key-123 {"a":1}`}, sent)
}
