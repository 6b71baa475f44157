// Package clitest has helpers for the tests of the example programs.
package clitest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// Env returns an environment with these pairs of names and values, and no other variables.
func Env(pairs ...string) cli.Getenv {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// Result is the exit code and the output of a run of a program.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Run runs a program.
func Run(ctx context.Context, run cli.Run, getenv cli.Getenv, args ...string) Result {
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, getenv, &stdout, &stderr)
	return Result{code, stdout.String(), stderr.String()}
}

// Golden compares a text with testdata/name, and checks that it fits a terminal of this width.
// With UPDATE_GOLDEN=1 in the environment it writes the file instead.
func Golden(t *testing.T, name, got string, columns int) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
	for line := range strings.Lines(got) {
		require.LessOrEqual(t, cli.Width(strings.TrimRight(line, "\n")), columns, "line %q of %s", line, strconv.Itoa(columns))
	}
}

// InOrder fails unless a text has the parts one after another.
func InOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		require.True(t, found, "%q is missing, or not in its place, in\n%s", part, text)
		rest = after
	}
}

// Usage checks what all programs have in common: a help with the environment and the exit
// codes, and errors for wrong arguments.
func Usage(t *testing.T, run cli.Run, args ...string) {
	t.Helper()
	help := Run(t.Context(), run, Env("COLUMNS", "60"), append(args, "-h")...)
	require.Zero(t, help.Code)
	require.Empty(t, help.Stderr)
	InOrder(t, help.Stdout, "Usage: ", "Examples:", "Flags:", "  -demo", "Environment:",
		cli.EnvBaseURL, cli.EnvAPIKey, cli.EnvAccount, cli.EnvInsecureHTTP, "NO_COLOR", "Exit codes:", "  0 ", "  2 ", "  130 ")
	for line := range strings.Lines(help.Stdout) {
		if !strings.HasPrefix(line, "  ") { // examples are command lines, to be copied
			require.LessOrEqual(t, cli.Width(line), 61, line)
		}
	}
	for _, wrong := range []string{"-what", "stray"} {
		got := Run(t.Context(), run, Env(), append(args, wrong)...)
		require.Equal(t, cli.ExitTrouble, got.Code)
		require.Empty(t, got.Stdout)
		require.Contains(t, got.Stderr, wrong)
	}
}
