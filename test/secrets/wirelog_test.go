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

// fixed are the strings that a response cannot have another text for: times and ids.
var fixed = regexp.MustCompile(`^[0-9]{4}-|^[0-9a-f]{8}-|^[0-9]+$`)

// withTexts returns JSON in which each string but the ids is another text, and the texts.
func withTexts(t *testing.T, body string, ids []string) (string, []string) {
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
				texts = append(texts, "~"+strconv.FormatInt(int64(len(texts)+36*36), 36)[1:])
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
	secrets, shown := 0, 0
	for _, o := range kit.Operations {
		sample := kit.SuccessFor(t, o)
		if sample == "" {
			continue
		}
		var texts []string
		body, texts = withTexts(t, sample, o.IDs)
		log.Reset()
		value, err := o.Do(t.Context(), client)
		require.NoError(t, err, o.Name)
		open := kit.ToJSON(t, value)
		hidden, err := json.Marshal(value)
		require.NoError(t, err)
		for _, text := range texts {
			switch isShown := strings.Contains(log.String(), text); {
			case strings.Contains(open, text) && !strings.Contains(string(hidden), text):
				secrets++
				require.False(t, isShown, "%s shows a secret: %s", o.Name, log.String())
			case isShown:
				shown++
			}
		}
		log.Reset()
		require.NoError(t, kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/any", nil, nil)))
		require.NotContains(t, log.String(), "~", "a body without a type shows names, kinds and lengths")
	}
	require.Greater(t, secrets, 10)
	require.Greater(t, shown, 150)
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
		value := reflect.New(typ)
		p := planter{prefix: "~"}
		p.plant(t, value.Elem())
		log.Reset()
		require.ErrorIs(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, value.Interface())), monitoring.ErrBadRequest)
		require.NotContains(t, log.String(), p.prefix, "%s: %s", typ.Name(), log.String())
		secrets += p.canaries
	}
	require.Greater(t, secrets, 20)
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
		for _, part := range []string{
			"GET /v1/variables, attempt 1\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< no response after 0s\n! proxy: [redacted] of [redacted]\n$ curl -gsS -X GET ",
			"attempt 2\n> GET https://monitoring.test/v1/variables?limit=2&q=[redacted]\n" + headers + "< 307 Temporary Redirect after 0s\n< Location: /v1/moved?sig=[redacted]\n",
			"attempt 3\n> GET https://monitoring.test/v1/moved?sig=[redacted]\n", "< 200 OK after 0s\n< [{\"key\":\"K\",\"value\":\"[redacted]\"}]\n",
		} {
			require.Contains(t, ofCall.String(), part)
		}
		for _, secret := range []string{"key-123", kit.UUID1, "abc", "s3c", "s1g", "0123456789abcdef"} {
			require.NotContains(t, ofCall.String(), secret)
		}
	})
	require.ErrorContains(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithWireLog(nil))), "WithWireLog needs a writer")
}

func TestTheWireLogOfAnErrorShowsWhatItSays(t *testing.T) {
	var log bytes.Buffer
	client := kit.Client(t, testkit.Status(400, `{"message":"no good","new":"x"}`), monitoring.WithWireLog(&log))
	require.Error(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{}, monitoring.WithQuery("limit", "s3c"))))
	require.Contains(t, log.String(), "/v1/variables?limit=[redacted]\n")
	require.Contains(t, log.String(), "< {\"message\":\"no good\",\"new\":\"[string of 1 bytes]\"}\n")
	client = kit.Client(t, testkit.Status(200, "{}"), monitoring.WithWireLog(&log))
	require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, io.Discard))
	require.Contains(t, log.String(), "< [the body was copied to the caller]\n")
}
