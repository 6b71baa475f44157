package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
	}{
		{"90d", 90 * day}, {"1d12h", 36 * time.Hour}, {"1.5d", 36 * time.Hour}, {"-3d", -3 * day}, {"+12h", 12 * time.Hour},
		{"-1d30m", -(day + 30*time.Minute)}, {"90s", 90 * time.Second}, {"0", 0}, {"0d", 0},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseDuration(tt.text)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	for _, bad := range []string{"", "d", "-", "+", "90", "1d-2h", "--1h", "+-1h", "1e3d", "0x1d", "nand", "infd", "1d1d", "1w", "-d", "1h1d", "200000d", "99999999d", "1_0d"} {
		t.Run("refuses "+bad, func(t *testing.T) {
			_, err := ParseDuration(bad)
			require.Error(t, err)
		})
	}
}

func TestParseTime(t *testing.T) {
	now := time.Date(2026, 8, 1, 12, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2026-12-24": "2026-12-24T00:00:00Z", "2026-12-24T18:00:00+02:00": "2026-12-24T16:00:00Z",
		"-72h": "2026-07-29T12:30:00Z", "-3d": "2026-07-29T12:30:00Z", "+1d": "2026-08-02T12:30:00Z", "now": "2026-08-01T12:30:00Z",
	} {
		got, err := ParseTime(text, now)
		require.NoError(t, err, text)
		require.Equal(t, want, got.Format(time.RFC3339), text)
	}
	for text, want := range map[string]string{
		"72h": "want a sign before", "yesterday": "want a date (2026-12-24)", "2026-13-01": "want a date", "": "want a date", "24.12.2026": "want a date",
	} {
		_, err := ParseTime(text, now)
		require.ErrorContains(t, err, want, text)
	}
}

func TestSpan(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "45s": 45 * time.Second, "5m": 5 * time.Minute, "1h30m": 90*time.Minute + time.Second, "30d": 30 * day, "3d2h": 3*day + 2*time.Hour + 5*time.Minute,
		"-3d": -3 * day, "2m5s": 125 * time.Second,
	} {
		require.Equal(t, want, Span(d))
	}
}

// someFlags returns flags of each kind.
func someFlags() (*Flags, *time.Duration) {
	timeout, next, format, from := 15*time.Minute, int64(3), "table", time.Time{}
	f := NewFlags("tool", "Does what a tool does, and does it in a way that needs more than one line of a narrow terminal.",
		[]Exit{{ExitInterrupted, "interrupted"}, {ExitOK, "all is well"}}, "tool -demo")
	f.Duration(&timeout, "timeout", time.Second, 7*day, "how long to wait, a `duration`")
	f.Int(&next, "next", 0, 1000, "how many, a `number`")
	f.String(&format, "format", "`format` of the output")
	f.Time(&from, "from", time.Now(), "beginning, a `time`")
	f.Demo(new(bool), "make the data up")
	return f, &timeout
}

func TestWrongFlagsAreReportedInOneLine(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a number below its bound", []string{"-next", "-1"}, `invalid value "-1" for flag -next: want a number from 0 to 1000`},
		{"a number that is none", []string{"-next", "x"}, "want a whole number"},
		{"a duration of nothing", []string{"-timeout", "0s"}, "want a duration from 1s to 7d"},
		{"a duration without a unit", []string{"-timeout", "90"}, "want a duration such as"},
		{"a time that is none", []string{"-from", "yesterday"}, "want a date"},
		{"an unknown flag", []string{"-what"}, "flag provided but not defined: -what"},
		{"a stray argument", []string{"-demo", "b"}, `unexpected argument "b"`},
		{"a flag without its value", []string{"-next"}, "-next"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := someFlags()
			var stdout, stderr bytes.Buffer
			code, ok := f.Parse(tt.args, env(nil), &stdout, &stderr)
			require.False(t, ok)
			require.Equal(t, ExitTrouble, code)
			require.Empty(t, stdout.String())
			require.True(t, strings.HasPrefix(stderr.String(), "tool: "))
			require.Contains(t, stderr.String(), tt.want)
			require.Equal(t, 2, strings.Count(stderr.String(), "\n"), stderr.String())
		})
	}
}

func TestValidFlagsAreAccepted(t *testing.T) {
	f, timeout := someFlags()
	code, ok := f.Parse([]string{"-timeout", "1d12h", "-from", "-3d", "-next=0"}, env(nil), nil, nil)
	require.True(t, ok)
	require.Equal(t, ExitOK, code)
	require.Equal(t, 36*time.Hour, *timeout)
	require.True(t, f.Given("next"))
	require.False(t, f.Given("format"))
}

func TestHelpIsCompleteAndFits(t *testing.T) {
	for _, columns := range []string{"60", "140"} {
		f, _ := someFlags()
		var stdout, stderr bytes.Buffer
		code, ok := f.Parse([]string{"-h"}, env(map[string]string{"COLUMNS": columns}), &stdout, &stderr)
		require.False(t, ok)
		require.Equal(t, ExitOK, code)
		require.Empty(t, stderr.String())
		for _, part := range []string{
			"Usage: tool", "tool -demo", "-timeout duration", "(default 15m)", "(default 3)", "(default table)",
			EnvBaseURL, EnvAPIKey, EnvAccount, EnvInsecureHTTP, "NO_COLOR", "  0     all is well\n  130   interrupted\n",
		} {
			require.Contains(t, stdout.String(), part)
		}
		for line := range strings.Lines(stdout.String()) {
			require.LessOrEqual(t, Width(strings.TrimRight(line, "\n")), map[string]int{"60": 60, "140": 140}[columns], line)
		}
	}
}
