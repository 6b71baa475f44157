package secrets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheWireLogMasksTheSecretsOfAResponse(t *testing.T) {
	const group = `{"id":1,"name":"n","environmentVariables":[{"key":"K","value":"~1"}],"new":"~2"}`
	for _, c := range []struct {
		body string
		call func(*monitoring.Client) error
		want string
	}{
		{group, func(c *monitoring.Client) error { return kit.Second(c.CheckGroups.Get(t.Context(), 1)) },
			`{"id":1,"name":"n","environmentVariables":[{"key":"K","value":"[redacted]"}],"new":"[string of 2 bytes]"}`},
		{`[{"id":"a","alertConfig":{"url":"~3"}}]`, func(c *monitoring.Client) error {
			return kit.Second(c.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{}))
		}, `[{"id":"a","alertConfig":"[redacted]"}]`},
		{group, func(c *monitoring.Client) error {
			return kit.Second(monitoring.Do[any](t.Context(), c, "GET", "/v1/any", nil, nil))
		},
			`{"id":"[number of 1 bytes]","name":"[string of 1 bytes]","environmentVariables":[{"key":"[string of 1 bytes]","value":"[string of 2 bytes]"}],"new":"[string of 2 bytes]"}`},
	} {
		var log bytes.Buffer
		require.NoError(t, c.call(kit.Client(t, testkit.Status(200, c.body), monitoring.WithWireLog(&log))))
		require.Contains(t, log.String(), "\n< "+c.want+"\n")
		require.NotContains(t, log.String(), "~")
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
