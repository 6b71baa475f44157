package monitoring

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheErrorOfARefusedRedirectSaysWhy(t *testing.T) {
	for location, why := range map[string]string{
		"https://evil.test/prefix/x": "it leads to https://evil.test, which is another host, port or scheme",
		"/other":                     "it leads out of the path of the base address",
		"/prefix/v1/x":               "it changes the method from POST to GET",
	} {
		client := makeClient(t, testBase, testKey, &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			return respondWith(http.StatusFound, http.Header{"Location": {location}}, ""), nil
		})}, WithMaxRetries(0))
		err := second(client.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}))
		require.ErrorIs(t, err, ErrRedirect, location)
		require.ErrorContains(t, err, why, location)
	}
}
