package secrets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// revealed returns the texts of all secrets in a value.
func revealed(v reflect.Value) (texts string) {
	switch s := v.Interface().(type) {
	case monitoring.Secret:
		return s.Reveal()
	case monitoring.SecretJSON:
		return string(s.Reveal())
	}
	if kit.IsNullable(v.Type()) {
		value := v.MethodByName("Get").Call(nil)
		return revealed(value[0])
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return revealed(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			texts += revealed(v.Index(i)) + "\n"
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			texts += revealed(v.MapIndex(key)) + "\n"
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts += revealed(v.Field(i)) + "\n"
			}
		}
	}
	return texts
}

// fixed are the strings that a response cannot have another text for: times and ids.
var fixed = regexp.MustCompile(`^[0-9]{4}-|^[0-9a-f]{8}-|^[0-9]+$`)

// withTexts returns JSON in which each string but the ids is another text, and the texts.
func withTexts(t *testing.T, body, prefix string, ids []string) (string, []string) {
	var texts []string
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name := range v {
				v[name] = walk(v[name])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			if !fixed.MatchString(v) && !slices.Contains(ids, v) {
				texts = append(texts, prefix+strconv.FormatInt(int64(len(texts)+36*36), 36)[1:])
				return texts[len(texts)-1]
			}
		}
		return v
	}
	data, err := json.Marshal(walk(kit.ParseJSON(t, body)))
	require.NoError(t, err)
	return string(data), texts
}

func TestTheWireLogMasksEverySecretOfAResponse(t *testing.T) {
	var log bytes.Buffer
	var body string
	client, _ := kit.Recorded(t, 200, "", monitoring.WithWireLog(&log), monitoring.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		return testkit.Respond(200, http.Header{"Content-Type": {"application/json"}}, body), nil
	})}))
	for _, prefix := range []string{"~", "~a-canary-of-30-bytes-0123456"} {
		secrets, shown := 0, 0
		for _, o := range kit.Operations {
			sample := kit.SuccessFor(t, o)
			if sample == "" {
				continue
			}
			var texts []string
			body, texts = withTexts(t, sample, prefix, o.IDs)
			log.Reset()
			value, err := o.Do(t.Context(), client)
			require.NoError(t, err, o.Name)
			hidden := revealed(reflect.ValueOf(&value))
			for _, text := range texts {
				switch isShown := strings.Contains(log.String(), text); {
				case strings.Contains(hidden, text):
					secrets++
					require.False(t, isShown, "%s shows a secret: %s", o.Name, log.String())
				case isShown:
					shown++
				}
			}
			log.Reset()
			require.NoError(t, kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/any", nil, nil)))
			require.NotContains(t, log.String(), prefix, "a body without a type shows names, kinds and lengths")
		}
		require.Greater(t, secrets, 20)
		require.Greater(t, shown, 300)
	}
}

func TestTheWireLogMasksEverySecretOfARequest(t *testing.T) {
	var log bytes.Buffer
	secrets := 0
	echo := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		data, _ := json.Marshal(map[string]string{"message": "no good: " + string(body)})
		return testkit.Respond(http.StatusBadRequest, nil, string(data)), err
	})
	client := kit.Client(t, echo, monitoring.WithWireLog(&log), monitoring.WithoutRateLimit(), monitoring.WithoutValidation())
	for _, typ := range kit.WireTypes() {
		for _, prefix := range []string{"~", "a-canary-of-30-bytes-012345"} {
			value := reflect.New(typ)
			p := planter{prefix: prefix}
			p.plant(t, value.Elem())
			log.Reset()
			require.ErrorIs(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, value.Interface())), monitoring.ErrBadRequest)
			require.NotContains(t, log.String(), prefix, "%s: %s", typ.Name(), log.String())
			secrets += p.canaries
		}
	}
	require.Greater(t, secrets, 50)
}

func TestTheWireLogShowsEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ofClient, ofCall bytes.Buffer
		turns := testkit.InTurn(
			func(*http.Request) (*http.Response, error) {
				return nil, fmt.Errorf("proxy: key-123 of %s\n", kit.UUID1)
			},
			func(*http.Request) (*http.Response, error) {
				return testkit.Respond(307, http.Header{"Location": {"/v1/moved?sig=s1g"}}, ""), nil
			}, testkit.Status(200, `[{"key":"K","value":"abc"}]`))
		client := kit.Client(t, turns, monitoring.WithWireLog(&ofClient), monitoring.WithAccount(kit.UUID1), monitoring.WithHeader("X-Gate", "0123456789abcdef"))
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}, monitoring.WithQuery("q", "s3c"), monitoring.WithWireLog(&ofCall))
		require.NoError(t, err)
		require.Equal(t, "abc", page.Items[0].Value.Reveal())
		require.Empty(t, ofClient.String(), "the log of the call replaces that of the client")
		const headers = "> Accept: application/json\n> Authorization: Bearer [redacted]\n> User-Agent: monitoring-go/" + monitoring.Version + "\n> X-Gate: [redacted]\n> X-Service-Account: [redacted]\n"
		log := ofCall.String()
		for _, part := range []string{
			"GET /v1/variables, attempt 1\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< no response after 0s\n! proxy: [redacted] of [redacted]\n$ curl -gsS -X GET 'https://monitoring.test/v1/variables?limit=2&q=[redacted]' -H ",
			"attempt 2\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< 307 Temporary Redirect after 0s\n< Location: /v1/moved?sig=[redacted]\n",
			"attempt 3\n> GET https://monitoring.test/v1/moved?sig=[redacted]\n", "< 200 OK after 0s\n< [{\"key\":\"K\",\"value\":\"[redacted]\"}]\n",
		} {
			require.Contains(t, log, part)
		}
		for _, secret := range []string{"key-123", kit.UUID1, "abc", "s3c", "s1g", "0123456789abcdef"} {
			require.NotContains(t, log, secret)
		}
	})
	var log bytes.Buffer
	client := kit.Client(t, testkit.Status(400, `{"message":"no good","new":"x"}`), monitoring.WithWireLog(&log))
	require.Error(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{}, monitoring.WithQuery("limit", "s3c"))))
	require.Contains(t, log.String(), "/v1/variables?limit=[redacted]\n")
	require.Contains(t, log.String(), "< {\"message\":\"no good\",\"new\":\"[string of 1 bytes]\"}\n", "what an error says is shown")
	log.Reset()
	client = kit.Client(t, testkit.Status(200, "{}"), monitoring.WithWireLog(&log))
	require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, io.Discard))
	require.Contains(t, log.String(), "< [the body was copied to the caller]\n")
	require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithWireLog(nil))), "WithWireLog needs a writer")
}
