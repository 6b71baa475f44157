package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func env(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestConnect(t *testing.T) {
	const key = "sv_very_secret"
	tests := []struct {
		name   string
		env    map[string]string
		demo   bool
		client string // how the client prints
		err    string
	}{
		{"the demo says that it is one", nil, true, "https://monitoring.test", ""},
		{"the demo wins over the settings", map[string]string{EnvBaseURL: "https://api.example.com", EnvAPIKey: key}, true, "https://monitoring.test", ""},
		{
			"with settings it is the service they name",
			map[string]string{EnvBaseURL: "https://api.example.com/x", EnvAPIKey: key, EnvAccount: "a-1"}, false, "https://api.example.com/x", "",
		},
		{"without settings the error names them and the demo", nil, false, "", "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; -demo"},
		{"an address without a key is reported", map[string]string{EnvBaseURL: "https://api.example.com"}, false, "", "set MONITORING_API_KEY"},
		{"a key without an address is reported", map[string]string{EnvAPIKey: key}, false, "", "set MONITORING_BASE_URL"},
		{"a key with a line break is refused and not shown", map[string]string{EnvBaseURL: "https://api.example.com", EnvAPIKey: key + "\n"}, false, "", "API key"},
		{"plain http is refused", map[string]string{EnvBaseURL: "http://api.example.com", EnvAPIKey: key}, false, "", "MONITORING_INSECURE_HTTP=1"},
		{
			"plain http is allowed when the environment says so",
			map[string]string{EnvBaseURL: "http://api.example.com", EnvAPIKey: key, EnvInsecureHTTP: "1"}, false, "http://api.example.com", "",
		},
		{"what is neither yes nor no is reported", map[string]string{EnvBaseURL: "http://api.example.com", EnvAPIKey: key, EnvInsecureHTTP: "maybe"}, false, "", "MONITORING_INSECURE_HTTP must be 1 or 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var notice bytes.Buffer
			client, err := Connect(env(tt.env), tt.demo, &notice)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				require.NotContains(t, err.Error(), key)
				return
			}
			require.NoError(t, err)
			require.Contains(t, fmt.Sprint(client), tt.client)
			require.Equal(t, tt.demo, strings.Contains(notice.String(), DemoNotice))
		})
	}
}

func TestTags(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
		err  bool
	}{
		{"one tag", []string{"-tags", "production"}, "production", false},
		{"a comma means and", []string{"-tags", "production, api"}, "production and api", false},
		{"a repeated flag means or", []string{"-tags", "production,!flaky", "-tags", "critical"}, "production and !flaky, or critical", false},
		{"no tag at all is refused", []string{"-tags", ""}, "", true},
		{"an empty tag is refused", []string{"-tags", "a,,b"}, "", true},
		{"a bare exclamation mark is refused", []string{"-tags", "!"}, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tags Tags
			flags := flag.NewFlagSet("test", flag.ContinueOnError)
			flags.SetOutput(io.Discard)
			flags.Var(&tags, "tags", "")
			err := flags.Parse(tt.args)
			if (err != nil) != tt.err {
				t.Fatalf("error %v, want one: %t", err, tt.err)
			}
			if got := tags.String(); err == nil && got != tt.want {
				t.Errorf("tags %q, want %q", got, tt.want)
			}
		})
	}
}

func TestResultStatusIsOneWord(t *testing.T) {
	final := new(monitoring.ResultFinal)
	for want, result := range map[string]monitoring.CheckSessionResult{
		"RUNNING":   {},
		"PASSED":    {ResultType: final},
		"DEGRADED":  {ResultType: final, IsDegraded: true},
		"FAILED":    {ResultType: final, HasFailures: true, Aborted: true},
		"ERROR":     {ResultType: final, HasErrors: true},
		"CANCELLED": {ResultType: final, IsCancelled: true, Aborted: true},
	} {
		if got := ResultStatus(&result); got != want {
			t.Errorf("status %s, want %s", got, want)
		}
	}
}

func TestTimesAreRounded(t *testing.T) {
	if got := Millis(nil) + "|" + Millis(new(131.4)) + "|" + Millis(new(3500.25)); got != "-|131 ms|3.50 s" {
		t.Errorf("response times %s", got)
	}
	if got := Seconds(840*time.Millisecond) + "|" + Seconds(185*time.Second); got != "0.8s|3m5s" {
		t.Errorf("durations %s", got)
	}
}
