package secrets_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

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
	client = kit.Client(t, testkit.Status(200, `[{"id":"a","alertConfig":{"url":"x"},"new":"y"}]`), monitoring.WithWireLog(&log))
	require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})))
	require.Contains(t, log.String(), "< [{\"id\":\"a\",\"alertConfig\":\"[redacted]\",\"new\":\"[string of 1 bytes]\"}]\n")
	require.NoError(t, kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v1/any", nil, nil)))
	require.Contains(t, log.String(), "< [{\"id\":\"[string of 1 bytes]\",", "nothing says what is no secret")
	client = kit.Client(t, testkit.Status(200, "{}"), monitoring.WithWireLog(&log))
	require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, io.Discard))
	require.Contains(t, log.String(), "< [the body was copied to the caller]\n")
}
