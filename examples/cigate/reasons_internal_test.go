package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// shared is a buffer that is read while the program writes.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestWhatIsTriggeredIsShownAtOnceAlsoWithoutATerminal(t *testing.T) {
	for _, columns := range []string{"", "40"} {
		synctest.Test(t, func(t *testing.T) {
			svc, early := newService(), ""
			var stdout, stderr shared
			time.AfterFunc(time.Second, func() { early = stderr.String() })
			code := runWith(t.Context(), []string{"-tags", "well", "-tags", "long", "-timeout", "2h"}, clitest.Env("COLUMNS", columns, cli.EnvAccount, monitoringtest.AccountID), &stdout, &stderr,
				func(options) (*monitoring.Client, error) { return svc.Client() })
			require.Zero(t, code, stderr.String())
			sessions := svc.Sessions()
			require.Len(t, sessions, 2)
			require.Contains(t, early, "triggered 2 checks:\n")
			require.Contains(t, sessions[0].CheckSessionLink, monitoringtest.AccountID, "links work only with the account")
			for _, name := range []string{"Login", "Nightly"} {
				require.Contains(t, early, "\n  "+name+"  https://")
			}
			for _, s := range sessions {
				require.Contains(t, early, s.CheckSessionLink+"\n", "the link is whole")
			}
			require.Equal(t, 1, strings.Count(stderr.String(), "triggered"))
		})
	}
}

func TestTheReasonOfAFailedCheckIsReadWhenItFailsAndSurvivesAnInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		svc := newService()
		began := time.Now()
		time.AfterFunc(7*time.Second, interrupt)
		got := gate(ctx, t, svc, monitoringtest.APIKey, "-tags", "long", "-tags", "broken")
		require.Equal(t, cli.ExitNo, got.code)
		require.Equal(t, 7*time.Second, got.took)
		require.Equal(t, 1, svc.Count(opResult))
		for _, r := range svc.Requests() {
			if r.Operation == opResult {
				require.Less(t, r.Time.Sub(began), 5*time.Second, "it is read while the other check runs")
			}
		}
		require.Contains(t, got.stdout, "Payment, us-east-1: FAILED\n  Expected 500 to equal 200\n  https://")
		require.Contains(t, got.stdout, "Nightly, eu-central-1: UNKNOWN\n  interrupted before it had finished")
		require.Contains(t, got.junit, `<failure message="Expected 500 to equal 200" type="FAILED">`)
		require.Contains(t, got.markdown, "```text\nExpected 500 to equal 200\n```")
		for _, text := range []string{got.stdout, got.stderr, got.junit, got.markdown} {
			require.NotContains(t, text, "context canceled")
			require.LessOrEqual(t, strings.Count(text, "Expected 500"), 2)
		}
	})
}

// interrupting interrupts the gate when the first result is asked for.
type interrupting struct {
	next      http.RoundTripper
	interrupt func()
}

func (i interrupting) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.Path, "/v1/check-results/") {
		i.interrupt()
	}
	return i.next.RoundTrip(r)
}

func TestAReasonThatIsBeingReadSurvivesAnInterrupt(t *testing.T) {
	for name, tag := range map[string]string{"of a check that has failed": "broken", "of one that has failed in one location so far": "half"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				if tag == "half" {
					time.AfterFunc(6*time.Minute, interrupt)
				}
				svc := newService()
				svc.Inject(monitoringtest.Fault{Operation: opResult, Delay: time.Second, Times: 1})
				var stdout, stderr shared
				code := runWith(ctx, []string{"-tags", tag, "-tags", "long"}, clitest.Env(), &stdout, &stderr, func(options) (*monitoring.Client, error) {
					return svc.Client(monitoring.WithHTTPClient(&http.Client{Transport: interrupting{svc.Transport(), interrupt}}))
				})
				require.Equal(t, cli.ExitNo, code)
				require.Contains(t, stdout.String(), "FAILED\n  Expected 500 to equal 200\n")
				require.Contains(t, stdout.String(), "Nightly, eu-central-1: UNKNOWN\n  interrupted before it had finished")
			})
		})
	}
}

func TestAReasonThatIsNotReadInTimeDoesNotHideTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		interrupt time.Duration // 0 for never
		took      time.Duration
		missing   string
	}{
		"before an interrupt":    {7 * time.Second, 9 * time.Second, "the details were not read before the gate ended"},
		"before the time for it": {0, 62 * time.Second, "the details were not read before the gate ended"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				if c.interrupt > 0 {
					time.AfterFunc(c.interrupt, interrupt)
				}
				svc := monitoringtest.New()
				places := []string{"eu-central-1", "us-east-1", "us-west-1"}
				svc.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"all"}, Locations: places, Outcome: monitoring.SessionFailed, Error: "Expected 500"})
				svc.Inject(monitoringtest.Fault{Operation: opResult, Delay: time.Hour, After: 1, Times: 100})
				began := time.Now()
				got := gate(ctx, t, svc, monitoringtest.APIKey, "-tags", "all")
				require.Equal(t, cli.ExitNo, got.code)
				require.Equal(t, c.took, time.Since(began))
				for _, text := range []string{got.stdout, got.junit, got.markdown} {
					require.Contains(t, text, "Expected 500")
					require.Contains(t, text, c.missing)
					require.NotContains(t, text, "context canceled")
				}
				require.Equal(t, 2, strings.Count(got.junit, fmt.Sprintf("message=%q", c.missing)), "each location has its own")
				require.Equal(t, 1, strings.Count(got.junit, `message="Expected 500"`))
			})
		})
	}
}

func TestAReasonThatCouldNotBeReadIsReadAgainAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		svc.Inject(monitoringtest.Fault{Operation: opResult, Status: 404, Times: 1})
		got := gate(t.Context(), t, svc, monitoringtest.APIKey, "-tags", "broken", "-tags", "long")
		require.Equal(t, cli.ExitNo, got.code)
		require.Contains(t, got.stdout, "Payment, us-east-1: FAILED\n  Expected 500 to equal 200\n")
		require.Equal(t, 2, svc.Count(opResult))
	})
}

// counter counts how many requests for results there are at the same time.
type counter struct {
	next      http.RoundTripper
	mu        sync.Mutex
	now, most int
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.Path, "/v1/check-results/") {
		c.add(1)
		defer c.add(-1)
	}
	return c.next.RoundTrip(r)
}

func (c *counter) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

func TestFewReasonsAreReadAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(500 * time.Millisecond))
		for range 10 {
			svc.AddCheck(monitoringtest.Check{Tags: []string{"all"}, Locations: []string{"eu-west-1", "us-east-1", "us-west-1"}, Outcome: monitoring.SessionFailed, Error: "Expected 500"})
		}
		counted := &counter{next: svc.Transport()}
		var stdout, stderr shared
		code := runWith(t.Context(), []string{"-tags", "all"}, clitest.Env(), &stdout, &stderr, func(options) (*monitoring.Client, error) {
			return svc.Client(monitoring.WithHTTPClient(&http.Client{Transport: counted}))
		})
		require.Equal(t, cli.ExitNo, code)
		require.Equal(t, 30, svc.Count(opResult))
		require.Equal(t, readsAtOnce, counted.most)
		require.Equal(t, 30, strings.Count(stdout.String(), "\n  Expected 500\n"), stdout.String())
	})
}
