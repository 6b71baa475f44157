package monitoring

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// result is the result of an attempt.
type result struct {
	status int
	err    error
}

// afterSending is the failure of an attempt whose request may have been sent.
func afterSending(err error) error { return &attemptError{err: err, sent: true} }

// contract is the table in docs/limits-and-retries.md and in the package documentation, row by row.
var contract = []struct {
	label        string
	safe, unsafe string // retried, final or ErrOutcomeUnknown
	results      []result
}{
	{"connection not made, request not written", "retried", "retried", []result{
		{0, &attemptError{err: syscall.ECONNREFUSED}}, {0, &attemptError{err: syscall.ECONNRESET}},
		{0, &attemptError{err: &net.DNSError{IsTimeout: true}}},
	}},
	{"429", "retried", "retried", []result{{429, nil}}},
	{"connection lost or timed out after writing", "retried", "ErrOutcomeUnknown", []result{
		{0, afterSending(syscall.ECONNRESET)}, {0, afterSending(io.EOF)}, {0, afterSending(&attemptTimeout{time.Second})},
		{200, afterSending(syscall.ECONNRESET)}, {0, afterSending(&networkTimeout{context.DeadlineExceeded})},
	}},
	{"408, 499, 500, 502, 503, 504", "retried", "ErrOutcomeUnknown", []result{{408, nil}, {499, nil}, {500, nil}, {502, nil}, {503, nil}, {504, nil}}},
	{"success that is cut off, empty or not JSON", "retried", "ErrOutcomeUnknown", []result{
		{200, afterSending(&DecodeError{Err: io.ErrUnexpectedEOF, broken: true})},
		{201, afterSending(&DecodeError{Err: errEmptyResponse, broken: true})},
	}},
	{"success that is HTML or other markup", "final", "ErrOutcomeUnknown", []result{{200, afterSending(&DecodeError{foreign: true})}}},
	{"success that is an error object", "final", "ErrOutcomeUnknown", []result{{200, afterSending((&exchange{own: scrub.New()}).checkErrorObject([]byte(`{"statusCode":503,"error":"x"}`)))}}},
	{"success with a member of the wrong type", "final", "final", []result{
		{201, &attemptError{err: &DecodeError{Err: errors.New("want a string")}, sent: true, done: true}},
	}},
	{"other 5xx, 301, 302, 303", "final", "ErrOutcomeUnknown", []result{
		{501, nil}, {505, nil}, {599, nil}, {301, nil}, {302, nil}, {303, nil},
		{302, errors.New("failed to parse Location header")}, {301, &attemptError{err: ErrRedirect}},
	}},
	{"any other status, TLS or host name is wrong", "final", "final", []result{
		{400, nil}, {401, nil}, {402, nil}, {403, nil}, {404, nil}, {405, nil}, {409, nil}, {410, nil}, {413, nil}, {422, nil}, {304, nil}, {307, nil},
		{0, &attemptError{err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}}},
		{0, &attemptError{err: &net.OpError{Op: "remote error", Err: errors.New("tls: bad")}}},
		{0, &attemptError{err: &net.DNSError{IsNotFound: true}}},
		{0, &attemptError{err: http.ErrSchemeMismatch}},
		{0, &attemptError{err: context.Canceled, local: true}},
		{0, errors.New("unsupported protocol scheme")},
	}},
}

func TestTheTableOfRetriesIsWhatTheCodeDoes(t *testing.T) {
	page, err := os.ReadFile("docs/limits-and-retries.md")
	require.NoError(t, err)
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, row := range contract {
		t.Run(row.label, func(t *testing.T) {
			code := func(cell string) string {
				if cell == "ErrOutcomeUnknown" {
					return "`" + cell + "`"
				}
				return cell
			}
			require.Contains(t, string(page), fmt.Sprintf("| %s | %s | %s |\n", row.label, row.safe, code(row.unsafe)))
			require.Contains(t, string(doc), fmt.Sprintf("//\t%-45s %-17s %s\n", row.label, row.safe, row.unsafe))
			for _, r := range row.results {
				for _, class := range []retryClass{classRead, classIdempotent} {
					require.Equal(t, row.safe == "retried", judge(class, r.status, r.err).retry, "%d %v", r.status, r.err)
				}
				m := judge(classUnsafe, r.status, r.err)
				require.Equal(t, row.unsafe == "retried", m.retry, "%d %v", r.status, r.err)
				require.Equal(t, row.unsafe == "ErrOutcomeUnknown", m.unknown, "%d %v", r.status, r.err)
				require.False(t, m.ok)
				require.Equal(t, r.status == 429, m.throttled)
			}
		})
	}
	for _, status := range []int{200, 201, 202, 204, 206} {
		require.Equal(t, meaning{ok: true}, judge(classUnsafe, status, nil))
		require.Equal(t, meaning{ok: true}, judge(classRead, status, nil))
	}
}

func TestWhichResultsMeanALostResponse(t *testing.T) {
	for status, lost := range map[int]bool{408: true, 499: true, 502: true, 504: true, 500: false, 501: false, 503: false, 429: false, 404: false, 200: false, 302: false} {
		require.Equal(t, lost, judge(classIdempotent, status, nil).lost, status)
	}
	require.True(t, judge(classIdempotent, 0, afterSending(io.EOF)).lost)
	require.False(t, judge(classIdempotent, 0, &attemptError{err: syscall.ECONNREFUSED}).lost)
}

func TestTheBoundsOfTheBackOff(t *testing.T) {
	policy := DefaultRetryPolicy()
	var bounds []time.Duration
	for n := range 8 {
		bounds = append(bounds, policy.bound(n))
	}
	s := time.Second
	require.Equal(t, []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s}, bounds)
	require.Equal(t, 30*s, policy.bound(31))
	require.Equal(t, 30*s, policy.bound(1000), "large numbers do not overflow")
	page, err := os.ReadFile("docs/limits-and-retries.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "up to 0.5, 1, 2, 4 and 8 seconds")
	require.Zero(t, RetryPolicy{}.backoff(0))

	// Full jitter: each time up to the bound is equally likely.
	for n := range 4 {
		below := 0
		var most time.Duration
		for range 2000 {
			d := policy.backoff(n)
			require.GreaterOrEqual(t, d, time.Duration(0))
			require.Less(t, d, bounds[n])
			most = max(most, d)
			if d < bounds[n]/2 {
				below++
			}
		}
		require.InDelta(t, 1000, below, 150)
		require.Greater(t, most, bounds[n]*9/10)
	}
}

func TestACallWaitsHalfOfEachBoundOnAverage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sums := make([]time.Duration, 5)
		client := testClient(t, faults["504"], WithAttemptHook(func(_ context.Context, a Attempt) {
			if a.Retry {
				sums[a.Number-1] += a.RetryIn
			}
		}))
		const calls = 400
		for range calls {
			client.core.budget = newRetryBudget() // other tests are about the budget
			var response Response
			_, err := client.CheckGroups.Get(t.Context(), 1, WithResponse(&response))
			require.ErrorIs(t, err, ErrServer)
			require.Equal(t, 6, response.Attempts)
		}
		for n, sum := range sums {
			bound := DefaultRetryPolicy().bound(n)
			require.InDelta(t, bound.Seconds()/2, sum.Seconds()/calls, bound.Seconds()*0.08, "retry %d", n+1)
		}
	})
}

func TestTheMeaningOfStatusesAtTheEdgesOfEachRange(t *testing.T) {
	for status, want := range map[int]meaning{
		199: {}, 200: {ok: true}, 299: {ok: true}, 300: {},
		301: {unknown: true}, 302: {unknown: true}, 303: {unknown: true}, 304: {},
		407: {}, 408: {unknown: true, lost: true, retry: true}, 409: {}, 428: {}, 429: {retry: true, throttled: true}, 430: {},
		498: {}, 499: {unknown: true, lost: true, retry: true},
		500: {unknown: true, retry: true}, 501: {unknown: true}, 502: {unknown: true, lost: true, retry: true},
		503: {unknown: true, retry: true}, 504: {unknown: true, lost: true, retry: true}, 505: {unknown: true}, 600: {unknown: true},
	} {
		require.Equal(t, want, judge(classRead, status, nil), status)
		want.retry = want.retry && !want.unknown
		require.Equal(t, want, judge(classUnsafe, status, nil), "%d of a create", status)
	}
}

func TestWhichRetryPoliciesAreRefused(t *testing.T) {
	for name, p := range map[string]RetryPolicy{
		"negative retries":               {MaxRetries: -1},
		"a negative minimum":             {MinBackoff: -1},
		"a negative minimum and maximum": {MaxBackoff: -1, MinBackoff: -2},
		"a negative maximum":             {MaxBackoff: -1},
		"a negative MaxRetryAfter":       {MaxRetryAfter: -1},
		"bounds in the wrong order":      {MinBackoff: 2, MaxBackoff: 1},
	} {
		require.ErrorContains(t, p.check(), "retry policy: want ", name)
	}
	for name, p := range map[string]RetryPolicy{
		"nothing":                     {},
		"a minimum alone":             {MinBackoff: time.Hour},
		"a maximum alone":             {MaxBackoff: 1},
		"both the same":               {MinBackoff: 1, MaxBackoff: 1},
		"the smallest of each":        {MaxRetries: 1, MinBackoff: 1, MaxBackoff: 2, MaxRetryAfter: 1},
		"more than the default waits": {MaxRetries: 100, MinBackoff: time.Hour, MaxBackoff: 2 * time.Hour, MaxRetryAfter: time.Hour},
	} {
		require.NoError(t, p.check(), name)
	}
}

func TestABackOffThatIsNotSetHasADefaultThatFitsTheOther(t *testing.T) {
	d := DefaultRetryPolicy()
	require.Equal(t, RetryPolicy{MaxRetries: 0, MinBackoff: d.MinBackoff, MaxBackoff: d.MaxBackoff, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{}.withDefaults())
	require.Equal(t, RetryPolicy{MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{MinBackoff: time.Hour}.withDefaults())
	least := RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxBackoff: 1, MaxRetryAfter: 1}
	require.Equal(t, least, least.withDefaults())
}

func TestTheBoundOfTheBackOffDoublesUpToTheMaximum(t *testing.T) {
	odd := RetryPolicy{MinBackoff: 2, MaxBackoff: 5}
	for n, want := range []time.Duration{2, 4, 5, 5} {
		require.Equal(t, want, odd.bound(n), n)
	}
	wide := RetryPolicy{MinBackoff: 1, MaxBackoff: math.MaxInt64}
	require.Equal(t, time.Duration(1<<62), wide.bound(62))
	for _, n := range []int{63, 64, 65, 1000} {
		require.Equal(t, time.Duration(math.MaxInt64), wide.bound(n), n)
		require.GreaterOrEqual(t, wide.backoff(n), time.Duration(0))
	}
	for range 64 {
		require.Zero(t, RetryPolicy{}.backoff(0))
		require.Zero(t, RetryPolicy{MinBackoff: 1, MaxBackoff: 1}.backoff(0), "less than its bound")
	}
}
