package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
		client string // how the client prints
		err    string
		notice string
	}{
		{"without settings it is the demo and says so", nil, "https://monitoring.test", "", DemoNotice + "\n"},
		{
			"with settings it is the service they name",
			map[string]string{"MONITORING_BASE_URL": "https://api.example.com/x", "MONITORING_API_KEY": key, "MONITORING_ACCOUNT_ID": "a-1"},
			"https://api.example.com/x", "", "",
		},
		{"an address without a key is no demo", map[string]string{"MONITORING_BASE_URL": "https://api.example.com"}, "", "set MONITORING_API_KEY", ""},
		{"a key without an address is no demo", map[string]string{"MONITORING_API_KEY": key}, "", "set MONITORING_BASE_URL", ""},
		{"an account alone is no demo", map[string]string{"MONITORING_ACCOUNT_ID": "a-1"}, "", "set MONITORING_BASE_URL and MONITORING_API_KEY", ""},
		{
			"a key with a line break is refused and not shown",
			map[string]string{"MONITORING_BASE_URL": "https://api.example.com", "MONITORING_API_KEY": key + "\n"}, "", "API key", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var notice bytes.Buffer
			client, err := Connect(env(tt.env), &notice)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), key) {
					t.Fatalf("error %v, want one with %q and without the key", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(client); !strings.Contains(got, tt.client) {
				t.Errorf("client %s, want %s", got, tt.client)
			}
			if notice.String() != tt.notice {
				t.Errorf("notice %q, want %q", notice.String(), tt.notice)
			}
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

func TestTableAlignsColumnsAndCleansCells(t *testing.T) {
	var b strings.Builder
	err := Table(&b, []string{"CHECK", "STATUS"}, [][]string{{"Größe", "PASSED"}, {"a\tb\x1b[31m\n\ac", ""}})
	if err != nil {
		t.Fatal(err)
	}
	want := "CHECK   STATUS\nGröße   PASSED\na b  c\n"
	if b.String() != want {
		t.Errorf("table\n%swant\n%s", b.String(), want)
	}
}

func TestProgressOnATerminalRewritesItsLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b, true)
		p.Update("%d of 2 finished", 0)
		p.Println("PASSED Checkout")
		p.Update("%s", strings.Repeat("long ", 50))
		time.Sleep(time.Second + time.Millisecond)
		p.Update("2 of 2 finished")
		p.Stop()
		got := screen(b.String())
		if want := "PASSED Checkout\n"; got != want {
			t.Errorf("at the end the terminal shows %q, want %q", got, want)
		}
		if strings.Contains(b.String(), strings.Repeat("long ", 16)) {
			t.Error("a line is longer than the terminal is wide")
		}
		if !strings.Contains(b.String(), "2 of 2 finished, 1s") {
			t.Errorf("no line tells the time: %q", b.String())
		}
	})
}

func TestProgressElsewhereSaysNowAndThenThatItIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b, false)
		p.Update("0 of 2 finished")
		time.Sleep(35 * time.Second)
		p.Println("PASSED Checkout")
		p.Stop()
		if want := "0 of 2 finished, 30s\nPASSED Checkout\n"; b.String() != want {
			t.Errorf("output %q, want %q", b.String(), want)
		}
	})
}

func TestAFileAndABufferAreNoTerminals(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) || IsTerminal(new(bytes.Buffer)) {
		t.Error("taken for a terminal")
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

func TestTimesReadWell(t *testing.T) {
	if got := Millis(nil) + "|" + Millis(new(131.4)) + "|" + Millis(new(3500.25)); got != "-|131 ms|3.50 s" {
		t.Errorf("response times %s", got)
	}
	if got := Seconds(840*time.Millisecond) + "|" + Seconds(185*time.Second); got != "0.8s|3m5s" {
		t.Errorf("durations %s", got)
	}
}

// screen is what a terminal shows after a text with carriage returns.
func screen(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		var shown []rune
		at := 0
		for _, r := range line {
			if r == '\r' {
				at = 0
				continue
			}
			if at == len(shown) {
				shown = append(shown, ' ')
			}
			shown[at] = r
			at++
		}
		lines = append(lines, strings.TrimRight(string(shown), " "))
	}
	return strings.Join(lines, "\n")
}
