package docs_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// Each of these makes the error of a section of troubleshooting.md happen, and prints it.

const (
	trigger   = "POST /v2/check-sessions/trigger"
	loginPage = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>…</body></html>"
)

// printed prints the error that a call of a new client returned, which must not be nil.
func printed(t *testing.T, out io.Writer, err error) {
	t.Helper()
	require.Error(t, err)
	fmt.Fprintln(out, err)
}

// faulty is a service with a fault, and a client of it.
func faulty(t *testing.T, f monitoringtest.Fault) (*monitoringtest.Service, *monitoring.Client) {
	svc := monitoringtest.New()
	svc.Inject(f)
	client, err := monitoring.NewClient("https://monitoring.example.com", monitoringtest.APIKey,
		monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))
	require.NoError(t, err)
	return svc, client
}

// page is a response that a proxy makes itself.
func page(operation string, status int) monitoringtest.Fault {
	return monitoringtest.Fault{
		Operation: operation, Status: status, Body: loginPage, Header: http.Header{"Content-Type": {"text/html"}},
	}
}

func proxyAsksToSignIn(t *testing.T, out io.Writer) {
	_, client := faulty(t, page("GET /v1/locations", 401))
	printed(t, out, second(client.Locations.List(t.Context())))
}

func htmlInsteadOfJSON(t *testing.T, out io.Writer) {
	_, client := faulty(t, page("GET /v1/locations", 200))
	printed(t, out, second(client.Locations.List(t.Context())))
}

func operationIsMissing(t *testing.T, out io.Writer) {
	_, client := faulty(t, monitoringtest.Fault{Operation: "GET /v1/checks", Status: 404})
	printed(t, out, second(client.Checks.List(t.Context(), monitoring.CheckListOptions{})))
}

// The proxy shows a certificate of its own.
func certificateNotTrusted(t *testing.T, out io.Writer) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"monitoring.example.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	list(t, out, "key", &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, servers := net.Pipe()
		go func() {
			defer servers.Close()
			server := tls.Server(servers, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
			bufio.NewReader(server).ReadByte() // until the client ends the handshake
		}()
		return ours, nil
	}})
}

// The program itself has used up the minute.
func waitedForTheLimit(t *testing.T, out io.Writer) {
	client := clientOf(t, monitoringtest.New(), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute, Burst: 600}))
	for range 600 {
		require.NoError(t, second(client.Locations.List(t.Context())))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	printed(t, out, second(client.Variables.List(ctx, monitoring.VariableListOptions{})))
}

func outcomeUnknown(t *testing.T, out io.Writer) {
	_, client := faulty(t, monitoringtest.Fault{Operation: trigger, Status: 504})
	printed(t, out, second(client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})))
}

// The service accepts the update and does not apply it.
func changeIsNotThere(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Name: "Checkout", Type: monitoring.CheckTypeAPI})
	svc.Handle("PUT /v1/checks/api/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		check, _ := svc.CheckJSON(id)
		w.Write(check)
	}))
	printed(t, out, second(clientOf(t, svc).Checks.Edit(t.Context(), id, func(c *monitoring.Check) error {
		c.Muted = new(true)
		return nil
	})))
}

func sessionNeverEnds(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", RunTime: time.Hour})
	_, err := clientOf(t, svc).CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true},
		monitoring.WaitOptions{Timeout: 10 * time.Minute})
	require.ErrorIs(t, err, monitoring.ErrWaitTimeout)
	printed(t, out, err)
}

func secretIsWithheld(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	id := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", EnvironmentVariables: []monitoring.EnvironmentVariable{
		{Key: "API_TOKEN", Value: monitoring.NewSecret("s3cret-t0ken"), Secret: new(true)},
	}})
	printed(t, out, second(clientOf(t, svc).CheckGroups.Edit(t.Context(), id, func(g *monitoring.CheckGroup) error {
		g.EnvironmentVariables = append(g.EnvironmentVariables, monitoring.EnvironmentVariable{Key: "STAGE", Value: monitoring.NewSecret("blue")})
		return nil
	})))
}

func checkHasTheSettingsOfItsGroup(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Tags: []string{"shop"}})
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Type: monitoring.CheckTypeAPI, GroupID: group})
	client := clientOf(t, svc)
	for check, err := range client.CheckGroups.AllChecks(t.Context(), group, monitoring.ListOptions{}) {
		require.NoError(t, err)
		check.Muted = new(true)
		printed(t, out, second(client.Checks.Update(t.Context(), &check)))
	}
}

func updateIsStale(t *testing.T, out io.Writer) {
	svc := monitoringtest.New()
	id := svc.AddCheck(monitoringtest.Check{Name: "Checkout", Type: monitoring.CheckTypeAPI})
	client := clientOf(t, svc)
	check, err := client.Checks.Get(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, second(client.Checks.Edit(t.Context(), id, func(c *monitoring.Check) error { // another program
		c.Tags = []string{"team-b"}
		return nil
	})))
	check.Muted = new(true)
	_, err = client.Checks.Update(t.Context(), check, monitoring.WithUnchanged())
	_, stale := errors.AsType[*monitoring.StaleUpdateError](err)
	require.True(t, stale)
	printed(t, out, err)
}

// Others use up the limit for so long that the client gives up.
func limitUsedUp(t *testing.T, out io.Writer) {
	_, client := faulty(t, monitoringtest.Fault{Operation: "GET /v1/locations", Status: 429, Header: http.Header{"Retry-After": {"60"}}})
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	err := second(client.Locations.List(ctx))
	require.ErrorIs(t, err, monitoring.ErrRateLimited)
	printed(t, out, err)
}

func plainHTTP(t *testing.T, out io.Writer) {
	_, err := monitoring.NewClient("http://monitoring.example.com", "key")
	printed(t, out, err)
}

// The file of checks-as-code.md with a misspelled field.
func unknownField(t *testing.T, out io.Writer) {
	var file string
	for _, b := range blocksOf(t, "docs/checks-as-code.md", read(t, "docs/checks-as-code.md")) {
		if b.language == "json" {
			file = b.source
		}
	}
	require.NoError(t, monitoring.UnmarshalStrict([]byte(file), new([]monitoring.Check)))
	printed(t, out, monitoring.UnmarshalStrict([]byte(strings.Replace(file, `"value"`, `"valeu"`, 1)), new([]monitoring.Check)))
}
