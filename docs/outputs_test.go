package docs_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// outputs are what operators see: each writes what the block with its name shows, such as the one
// that begins with "text wrong-key". They run in bubbles, on the in-process fake, so they always
// write the same.
var outputs = map[string]func(t *testing.T, out io.Writer){
	"account-refused":  accountRefused,
	"route-refused":    routeRefused,
	"wrong-key":        wrongKey,
	"key-rotated":      keyRotated,
	"proxy-refused":    proxyRefused,
	"wait-interrupted": waitInterrupted,

	"proxy-asks-to-sign-in":   proxyAsksToSignIn,
	"html-instead-of-json":    htmlInsteadOfJSON,
	"operation-is-missing":    operationIsMissing,
	"certificate-not-trusted": certificateNotTrusted,
	"waited-for-the-limit":    waitedForTheLimit,
	"outcome-unknown":         outcomeUnknown,
	"change-is-not-there":     changeIsNotThere,
	"session-never-ends":      sessionNeverEnds,
	"secret-is-withheld":      secretIsWithheld,
	"settings-of-the-group":   checkHasTheSettingsOfItsGroup,
	"update-is-stale":         updateIsStale,
	"limit-used-up":           limitUsedUp,
	"plain-http":              plainHTTP,
	"unknown-field":           unknownField,
}

// logTo is the logger of the pages: its lines have no time.
func logTo(out io.Writer) monitoring.ClientOption {
	return monitoring.WithLogger(slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})))
}

// printState is the code on the page about 429s.
func printState(out io.Writer, limiter monitoring.Limiter) {
	state := limiter.State()
	fmt.Fprintf(out, "account: share %.2f, paused for %s, %d wait\n", state.Share, pause(state.PausedUntil), state.Waiters)
	for _, r := range state.Routes {
		fmt.Fprintf(out, "%s: share %.2f, paused for %s, %d wait\n", r.Operation, r.Share, pause(r.PausedUntil), r.Waiters)
	}
}

func pause(until time.Time) time.Duration { return max(0, time.Until(until)).Round(time.Second) }

// A neighbor has used most of the limit of the account, and knows nothing of this client.
func accountRefused(t *testing.T, out io.Writer) {
	svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.DefaultRateLimit))
	neighbor := clientOf(t, svc, monitoring.WithoutRateLimit())
	for range 600 {
		require.NoError(t, second(neighbor.Locations.List(t.Context())))
	}
	refused(t, svc, out, func(client *monitoring.Client) error {
		return second(client.Locations.List(t.Context()))
	}, func(client *monitoring.Client) error {
		return second(client.Variables.List(t.Context(), monitoring.VariableListOptions{}))
	}, func(client *monitoring.Client) error {
		return second(client.Runtimes.List(t.Context()))
	})
}

// Two processes read alert notifications, each with a limiter of its own.
func routeRefused(t *testing.T, out io.Writer) {
	svc := monitoringtest.New(monitoringtest.WithRouteLimits())
	alerts := func(client *monitoring.Client) error {
		return second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{}))
	}
	neighbor := clientOf(t, svc, monitoring.WithoutRateLimit())
	for range 4 {
		require.NoError(t, alerts(neighbor))
	}
	refused(t, svc, out, alerts, alerts, alerts)
}

// refused makes calls of one client, one shortly after the other, and prints the log and the state
// while they wait.
func refused(t *testing.T, svc *monitoringtest.Service, out io.Writer, calls ...func(*monitoring.Client) error) {
	limiter, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
	require.NoError(t, err)
	var log strings.Builder
	client := clientOf(t, svc, monitoring.WithLimiter(limiter), logTo(&log))
	done := make(chan error)
	for _, call := range calls {
		go func() { done <- call(client) }()
		synctest.Wait()
	}
	time.Sleep(time.Second)
	synctest.Wait()
	io.WriteString(out, log.String())
	printState(out, limiter)
	for range calls {
		require.NoError(t, <-done)
	}
}

func clientOf(t *testing.T, svc *monitoringtest.Service, options ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := svc.Client(options...)
	require.NoError(t, err)
	return client
}

func second[T any](_ T, err error) error { return err }

// list makes a client with a transport or a key that is wrong, and prints what a call returns.
func list(t *testing.T, out io.Writer, key string, transport http.RoundTripper, options ...monitoring.ClientOption) {
	options = append(options, monitoring.WithHTTPClient(&http.Client{Transport: transport}), logTo(out))
	client, err := monitoring.NewClient("https://monitoring.example.com", key, options...)
	require.NoError(t, err)
	fmt.Fprintln(out, second(client.Locations.List(t.Context())))
}

func wrongKey(t *testing.T, out io.Writer) {
	list(t, out, "sv_an_old_key", monitoringtest.New().Transport())
}

func keyRotated(t *testing.T, out io.Writer) {
	keys := []string{"sv_an_old_key", monitoringtest.APIKey}
	list(t, out, "", monitoringtest.New().Transport(), monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) {
		key := keys[0]
		keys = keys[len(keys)-1:]
		return key, nil
	}))
}

// The proxy wants a password.
func proxyRefused(t *testing.T, out io.Writer) {
	list(t, out, "key", &http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy.shop.test:3128"}),
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			ours, proxys := net.Pipe()
			go func() {
				defer proxys.Close()
				if _, err := http.ReadRequest(bufio.NewReader(proxys)); err == nil {
					io.WriteString(proxys, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
				}
			}()
			return ours, nil
		},
	})
}

func waitInterrupted(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	for _, name := range []string{"Checkout", "Login flow"} {
		svc.AddCheck(monitoringtest.Check{Name: name, RunTime: 5 * time.Minute})
	}
	client := clientOf(t, svc)
	ctx, interrupt := context.WithCancelCause(t.Context())
	go func() {
		time.Sleep(90 * time.Second)
		interrupt(errors.New("interrupt signal received")) // as signal.NotifyContext says it
	}()
	_, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	fmt.Fprintln(out, err)
}

var updateOutputs = flag.Bool("update-outputs", false, "rewrite the blocks of the pages that show what programs write")

// TestThePagesShowWhatProgramsWrite holds the blocks of text that have a name. To rewrite them, run
// go test ./docs -run Write -update-outputs.
func TestThePagesShowWhatProgramsWrite(t *testing.T) {
	shown := make(map[string]bool)
	for _, page := range pages(t) {
		for _, b := range blocksOf(t, page, read(t, page)) {
			name, ok := strings.CutPrefix(b.language, "text ")
			if !ok {
				continue
			}
			require.Contains(t, outputs, name, "%s:%d: nothing writes this block", page, b.line)
			shown[name] = true
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var out strings.Builder
					outputs[name](t, &out)
					text := strings.ReplaceAll(read(t, page), "```text "+name+"\n"+b.source, "```text "+name+"\n"+out.String())
					if *updateOutputs {
						require.NoError(t, os.WriteFile("../"+page, []byte(text), 0o644))
						return
					}
					require.Equal(t, out.String(), b.source, "run go test ./docs -run Write -update-outputs")
				})
			})
		}
	}
	for name := range outputs {
		require.True(t, shown[name], "no page shows %s", name)
	}
}
