package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// sent sends a request with headers and returns its response, whose body is read.
func sent(t *testing.T, method, url, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Close = true
	r.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(text)
}

func TestTheProgramServesHTTPSWithACertificateThatItMakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fake.pem")
	env, _ := start(t, nothing, "-tls", file)
	require.True(t, strings.HasPrefix(env["MONITORING_BASE_URL"], "https://127.0.0.1:"), env)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM(data))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	defer transport.CloseIdleConnections()
	client, err := monitoring.NewClient(env["MONITORING_BASE_URL"], monitoringtest.APIKey,
		monitoring.WithHTTPClient(&http.Client{Transport: transport}), monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	untrusting, err := monitoring.NewClient(env["MONITORING_BASE_URL"], monitoringtest.APIKey, monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	defer untrusting.CloseIdleConnections()
	_, err = untrusting.Locations.List(t.Context())
	require.ErrorContains(t, err, "certificate")
}

func TestAPageOfAnotherOriginCannotChangeTheFake(t *testing.T) {
	env, _ := start(t, nothing, "-cors", "*")
	base := env["MONITORING_BASE_URL"]
	for _, header := range []map[string]string{{"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}} {
		response, _ := sent(t, "POST", base+"/_fake/reset", "", header)
		require.Equal(t, 403, response.StatusCode, header)
		require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))
		response, _ = sent(t, "GET", base+"/_fake/records", "", header)
		require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"), "a browser does not show it to the page")
	}
	response, _ := sent(t, "POST", base+"/_fake/reset", "", map[string]string{"Origin": base})
	require.Equal(t, 204, response.StatusCode, "the fake's own origin")
}

func TestAPageWhoseNameWasMadeToMeanThisMachineCannotUseTheControl(t *testing.T) {
	env, _ := start(t, nothing)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(env["MONITORING_BASE_URL"], "http://"))
	require.NoError(t, err)
	for host, status := range map[string]int{
		"evil.test:" + port: 421, "evil.test": 421, "localhost.evil.test": 421, "evil.": 421,
		"localhost:" + port: 204, "LOCALHOST": 204, "fake:8080": 204, "127.0.0.1:" + port: 204, "[::1]:" + port: 204, "[::1]": 204, "10.1.2.3": 204,
	} {
		request, err := http.NewRequestWithContext(t.Context(), "POST", env["MONITORING_BASE_URL"]+"/_fake/reset", nil)
		require.NoError(t, err)
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, status, response.StatusCode, host)
	}
}

func TestPagesOfAnOriginUseTheAPIIfAFlagSaysSo(t *testing.T) {
	tests := map[string]struct {
		flags  []string
		origin string
		want   bool
	}{
		"without the flag":  {nil, "http://localhost:3000", false},
		"of the flag":       {[]string{"-cors", "http://localhost:3000"}, "http://localhost:3000", true},
		"another":           {[]string{"-cors", "http://localhost:3000"}, "http://localhost:4000", false},
		"any, if it is all": {[]string{"-cors", "*"}, "http://localhost:4000", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env, _ := start(t, nothing, test.flags...)
			allowed := ""
			if test.want {
				allowed = test.origin
			}
			question, _ := sent(t, "OPTIONS", env["MONITORING_BASE_URL"]+"/v1/locations", "", map[string]string{
				"Origin": test.origin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization",
			})
			require.Equal(t, test.want, question.StatusCode == 204)
			require.Equal(t, allowed, question.Header.Get("Access-Control-Allow-Origin"))
			response, _ := sent(t, "GET", env["MONITORING_BASE_URL"]+"/v1/locations", "", map[string]string{"Origin": test.origin})
			require.Equal(t, 200, response.StatusCode)
			require.Equal(t, allowed, response.Header.Get("Access-Control-Allow-Origin"))
		})
	}
}

func TestAHEADIsAnsweredLikeAGET(t *testing.T) {
	env, _ := start(t, nothing)
	response, body := sent(t, "HEAD", env["MONITORING_BASE_URL"]+"/v1/variables", "", nil)
	require.Equal(t, 200, response.StatusCode)
	require.NotEmpty(t, response.Header.Get("Content-Range"))
	require.Empty(t, body)
}

func TestALargeHeaderIsRefused(t *testing.T) {
	env, _ := start(t, nothing)
	response, _ := sent(t, "GET", env["MONITORING_BASE_URL"]+"/v1/variables?page=1", "", map[string]string{"X-A": strings.Repeat("a", mostHeader*2)})
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, response.StatusCode)
}

// Each flag for an option changes what the option changes.
func TestTheFlagsOfOptions(t *testing.T) {
	account := monitoringtest.UUID("mine")
	tests := map[string]struct {
		flags  []string
		method string
		path   string
		body   string
		header map[string]string
		see    func(*testing.T, *http.Response, string)
	}{
		"-user-key demands an account": {[]string{"-user-key"}, "GET", "/v1/locations", "", nil, isStatus(400)},
		"-account-header renames it": {[]string{"-user-key", "-account", account, "-account-header", "x-tenant"}, "GET", "/v1/locations", "",
			map[string]string{"x-tenant": account}, isStatus(200)},
		"-no-page-headers": {[]string{"-no-page-headers"}, "GET", "/v1/variables", "", nil, func(t *testing.T, r *http.Response, _ string) {
			require.Empty(t, r.Header.Get("Content-Range"))
		}},
		"-check-limit": {[]string{"-check-limit", "1"}, "POST", "/v1/checks/tcp",
			`{"name": "n", "request": {"hostname": "a.test", "port": 80}}`, nil, isStatus(402)},
		"-more-withheld and -empty-secrets": {[]string{"-more-withheld", "-empty-secrets"}, "POST", "/v2/check-groups",
			`{"name": "n", "environmentVariables": [{"key": "A", "value": "1", "locked": true}, {"key": "B", "value": "2", "secret": true}]}`, nil,
			func(t *testing.T, _ *http.Response, body string) {
				require.Contains(t, body, `{"key":"A","locked":true,"secret":false,"value":null}`)
				require.Contains(t, body, `{"key":"B","locked":false,"secret":true,"value":""}`)
			}},
		"-records": {[]string{"-records", "0"}, "GET", "/_fake/records", "", nil, isBody("[]\n")},
		"-lenient": {[]string{"-lenient"}, "POST", "/v1/snippets", `{"id": 0, "name": "n", "script": "x"}`, nil, isStatus(201)},
		"-group-resets": {[]string{"-group-resets"}, "PUT", "/v2/check-groups/4711", `{"name": "n"}`, nil, func(t *testing.T, _ *http.Response, body string) {
			require.Contains(t, body, `"apiCheckDefaults":{}`)
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env, _ := start(t, nothing, test.flags...)
			response, body := sent(t, test.method, env["MONITORING_BASE_URL"]+test.path, test.body, test.header)
			test.see(t, response, body)
		})
	}
	t.Run("-visibility-delay", func(t *testing.T) {
		env, _ := start(t, nothing, "-visibility-delay", "1h")
		_, body := sent(t, "POST", env["MONITORING_BASE_URL"]+"/v2/check-sessions/trigger", `{"target": {"matchTags": [["production"]]}}`, nil)
		_, id, _ := strings.Cut(body, `"checkSessionId":"`)
		response, _ := sent(t, "GET", env["MONITORING_BASE_URL"]+"/v2/check-sessions/"+id[:36], "", nil)
		require.Equal(t, 404, response.StatusCode, body)
	})
	t.Run("-run-time and -cancel-delay", func(t *testing.T) {
		c, err := parse([]string{"-run-time", "7m", "-cancel-delay", "8m", "-keep-for", "9m", "-keep", "10", "-random-seed", "11"}, nothing, io.Discard)
		require.NoError(t, err)
		require.Equal(t, "7m0s 8m0s 9m0s 10 11", fmt.Sprint(c.runTime, c.cancelDelay, c.keepFor, " ", c.keep, c.random))
	})
	t.Run("-rate-limit-kind and -no-retry-after", func(t *testing.T) {
		env, _ := start(t, nothing, "-rate-limit", "1/1h", "-rate-limit-kind", "fixed", "-no-retry-after")
		sent(t, "GET", env["MONITORING_BASE_URL"]+"/v1/locations", "", nil)
		response, _ := sent(t, "GET", env["MONITORING_BASE_URL"]+"/v1/locations", "", nil)
		require.Equal(t, 429, response.StatusCode)
		require.Empty(t, response.Header.Get("Retry-After"))
	})
}

func isStatus(want int) func(*testing.T, *http.Response, string) {
	return func(t *testing.T, r *http.Response, body string) { require.Equal(t, want, r.StatusCode, body) }
}

func isBody(want string) func(*testing.T, *http.Response, string) {
	return func(t *testing.T, _ *http.Response, body string) { require.Equal(t, want, body) }
}

// The examples run as a user runs them, if there is such an interpreter.
func TestTheExamplesInOtherLanguages(t *testing.T) {
	for program, file := range map[string]string{"python3": "gate.py", "node": "gate.mjs"} {
		t.Run(file, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(err)
			}
			env, _ := start(t, nothing)
			cmd := exec.Command(program, filepath.Join("examples", file))
			for name, value := range env {
				cmd.Env = append(cmd.Environ(), name+"="+value)
			}
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			require.NoError(t, cmd.Run(), "%s", &output)
			require.Contains(t, output.String(), "the check failed, as it should")
		})
	}
}
