package docs_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// changing matches what is different in each run of the tutorial: ids of sessions, and times.
var changing = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+\.\d+s|127\.0\.0\.1:\d+`)

// TestTheTutorialPrintsWhatItShows does what a reader does, in an empty folder: it saves the
// programs under the names that the page gives them, runs the commands, and compares what they
// print. The module and the programs to install are those of the working tree.
func TestTheTutorialPrintsWhatItShows(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a POSIX shell")
	}
	if testkit.Size(0, 1) == 0 {
		t.Skip("it builds four programs: set MONITORING_LONG to run it")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	goCommand(t, "build", "-ldflags=-w", "-o", dir+"/", "./cmd/monitoring-fake", "./cmd/monitoring-gate")
	checks := filepath.Join(dir, "checks")
	env := append(os.Environ(), "module=github.com/monitoring-api/monitoring-go", "PATH="+dir+":"+os.Getenv("PATH"), "GOFLAGS=-mod=mod", "GOPROXY=off", "GITHUB_ACTIONS=", "GITHUB_OUTPUT=", "GITHUB_STEP_SUMMARY=", "GITLAB_CI=")

	text := read(t, "docs/tutorial.md")
	list := blocksOf(t, "docs/tutorial.md", text)
	saved := regexp.MustCompile("Save this as `([\\w.]+)`:\n\n```go\n").FindAllStringSubmatch(text, -1)
	ran := 0
	for i, b := range list {
		switch {
		case b.language == "go":
			require.NotEmpty(t, saved, "line %d: the page does not say where to save this", b.line)
			require.NoError(t, os.WriteFile(filepath.Join(checks, saved[0][1]), []byte(b.source), 0o600))
			saved = saved[1:]
			continue
		case b.language != "sh":
			continue
		}
		shown := ""
		if i+1 < len(list) && list[i+1].language == "text" {
			shown = list[i+1].source
		}
		script, where := b.source, checks
		switch {
		case strings.Contains(script, "go get "): // the module has not been published with these changes
			script, where = regexp.MustCompile(`(?m)^go (?:get|install) .*\n`).ReplaceAllString(script, "")+
				"go mod edit -replace $module="+root+" -require $module@v0.0.0 && cp "+root+"/go.sum .\n", dir
		case strings.HasPrefix(script, "monitoring-fake "):
			said, exports := startFake(t, env, strings.TrimSpace(script))
			env = append(env, exports...)
			require.Equal(t, changing.ReplaceAllString(shown, "*"), changing.ReplaceAllString(said, "*"))
			ran++
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, "sh", "-c", script)
		command.Dir, command.Env = where, env
		var out, progress bytes.Buffer
		command.Stdout, command.Stderr = &out, &progress
		require.NoError(t, command.Run(), "line %d: %s", b.line, &progress)
		require.Equal(t, changing.ReplaceAllString(shown, "*"), changing.ReplaceAllString(out.String(), "*"), "line %d: %s", b.line, &progress)
		if shown != "" {
			ran++
		}
	}
	require.NotZero(t, ran, "outputs were not found")
}

// startFake runs the fake on a free port until the test ends. It returns what it says, and the
// settings in that.
func startFake(t *testing.T, env []string, line string) (said string, exports []string) {
	t.Helper()
	fields := strings.Fields(line)
	command := exec.CommandContext(t.Context(), filepath.Join(pathOf(env), fields[0]), append(fields[1:], "-addr", "127.0.0.1:0")...)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		command.Wait()
	})
	buffer := make([]byte, 4096)
	for strings.Count(said, "\n") < 4 {
		n, err := out.Read(buffer)
		said += string(buffer[:n])
		require.True(t, err == nil || err == io.EOF && n > 0, "%v: %s", err, said)
	}
	for line := range strings.Lines(said) {
		if setting, ok := strings.CutPrefix(strings.TrimSpace(line), "export "); ok {
			exports = append(exports, setting)
		}
	}
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(said)
	connection, err := net.DialTimeout("tcp", address, 10*time.Second)
	require.NoError(t, err)
	connection.Close()
	return said, exports
}

// pathOf returns the first folder of the last PATH in an environment.
func pathOf(env []string) (dir string) {
	for _, setting := range env {
		if path, ok := strings.CutPrefix(setting, "PATH="); ok {
			dir, _, _ = strings.Cut(path, ":")
		}
	}
	return dir
}
