package faults_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// outcome is the result of a call if each of its attempts has the fault.
type outcome struct {
	attempts int
	err      error  // that errors.Is must match
	text     string // a part of its text
	unknown  bool   // triggers and creates are sent once, and match ErrOutcomeUnknown
}

const (
	all    = 6  // attempts, five of them retries
	notYet = -1 // about one every 2 s in two minutes, and five retries
)

func again(err error, text string) outcome   { return outcome{all, err, text, false} }
func once(err error, text string) outcome    { return outcome{1, err, text, false} }
func lost(err error, text string) outcome    { return outcome{all, err, text, true} }
func useless(err error, text string) outcome { return outcome{1, err, text, true} }

var succeeds = once(nil, "")

// Kinds of operations.
const (
	decoded = "read poll list update " // their responses are read
	unsafe  = "trigger create "
	each    = decoded + unsafe + "delete stream cancel "
)

// contract says what comes of each fault, for all kinds of operations.
var contract = []struct {
	fault, kinds string
	want         outcome
}{
	{"refused connection", each, again(syscall.ECONNREFUSED, "")},
	{"reset before the request is written", each, again(syscall.ECONNRESET, "")},
	{"dial timeout", each, again(nil, "i/o timeout")},
	{"TLS failure", each, once(nil, "certificate")},
	{"TLS alert", each, once(nil, "protocol version")},
	{"DNS failure", each, once(nil, "no such host")},
	{"400", each, once(monitoring.ErrBadRequest, "")},
	{"401", each, once(monitoring.ErrUnauthorized, "")},
	{"404", each, once(monitoring.ErrNotFound, "")},
	{"429", each, outcome{notYet, monitoring.ErrRateLimited, "retry after 2s", false}},
	{"reset after the request is written", each, lost(syscall.ECONNRESET, "")},
	{"response slower than the timeout", each, lost(nil, "the attempt timed out")},
	{"500", each, lost(monitoring.ErrServer, "")},
	{"502 in HTML", each, lost(monitoring.ErrServer, "502 Bad Gateway")},
	{"503", each, lost(monitoring.ErrServer, "")},
	{"503 with Retry-After", each, lost(monitoring.ErrServer, "the response is empty")},
	{"504", each, lost(monitoring.ErrServer, "")},
	{"499", each, lost(nil, "499")},
	{"501", each, useless(monitoring.ErrServer, "")},
	{"303 with an invalid Location", each, useless(nil, "Location")},
	{"408", strings.Replace(each, "poll ", "", 1), lost(nil, "408 Request Timeout")},
	{"408", "poll", once(monitoring.ErrNotCompleted, "408 Request Timeout")},
	{"reset in mid-response", decoded + unsafe, lost(syscall.ECONNRESET, "last status 20")},
	{"reset in mid-response", "delete cancel", succeeds},                            // these operations ignore the body
	{"reset in mid-response", "stream", once(syscall.ECONNRESET, "last status 20")}, // a part of the body was already written
	{"truncated JSON", decoded + unsafe, lost(nil, "unusable response: cut off")},
	{"truncated JSON", "delete stream cancel", succeeds},
	{"empty 200", decoded + unsafe + "stream", lost(nil, "empty body")},
	{"empty 200", "delete cancel", succeeds},
	{"HTML 200", decoded + unsafe + "delete cancel", useless(nil, "HTML, not JSON")},
	{"HTML 200", "stream", succeeds}, // it takes any body
	{"error object 200", decoded + unsafe + "delete cancel", useless(nil, "error object with status 503: Service Unavailable: later")},
	{"error object 200", "stream", succeeds},
	{"JSON of another type", decoded, once(nil, "unusable response: want a")},
	{"JSON of another type", unsafe, once(nil, "the request succeeded: do not send it again")},
	{"JSON of another type", "delete stream cancel", succeeds},
}

func TestTheOutcomeOfEachFaultForEachKindOfOperation(t *testing.T) {
	cells := make(map[string]int)
	for _, row := range contract {
		for kind := range strings.FieldsSeq(row.kinds) {
			cells[row.fault]++
			for _, o := range kit.Operations {
				if o.Kind != kind {
					continue
				}
				t.Run(o.Name+", "+row.fault, func(t *testing.T) { testCell(t, testkit.Faults[row.fault], o, row.want) })
				if row.fault != "504" && row.fault != "empty 200" { // which say enough of the other operations of the kind
					break
				}
			}
		}
	}
	for fault := range testkit.Faults {
		require.Equal(t, len(kit.FirstOfKind), cells[fault], fault)
	}
}

func testCell(t *testing.T, fault testkit.RoundTripper, o kit.Operation, want outcome) {
	synctest.Test(t, func(t *testing.T) {
		if want.unknown = want.unknown && strings.Contains(unsafe, o.Kind); want.unknown {
			want.attempts = 1
		}
		sent, faults := 0, 1000
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent <= faults {
				return fault(req)
			}
			return testkit.Respond(o.Status, nil, kit.SuccessFor(t, o)), nil
		}))
		err := o.Try(t.Context(), client)
		if want.attempts == notYet {
			require.InDelta(t, 60, sent, 7)
			want.attempts = sent
		}
		require.Equal(t, want.attempts, sent, "attempts: %q in internal/operations and the retry class of the method must fit", o.Kind)
		if want.err == nil && want.text == "" {
			require.NoError(t, err)
			return
		}
		require.ErrorIs(t, err, cmp.Or(want.err, err))
		require.ErrorContains(t, err, want.text)
		require.Equal(t, want.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown), err)
		carriedOut := strings.Contains(unsafe, o.Kind) && strings.Contains(want.text, "the request succeeded")
		require.Equal(t, carriedOut, errors.Is(err, monitoring.ErrResultLost), err)
		require.Equal(t, !carriedOut && !want.unknown, monitoring.SafeToRetry(err), err)
		require.Equal(t, want.err == monitoring.ErrNotCompleted, errors.Is(err, monitoring.ErrNotCompleted), err)
		require.Equal(t, 1, strings.Count(err.Error(), "monitoring:"), err)
		require.NotContains(t, err.Error(), "key-123")
		if want.attempts > 1 {
			require.ErrorContains(t, err, fmt.Sprintf("after %d attempts", want.attempts))
			sent, faults = 0, 1
			require.NoError(t, o.Try(t.Context(), client), "the fault happens once")
			require.Equal(t, 2, sent)
		}
	})
}

// TestTriggersAndCreatesAreCarriedOutAtMostOnce makes 3,000 of these calls, with random faults.
// Each call has a number, and the service counts how often it carried out each.
func TestTriggersAndCreatesAreCarriedOutAtMostOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls, workers = 3_000, 100
		var done [calls]atomic.Int32
		notCarriedOut := []string{"refused connection", "reset before the request is written", "429", "reset after the request is written"}
		lost := []string{"reset after the request is written", "reset in mid-response", "response slower than the timeout", "502 in HTML"}
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			var number int
			_, err := fmt.Sscan(req.Header.Get("X-Number"), &number)
			if err != nil {
				return nil, err
			}
			if n := rand.N(8); n < len(notCarriedOut) {
				return testkit.Faults[notCarriedOut[n]](req)
			}
			done[number].Add(1)
			if n := rand.N(6); n < len(lost) {
				return testkit.Faults[lost[n]](req)
			}
			return testkit.Status(http.StatusCreated, `{"sessions":[],"id":"x"}`)(req)
		}), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 100_000, Per: time.Second}))

		var unknown, failed, succeeded atomic.Int64
		var group sync.WaitGroup
		for worker := range workers {
			group.Go(func() {
				for number := worker; number < calls; number += workers {
					var err error
					header := monitoring.WithHeader("X-Number", fmt.Sprint(number))
					if rand.N(2) == 0 {
						_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}, header)
					} else {
						_, err = client.Checks.Create(t.Context(), &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}}, header)
					}
					least, most := int32(0), int32(1)
					switch {
					case errors.Is(err, monitoring.ErrOutcomeUnknown):
						assert.False(t, monitoring.SafeToRetry(err), err)
						unknown.Add(1)
					case err == nil:
						succeeded.Add(1)
						least = 1
					default:
						assert.True(t, monitoring.SafeToRetry(err), err)
						failed.Add(1)
						most = 0
					}
					if times := done[number].Load(); times < least || times > most {
						t.Errorf("call %d was carried out %d times: %v", number, times, err)
					}
				}
			})
		}
		group.Wait()
		t.Logf("%d succeeded, %d unknown, %d certainly not carried out", succeeded.Load(), unknown.Load(), failed.Load())
		require.True(t, unknown.Load() > 0 && succeeded.Load() > 0 && failed.Load() > 0)
	})
}

// The server reads the trigger and closes a connection that was kept alive, without a response.
func TestATriggerOnAConnectionThatTheServerClosesIsSentOnce(t *testing.T) {
	var triggers atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			triggers.Add(1)
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "[]")
	}))
	client := kit.Loopback(t, server, monitoring.WithMaxRetries(5), monitoring.WithRetryPolicy(monitoring.RetryPolicy{MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond}))
	for i := range 5 {
		require.NoError(t, kit.Second(client.Locations.List(t.Context()))) // leaves a connection that can be reused
		require.ErrorIs(t, kit.Second(client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})), monitoring.ErrOutcomeUnknown)
		require.EqualValues(t, i+1, triggers.Load())
	}
}

func TestRetriesDoNotMultiplyAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent.Add(1)
			return testkit.Faults["503"](req)
		}))
		var callers sync.WaitGroup
		for range 50 {
			callers.Go(func() {
				for range 20 {
					client.Locations.List(t.Context())
				}
			})
		}
		callers.Wait()
		t.Logf("%d attempts for 1000 calls", sent.Load())
		require.Less(t, sent.Load(), int64(1200))
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context())), "the retry budget of this client is used up")
	})
}

func TestADeleteSucceedsIfALostAttemptMayHaveDoneTheWork(t *testing.T) {
	for first, succeeds := range map[string]bool{"reset after the request is written": true, "504": true, "503": false, "refused connection": false} {
		synctest.Test(t, func(t *testing.T) {
			err := kit.Client(t, testkit.InTurn(testkit.Faults[first], testkit.Faults["404"])).StatusPageServices.Delete(t.Context(), kit.UUID1)
			require.Equal(t, succeeds, err == nil, first)
			require.Equal(t, !succeeds, errors.Is(err, monitoring.ErrNotFound), first)
		})
	}
}

func TestNoGoroutineIsLeftAfterCallsOverRealConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/0") {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "{}")
	}))
	client := overNetwork(t, server.URL)
	pprof.Do(t.Context(), pprof.Labels("calls", "real"), func(ctx context.Context) { // goroutines inherit it
		for i := range 20 {
			monitoring.Do[struct{}](ctx, client, "GET", fmt.Sprintf("/v1/%d", i%5), nil, nil)
		}
	})
	left := func() bool {
		var profile strings.Builder
		pprof.Lookup("goroutine").WriteTo(&profile, 1)
		return strings.Contains(profile.String(), `{"calls":"real"}`)
	}
	require.True(t, left(), "a connection is kept")
	client.CloseIdleConnections()
	server.Close()
	require.Eventually(t, func() bool { return !left() }, time.Minute, time.Millisecond)
}

// overNetwork makes a client with the transport that clients have by default. It retries at once.
func overNetwork(t *testing.T, base string, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	policy := monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 2, MinBackoff: 1, MaxBackoff: 1})
	client, err := monitoring.NewClient(base, "key-123", append(opts, policy)...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func TestHowLongA429ThatNeverEndsHoldsACall(t *testing.T) {
	page := kit.File(t, "docs/errors-and-retries.md")
	for asked, c := range map[int]struct {
		held time.Duration
		told string
	}{
		2:   {130 * time.Second, "2:10 minutes"},
		60:  {7 * time.Minute, "7:00 with a minute"},
		119: {13*time.Minute + 53*time.Second, "13:53 at most"},
		120: {12 * time.Minute, ""},
		121: {0, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				return testkit.Respond(429, http.Header{"Retry-After": {fmt.Sprint(asked)}}, ""), nil
			}))
			began := time.Now()
			require.ErrorIs(t, kit.Second(client.Locations.List(t.Context())), monitoring.ErrRateLimited)
			require.InDelta(t, c.held.Seconds(), time.Since(began).Seconds(), 2, "Retry-After: %d", asked)
			require.Contains(t, strings.ReplaceAll(page, "\n  ", " "), c.told)
		})
	}
}

func TestMain(m *testing.M) { testkit.Main(m) }
