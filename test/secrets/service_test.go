package secrets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// hostile is a text that quotes the key, moves the cursor of a terminal, and changes the order of
// letters. It is longer than what an error shows.
var hostile = "x " + testkit.Canary + "\n::error::\x1b[2J\u009b\x7f\u200f\u061c\u202e\u2066\u2028\ufeff\r" + strings.Repeat(" and more", 100)

// requireHarmless fails the test if a value shows the key, or what a terminal or a log would obey.
func requireHarmless(t *testing.T, what string, v any) {
	t.Helper()
	data, _ := json.Marshal(v)
	texts := []string{string(data)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%q", "%d", "%x"} {
		texts = append(texts, fmt.Sprintf(verb, v))
	}
	for _, text := range texts {
		require.False(t, testkit.ShowsCanary(text), "%s shows the key: %.300s", what, text)
		i := strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) })
		require.Negative(t, i, "%s has a control character: %q", what, text)
	}
	if err, ok := v.(error); ok {
		require.Less(t, len(err.Error()), 1500, what)
	}
}

// planted are variants of a body: with the hostile text in every string, in every value and as
// every name, and if each is set, in one member after the other.
func planted(t *testing.T, body string, each bool) (list []string) {
	root := kit.ParseJSON(t, body)
	add := func(v any) {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		list = append(list, string(data))
	}
	var everywhere func(v any, replaces func(any) bool, name string) any
	everywhere = func(v any, replaces func(any) bool, name string) any {
		switch v := v.(type) {
		case map[string]any:
			object := make(map[string]any)
			for own, value := range v {
				object[own+name] = everywhere(value, replaces, name)
			}
			return object
		case []any:
			items := make([]any, len(v))
			for i := range v {
				items[i] = everywhere(v[i], replaces, name)
			}
			return items
		}
		if replaces(v) {
			return hostile
		}
		return v
	}
	isText := func(v any) bool { _, text := v.(string); return text }
	add(everywhere(root, isText, ""))
	add(everywhere(root, func(any) bool { return true }, ""))
	add(everywhere(root, func(any) bool { return false }, hostile))
	var one func(v any)
	one = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				old := v[name]
				v[name] = hostile
				add(root)
				v[name] = old
				one(old)
			}
		case []any:
			if len(v) > 0 {
				one(v[0])
			}
		}
	}
	if each {
		one(root)
	}
	return list
}

// TestNothingThatAServiceSendsIsObeyedOrShown plants the hostile text in every place of every
// response, and looks at all that a program may print, besides the values it asked for.
func TestNothingThatAServiceSendsIsObeyedOrShown(t *testing.T) {
	testkit.SkipUnderRace(t)
	var response func() *http.Response
	var log bytes.Buffer
	var reported []any
	client := kit.NewClient(t, kit.Base, testkit.Canary, &http.Client{Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return response(), nil })},
		monitoring.WithMaxRetries(1), monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}), monitoring.WithRouteRateLimit("GET /v1/alert-notifications", monitoring.RateLimit{Requests: 1e6, Per: time.Second}),
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { reported = append(reported, a) }),
		monitoring.WithCallHook(func(_ context.Context, c monitoring.CallInfo) { reported = append(reported, c) }))
	said, err := json.Marshal(map[string]any{
		"statusCode": 400, "error": hostile, "message": hostile, "errorCode": hostile, hostile: hostile,
		"attributes": map[string]string{hostile: hostile}, "validation": map[string]any{"source": hostile, "keys": []string{hostile}},
	})
	require.NoError(t, err)
	header := http.Header{"X-" + testkit.Canary: {"x"}, "X-Said": {hostile}, "Retry-After": {hostile}, "Content-Type": {"application/json; " + hostile}, "Location": {"/" + hostile}}
	numbers := regexp.MustCompile(`[0-9]+|/v[12]/[^ :]*`)
	seen, kinds := make(map[string]bool), make(map[string]bool)
	for _, o := range kit.Operations {
		first := !kinds[o.Kind]
		kinds[o.Kind] = true
		try := func(what string, status int, body string) {
			reported = nil
			response = func() *http.Response { return testkit.Respond(status, header.Clone(), body) }
			synctest.Test(t, func(t *testing.T) {
				reported = append(reported, o.Try(t.Context(), client))
				if o.Kind == "poll" && strings.Contains(o.Name, "test-sessions") {
					reported = append(reported, kit.Second(client.TestSessions.Wait(t.Context(), kit.SampleRun, monitoring.WaitOptions{Timeout: time.Second})))
				} else if o.Kind == "poll" {
					reported = append(reported, kit.Second(client.CheckSessions.Wait(t.Context(), kit.SampleRun, monitoring.WaitOptions{Timeout: time.Second})))
				}
				if o.All != nil && first {
					reported = append(reported, kit.Second(o.All(t.Context(), client, o.IDs, nil)))
				}
			})
			for _, v := range reported {
				like := strings.ReplaceAll(numbers.ReplaceAllString(fmt.Sprintf("%T %+v", v, v), ""), o.Row.Method(), "")
				if !seen[like] {
					seen[like] = true
					requireHarmless(t, o.Name+": "+what, v)
				}
			}
		}
		if body := kit.SuccessFor(t, o); body != "" {
			for i, variant := range planted(t, body, first && o.Kind == "read") {
				try("variant "+strconv.Itoa(i), o.Status, variant)
			}
		}
		if !first {
			continue
		}
		for what, body := range map[string]string{"an error": string(said), "text": hostile, "HTML": "<html>" + hostile, "JSON": `"` + testkit.Canary + `"`, "cut off": string(said[:len(said)/2])} {
			for _, status := range []int{200, 400, 302, 204, 429, 503} {
				if status <= 400 || what == "an error" || what == "text" {
					try(fmt.Sprintf("%s with status %d", what, status), status, body)
				}
			}
		}
	}
	require.Greater(t, len(seen), 100)
	require.False(t, testkit.ShowsCanary(log.String()), "the log")
}

func TestMain(m *testing.M) { testkit.Main(m) }
