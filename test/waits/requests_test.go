package waits_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// clocked is a service with one session. Its polls and reads respond with a status, and maybe a
// Retry-After, each once, except the last one.
type clocked struct {
	reads, polls []string
	began        time.Time
	trace        []string // the time of each request, and how long a poll asked to be held
}

func (s *clocked) RoundTrip(req *http.Request) (*http.Response, error) {
	list, request := &s.reads, "read"
	if strings.HasSuffix(req.URL.Path, "/completion") {
		list, request = &s.polls, "poll "+req.URL.Query().Get("maxWaitSeconds")
	}
	s.trace = append(s.trace, fmt.Sprintf("%s %s", time.Since(s.began), request))
	play := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	if play == "never" {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	var status, retryAfter int
	fmt.Sscan(play, &status, &retryAfter)
	header := http.Header{}
	if retryAfter > 0 {
		header.Set("Retry-After", fmt.Sprint(retryAfter))
	}
	return testkit.Respond(status, header, `{"status":"PROGRESS","startedAt":"2026-08-19T10:15:00.120Z"}`), nil
}

func TestWhenAWaitSendsItsNextRequest(t *testing.T) {
	for _, c := range []struct {
		name         string
		reads, polls []string
		within       time.Duration
		want         []string
	}{
		{"a Retry-After is obeyed", []string{"200"}, []string{"503 20", "never"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
		{"also that of a poll that found a session which runs", []string{"200"}, []string{"408 20", "never"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
		{"a Retry-After is bounded by MaxRetryAfter", []string{"200"}, []string{"503 3600", "never"}, 130 * time.Second,
			[]string{"0s read", "0s poll 30", "2m0s poll 10"}},
		{"a read that takes longer than the timeout of an attempt is a failure", []string{"never"}, []string{"never"}, 45 * time.Second,
			[]string{"0s read", "31s poll 14"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &clocked{reads: c.reads, polls: c.polls, began: time.Now()}
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				_, err := kit.Client(t, s).CheckSessions.Wait(ctx, "a", monitoring.WaitOptions{})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.want, s.trace)
			})
		})
	}
}

func TestAWaitHasOneRequestAtATimeInTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &clocked{polls: []string{"never"}, began: time.Now()}
		limiter, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 2, Per: time.Hour, Burst: 1})
		require.NoError(t, err)
		client := kit.Client(t, s, monitoring.WithLimiter(limiter))
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiters atomic.Int64
		time.AfterFunc(time.Second/2, func() { waiters.Store(int64(limiter.State().Waiters)) })
		for _, err := range client.CheckSessions.WaitAll(ctx, strings.Split("abcde", ""), monitoring.WaitOptions{}) {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Len(t, s.trace, 1)
		require.EqualValues(t, 1, waiters.Load())
	})
}

func TestOneErrorOfASessionIsReportedAndYielded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &clocked{polls: []string{"403"}, began: time.Now()}
		var reported error
		for _, err := range kit.Client(t, s).CheckSessions.WaitAll(t.Context(), []string{"a"}, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { reported = p.Err }}) {
			require.ErrorIs(t, err, monitoring.ErrForbidden)
			require.Same(t, err, reported)
		}
	})
}
