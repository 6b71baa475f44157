package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestOnlyAResponseOfTheServiceMatchesErrNoMatchingChecks(t *testing.T) {
	for body, says := range map[string]bool{
		`{"statusCode":404,"error":"Not Found"}`:                                                    true,
		`{"statusCode":404,"error":"Not Found","message":"No matching checks were found."}`:         true,
		`{"errorCode":"NO_MATCHING_CHECKS"}`:                                                        true,
		`{"statusCode":404,"error":"Not Found","message":"Not Found"}`:                              false,
		`{"statusCode":403,"error":"Not Found"}`:                                                    false,
		`{"error":"Not Found"}`:                                                                     false,
		`{"statusCode":"404","error":"Not Found"}`:                                                  false,
		`{"statusCode":404,"error":"Gone"}`:                                                         false,
		`{"statusCode":404}`:                                                                        false,
		`<title>no matching</title>`:                                                                false,
		`{"statusCode":404,"error":"Not Found","message":"no such path","errorCode":"matching_no"}`: false,
	} {
		for _, kind := range []string{"trigger", "read"} {
			err := kit.FirstOfKind[kind](t.Context(), kit.Client(t, testkit.Status(404, body)))
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			require.Equal(t, says && kind == "trigger", errors.Is(err, monitoring.ErrNoMatchingChecks), "%s: %s", kind, body)
		}
		err := kit.FirstOfKind["trigger"](t.Context(), kit.Client(t, testkit.Status(400, body)))
		require.NotErrorIs(t, err, monitoring.ErrNoMatchingChecks, body)
	}
}

// An Err value as the cause of a context is not matched because of its type, so all must have it.
func TestAllErrValuesHaveOneType(t *testing.T) {
	root, _, _ := strings.Cut(kit.File(t, "testdata/api.txt"), "\npackage ")
	values := regexp.MustCompile(`(?m)^var (Err\w+).*? = (.*)$`).FindAllStringSubmatch(root, -1)
	require.NotEmpty(t, values)
	for _, v := range values {
		require.Regexp(t, `^(newErrValue\(|&errValue\{)`, v[2], v[1])
	}
}

func TestErrorsNameTheAddressAndTheKindOfResponse(t *testing.T) {
	for name, c := range map[string]struct {
		base, kind string
		transport  testkit.RoundTripper
		contains   []string
	}{
		"a proxy's 404 to a read":     {"https://gw.test/mon", "read", testkit.Status(404, "<html>nginx</html>"), []string{"at gw.test/mon", "404 Not Found", "the response is HTML, not JSON"}},
		"a proxy's 404 to a trigger":  {"https://gw.test", "trigger", testkit.Status(404, "<html>nginx</html>"), []string{"at gw.test", "is HTML"}},
		"an empty 404 to a trigger":   {"https://gw.test", "trigger", testkit.Status(404, ""), []string{"the response is empty"}},
		"a base that ends in /v1":     {"https://gw.test/v1/", "read", testkit.Status(404, "<html>nginx</html>"), []string{"every path begins with /v1 already: remove it from the end of the base address"}},
		"a base that ends in /api/v2": {"https://gw.test/api/v2", "read", testkit.Faults["404"], []string{"every path begins with /v2 already"}},
		"a wrong prefix":              {"https://gw.test/x", "list", testkit.Faults["404"], []string{"404 Not Found: the service has this path: check the prefix of the base address"}},
		"an HTML success":             {"https://gw.test/mon", "read", testkit.Status(200, "<html>nginx</html>"), []string{"at gw.test/mon", "it is HTML, not JSON"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := kit.FirstOfKind[c.kind](t.Context(), kit.NewClient(t, c.base, kit.Key, &http.Client{Transport: c.transport}, monitoring.WithMaxRetries(0)))
			for _, text := range c.contains {
				require.ErrorContains(t, err, text)
			}
		})
	}
}

func TestZeroErrorsHaveATextAndMatchNothing(t *testing.T) {
	for _, err := range []error{
		&monitoring.APIError{}, &monitoring.CallError{}, &monitoring.ValidationError{}, &monitoring.DecodeError{}, &monitoring.SessionError{}, &monitoring.PageError{},
		(*monitoring.APIError)(nil), (*monitoring.CallError)(nil), (*monitoring.ValidationError)(nil), (*monitoring.DecodeError)(nil), (*monitoring.SessionError)(nil), (*monitoring.PageError)(nil), &monitoring.ItemError{}, (*monitoring.ItemError)(nil),
	} {
		t.Run(fmt.Sprintf("%T", err), func(t *testing.T) {
			require.Regexp(t, "^monitoring: .+", err.Error())
			require.NotErrorIs(t, err, monitoring.ErrNotFound)
			require.NotErrorIs(t, err, context.Canceled)
			require.NotEmpty(t, fmt.Sprintf("%v %+v %#v", err, err, err))
			errors.Unwrap(err)
		})
	}
}

func TestATestCanMakeAnAPIError(t *testing.T) {
	for status, server := range map[int]bool{400: false, 499: false, 500: true, 501: true, 599: true} {
		require.Equal(t, server, errors.Is(&monitoring.APIError{StatusCode: status}, monitoring.ErrServer), status)
	}
	noMatch := &monitoring.APIError{StatusCode: 404, Kind: monitoring.ErrNoMatchingChecks}
	require.ErrorIs(t, noMatch, monitoring.ErrNoMatchingChecks)
	require.ErrorIs(t, noMatch, monitoring.ErrNotFound)
	require.ErrorIs(t, monitoring.ErrNoMatchingChecks, monitoring.ErrNotFound)
	require.NotErrorIs(t, &monitoring.APIError{StatusCode: 404}, monitoring.ErrNoMatchingChecks)
	require.ErrorIs(t, &monitoring.APIError{StatusCode: 500, Kind: monitoring.ErrOutcomeUnknown}, monitoring.ErrServer)
	require.ErrorIs(t, &monitoring.APIError{StatusCode: 500, Kind: monitoring.ErrOutcomeUnknown}, monitoring.ErrOutcomeUnknown)
}

func TestErrorsMatchTheirStatusForEveryBody(t *testing.T) {
	values := map[int]error{
		400: monitoring.ErrBadRequest, 401: monitoring.ErrUnauthorized, 402: monitoring.ErrPaymentRequired, 403: monitoring.ErrForbidden, 404: monitoring.ErrNotFound,
		409: monitoring.ErrConflict, 429: monitoring.ErrRateLimited, 500: monitoring.ErrServer, 503: monitoring.ErrServer,
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
		"null members":                   {`{"error":null,"message":null,"attributes":null,"validation":null}`, "", "", false},
		"a message of two lines":         {`{"message":"a\nb\u0000c"}`, "a b c", "", false},
		"validation of older operations": {`{"statusCode":400,"error":"Bad Request","message":"m","validation":{"source":"payload","keys":["frequency"]}}`, "m", "Bad Request", false},
	}
	for status, value := range values {
		for name, c := range bodies {
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				return testkit.Respond(status, nil, c.body), nil
			}), monitoring.WithMaxRetries(0))
			_, err := client.CheckGroups.Get(t.Context(), 42)
			require.ErrorIs(t, err, value, name)
			var e *monitoring.APIError
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
			require.LessOrEqual(t, len(e.Body), keptBody)
			for other, sentinel := range values {
				require.Equal(t, sentinel == value, e.Is(sentinel), "%d is not %d", status, other)
			}
		}
	}
}
