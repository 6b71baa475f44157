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
var hostile = "x " + testkit.Canary + "\n::error::\x1b[2J\u009b\x7f\u200f\u061c\u202e\u2066\u2028\ufeff\r" + strings.Repeat(" and more", 200)

// requireHarmless fails the test if a value shows the key, or what a terminal or a log would obey.
func requireHarmless(t *testing.T, what string, v any) {
	t.Helper()
	testkit.RequireHidden(t, what, v)
	data, _ := json.Marshal(v)
	texts := []string{string(data)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%t"} {
		texts = append(texts, fmt.Sprintf(verb, v))
	}
	for _, text := range texts {
		if i := strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }); i >= 0 {
			t.Errorf("%s has a control character: %q", what, text[max(i-40, 0):min(i+20, len(text))])
		}
	}
	if err, ok := v.(error); ok && len(err.Error()) > 1500 {
		t.Errorf("%s has a text of %d bytes", what, len(err.Error()))
	}
}

// planted are variants of a body: with the hostile text in every string, in every value, as every
// name, and in one member after the other.
func planted(t *testing.T, body string) (list []string) {
	if body == "" {
		return nil
	}
	add := func(v any) {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		list = append(list, string(data))
	}
	var replaced func(v any, replaces func(any) bool, name string) any
	replaced = func(v any, replaces func(any) bool, name string) any {
		switch v := v.(type) {
		case map[string]any:
			object := make(map[string]any)
			for own, value := range v {
				object[own+name] = replaced(value, replaces, name)
			}
			return object
		case []any:
			items := make([]any, len(v))
			for i := range v {
				items[i] = replaced(v[i], replaces, name)
			}
			return items
		}
		if replaces(v) {
			return hostile
		}
		return v
	}
	root := kit.ParseJSON(t, body)
	add(replaced(root, func(v any) bool { _, text := v.(string); return text }, ""))
	add(replaced(root, func(any) bool { return true }, ""))
	add(replaced(root, func(any) bool { return false }, hostile))
	var each func(v any)
	each = func(v any) {
		if object, ok := v.(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				old := object[name]
				object[name] = hostile
				add(root)
				object[name] = old
				each(old)
			}
		}
		if items, ok := v.([]any); ok && len(items) > 0 {
			old := items[0]
			items[0] = hostile
			add(root)
			items[0] = old
			each(old)
		}
	}
	each(root)
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
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) { reported = append(reported, a) }),
		monitoring.WithCallHook(func(_ context.Context, c monitoring.Call) { reported = append(reported, c) }))
	said, err := json.Marshal(map[string]any{
		"statusCode": 400, "error": hostile, "message": hostile, "errorCode": hostile, hostile: hostile,
		"attributes": map[string]string{hostile: hostile}, "validation": map[string]any{"source": hostile, "keys": []string{hostile}},
	})
	require.NoError(t, err)
	header := http.Header{"X-" + testkit.Canary: {"x"}, "X-Said": {hostile}, "Retry-After": {hostile}, "Content-Type": {"application/json; " + hostile}, "Location": {"/" + hostile}}
	seen, kinds := make(map[string]bool), make(map[string]bool)
	for _, o := range kit.Operations {
		try := func(what string, status int, body string) {
			reported = nil
			response = func() *http.Response { return testkit.Respond(status, header.Clone(), body) }
			synctest.Test(t, func(t *testing.T) {
				reported = append(reported, o.Try(t.Context(), client))
				if o.Kind == "poll" {
					reported = append(reported, kit.Second(client.CheckSessions.Wait(t.Context(), kit.SampleRun, monitoring.WaitOptions{Timeout: time.Second})))
				}
				if o.All != nil {
					reported = append(reported, kit.Second(o.All(t.Context(), client, o.IDs, nil)))
				}
			})
			for _, v := range reported {
				like := strings.ReplaceAll(regexp.MustCompile(`[0-9]+|/v[12]/[^ :]*`).ReplaceAllString(fmt.Sprintf("%T %+v", v, v), ""), o.Row.Method(), "")
				if !seen[like] {
					seen[like] = true
					requireHarmless(t, o.Name+": "+what, v)
				}
			}
		}
		for i, body := range planted(t, kit.SuccessFor(t, o)) {
			try("variant "+strconv.Itoa(i), o.Status, body)
		}
		if kinds[o.Kind] {
			continue
		}
		kinds[o.Kind] = true
		for _, status := range []int{200, 204, 302, 400, 401, 403, 404, 408, 429, 500, 503} {
			for what, body := range map[string]string{"an error": string(said), "text": hostile, "HTML": "<html>" + hostile, "JSON": `"` + testkit.Canary + `"`, "cut off": string(said[:len(said)/2])} {
				try(fmt.Sprintf("%s with status %d", what, status), status, body)
			}
		}
	}
	require.Greater(t, len(seen), 100)
	require.False(t, testkit.ShowsCanary(log.String()), "the log")
}
