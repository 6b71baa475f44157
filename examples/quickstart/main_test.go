package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheDemoRunsWithoutSettings(t *testing.T) {
	clearSettings(t)
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		var out bytes.Buffer
		passed, err := run(t.Context(), cli.Tags{{monitoringtest.DemoProductionTag}}, &out)
		if err != nil || !passed {
			t.Fatalf("passed %t, error %v\n%s", passed, err, out.String())
		}
		wantInOrder(t, out.String(), cli.DemoNotice, "PASSED    Database port", "CHECK", "RESPONSE TIME", "Checkout API", "5 of 5 checks passed in")
		if took := time.Since(started); took > 10*time.Second {
			t.Errorf("it takes %s, more than somebody who tries it will wait", took)
		}
	})
}

func TestRunSaysWhatItNeeds(t *testing.T) {
	clearSettings(t)
	t.Setenv("MONITORING_BASE_URL", "https://api.example.com")
	_, err := run(t.Context(), cli.Tags{{"production"}}, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "MONITORING_API_KEY") {
		t.Errorf("error %v, want one that names the setting", err)
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		key    string
		tags   cli.Tags
		faults []monitoringtest.Fault
		passed bool
		out    []string
		err    string
	}{
		{
			name: "checks that pass", tags: cli.Tags{{"well"}}, passed: true,
			out: []string{"tagged well", "PASSED", "2 of 2 checks passed"},
		},
		{
			name: "a degraded check has passed", tags: cli.Tags{{"slow"}}, passed: true,
			out: []string{"Search", "DEGRADED", "3.50 s", "1 of 1 check passed", "1 of them degraded"},
		},
		{
			name: "a failed check is explained for the location in which it failed", tags: cli.Tags{{"well"}, {"broken"}},
			out: []string{
				"tagged well, or broken", "Payment   API", "us-east-1", "FAILED", "Payment: FAILED",
				"us-east-1: Expected 500 to equal 200", "check-sessions", "2 of 3 checks passed",
			},
		},
		{
			name: "details that cannot be read do not hide the verdict", tags: cli.Tags{{"broken"}},
			faults: []monitoringtest.Fault{{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 403}},
			out:    []string{"Payment: FAILED", "could not be read", "0 of 1 check passed"},
		},
		{name: "tags that no check has", tags: cli.Tags{{"well", "nope"}}, err: "no active check is tagged well and nope"},
		{name: "a wrong key", key: "wrong_key", tags: cli.Tags{{"well"}}, err: "401 Unauthorized: Bad Token: check the API key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := newService()
				svc.Inject(tt.faults...)
				client := clientWith(t, svc, tt.key)
				var out bytes.Buffer
				passed, err := check(t.Context(), client, tt.tags, &out)
				if passed != tt.passed {
					t.Errorf("passed is %t", passed)
				}
				wantInOrder(t, out.String(), tt.out...)
				if tt.err == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want one line with %q", err, tt.err)
				}
				if err != nil && strings.Contains(err.Error(), "wrong_key") {
					t.Errorf("the error shows the key: %s", err)
				}
			})
		})
	}
}

func TestAnInterruptEndsItAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancelCause(t.Context())
		time.AfterFunc(1500*time.Millisecond, func() { interrupt(errors.New("interrupt signal received")) })
		started := time.Now()
		passed, err := check(ctx, clientWith(t, newService(), ""), cli.Tags{{"well"}}, new(bytes.Buffer))
		if passed || err == nil || !strings.HasPrefix(err.Error(), "interrupted after 1.5s: 1 check had finished") {
			t.Errorf("passed %t, error %v", passed, err)
		}
		if took := time.Since(started); took != 1500*time.Millisecond {
			t.Errorf("it ended after %s, not at once", took)
		}
	})
}

// newService has two checks that are well, one that is slow and one that is broken.
func newService() *monitoringtest.Service {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Name: "Login", Tags: []string{"well"}, RunTime: time.Second})
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"well"}, RunTime: 2 * time.Second})
	svc.AddCheck(monitoringtest.Check{Name: "Search", Tags: []string{"slow"}, Outcome: monitoring.SessionDegraded})
	svc.AddCheck(monitoringtest.Check{
		Name: "Payment", Tags: []string{"broken"}, Locations: []string{"eu-central-1", "us-east-1"},
		Outcome: monitoring.SessionFailed, FailIn: []string{"us-east-1"},
	})
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

func clearSettings(t *testing.T) {
	t.Helper()
	for _, name := range []string{"MONITORING_BASE_URL", "MONITORING_API_KEY", "MONITORING_ACCOUNT_ID"} {
		t.Setenv(name, "")
	}
}

func wantInOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is missing, or not where it should be, in\n%s", part, text)
		}
		rest = after
	}
}
