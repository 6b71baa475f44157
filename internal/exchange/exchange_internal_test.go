package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// caller is a Caller that keeps the order of what it is called for.
type caller struct {
	place    func(context.Context) error
	accept   func(context.Context, []byte) (Fault, error)
	order    []string
	attempts []Attempt
}

func (c *caller) saw(format string, args ...any) {
	c.order = append(c.order, fmt.Sprintf(format, args...))
}

func (c *caller) Place(ctx context.Context) error {
	c.saw("place")
	if c.place != nil {
		return c.place(ctx)
	}
	return nil
}

func (c *caller) Accept(ctx context.Context, _ http.Header, body []byte) (Fault, error) {
	c.saw("accept %s", body)
	if c.accept != nil {
		return c.accept(ctx, body)
	}
	return NoFault, nil
}

func (c *caller) Ended(status int, retryAfter, duration time.Duration) {
	c.saw("ended %d %s %s", status, retryAfter, duration)
}

func (c *caller) Throttled(_ context.Context, retryAfter time.Duration) {
	c.saw("throttled %s", retryAfter)
}

func (c *caller) Attempted(_ context.Context, a Attempt) {
	c.saw("attempted %d", a.StatusCode)
	c.attempts = append(c.attempts, a)
}

func sender(t *testing.T, transport testkit.RoundTripper) *Sender {
	base, err := url.Parse("https://service.test")
	require.NoError(t, err)
	return &Sender{
		Base: base, Transport: func(Class) http.RoundTripper { return transport },
		Keys: FixedKey(func() string { return "key-123" }), Budget: NewBudget(), MaxResponse: 1 << 20,
		Backoff:     Backoff{Min: time.Second, Max: time.Second, MaxRetryAfter: time.Minute},
		ErrRedirect: errRedirect, ErrTooLarge: errLarge,
	}
}

// send makes a call whose request can be built.
func (s *Sender) send(ctx context.Context, c *caller, change ...func(*Call)) Result {
	in := &Call{Method: "GET", Address: s.Base.String() + "/x", Header: make(http.Header), Class: Read, MaxRetries: 5, Caller: c, Texts: Texts{Own: scrub.New("key-123")}}
	for _, f := range change {
		f(in)
	}
	var result Result
	if err := s.Do(ctx, in, &result); err != nil {
		panic(err)
	}
	return result
}

func TestACallerIsCalledInTheOrderOfEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &caller{place: func(context.Context) error { time.Sleep(2 * time.Second); return nil }}
		transport := testkit.InTurn(
			func(*http.Request) (*http.Response, error) {
				time.Sleep(time.Second)
				return testkit.Respond(429, http.Header{"Retry-After": {"7"}}, ""), nil
			},
			func(*http.Request) (*http.Response, error) {
				return testkit.Respond(307, http.Header{"Location": {"/y"}}, ""), nil
			},
			testkit.Status(200, "done"),
		)
		var attempt context.Context
		s := sender(t, func(req *http.Request) (*http.Response, error) {
			attempt = req.Context()
			body, err := io.ReadAll(req.Body)
			require.NoError(t, err)
			c.saw("send %s %s %s %d %s %s %s", req.Method, req.URL.Path, body, req.ContentLength, req.Header["X-A"], req.Header["Cookie"], req.Header.Get("Authorization"))
			return transport(req)
		})
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		jar.SetCookies(s.Base, []*http.Cookie{{Name: "c", Value: "1"}})
		s.HTTP = &http.Client{Jar: jar}
		s.Budget.tokens, s.Budget.asked = 0, time.Now() // to which a 429 is not charged
		result := s.send(t.Context(), c, func(in *Call) {
			in.Method, in.Body, in.Timeout = "PUT", []byte("{}"), time.Hour
			in.Header.Set("X-A", "a")
			in.Wire = func(w Wired) {
				c.saw("wired %d %d %s %s %s", w.Number, w.StatusCode, w.Request.Header.Get("Authorization"), w.Body, w.LimiterWait)
			}
		})
		const parts = " {} 2 [a] [c=1] Bearer key-123"
		require.Equal(t, []string{
			"place", "send PUT /x" + parts, "ended 429 7s 1s", "wired 1 429 Bearer key-123  2s", "throttled 7s", "attempted 429",
			"place", "send PUT /x" + parts, "ended 307 0s 0s", "wired 2 307 Bearer key-123  2s",
			"place", "send PUT /y" + parts, "accept done", "ended 200 0s 0s", "wired 3 200 Bearer key-123 done 2s", "attempted 200",
		}, c.order)
		require.Equal(t, Attempt{Number: 1, StatusCode: 429, LimiterWait: 2 * time.Second, Duration: time.Second, Retry: true, RetryIn: 7 * time.Second}, c.attempts[0])
		require.Equal(t, Result{StatusCode: 200, Header: result.Header, Body: []byte("done"), Attempts: 3, LimiterWait: 6 * time.Second, RetryWait: 7 * time.Second, InFlight: time.Second}, result)
		require.ErrorIs(t, attempt.Err(), context.Canceled, "an attempt leaves no context behind")
	})
}

func TestARequestThatCannotBeBuiltIsAnError(t *testing.T) {
	err := sender(t, testkit.Status(200, "")).Do(t.Context(), &Call{Address: "://", Texts: Texts{Own: scrub.New()}}, new(Result))
	require.EqualError(t, err, "missing protocol scheme")
}

// A response may be found useless after the time of the attempt has ended. What was carried out
// stays so.
func TestTheEndOfTheTimeIsTheReasonIfAResponseCannotBeUsedThen(t *testing.T) {
	for fault, attempts := range map[Fault]int{NoFault: 2, Lost: 2, Useless: 1, Unreadable: 1} {
		synctest.Test(t, func(t *testing.T) {
			slow := &caller{accept: func(ctx context.Context, _ []byte) (Fault, error) {
				<-ctx.Done()
				return fault, ctx.Err()
			}}
			result := sender(t, testkit.Status(200, "x")).send(t.Context(), slow, func(in *Call) { in.Timeout, in.MaxRetries = time.Minute, 1 })
			require.EqualError(t, result.Err, "the attempt timed out after 1m0s")
			require.Equal(t, []any{attempts, attempts == 2}, []any{result.Attempts, result.Temporary}, fault)
		})
	}
}

func TestABudgetThatIsUsedUpIsInTheNote(t *testing.T) {
	for name, transport := range map[string]testkit.RoundTripper{
		"a status":          testkit.Status(503, ""),
		"a lost connection": refused,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, transport)
			s.Budget.tokens, s.Budget.asked = 1.5, time.Now()
			result := s.send(t.Context(), &caller{})
			require.Equal(t, 2, result.Attempts, name)
			require.Contains(t, result.Note, "the retry budget of this client is used up", name)
		})
	}
}

func TestTheEndOfTheContextIsTheReasonOfWhatItInterrupts(t *testing.T) {
	stalling := func(status int) testkit.RoundTripper {
		return func(req *http.Request) (*http.Response, error) {
			resp := testkit.Respond(status, nil, "")
			resp.ContentLength, resp.Body = -1, io.NopCloser(io.MultiReader(strings.NewReader("begin"), untilEnd{req.Context()}))
			return resp, nil
		}
	}
	for name, transport := range map[string]testkit.RoundTripper{
		"the wait for a retry": asking(503, "30"),
		"sending": func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, errors.New("interrupted")
		},
		"the body of a success": stalling(200),
		"the body of a failure": stalling(503),
	} {
		synctest.Test(t, func(t *testing.T) {
			cause := errors.New("key-123 was revoked")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(cause) })
			result := sender(t, transport).send(ctx, &caller{})
			end := cmp.Or(result.Err, result.Interrupted)
			require.EqualError(t, end, "context canceled: [redacted] was revoked", name)
			require.ErrorIs(t, end, context.Canceled, name)
			require.ErrorIs(t, end, cause, name)
			require.Equal(t, 1, result.Attempts, name)
			require.NoError(t, result.LastFailure, name)
			if name == "the body of a failure" {
				require.Equal(t, "begin", string(result.Body))
				require.NoError(t, result.Err, "its status counts")
			}
		})
	}
}

// untilEnd is a body that does not arrive until the context has ended.
type untilEnd struct{ ctx context.Context }

func (u untilEnd) Read([]byte) (int, error) {
	<-u.ctx.Done()
	return 0, u.ctx.Err()
}

func TestTheErrorsOfThisPackageAreKnownWithWhatTheyWrap(t *testing.T) {
	wrapped := fmt.Errorf("%w", io.EOF)
	for err, want := range map[error]error{&contextEnd{}: nil, &attemptTimeout{}: nil, &StepError{What: "x", Err: wrapped}: wrapped, &networkTimeout{wrapped}: wrapped} {
		inner, known := ours(err)
		require.True(t, known, "%T", err)
		require.Equal(t, want, inner)
	}
	_, known := ours(wrapped)
	require.False(t, known)
	require.ErrorIs(t, &StepError{Err: wrapped, Also: io.ErrNoProgress}, io.ErrNoProgress)
	require.NotErrorIs(t, &StepError{Err: wrapped}, io.ErrNoProgress)
}

func TestATimeoutOfAnAttemptIsANetTimeout(t *testing.T) {
	for _, err := range []net.Error{&attemptTimeout{time.Second}, &networkTimeout{&net.OpError{Op: "dial", Err: testkit.TimeoutError{}}}} {
		require.True(t, err.Timeout())
		//lint:ignore SA1019 it is still a part of net.Error
		require.True(t, err.Temporary())
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	}
	err := &networkTimeout{&net.OpError{Op: "dial", Err: fmt.Errorf("%w: %w", testkit.TimeoutError{}, syscall.ETIMEDOUT)}}
	require.ErrorIs(t, err, syscall.ETIMEDOUT)
	op, ok := errors.AsType[*net.OpError](err)
	require.True(t, ok)
	require.Equal(t, "dial", op.Op)
	require.NotErrorIs(t, &networkTimeout{context.Canceled}, context.Canceled)
	require.ErrorIs(t, &failed{err: io.EOF}, io.EOF)
}

func TestTheTextOfAnEndedContextHasItsCause(t *testing.T) {
	for want, e := range map[string]*contextEnd{
		"context canceled":                         {err: context.Canceled, cause: errors.New("context canceled")},
		"context canceled: cancelled by the user":  {err: context.Canceled, cause: errors.New("cancelled\nby the user")},
		"context deadline exceeded":                {err: context.DeadlineExceeded, cause: context.DeadlineExceeded},
		"context deadline exceeded: was cancelled": {err: context.DeadlineExceeded, cause: errors.New("was cancelled")},
	} {
		require.EqualError(t, e, want)
		require.Equal(t, e.err == context.DeadlineExceeded, e.Timeout())
	}
}

func TestTheCauseOfAnEndedContextIsMatchedWithoutUnwrapping(t *testing.T) {
	cause := errors.New("cancelled by the job")
	e := &contextEnd{err: context.Canceled, cause: cause}
	require.True(t, e.Is(cause))
	for _, other := range []error{nil, errors.New("cancelled by the job"), uncomparable{"x"}, callValue{"rate limited"}} {
		require.False(t, e.Is(other))
	}
	require.False(t, (&contextEnd{err: context.Canceled, cause: callValue{"timed out"}}).Is(callValue{"timed out"}), "it is the error of another call")
	require.False(t, (&contextEnd{err: context.Canceled, cause: uncomparable{"x"}}).Is(uncomparable{"x"}))
}

func TestSleepEndsAfterItsTimeOrWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		require.NoError(t, Sleep(ctx, 1))
		require.Equal(t, time.Duration(1), time.Since(began))
		require.ErrorIs(t, Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(began))
		require.ErrorIs(t, Sleep(ctx, 0), context.DeadlineExceeded)
	})
}

// callValue is an error that says how a call ended.
type callValue struct{ text string }

func (v callValue) Error() string { return v.text }
func (callValue) OfACall()        {}

// uncomparable is an error that == cannot compare.
type uncomparable []string

func (u uncomparable) Error() string { return u[0] }

// A secret of the body may be a common word, which stands in the network's own errors, too.
func TestTheNetworksOwnErrorsKeepTheirWords(t *testing.T) {
	texts := &Texts{Own: scrub.New("key-123"), Body: []string{"refused", "own words"}}
	require.EqualError(t, texts.Error(&url.Error{Op: "Get", URL: "https://service.test", Err: &failed{err: syscall.ECONNREFUSED}}), "connection refused")
	require.EqualError(t, texts.Error(errors.New("own words of key-123")), "[redacted] of [redacted]")
	require.Equal(t, Lost, faultIn(&url.Error{Err: &failed{fault: Lost}}))
	require.Equal(t, Unfollowed, faultIn(io.EOF))
	require.Equal(t, NoFault, faultIn(nil))
}
