package secrets_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

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
