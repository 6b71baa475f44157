package faults_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// outcome is the result of a call if each of its attempts has the fault.
type outcome struct {
	attempts int
	errs     []error // errors that errors.Is must match
	text     string  // a part of its text
	unknown  bool    // whether it matches ErrOutcomeUnknown
}

var (
	retried = 6  // attempts, five of them retries
	notYet  = -1 // about one every 2 s in two minutes, and five retries
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
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{monitoring.ErrServer}, text: "502 Bad Gateway"},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, text: "502 Bad Gateway", unknown: true},
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
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{monitoring.ErrServer}},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, unknown: true},
		},
		"501": {
			"read poll list update delete stream cancel": {attempts: 1, errs: []error{monitoring.ErrServer}},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, unknown: true},
		},
		"408": {
			"read list update delete stream cancel": {attempts: retried, text: "408 Request Timeout"},
			"poll":                                  {attempts: 1, text: "408 Request Timeout", errs: []error{monitoring.ErrNotCompleted}},
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
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{monitoring.ErrServer}},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, unknown: true},
		},
		"503": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{monitoring.ErrServer}},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, unknown: true},
		},
		"503 with Retry-After": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{monitoring.ErrServer}, text: "retry after 3s"},
			"trigger create": {attempts: 1, errs: []error{monitoring.ErrServer}, unknown: true},
		},
		"429": {
			"read poll list update delete stream cancel trigger create": {attempts: notYet, errs: []error{monitoring.ErrRateLimited}, text: "retry after 2s"},
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
		"400": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{monitoring.ErrBadRequest}}},
		"401": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{monitoring.ErrUnauthorized}}},
		"404": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{monitoring.ErrNotFound}}},
	}
	for fault := range testkit.Faults {
		require.Contains(t, matrix, fault)
	}
	for fault, row := range matrix {
		cells := 0
		for names, want := range row {
			for _, kind := range strings.Fields(names) {
				cells++
				for _, c := range kit.Operations {
					if c.Kind == kind {
						t.Run(c.Name+", "+fault, func(t *testing.T) { testCell(t, testkit.Faults[fault], c, want) })
					}
				}
			}
		}
		require.Equal(t, len(kit.FirstOfKind), cells, fault)
	}
}

func testCell(t *testing.T, fault testkit.RoundTripper, c kit.Operation, want outcome) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return fault(req)
		}))
		err := c.Try(t.Context(), client)
		if want.attempts == notYet {
			require.InDelta(t, 60, sent, 7)
			want.attempts = sent
		}
		require.Equal(t, want.attempts, sent, "attempts: %q in operationCalls and the retry class of the method must fit", c.Kind)
		if want.errs == nil && want.text == "" {
			require.NoError(t, err)
			return
		}
		for _, target := range want.errs {
			require.ErrorIs(t, err, target)
		}
		require.ErrorContains(t, err, want.text)
		require.Equal(t, want.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown), "%q in operationCalls and the retry class of the method must fit: %s", c.Kind, err)
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
		client = kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return fault(req)
			}
			return testkit.Respond(c.Status, nil, kit.SuccessFor(t, c)), nil
		}))
		require.NoError(t, c.Try(t.Context(), client))
		require.Equal(t, 2, sent)
	})
}

func TestACallOfANewClientHasAllItsRetries(t *testing.T) {
	testCell(t, testkit.Faults["503"], kit.Operations[0], outcome{attempts: retried, errs: []error{monitoring.ErrServer}})
}
