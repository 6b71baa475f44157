package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheDemoCreatesOneCheckAndChangesAnother(t *testing.T) {
	got := clitest.Run(t.Context(), run, clitest.Env(), "-demo")
	require.Equal(t, cli.ExitOK, got.Code, got.Stderr)
	clitest.InOrder(t, got.Stdout, cli.DemoNotice, "Checkout API: ", "frequency", "Checkout API: changed", "Returns API: created")
	dry := clitest.Run(t.Context(), run, clitest.Env(), "-demo", "-dry")
	require.Equal(t, cli.ExitNo, dry.Code, dry.Stderr)
	clitest.InOrder(t, dry.Stdout, "Checkout API: ", "frequency", "Returns API: would be created")
	require.NotContains(t, dry.Stdout, "changed\n")
}

func TestASecondRunHasNothingToDo(t *testing.T) {
	svc := monitoringtest.NewDemo()
	client, err := svc.Client(monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	list, err := read("")
	require.NoError(t, err)
	once := func() (string, error) {
		var out bytes.Buffer
		s := syncer{client, monitoringtest.DemoProductionTag, false, &out, 0}
		err := s.sync(t.Context(), list)
		return out.String(), err
	}
	svc.Inject(monitoringtest.Fault{Operation: "POST /v1/checks/api", Kind: monitoringtest.FaultResetAfter, Times: 1})
	_, err = once()
	require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	require.ErrorContains(t, err, "Returns API: it may have been created; run the program again")
	for range 2 {
		out, err := once()
		require.NoError(t, err)
		require.Equal(t, "Checkout API: nothing to do\nReturns API: nothing to do\n", out)
	}
	require.Equal(t, 1, svc.Executed("POST /v1/checks/api"), "it was created once, although the response was lost")
	require.Equal(t, 1, svc.Executed("PUT /v1/checks/api/{id}"))
}

func TestWhatIsWrongWithTheFileIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checks.json")
	require.NoError(t, os.WriteFile(file, []byte(`{`), 0o600))
	for _, name := range []string{file, file + "x"} {
		got := clitest.Run(t.Context(), run, clitest.Env(), "-demo", "-file", name)
		require.Equal(t, cli.ExitTrouble, got.Code)
		require.Contains(t, got.Stderr, name)
	}
}

func TestTwoChecksOfOneNameAreAnError(t *testing.T) {
	svc := monitoringtest.NewDemo()
	svc.AddCheck(monitoringtest.Check{Name: "Checkout API", Tags: []string{monitoringtest.DemoProductionTag}})
	client, err := svc.Client()
	require.NoError(t, err)
	list, _ := read("")
	s := syncer{client, monitoringtest.DemoProductionTag, false, &bytes.Buffer{}, 0}
	require.ErrorContains(t, s.sync(t.Context(), list), `there are two checks "Checkout API"`)
	require.Zero(t, svc.Executed("POST /v1/checks/api"))
}

func TestAnotherCheckWithTheSameNameIsLeftAlone(t *testing.T) {
	for name, other := range map[string]monitoringtest.Check{
		"of another type": {Type: monitoring.CheckTypeTCP, Tags: []string{monitoringtest.DemoProductionTag}},
		"of another tag":  {Tags: []string{"another"}},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			other.Name = "Returns API"
			svc.AddCheck(other)
			client, err := svc.Client()
			require.NoError(t, err)
			list, err := read("")
			require.NoError(t, err)
			var out bytes.Buffer
			s := syncer{client, monitoringtest.DemoProductionTag, false, &out, 0}
			require.NoError(t, s.sync(t.Context(), list))
			require.Equal(t, "Checkout API: created\nReturns API: created\n", out.String())
			require.Zero(t, svc.Executed("PUT /v1/checks/api/{id}"))
		})
	}
}

func TestTheExitCodeTellsAnInterruptFromAnError(t *testing.T) {
	svc := monitoringtest.New()
	server := httptest.NewServer(svc)
	defer server.Close()
	settings := clitest.Env(cli.EnvBaseURL, server.URL, cli.EnvAPIKey, monitoringtest.APIKey, cli.EnvAccount, monitoringtest.AccountID)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	got := clitest.Run(ctx, run, settings)
	require.Equal(t, cli.ExitInterrupted, got.Code, got.Stderr)
	require.Contains(t, got.Stderr, "sync: ")
	svc.Inject(monitoringtest.Fault{Status: 403})
	got = clitest.Run(t.Context(), run, settings)
	require.Equal(t, cli.ExitTrouble, got.Code)
	require.Contains(t, got.Stderr, "403 Forbidden")
}

func TestUsage(t *testing.T) { clitest.Usage(t, run) }

func TestWithoutSettingsNothingIsMadeUp(t *testing.T) {
	got := clitest.Run(t.Context(), run, clitest.Env())
	require.Equal(t, cli.ExitTrouble, got.Code)
	require.Empty(t, got.Stdout)
	require.Contains(t, got.Stderr, "set MONITORING_BASE_URL and MONITORING_API_KEY")
}
