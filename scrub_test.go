package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeyAndAccountAreNeverInAnError(t *testing.T) {
	const key, account = "key-1234567890", "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	newClient := func(transport roundTripper) *Client {
		return makeClient(t, "https://monitoring.test", key, &http.Client{Transport: transport}, WithAccount(account), WithMaxRetries(0))
	}
	calls := map[string]func(*Client) error{
		"an account in the path": func(c *Client) error { return second(c.Entitlements.Get(t.Context(), account)) },
		"a key as an account":    func(c *Client) error { return second(c.Entitlements.Get(t.Context(), key)) },
		"a key as a session":     func(c *Client) error { return second(c.CheckSessions.Get(t.Context(), key)) },
		"a key as a session to wait for": func(c *Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return second(c.CheckSessions.Wait(ended, key, WaitOptions{}))
		},
		"a key as an analysis to wait for": func(c *Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return second(c.RootCauseAnalyses.Wait(ended, key))
		},
		"a key as a session to wait for, with a mistake": func(c *Client) error {
			return second(c.CheckSessions.Wait(t.Context(), key, WaitOptions{Share: 2}))
		},
		"a key as a session to cancel": func(c *Client) error { return c.CheckSessions.Cancel(t.Context(), key, CancelRequest{}) },
		"a key in a path":              func(c *Client) error { return second(Do[any](t.Context(), c, "GET", "/v1/"+key, nil, nil)) },
		"a key before a query": func(c *Client) error {
			return second(Do[any](t.Context(), c, "GET", "/v1/"+key+"?x", nil, nil))
		},
		"a key as a check": func(c *Client) error {
			return second(c.CheckSessions.Trigger(t.Context(), TriggerRequest{Target: TriggerTarget{CheckIDs: []string{key}}}))
		},
		"a key as a valid method": func(c *Client) error { return second(Do[any](t.Context(), c, key, "/", nil, nil)) },
		"a key as a method":       func(c *Client) error { return second(Do[any](t.Context(), c, key+" x", "/", nil, nil)) },
	}
	for failure, transport := range map[string]roundTripper{
		"a 404":   faults["404"],
		"a reset": faults["reset after the request is written"],
		"an error that quotes the request": func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		},
	} {
		for name, do := range calls {
			t.Run(failure+" "+name, func(t *testing.T) {
				err := do(newClient(transport))
				require.Error(t, err)
				texts := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
				for chain := err; chain != nil; chain = errors.Unwrap(chain) {
					data, _ := json.Marshal(chain)
					texts += fmt.Sprintf("%v %+v %#v %s", chain, chain, chain, data)
				}
				require.NotContains(t, texts, key)
				require.NotContains(t, texts, strings.ToUpper(key))
				require.NotContains(t, texts, account)
			})
		}
	}
}

func TestTextsOfTheServiceAndTheTransportAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 20_000_000)
	for name, transport := range map[string]roundTripper{
		"a very long number":  status(200, `{"concurrency":`+long+`}`),
		"a very long message": status(400, `{"message":"`+long+`"}`),
		"a very long error":   func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testClient(t, transport, WithMaxRetries(0)).CheckGroups.Get(t.Context(), 1)
			require.Error(t, err)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}
