package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The tests run the program as a process of its own, so that it can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("PAUSE_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// service serves a few checks, and kills the program at its nth request.
type service struct {
	*monitoringtest.Service
	url     string
	seen    atomic.Int64
	program atomic.Pointer[os.Process]
	death   atomic.Pointer[death]
}

// death says at which request a program is killed; 0 is never.
type death struct {
	request int64
	ended   chan struct{} // closed when the program has ended
}

func newService(t *testing.T) *service {
	s := &service{Service: monitoringtest.New()}
	for _, c := range []monitoringtest.Check{
		{Name: "A\x1b[2J", Tags: []string{"staging"}}, {Name: "B", Type: "BROWSER", Tags: []string{"staging"}},
		{Name: "C", Tags: []string{"staging"}, Muted: true}, {Name: "D", Tags: []string{"other"}},
	} {
		s.AddCheck(c)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if death := s.death.Load(); s.seen.Add(1) == death.request {
			s.program.Load().Kill()
			<-death.ended
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// checks returns what is told of the checks but for the time of the last change, and who is muted.
func (s *service) checks(t *testing.T) (whole, muted string) {
	for _, data := range s.Checks() {
		var members map[string]any
		require.NoError(t, json.Unmarshal(data, &members))
		if members["muted"] == true {
			muted += members["name"].(string)
		}
		delete(members, "updated_at")
		text, err := json.Marshal(members)
		require.NoError(t, err)
		whole += string(text)
	}
	return whole, muted
}

// pause runs the program. It returns its exit code, and -1 if it was killed.
func (s *service) pause(t *testing.T, kill int64, args ...string) (code int, out string) {
	ended := make(chan struct{})
	s.death.Store(&death{kill, ended})
	s.seen.Store(0)
	command := exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), "PAUSE_AS_PROGRAM=1", "MONITORING_BASE_URL="+s.url, "MONITORING_API_KEY="+monitoringtest.APIKey, "MONITORING_ACCOUNT_ID="+monitoringtest.AccountID)
	var text bytes.Buffer
	command.Stdout, command.Stderr = &text, &text
	require.NoError(t, command.Start())
	s.program.Store(command.Process)
	command.Wait()
	close(ended)
	return command.ProcessState.ExitCode(), text.String()
}

func TestEverythingIsPutBackWhereverTheProgramIsKilled(t *testing.T) {
	for kill := int64(0); ; kill++ {
		s, file := newService(t), filepath.Join(t.TempDir(), "muted.json")
		before, _ := s.checks(t)
		killed, _ := s.pause(t, kill, "-tag", "staging", "-file", file)
		code, out := s.pause(t, 0, "-tag", "staging", "-file", file)
		require.Zero(t, code, out)
		_, muted := s.checks(t)
		require.Equal(t, "A\x1b[2JBC", muted)
		require.NotContains(t, out, "\x1b")

		code, out = s.pause(t, 0, "-tag", "other", "-file", file)
		require.Equal(t, 2, code)
		require.Contains(t, out, `is of the tag "staging"`)

		again, _ := s.pause(t, kill, "-restore", "-file", file)
		if again != 0 {
			code, out = s.pause(t, 0, "-restore", "-file", file)
			require.Zero(t, code, out)
		}
		after, _ := s.checks(t)
		require.Equal(t, before, after, "killed at request %d", kill)
		require.NoFileExists(t, file)
		if kill > 0 && killed == 0 && again == 0 {
			require.Greater(t, kill, int64(4), "the program was not killed")
			return
		}
	}
}

func TestWhatCannotBePutBackStaysInTheFile(t *testing.T) {
	s, file := newService(t), filepath.Join(t.TempDir(), "muted.json")
	code, out := s.pause(t, 0, "-tag", "staging", "-file", file)
	require.Zero(t, code, out)
	s.Inject(monitoringtest.Fault{Operation: "GET /v1/checks/{id}", Status: 404, Times: 1})
	code, _ = s.pause(t, 0, "-restore", "-file", file)
	require.Equal(t, 2, code)
	require.FileExists(t, file)
}

func TestAFileOfAnotherProgramIsNeitherPutBackNorRemoved(t *testing.T) {
	s, file := newService(t), filepath.Join(t.TempDir(), "muted.json")
	for _, other := range []string{`null`, `{}`, `{"name": "Checkout"}`} {
		require.NoError(t, os.WriteFile(file, []byte(other), 0o600))
		code, out := s.pause(t, 0, "-restore", "-file", file)
		require.Equal(t, 2, code, out)
		require.FileExists(t, file)
	}
}

func TestOnlyTheDemoUsesMadeUpData(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("MONITORING_BASE_URL", "")
	t.Setenv("MONITORING_API_KEY", "")
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run(t.Context(), nil, &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Contains(t, stderr.String(), "set MONITORING_BASE_URL and MONITORING_API_KEY")
	require.Equal(t, 2, run(t.Context(), []string{"-what"}, &stdout, &stderr))
	require.Zero(t, run(t.Context(), []string{"-h"}, &stdout, &stderr))
	require.NoError(t, os.WriteFile("muted.json", []byte("of real checks"), 0o600))
	require.Zero(t, run(t.Context(), []string{"-demo"}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), `muted: false, error: <nil>, check: "Search API"`)
	require.FileExists(t, "muted.json")
	require.NoFileExists(t, "muted-demo.json")
}
