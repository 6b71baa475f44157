package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func second[T any](_ T, err error) error { return err }

// kinds has the first operation of each kind.
var kinds = func() map[string]func(context.Context, *Client) error {
	first := make(map[string]func(context.Context, *Client) error)
	for _, c := range operationCalls {
		if first[c.kind] == nil {
			first[c.kind] = c.try
		}
	}
	return first
}()

// outcome is the result of a call if each of its attempts has the fault.
type outcome struct {
	attempts int
	errs     []error // errors that errors.Is must match
	text     string  // a part of its text
	unknown  bool    // whether it matches ErrOutcomeUnknown
}

var (
	retried = 6 // attempts, five of them retries
	ok      = outcome{attempts: 1}
)

// TestTheOutcomeOfEachFaultForEachKindOfOperation is the contract for failures. A key of a row
// lists the kinds of operations for which the outcome holds.
func TestTheOutcomeOfEachFaultForEachKindOfOperation(t *testing.T) {
	reset := []error{syscall.ECONNRESET}
	matrix := map[string]map[string]outcome{
		"refused connection": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: []error{syscall.ECONNREFUSED}},
		},
		"reset before the request is written": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: reset},
		},
		"reset after the request is written": {
			"read poll list update delete stream cancel": {attempts: retried, errs: reset},
			"trigger create": {attempts: 1, errs: reset, unknown: true},
		},
		"reset in mid-response": {
			"read poll list update": {attempts: retried, errs: reset, text: "last status 20"},
			"delete cancel":         ok,                                                 // these operations ignore the response body
			"stream":                {attempts: 1, errs: reset, text: "last status 20"}, // a part of the body was already written
			"trigger create":        {attempts: 1, errs: reset, unknown: true, text: "last status 201"},
		},
		"response slower than the timeout": {
			"read poll list update delete stream cancel": {attempts: retried, text: "the attempt timed out"},
			"trigger create": {attempts: 1, text: "the attempt timed out", unknown: true},
		},
		"truncated JSON": {
			"read poll list update": {attempts: retried, text: "read the response"},
			"delete stream cancel":  ok,
			"trigger create":        {attempts: 1, text: "read the response", unknown: true},
		},
		"empty 200": {
			"read poll list update stream": {attempts: retried, text: "the response is empty"},
			"delete cancel":                ok,
			"trigger create":               {attempts: 1, text: "the response is empty", unknown: true},
		},
		"502 in HTML": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}, text: "502 Bad Gateway"},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, text: "502 Bad Gateway", unknown: true},
		},
		"HTML 200": {
			"read poll list update delete cancel": {attempts: 1, text: "it is HTML, not JSON"},
			"stream":                              ok, // it takes any body
			"trigger create":                      {attempts: 1, text: "it is HTML, not JSON", unknown: true},
		},
		"error object 200": {
			"read poll update delete cancel": {attempts: 1, text: "read the response: "}, // the one of locations is a list
			"list":                           {attempts: 1, text: "want an array, got an object"},
			"stream":                         ok,
			"trigger create":                 {attempts: 1, text: "it is an error object with status 503: Service Unavailable: later", unknown: true},
		},
		"JSON of another type": {
			"read poll list update": {attempts: 1, text: "read the response"},
			"delete stream cancel":  ok,
			"trigger create":        {attempts: 1, text: "it was carried out, but its response cannot be read"},
		},
		"504": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"501": {
			"read poll list update delete stream cancel": {attempts: 1, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"408": {
			"read list update delete stream cancel": {attempts: retried, text: "408 Request Timeout"},
			"poll":                                  {attempts: 1, text: "408 Request Timeout", errs: []error{ErrNotCompleted}},
			"trigger create":                        {attempts: 1, text: "408 Request Timeout", unknown: true},
		},
		"499": {
			"read poll list update delete stream cancel": {attempts: retried, text: "499"},
			"trigger create": {attempts: 1, text: "499", unknown: true},
		},
		"303 with an invalid Location": {
			"read poll list update delete stream cancel": {attempts: 1, text: "Location"},
			"trigger create": {attempts: 1, text: "Location", unknown: true},
		},
		"500": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503 with Retry-After": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}, text: "retry after 3s"},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"429": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: []error{ErrRateLimited}, text: "retry after 2s"},
		},
		"TLS failure": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "certificate"},
		},
		"TLS alert": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "protocol version"},
		},
		"dial timeout": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, text: "i/o timeout"},
		},
		"DNS failure": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "no such host"},
		},
		"400": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrBadRequest}}},
		"401": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrUnauthorized}}},
		"404": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrNotFound}}},
	}
	for fault := range faults {
		require.Contains(t, matrix, fault)
	}
	for fault, row := range matrix {
		cells := 0
		for names, want := range row {
			for _, kind := range strings.Fields(names) {
				cells++
				for _, c := range operationCalls {
					if c.kind == kind {
						t.Run(c.operation+", "+fault, func(t *testing.T) { testCell(t, faults[fault], c, want) })
					}
				}
			}
		}
		require.Equal(t, len(kinds), cells, fault)
	}
}

func testCell(t *testing.T, fault roundTripper, c operationCall, want outcome) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return fault(req)
		}))
		err := c.try(t.Context(), client)
		require.Equal(t, want.attempts, sent, "attempts: %q in operationCalls and the retry class of the method must fit", c.kind)
		if want.errs == nil && want.text == "" {
			require.NoError(t, err)
			return
		}
		for _, target := range want.errs {
			require.ErrorIs(t, err, target)
		}
		require.ErrorContains(t, err, want.text)
		require.Equal(t, want.unknown, errors.Is(err, ErrOutcomeUnknown), "%q in operationCalls and the retry class of the method must fit: %s", c.kind, err)
		require.Equal(t, 1, strings.Count(err.Error(), "monitoring:"), err)
		require.NotContains(t, err.Error(), "key-123")
		if want.attempts > 1 {
			require.ErrorContains(t, err, fmt.Sprintf("after %d attempts", want.attempts))
		}

		// If the fault happens once, a call that is retried succeeds.
		if want.attempts == 1 {
			return
		}
		sent = 0
		client = testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return fault(req)
			}
			return respondWith(c.status, nil, successFor(t, c)), nil
		}))
		require.NoError(t, c.try(t.Context(), client))
		require.Equal(t, 2, sent)
	})
}

func TestACallOfANewClientHasAllItsRetries(t *testing.T) {
	testCell(t, faults["503"], operationCalls[0], outcome{attempts: retried, errs: []error{ErrServer}})
}
