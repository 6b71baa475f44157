package monitoring

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

func TestErrorsMatchTheirStatusForEveryBody(t *testing.T) {
	values := map[int]error{
		400: ErrBadRequest, 401: ErrUnauthorized, 402: ErrPaymentRequired, 403: ErrForbidden, 404: ErrNotFound,
		409: ErrConflict, 429: ErrRateLimited, 500: ErrServer, 503: ErrServer,
	}
	bodies := map[string]struct {
		body, message, reason string
		attributes            bool
	}{
		"as documented":                  {`{"statusCode":1,"error":"E","message":"M","attributes":{"a":1}}`, "M", "E", true},
		"without a message":              {`{"statusCode":401,"error":"E"}`, "E", "E", false},
		"only a string as error":         {`{"error":"text"}`, "text", "text", false},
		"an object as error":             {`{"error":{"message":"deep"}}`, "", "", false},
		"message and code":               {`{"message":"text","errorCode":"CODE"}`, "text", "", false},
		"a bare string":                  {`"text"`, "text", "", false},
		"an array":                       {`[1]`, "", "", false},
		"null":                           {`null`, "", "", false},
		"HTML":                           {`<html><body>Bad Gateway</body></html>`, "", "", false},
		"nothing":                        {``, "", "", false},
		"cut off":                        {`{"statusCode":401,"error":"Unauth`, "", "", false},
		"members of other types":         {`{"statusCode":"x","error":1,"message":["m"],"attributes":"a"}`, "", "", true},
		"a long message":                 {`{"message":"` + strings.Repeat("long ", 50_000) + `"}`, "", "", false},
		"an empty attributes":            {`{"error":"E","message":"M","attributes":{}}`, "M", "E", true},
		"null members":                   {`{"error":null,"message":null,"attributes":null}`, "", "", false},
		"a message of two lines":         {`{"message":"a\nb\u0000c"}`, "a\nb\x00c", "", false},
		"validation of older operations": {`{"statusCode":400,"error":"Bad Request","message":"m","validation":{"source":"payload","keys":["frequency"]}}`, "m", "Bad Request", false},
	}
	for status, value := range values {
		for name, c := range bodies {
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				return respondWith(status, nil, c.body), nil
			}), WithMaxRetries(0))
			_, err := client.CheckGroups.Get(t.Context(), 42)
			require.ErrorIs(t, err, value, name)
			var e *APIError
			require.ErrorAs(t, err, &e)
			require.Equal(t, status, e.StatusCode)
			require.Equal(t, c.message, e.Message, name)
			require.Equal(t, c.reason, e.Reason, name)
			require.Equal(t, c.attributes, e.Attributes != nil, name)
			require.Equal(t, "GET", e.Method)
			require.Equal(t, "/v1/check-groups/42", e.Path)
			require.Equal(t, 1, e.Attempts)
			require.True(t, strings.HasPrefix(e.Error(), "monitoring: GET /v1/check-groups/42 at monitoring.test: "), e)
			require.NotContains(t, e.Error(), "\n")
			require.Less(t, len(e.Error()), 1000)
			require.LessOrEqual(t, len(e.Body), exchange.SkimmedBody)
			for other, sentinel := range values {
				require.Equal(t, sentinel == value, e.Is(sentinel), "%d is not %d", status, other)
			}
		}
	}
}
