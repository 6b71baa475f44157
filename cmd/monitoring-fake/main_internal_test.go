package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

func nothing(string) string { return "" }

// start runs the program until the test ends, and returns what it exports.
func start(t *testing.T, getenv func(string) string, args ...string) (env map[string]string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	var stderr bytes.Buffer
	go func() {
		code := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), getenv, in, &stderr)
		in.Close()
		ended <- code
	}()
	env = map[string]string{}
	lines := bufio.NewScanner(out)
	for len(env) < 3 && lines.Scan() {
		if export, found := strings.CutPrefix(lines.Text(), "export "); found {
			name, value, _ := strings.Cut(export, "=")
			env[name] = value
		}
	}
	go io.Copy(io.Discard, out)
	stop = func() int {
		cancel()
		code := <-ended
		ended <- code
		return code
	}
	t.Cleanup(func() { stop() })
	require.Len(t, env, 3, "%s", stderr.String())
	return env, stop
}

func clientOf(t *testing.T, env map[string]string) *monitoring.Client {
	t.Helper()
	client, err := monitoring.NewClient(env["MONITORING_BASE_URL"], env["MONITORING_API_KEY"],
		monitoring.WithAccount(env["MONITORING_ACCOUNT_ID"]), monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func request(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func TestTheProgramServesTheDemo(t *testing.T) {
	env, stop := start(t, nothing)
	client := clientOf(t, env)
	group, err := client.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
	require.NoError(t, err)
	require.Equal(t, "Checkout", group.Name)
	status, text := request(t, "GET", env["MONITORING_BASE_URL"]+"/healthz", "")
	require.Equal(t, 200, status, "without a key")
	require.JSONEq(t, `{"status":"ok"}`, text)
	status, _ = request(t, "GET", env["MONITORING_BASE_URL"]+"/v1/locations", "")
	require.Equal(t, 401, status)
	status, text = request(t, "POST", env["MONITORING_BASE_URL"]+"/_fake/inject", `{"status": 7}`)
	require.Equal(t, 400, status, "the mistake is reported")
	require.Contains(t, text, "status 7")
	require.Equal(t, exitDone, stop())
}

func TestTheProgramTakesPathsAsTheyWereSent(t *testing.T) {
	env, _ := start(t, nothing)
	address := strings.TrimPrefix(env["MONITORING_BASE_URL"], "http://")
	send := func(method, path, key string) int { // a redirect is not followed
		r, err := http.NewRequest(method, "http://"+address+path, nil)
		require.NoError(t, err)
		r.Close = true
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	require.Equal(t, 200, send("GET", "/v1/locations", monitoringtest.APIKey))
	for _, path := range []string{
		"//v1/locations", "/v1//locations", "/v1/./locations", "/v1/../v1/locations", "/../v1/locations", "/v1/locations/", "/v1/locations//",
		"/_fake", "//_fake/records", "//healthz", "/x/../healthz", "/healthz/", "/",
	} {
		require.Equal(t, 404, send("GET", path, monitoringtest.APIKey), path)
		require.Equal(t, 401, send("GET", path, ""), "%s without a key", path)
	}
	for _, path := range []string{"/_fake/", "/_fake//records", "/_fake/records/", "/_fake/x/../records", "/_fake/../v1/locations", "/_fake/../healthz"} {
		require.Equal(t, 404, send("GET", path, monitoringtest.APIKey), path)
	}
	require.Equal(t, 404, send("POST", "/_fake//reset", ""))
	require.Equal(t, 204, send("POST", "/_fake/reset", ""))
	require.Equal(t, 200, send("HEAD", "/healthz", ""))
	require.Equal(t, 401, send("POST", "/healthz", ""), "the health can only be read")
	require.Equal(t, 405, send("PUT", "/_fake/records", ""))
}

func TestTheProgramServesASeed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seed.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"variables": [{"key": "A", "value": "1"}], "faults": [{"operation": "GET /v1/locations", "status": 503}]}`), 0o644))
	env, _ := start(t, nothing, "-seed", file)
	client := clientOf(t, env)
	see := func() (int, bool) {
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.NoError(t, err)
		_, err = client.Locations.List(t.Context())
		return len(page.Items), err != nil
	}
	variables, fails := see()
	require.Equal(t, 1, variables, "there is no demo data")
	require.True(t, fails)
	status, _ := request(t, "POST", env["MONITORING_BASE_URL"]+"/_fake/seed", `{"variables": [{"key": "B", "value": "2"}]}`)
	require.Equal(t, 204, status)
	status, _ = request(t, "DELETE", env["MONITORING_BASE_URL"]+"/_fake/inject", "")
	require.Equal(t, 204, status)
	variables, fails = see()
	require.Equal(t, 2, variables)
	require.False(t, fails)
	status, _ = request(t, "POST", env["MONITORING_BASE_URL"]+"/_fake/reset", "")
	require.Equal(t, 204, status)
	variables, fails = see()
	require.Equal(t, 1, variables, "a reset starts again with the seed")
	require.True(t, fails)
}

func TestTheProgramReadsItsKeyFromTheEnvironmentOrFlags(t *testing.T) {
	account := monitoringtest.UUID("mine")
	environment := func(name string) string {
		return map[string]string{"MONITORING_API_KEY": "environment", "MONITORING_ACCOUNT_ID": account}[name]
	}
	c, err := parse([]string{"-key", "flag"}, environment, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "flag", c.key)
	require.Equal(t, account, c.account)
	env, _ := start(t, func(name string) string { return map[string]string{"MONITORING_API_KEY": "cu_x"}[name] })
	require.Equal(t, "cu_x", env["MONITORING_API_KEY"])
	_, err = clientOf(t, env).Locations.List(t.Context())
	require.NoError(t, err)
}

func TestTheProgramHasNoLimitByDefault(t *testing.T) {
	env, _ := start(t, nothing)
	for range 6 { // the real service would accept five in ten seconds
		_, err := clientOf(t, env).AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.NoError(t, err)
	}
}

func TestTheProgramLimitsRequests(t *testing.T) {
	env, _ := start(t, nothing, "-rate-limit", "2/1h")
	client := clientOf(t, env)
	for range 2 {
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
	}
	_, err := client.Locations.List(t.Context())
	require.ErrorIs(t, err, monitoring.ErrRateLimited)
}

func TestWrongUseIsReported(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "seed.json")
	require.NoError(t, os.WriteFile(seed, []byte(`{"checks": [{"nmae": "x"}]}`), 0o644))
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"an unknown flag":               {[]string{"-port", "1"}, exitUsage, "-port"},
		"an argument":                   {[]string{"serve"}, exitUsage, `unexpected argument "serve"`},
		"an address without a port":     {[]string{"-addr", "localhost"}, exitUsage, "want a host and a port"},
		"a limit in words":              {[]string{"-rate-limit", "many"}, exitUsage, `"many" is not a limit: want requests and a time, as in 600/60s`},
		"a limit of nothing":            {[]string{"-rate-limit", "0/60s"}, exitUsage, "not a limit"},
		"a speed of 0":                  {[]string{"-speed", "0"}, exitUsage, "-speed"},
		"a speed without end":           {[]string{"-speed", "Inf"}, exitUsage, "-speed: +Inf is not a positive number"},
		"an origin with a path":         {[]string{"-cors", "http://a.test/x"}, exitUsage, `-cors: "http://a.test/x" is not an origin`},
		"a kind of limit in words":      {[]string{"-rate-limit-kind", "leaky"}, exitUsage, "is none of sliding, fixed, bucket"},
		"a header with a space":         {[]string{"-account-header", "x y"}, exitUsage, `"x y" is not the name of a header`},
		"nothing to keep":               {[]string{"-keep", "0"}, exitUsage, "-keep must be positive"},
		"a certificate without a place": {[]string{"-addr", "127.0.0.1:0", "-tls", "/nowhere/x.pem"}, exitUsage, "-tls: open /nowhere/x.pem"},
		"a latency that is negative":    {[]string{"-latency", "-1s"}, exitUsage, "-latency"},
		"an account that is not a UUID": {[]string{"-account", "acme"}, exitUsage, `"acme" is not a UUID`},
		"a key that is empty":           {[]string{"-key", ""}, exitUsage, "-key: it is empty"},
		"a key over two lines":          {[]string{"-key", "a\nb"}, exitUsage, "-key: it has white space"},
		"a seed that is not there":      {[]string{"-seed", seed + "x"}, exitUsage, "no such file"},
		"a seed with a mistake":         {[]string{"-seed", seed}, exitUsage, "$.checks[0].nmae: is not known"},
		"an address that is taken":      {[]string{"-addr", taken.Addr().String()}, exitServe, "address already in use"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, test.code, run(t.Context(), test.args, nothing, &stdout, &stderr))
			require.Contains(t, stderr.String(), test.want)
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), "in one line: %s", stderr.String())
			require.Empty(t, stdout.String())
		})
	}
}

func TestHelpListsFlagsEnvironmentAndExitCodes(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitDone, run(t.Context(), []string{"-h"}, nothing, &stdout, &stderr))
	for _, want := range []string{
		"-addr", "-seed", "-rate-limit", "-key", "-account", "-speed", "-latency", "-demo", "MONITORING_API_KEY", "MONITORING_ACCOUNT_ID",
		"-tls", "-cors", "-user-key", "Exit codes:", "/healthz", "/_fake/inject", "/_fake/records", "/_fake/state", "/_fake/reset", "/_fake/advance", "/_fake/handle", "X-Fake-Status",
	} {
		require.Contains(t, stdout.String(), want)
	}
	require.Empty(t, stderr.String())
}

func TestTheAnnouncementCanBeReadByAShell(t *testing.T) {
	tests := map[string]struct {
		settings settings
		want     []string
	}{
		"on loopback":        {settings{addr: "127.0.0.1:0", key: "k", account: "a"}, []string{"export MONITORING_BASE_URL=http://127.0.0.1:99\n", "export MONITORING_API_KEY=k\n", "export MONITORING_ACCOUNT_ID=a\n"}},
		"on every address":   {settings{addr: ":0"}, []string{"http://127.0.0.1:99\n", "# These are all addresses of this machine: others can reach it"}},
		"with a certificate": {settings{addr: "fake.internal:99", certificate: "a b.pem"}, []string{"https://fake.internal:99\n", "export SSL_CERT_FILE='a b.pem'\n"}},
		"under a host name":  {settings{addr: "fake.internal:99"}, []string{"http://fake.internal:99\n", "export MONITORING_INSECURE_HTTP=1\n"}},
		"with an odd key":    {settings{addr: "[::1]:0", key: "it's $x"}, []string{"http://[::1]:99\n", `MONITORING_API_KEY='it'\''s $x'` + "\n"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			test.settings.announce(&out, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 99})
			for _, want := range test.want {
				require.Contains(t, out.String(), want)
			}
		})
	}
}

// asProgram is set for a process of this test binary that is to be the program.
const asProgram = "MONITORING_FAKE_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestASignalEndsTheProgramAlsoWhileRequestsAreHeld(t *testing.T) {
	for name, signal := range map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-addr", "127.0.0.1:0", "-seed", "testdata/seed.json")
			cmd.Env = append(os.Environ(), asProgram+"=1")
			stdout, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			defer cmd.Process.Kill()
			base := ""
			lines := bufio.NewScanner(stdout)
			for base == "" && lines.Scan() {
				base, _ = strings.CutPrefix(lines.Text(), "export MONITORING_BASE_URL=")
				if !strings.HasPrefix(base, "http") {
					base = ""
				}
			}
			client, err := monitoring.NewClient(base, monitoringtest.APIKey, monitoring.WithMaxRetries(0))
			require.NoError(t, err)
			held := make(chan error, 1)
			go func() { // the session of the seed file runs for an hour
				_, err := client.CheckSessions.Completion(context.Background(), "99999999-2222-4333-8444-555555555555", monitoring.CompletionOptions{})
				held <- err
			}()
			for {
				if _, text := request(t, "GET", base+"/_fake/records", ""); strings.Contains(text, "completion") {
					break
				}
			}
			require.NoError(t, cmd.Process.Signal(signal))
			require.NoError(t, cmd.Wait(), "exit code 0")
			require.Error(t, <-held)
		})
	}
}
