package monitoring

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const someUUID = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"

// tracing calls the hooks of net/http/httptrace as net/http's transport does, up to
// the point where a fault strikes.
func tracing(req *http.Request, connected, written bool) {
	trace := httptrace.ContextClientTrace(req.Context())
	trace.GetConn(req.URL.Host)
	if connected && written {
		trace.WroteHeaders()
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

func netError(op string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, errno)}
}

// brokenBody gives some bytes and then an error.
type brokenBody struct {
	io.Reader
	err error
}

func (b *brokenBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func (b *brokenBody) Close() error { return nil }

// faults are the things that can happen to an attempt.
var faults = map[string]roundTripper{
	"refused connection": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, netError("dial", syscall.ECONNREFUSED)
	},
	"reset before the request is written": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, false)
		return nil, netError("write", syscall.ECONNRESET)
	},
	"reset after the request is written": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return nil, netError("read", syscall.ECONNRESET)
	},
	"reset in mid-response": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		resp := answer(okStatus(req), nil, "")
		resp.ContentLength = 1000
		resp.Body = &brokenBody{strings.NewReader(`{"sessions":`), netError("read", syscall.ECONNRESET)}
		return resp, nil
	},
	"response slower than the timeout": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		<-req.Context().Done()
		return nil, req.Context().Err()
	},
	"truncated JSON": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(okStatus(req), nil, `{"sessions": [{"checkSessi`), nil
	},
	"empty 200": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(http.StatusOK, nil, ""), nil
	},
	"502 in HTML": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(http.StatusBadGateway, http.Header{"Content-Type": {"text/html"}}, "<html><h1>Bad Gateway</h1>"), nil
	},
	"500": status(http.StatusInternalServerError, ""),
	"503": status(http.StatusServiceUnavailable, ""),
	"503 with Retry-After": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(http.StatusServiceUnavailable, http.Header{"Retry-After": {"3"}}, ""), nil
	},
	"429": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(http.StatusTooManyRequests, http.Header{"Retry-After": {"2"}}, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`), nil
	},
	"TLS failure": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	},
	"DNS failure": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "monitoring.test", IsNotFound: true}}
	},
	"400": status(http.StatusBadRequest, `{"statusCode":400,"error":"Bad Request","message":"no"}`),
	"401": status(http.StatusUnauthorized, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token"}`),
	"404": status(http.StatusNotFound, `{"statusCode":404,"error":"Not Found","message":"Not Found"}`),
}

func status(code int, body string) roundTripper {
	return func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return answer(code, nil, body), nil
	}
}

func okStatus(req *http.Request) int {
	if req.Method == http.MethodPost {
		return http.StatusCreated
	}
	return http.StatusOK
}

// kinds are the kinds of operations, by what a repetition can do.
var kinds = map[string]func(context.Context, *Client) error{
	"read": func(ctx context.Context, c *Client) error {
		_, err := c.CheckSessions.Get(ctx, someUUID)
		return err
	},
	"update": func(ctx context.Context, c *Client) error {
		_, err := c.Checks.UpdateBrowser(ctx, someUUID, BrowserCheckUpdate{Muted: new(true)})
		return err
	},
	"delete": func(ctx context.Context, c *Client) error { return c.Dashboards.Delete(ctx, "d") },
	"cancel": func(ctx context.Context, c *Client) error {
		return c.CheckSessions.Cancel(ctx, someUUID, CancelRequest{})
	},
	"trigger": func(ctx context.Context, c *Client) error {
		_, err := c.CheckSessions.Trigger(ctx, TriggerRequest{AllChecks: true})
		return err
	},
	"create": func(ctx context.Context, c *Client) error {
		_, err := c.Checks.CreateTCP(ctx, TCPCheckCreate{Name: "n", Request: TCPRequest{Port: 1}})
		return err
	},
}

// outcome is what a call makes of a fault that never ends.
type outcome struct {
	attempts int
	errs     []error // in its chain
	text     string  // in its text
	unknown  bool    // ErrOutcomeUnknown
}

var (
	repeated = 6 // attempts, five of them retries
	ok       = outcome{attempts: 1}
)

// TestFaultMatrix is the contract on failures: for each fault, what each kind of
// operation makes of it.
func TestFaultMatrix(t *testing.T) {
	reset := []error{syscall.ECONNRESET}
	matrix := map[string]map[string]outcome{
		"refused connection": {
			"read update delete cancel trigger create": {attempts: repeated, errs: []error{syscall.ECONNREFUSED}},
		},
		"reset before the request is written": {
			"read update delete cancel trigger create": {attempts: repeated, errs: reset},
		},
		"reset after the request is written": {
			"read update delete cancel": {attempts: repeated, errs: reset},
			"trigger create":            {attempts: 1, errs: reset, unknown: true},
		},
		"reset in mid-response": {
			"read update delete cancel": {attempts: repeated, errs: reset, text: "last status 20"},
			"trigger create":            {attempts: 1, errs: reset, unknown: true, text: "last status 201"},
		},
		"response slower than the timeout": {
			"read update delete cancel": {attempts: repeated, text: "the attempt timed out"},
			"trigger create":            {attempts: 1, text: "the attempt timed out", unknown: true},
		},
		"truncated JSON": {
			"read update":    {attempts: repeated, text: "decode answer"},
			"delete cancel":  ok, // nothing is read of their answers
			"trigger create": {attempts: 1, text: "decode answer", unknown: true},
		},
		"empty 200": {
			"read update":    {attempts: repeated, text: "the answer is empty"},
			"delete cancel":  ok,
			"trigger create": {attempts: 1, text: "the answer is empty", unknown: true},
		},
		"502 in HTML": {
			"read update delete cancel": {attempts: repeated, errs: []error{ErrServer}, text: "502 Bad Gateway"},
			"trigger create":            {attempts: 1, errs: []error{ErrServer}, text: "502 Bad Gateway", unknown: true},
		},
		"500": {
			"read update delete cancel": {attempts: repeated, errs: []error{ErrServer}},
			"trigger create":            {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503": {
			"read update delete cancel": {attempts: repeated, errs: []error{ErrServer}},
			"trigger create":            {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503 with Retry-After": {
			"read update delete cancel": {attempts: repeated, errs: []error{ErrServer}, text: "retry after 3s"},
			"trigger create":            {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"429": {
			"read update delete cancel trigger create": {attempts: repeated, errs: []error{ErrRateLimited}, text: "retry after 2s"},
		},
		"TLS failure": {
			"read update delete cancel trigger create": {attempts: 1, text: "certificate"},
		},
		"DNS failure": {
			"read update delete cancel trigger create": {attempts: 1, text: "no such host"},
		},
		"400": {"read update delete cancel trigger create": {attempts: 1, errs: []error{ErrBadRequest}}},
		"401": {"read update delete cancel trigger create": {attempts: 1, errs: []error{ErrUnauthorized}}},
		"404": {"read update delete cancel trigger create": {attempts: 1, errs: []error{ErrNotFound}}},
	}
	for fault := range faults {
		require.Contains(t, matrix, fault)
	}
	for fault, row := range matrix {
		cells := 0
		for names, want := range row {
			for _, kind := range strings.Fields(names) {
				cells++
				t.Run(kind+", "+fault, func(t *testing.T) { testCell(t, faults[fault], kinds[kind], want) })
			}
		}
		require.Equal(t, len(kinds), cells, fault)
	}
}

func testCell(t *testing.T, fault roundTripper, do func(context.Context, *Client) error, want outcome) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return fault(req)
		}))
		err := do(t.Context(), client)
		require.Equal(t, want.attempts, sent)
		if want.errs == nil && want.text == "" {
			require.NoError(t, err)
			return
		}
		for _, target := range want.errs {
			require.ErrorIs(t, err, target)
		}
		require.ErrorContains(t, err, want.text)
		require.Equal(t, want.unknown, errors.Is(err, ErrOutcomeUnknown), err)
		require.Equal(t, 1, strings.Count(err.Error(), "monitoring:"), err)
		require.NotContains(t, err.Error(), "key-123")
		if want.attempts > 1 {
			require.ErrorContains(t, err, fmt.Sprintf("after %d attempts", want.attempts))
		}

		// The same fault once: what may be repeated succeeds.
		if want.attempts == 1 {
			return
		}
		sent = 0
		client = testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return fault(req)
			}
			return answer(http.StatusOK, nil, "{}"), nil
		}))
		require.NoError(t, do(t.Context(), client))
		require.Equal(t, 2, sent)
	})
}

func TestADeleteWhoseLostAttemptDidTheWorkHasSucceeded(t *testing.T) {
	for name, c := range map[string]struct {
		first   string
		succeed bool
	}{
		"a retry finds nothing after a reset":             {"reset after the request is written", true},
		"a retry finds nothing after a 503":               {"503", true},
		"nothing there after a 429 is a 404":              {"429", false},
		"nothing there after a refused connection is 404": {"refused connection", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					if sent++; sent == 1 {
						return faults[c.first](req)
					}
					return faults["404"](req)
				}))
				err := client.StatusPageServices.Delete(t.Context(), someUUID)
				if c.succeed {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, ErrNotFound)
				}
			})
		})
	}
}

// TestTriggersAndCreatesAreCarriedOutAtMostOnce sends 10,000 of them through random
// faults. Each call carries a number; the service counts how often it carried it out.
func TestTriggersAndCreatesAreCarriedOutAtMostOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 10_000
		var done [calls]atomic.Int32
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			var number int
			_, err := fmt.Sscan(req.Header.Get("X-Number"), &number)
			if err != nil {
				return nil, err
			}
			switch rand.N(8) {
			case 0:
				return faults["refused connection"](req)
			case 1:
				return faults["reset before the request is written"](req)
			case 2:
				return faults["429"](req)
			case 3: // not carried out, and the answer lost
				return faults["reset after the request is written"](req)
			}
			done[number].Add(1)
			switch rand.N(6) {
			case 0:
				return faults["reset after the request is written"](req)
			case 1:
				return faults["reset in mid-response"](req)
			case 2:
				return faults["response slower than the timeout"](req)
			case 3:
				return faults["502 in HTML"](req)
			}
			tracing(req, true, true)
			return answer(http.StatusCreated, nil, `{"sessions":[],"id":"x"}`), nil
		}), WithRateLimit(RateLimit{Requests: 100_000, Per: time.Second}))

		var unknown, failed, succeeded atomic.Int64
		var workers sync.WaitGroup
		for worker := range 100 {
			workers.Go(func() {
				for i := range calls / 100 {
					number := worker*calls/100 + i
					var err error
					header := WithHeader("X-Number", fmt.Sprint(number))
					if number%2 == 0 {
						_, err = client.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}, header)
					} else {
						_, err = client.Checks.CreateTCP(t.Context(), TCPCheckCreate{Name: "n", Request: TCPRequest{Port: 1}}, header)
					}
					times := done[number].Load()
					switch {
					case times > 1:
						t.Errorf("call %d was carried out %d times", number, times)
					case errors.Is(err, ErrOutcomeUnknown):
						unknown.Add(1)
					case err == nil:
						succeeded.Add(1)
						if times != 1 {
							t.Errorf("call %d succeeded and was carried out %d times", number, times)
						}
					default:
						failed.Add(1)
						if times != 0 {
							t.Errorf("call %d was carried out, and its error does not say that it may have been: %v", number, err)
						}
					}
				}
			})
		}
		workers.Wait()
		t.Logf("%d succeeded, %d unknown, %d surely not carried out", succeeded.Load(), unknown.Load(), failed.Load())
		require.Positive(t, unknown.Load())
		require.Positive(t, succeeded.Load())
	})
}

// TestReadsUnderFaultsAreRightOrNameTheLastStatus sends 100,000 reads through 10 % faults.
func TestReadsUnderFaultsAreRightOrNameTheLastStatus(t *testing.T) {
	before := runtime.NumGoroutine()
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if rand.N(10) == 0 {
				names := []string{"reset after the request is written", "reset in mid-response", "truncated JSON", "502 in HTML", "500", "503", "429", "refused connection"}
				return faults[names[rand.N(len(names))]](req)
			}
			return answer(http.StatusOK, nil, fmt.Sprintf(`{"id": %s, "name": "g"}`, req.URL.Path[len("/v1/check-groups/"):])), nil
		}), WithRateLimit(RateLimit{Requests: 1_000_000, Per: time.Second}))
		var wrong, failed atomic.Int64
		var workers sync.WaitGroup
		for worker := range 200 {
			workers.Go(func() {
				for i := range 500 {
					id := int64(worker*500 + i + 1)
					group, err := client.CheckGroups.Get(t.Context(), id)
					switch {
					case err == nil && group.ID != id:
						wrong.Add(1)
					case err != nil:
						failed.Add(1)
						if e, ok := errors.AsType[*APIError](err); !ok && !strings.Contains(err.Error(), "last status") &&
							!errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.ECONNREFUSED) || ok && e.StatusCode == 0 {
							t.Errorf("the error names no status: %v", err)
						}
					}
				}
			})
		}
		workers.Wait()
		require.Zero(t, wrong.Load())
		t.Logf("%d of 100,000 failed", failed.Load())
		require.Less(t, failed.Load(), int64(1000))
	})
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestAnOutageIsNotMultipliedByRetries(t *testing.T) {
	for _, calls := range []int{1000, 5000} {
		synctest.Test(t, func(t *testing.T) {
			var sent atomic.Int64
			var down atomic.Bool
			down.Store(true)
			client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
				sent.Add(1)
				if down.Load() {
					return faults["503"](req)
				}
				return answer(200, nil, "[]"), nil
			}))
			var workers sync.WaitGroup
			for range 50 {
				workers.Go(func() {
					for range calls / 50 {
						client.Locations.List(t.Context())
					}
				})
			}
			workers.Wait()
			t.Logf("%d attempts for %d calls", sent.Load(), calls)
			require.Less(t, float64(sent.Load()), 1.2*float64(calls))

			// It recovers by itself: after a while a call has all its retries again.
			time.Sleep(time.Minute)
			sent.Store(0)
			client.Locations.List(t.Context())
			require.EqualValues(t, repeated, sent.Load())
		})
	}
}

func TestASingleCallInAQuietClientHasAllItsRetries(t *testing.T) {
	testCell(t, faults["503"], kinds["read"], outcome{attempts: repeated, errs: []error{ErrServer}})
}

func TestACancelledContextReturnsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		transport roundTripper
		call      string
		unknown   bool
	}{
		"while an attempt is under way":              {faults["response slower than the timeout"], "read", false},
		"while a trigger is under way":               {faults["response slower than the timeout"], "trigger", true},
		"while waiting for the next attempt":         {faults["503 with Retry-After"], "read", false},
		"while a refused trigger waits for its turn": {faults["refused connection"], "trigger", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, c.transport, WithRetryPolicy(RetryPolicy{MaxRetries: 9, MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: time.Hour}))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				err := kinds[c.call](ctx, client)
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, c.unknown, errors.Is(err, ErrOutcomeUnknown))
				require.Equal(t, time.Second, time.Since(began))
				var timeout *attemptTimeout
				require.False(t, errors.As(err, &timeout))
			})
		})
	}
}

func TestTheTimeoutOfAnAttemptIsNotTheCallersCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return faults["response slower than the timeout"](req)
			}
			return answer(200, nil, "[]"), nil
		}), WithTimeout(5*time.Second))
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, sent)

		sent = 0
		_, err = client.Locations.List(t.Context(), WithMaxRetries(0))
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		var timeout net.Error
		require.ErrorAs(t, err, &timeout)
		require.True(t, timeout.Timeout())
	})
}
