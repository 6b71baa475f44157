package main

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheDemoRunsWithoutSettings(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)))
			require.Zero(t, got.Code, got.Stderr)
			clitest.InOrder(t, got.Stdout, cli.DemoNotice, "PASSED    Database port", "5 of 5 checks passed in")
			_, table, _ := strings.Cut(got.Stdout, "\n\n") // checks that end at once do so in any order
			clitest.Golden(t, "demo"+strconv.Itoa(columns)+".txt", table, columns)
			require.Less(t, time.Since(started), 10*time.Second, "it takes longer than somebody who tries it will wait")
		})
	}
}

func TestTheDemoFlagWinsOverTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := clitest.Run(t.Context(), run, clitest.Env(cli.EnvBaseURL, "https://api.example.com", cli.EnvAPIKey, "k"), "-demo", "-tags", "staging,api")
		require.Zero(t, got.Code, got.Stderr)
		clitest.InOrder(t, got.Stdout, cli.DemoNotice, "tagged staging and api", "1 of 1 check passed in 5.0s, 1 of them degraded.")
	})
}

func TestUsage(t *testing.T) {
	clitest.Usage(t, run)
	half := clitest.Run(t.Context(), run, clitest.Env(cli.EnvBaseURL, "https://api.example.com"))
	require.Equal(t, cli.ExitTrouble, half.Code)
	require.Contains(t, half.Stderr, cli.EnvAPIKey)
	require.Empty(t, half.Stdout, "the demo starts only if none of the settings is there")
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		key    string
		tags   cli.Tags
		faults []monitoringtest.Fault
		code   int
		out    []string
		err    string
	}{
		{
			name: "checks that pass", tags: cli.Tags{{"well"}},
			out: []string{"tagged well", "PASSED", "2 of 2 checks passed"},
		},
		{
			name: "a degraded check has passed", tags: cli.Tags{{"slow"}},
			out: []string{"Search", "DEGRADED", "3.50 s", "1 of 1 check passed", "1 of them degraded"},
		},
		{
			name: "a failed check is explained for the location in which it failed", tags: cli.Tags{{"well"}, {"broken"}}, code: cli.ExitNo,
			out: []string{
				"tagged well, or broken", "Payment", "us-east-1", "FAILED", "Payment: FAILED",
				"us-east-1: Expected 500 to equal 200", "check-sessions", "2 of 3 checks passed",
			},
		},
		{
			name: "details that cannot be read do not hide the verdict", tags: cli.Tags{{"broken"}}, code: cli.ExitNo,
			faults: []monitoringtest.Fault{{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 403}},
			out:    []string{"Payment: FAILED", "could not be read", "0 of 1 check passed"},
		},
		{
			name: "a check with an unknown outcome is not a failure", tags: cli.Tags{{"slow"}}, code: cli.ExitTrouble,
			faults: []monitoringtest.Fault{{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Status: 403}},
			out:    []string{"0 of 1 check passed", "of 1 it is not known"}, err: "403",
		},
		{
			name: "a check that does not end in time is shown as it is then", tags: cli.Tags{{"endless"}}, code: cli.ExitTrouble,
			out: []string{"Crawl", "eu-west-1", "PASSED", "0 of 1 check passed in 15m", "of 1 it is not known"}, err: "not finished within 15m0s; the session runs on",
		},
		{name: "tags that no check has", tags: cli.Tags{{"well", "nope"}}, code: cli.ExitTrouble, err: "no active check is tagged well and nope"},
		{name: "a wrong key", key: "wrong_key", tags: cli.Tags{{"well"}}, code: cli.ExitTrouble, err: "401 Unauthorized: Bad Token: check the API key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := newService()
				svc.Inject(tt.faults...)
				var out, stderr bytes.Buffer
				code := check(t.Context(), clientWith(t, svc, tt.key), tt.tags, &cli.Screen{Writer: &out}, &stderr)
				require.Equal(t, tt.code, code)
				clitest.InOrder(t, out.String(), tt.out...)
				require.Contains(t, stderr.String(), tt.err)
				require.Equal(t, tt.err == "", stderr.Len() == 0, stderr.String())
				require.NotContains(t, stderr.String(), "wrong_key")
			})
		})
	}
}

func TestAnInterruptEndsItAtOnceAndSaysWhatIsUnfinished(t *testing.T) {
	tests := []struct {
		name string
		tags cli.Tags
		code int
		want string
	}{
		{
			"with a code of its own", cli.Tags{{"well"}}, cli.ExitInterrupted,
			"quickstart: interrupted after 1.5s: 1 of 2 checks had finished; not finished, and going on at the service: Checkout\n",
		},
		{"and does not hide a check that failed", cli.Tags{{"well"}, {"quick"}}, cli.ExitNo, "2 of 3 checks had finished"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := newService()
				svc.AddCheck(monitoringtest.Check{Name: "Ping", Tags: []string{"quick"}, RunTime: time.Second, Outcome: monitoring.SessionFailed})
				ctx, interrupt := context.WithCancel(t.Context())
				time.AfterFunc(1500*time.Millisecond, interrupt)
				started := time.Now()
				var stderr bytes.Buffer
				code := check(ctx, clientWith(t, svc, ""), tt.tags, &cli.Screen{Writer: new(bytes.Buffer)}, &stderr)
				require.Equal(t, tt.code, code)
				require.Contains(t, stderr.String(), tt.want)
				require.Equal(t, 1500*time.Millisecond, time.Since(started))
			})
		})
	}
}

func TestACheckThatIsNotKnownDoesNotHideOneThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		client, err := svc.Client(monitoring.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			for _, s := range svc.Sessions() {
				if s.Name == "Login" && strings.Contains(r.URL.Path, s.CheckSessionID) {
					return &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
				}
			}
			return svc.Transport().RoundTrip(r)
		})}))
		require.NoError(t, err)
		var out, stderr bytes.Buffer
		code := check(t.Context(), client, cli.Tags{{"well"}, {"broken"}}, &cli.Screen{Writer: &out}, &stderr)
		require.Equal(t, cli.ExitNo, code)
		clitest.InOrder(t, out.String(), "Payment: FAILED", "1 of 3 checks passed", "of 1 it is not known")
		require.Contains(t, stderr.String(), "403")
	})
}

// newService makes a service with two checks that pass, one that is slow and one that fails.
func newService() *monitoringtest.Service {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Name: "Login", Tags: []string{"well"}, RunTime: time.Second})
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"well"}, RunTime: 2 * time.Second})
	svc.AddCheck(monitoringtest.Check{Name: "Search", Tags: []string{"slow"}, Outcome: monitoring.SessionDegraded})
	svc.AddCheck(monitoringtest.Check{
		Name: "Payment", Tags: []string{"broken"}, Locations: []string{"eu-central-1", "us-east-1"},
		Outcome: monitoring.SessionFailed, FailIn: []string{"us-east-1"},
	})
	svc.AddCheck(monitoringtest.Check{Name: "Crawl", Tags: []string{"endless"}, Locations: []string{"eu-west-1", "us-east-1"}, RunTime: 20 * time.Minute})
	return svc
}

// clientWith makes a client with another key than the service's, or with its own.
func clientWith(t *testing.T, svc *monitoringtest.Service, key string) *monitoring.Client {
	t.Helper()
	client, err := svc.Client()
	if key != "" {
		client, err = monitoring.NewClient(monitoringtest.BaseURL, key, monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))
	}
	if err != nil {
		t.Fatal(err)
	}
	return client
}
