package exchange

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
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

func TestTheBoundOfTheBackOffDoublesUpToTheMaximum(t *testing.T) {
	s, most := time.Second, time.Duration(math.MaxInt64)
	for _, c := range []struct {
		policy Backoff
		bounds map[int]time.Duration
	}{
		{Backoff{Min: s / 2, Max: 30 * s}, map[int]time.Duration{0: s / 2, 1: s, 2: 2 * s, 3: 4 * s, 4: 8 * s, 5: 16 * s, 6: 30 * s, 31: 30 * s, 1000: 30 * s}},
		{Backoff{Min: 2, Max: 5}, map[int]time.Duration{0: 2, 1: 4, 2: 5, 3: 5}},
		{Backoff{Min: 1, Max: most}, map[int]time.Duration{62: 1 << 62, 63: most, 64: most, 1000: most}},
		{Backoff{}, map[int]time.Duration{0: 0}}, {Backoff{Min: 1, Max: 1}, map[int]time.Duration{0: 1}},
	} {
		for n, bound := range c.bounds {
			require.Equal(t, bound, c.policy.bound(n), n)
			below, longest := 0, time.Duration(0)
			for range 1000 { // each wait up to the bound is equally likely
				wait := c.policy.wait(n)
				require.True(t, wait >= 0 && wait < max(bound, 1), wait)
				longest = max(longest, wait)
				if wait < bound/2 {
					below++
				}
			}
			if bound >= s/2 {
				require.InDelta(t, 500, below, 100)
				require.Greater(t, longest, bound/10*9)
			}
		}
	}
	page, err := os.ReadFile("../../docs/errors-and-retries.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "up to 0.5, 1, 2, 4 and 8 seconds")
}

// withdrawals takes all retries that a budget has now, and returns their number.
func withdrawals(b *Budget) (n int) {
	for b.withdraw() {
		n++
	}
	return n
}

func TestABudgetHoldsAtMostAHundredRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget()
		b.deposit()
		require.Equal(t, 100, withdrawals(b))
		b.refund(1000)
		require.Equal(t, 100, withdrawals(b))
		for range 12 {
			b.deposit()
		}
		require.Equal(t, 1, withdrawals(b), "of twelve calls")
		time.Sleep(time.Minute - 1)
		require.Zero(t, withdrawals(b), "a refused retry also restarts the quiet minute")
		time.Sleep(time.Minute)
		require.Equal(t, 10, withdrawals(b))
		b.refund(50)
		time.Sleep(time.Hour)
		require.Equal(t, 50, withdrawals(b), "the quiet minute takes nothing away")
	})
}

// TestTheBudgetBoundsTheRetriesOfAnOutage has jobs of some calls, of which each wants five retries
// if it is one of those that fail, with a wait after each attempt and between the jobs.
func TestTheBudgetBoundsTheRetriesOfAnOutage(t *testing.T) {
	for name, c := range map[string]struct {
		jobs, calls, failing int // of so many calls one fails
		latency, pause       time.Duration
		least, most          int // retries
	}{
		"1,000 calls at once":                    {1, 1000, 1, 0, 0, 150, 200},
		"5,000 calls at once":                    {1, 5000, 1, 0, 0, 500, 550},
		"1,000 calls of 20 s":                    {1, 1000, 1, 20 * time.Second, 0, 150, 200},
		"100 calls every two minutes":            {30, 100, 1, 0, 2 * time.Minute, 5 * 30, 20*30 + 100},
		"a call every minute, after an outage":   {130, 1, 1, 0, time.Minute, 5 * 130, 5 * 130},
		"few calls fail, and have all they want": {1, 10_000, 60, 0, 0, 5 * 167, 5 * 167},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, retries := NewBudget(), 0
			for range c.jobs {
				for i := range c.calls {
					b.deposit()
					time.Sleep(c.latency)
					for n := 0; n < 5 && i%c.failing == 0 && b.withdraw(); n++ {
						retries++
						time.Sleep(c.latency)
					}
				}
				time.Sleep(c.pause)
			}
			require.True(t, c.least <= retries && retries <= c.most, "%s: %d", name, retries)
		})
	}
}

var errRedirect, errLarge = errors.New("redirect refused"), errors.New("response too large")

// ended is the result of an attempt.
type ended struct {
	status int
	fault  Fault
}

// before and after are the faults of errors before and after the request may have been sent.
func before(err error) Fault { return faultOf(err, false, errLarge, errRedirect) }
func after(err error) Fault  { return faultOf(err, true, errLarge, errRedirect) }

// contract is the table in docs/errors-and-retries.md, row by row.
var contract = []struct {
	label        string
	safe, unsafe string // retried, final, ErrOutcomeUnknown or ErrResultLost
	results      []ended
}{
	{"connection not made, request not sent", "retried", "retried", []ended{
		{0, before(syscall.ECONNREFUSED)}, {0, before(syscall.ECONNRESET)},
		{0, before(&net.DNSError{IsTimeout: true})},
	}},
	{"429", "retried", "retried", []ended{{429, NoFault}}},
	{"connection lost or timed out after sending", "retried", "ErrOutcomeUnknown", []ended{
		{0, after(syscall.ECONNRESET)}, {0, after(io.EOF)}, {0, after(&attemptTimeout{time.Second})},
		{200, after(syscall.ECONNRESET)}, {0, after(&networkTimeout{context.DeadlineExceeded})},
	}},
	{"408, 499, 500, 502, 503, 504", "retried", "ErrOutcomeUnknown", []ended{{408, NoFault}, {499, NoFault}, {500, NoFault}, {502, NoFault}, {503, NoFault}, {504, NoFault}}},
	{"2xx that is cut off or empty", "retried", "ErrOutcomeUnknown", []ended{
		{200, Lost}, {201, Lost},
	}},
	{"2xx that is not JSON, such as HTML", "final", "ErrOutcomeUnknown", []ended{{200, Useless}}},
	{"2xx with an error object", "final", "ErrOutcomeUnknown", []ended{{200, Useless}}},
	{"2xx about something else", "final", "ErrOutcomeUnknown", []ended{{200, Useless}}},
	{"2xx of the wrong type, without an id, or 204", "final", "ErrResultLost", []ended{
		{201, Unreadable}, {204, Unreadable},
	}},
	{"other 5xx, 101, 301, 302, 303", "final", "ErrOutcomeUnknown", []ended{
		{101, NoFault}, {501, NoFault}, {505, NoFault}, {599, NoFault}, {301, NoFault}, {302, NoFault}, {303, NoFault},
		{302, faultIn(errors.New("failed to parse Location header"))}, {301, faultIn(errRedirect)},
	}},
	{"any other status, wrong TLS certificate or host name", "final", "final", []ended{
		{400, NoFault}, {401, NoFault}, {402, NoFault}, {403, NoFault}, {404, NoFault}, {405, NoFault}, {409, NoFault}, {410, NoFault}, {413, NoFault}, {422, NoFault}, {304, NoFault}, {307, NoFault},
		{0, before(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}})},
		{0, before(&net.OpError{Op: "remote error", Err: errors.New("tls: bad")})},
		{0, before(&net.DNSError{IsNotFound: true})},
		{0, before(http.ErrSchemeMismatch)},
		{0, Impossible}, {0, before(context.Canceled)},
		{0, faultIn(errors.New("unsupported protocol scheme"))},
	}},
}

func TestTheTableOfRetriesIsWhatTheCodeDoes(t *testing.T) {
	page, err := os.ReadFile("../../docs/errors-and-retries.md")
	require.NoError(t, err)
	for _, row := range contract {
		t.Run(row.label, func(t *testing.T) {
			require.Contains(t, strings.NewReplacer("`ErrOutcomeUnknown`", "ErrOutcomeUnknown", "`ErrResultLost`", "ErrResultLost").Replace(string(page)), fmt.Sprintf("| %s | %s | %s |\n", row.label, row.safe, row.unsafe))
			for _, r := range row.results {
				for _, class := range []Class{Read, Idempotent} {
					require.Equal(t, row.safe == "retried", judge(class, r.status, r.fault).retry, "%d %v", r.status, r.fault)
				}
				m := judge(Unsafe, r.status, r.fault)
				require.Equal(t, row.unsafe == "retried", m.retry, "%d %v", r.status, r.fault)
				require.Equal(t, row.unsafe == "ErrOutcomeUnknown", m.unknown, "%d %v", r.status, r.fault)
				require.Equal(t, row.unsafe == "ErrResultLost", m.carriedOut, "%d %v", r.status, r.fault)
				require.False(t, m.ok)
				require.Equal(t, r.status == 429, m.throttled)
			}
		})
	}
}

func TestTheMeaningOfStatusesAtTheEdgesOfEachRange(t *testing.T) {
	require.Equal(t, meaning{}, judge(Poll, 408, NoFault), "the normal response while there is no result")
	for status, want := range map[int]meaning{
		101: {unknown: true}, 199: {unknown: true}, 200: {ok: true}, 299: {ok: true}, 300: {},
		301: {unknown: true}, 302: {unknown: true}, 303: {unknown: true}, 304: {},
		407: {}, 408: {unknown: true, lost: true, retry: true}, 409: {}, 428: {}, 429: {retry: true, throttled: true}, 430: {},
		498: {}, 499: {unknown: true, lost: true, retry: true},
		500: {unknown: true, retry: true}, 501: {unknown: true}, 502: {unknown: true, lost: true, retry: true},
		503: {unknown: true, retry: true}, 504: {unknown: true, lost: true, retry: true}, 505: {unknown: true}, 600: {unknown: true},
	} {
		require.Equal(t, want, judge(Read, status, NoFault), status)
		require.Equal(t, status != 408, judge(Poll, status, NoFault) == want, "%d of a poll", status)
		want.retry = want.retry && !want.unknown
		require.Equal(t, want, judge(Unsafe, status, NoFault), "%d of a create", status)
	}
	for fault, lost := range map[Fault]bool{Lost: true, Useless: true, Unreadable: false, NotSent: false, Impossible: false} {
		require.Equal(t, lost, judge(Idempotent, 200, fault).lost, fault)
	}
}

// keysInTurn is the key of a call whose source returns these keys, and what it was asked with.
func keysInTurn(keys ...string) (*keyOfCall, *[]string) {
	var refusals []string
	source := KeySource(func(_ context.Context, refused string) (string, error) {
		refusals = append(refusals, refused)
		return keys[len(refusals)-1], nil
	})
	return &keyOfCall{keys: source, texts: &Texts{Own: scrub.New()}}, &refusals
}

func TestEachAttemptAsksForAKeyExceptAfterA401(t *testing.T) {
	k, refusals := keysInTurn("key-1", "key-2", "key-3", "key-4")
	take := func(want string) {
		t.Helper()
		require.NoError(t, k.take(t.Context()))
		require.Equal(t, want, k.text)
		require.Equal(t, "a [redacted]", k.texts.Own.Text("a "+want))
	}
	renew := func(ctx context.Context, want bool, why string) {
		t.Helper()
		renewed, note, err := k.renew(ctx)
		require.Equal(t, []any{want, why, nil}, []any{renewed, note, err})
	}
	take("key-1")
	take("key-2")
	renew(t.Context(), true, "")
	take("key-3")
	take("key-4")
	renew(t.Context(), false, "the service refused two keys of the key source")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	renew(ended, false, "")
	require.Equal(t, []string{"", "", "key-2", ""}, *refusals)
	require.Equal(t, "key-4", k.keys.Newest())
	require.Equal(t, "[redacted]", k.texts.Own.Text("key-1"), "earlier keys stay hidden")

	k, _ = keysInTurn("key-1", "key-1")
	take("key-1")
	renew(t.Context(), false, "the key source returned the same key again")
	k = &keyOfCall{keys: FixedKey(func() string { return "key-1" })}
	renew(t.Context(), false, "")
}

func TestTheErrorOfAKeySourceSaysWhatFailed(t *testing.T) {
	sealed := errors.New("sealed")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, c := range map[string]struct {
		ctx context.Context
		key string
		err error
	}{
		"sealed":                      {t.Context(), "", sealed},
		"the API key is empty":        {t.Context(), "", nil},
		"position 3":                  {t.Context(), "key ", nil},
		"the vault: context canceled": {t.Context(), "", fmt.Errorf("the vault: %w", context.Canceled)},
		"context deadline exceeded":   {t.Context(), "", context.DeadlineExceeded},
		"key: context canceled":       {ended, "", sealed},
	} {
		k := &keyOfCall{texts: &Texts{Own: scrub.New()}, keys: KeySource(func(context.Context, string) (string, error) { return c.key, c.err })}
		_, _, renewing := k.renew(t.Context())
		for _, err := range []error{k.take(c.ctx), renewing} {
			require.ErrorContains(t, err, "get the API key: ", want)
			if err != renewing || c.ctx != ended {
				require.ErrorContains(t, err, want)
				require.Equal(t, c.ctx == ended, errors.Is(err, context.Canceled), want)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
			}
		}
		require.Empty(t, k.keys.Newest())
	}
}

func TestTheRequestOfAnAttemptHasItsKey(t *testing.T) {
	req := &http.Request{Header: http.Header{}}
	k, _ := keysInTurn("key-1")
	require.NoError(t, k.take(t.Context()))
	require.Equal(t, "Bearer key-1", k.authorize(req).Header.Get("Authorization"))
	require.Empty(t, req.Header, "the request of an attempt is not changed by the next")
	require.Empty(t, k.keys.Header())

	k = &keyOfCall{keys: FixedKey(func() string { return "key-2" })}
	require.NoError(t, k.take(t.Context()))
	require.Equal(t, "Bearer key-2", k.authorize(req).Header.Get("Authorization"))
	req.Header.Set("Authorization", k.keys.Header())
	require.Same(t, req, k.authorize(req))
	require.Empty(t, k.keys.Newest())
}
