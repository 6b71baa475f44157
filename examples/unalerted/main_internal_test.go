package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
)

func TestTheDemoShowsWhatWouldChange(t *testing.T) {
	got := clitest.Run(t.Context(), run, clitest.Env())
	require.Equal(t, cli.ExitNo, got.Code, got.Stderr)
	clitest.InOrder(t, got.Stdout, cli.DemoNotice, "Returns API: alertChannelSubscriptions", "263584", "Print service: alertChannelSubscriptions", "2 checks with the tag production left")
}

func TestWithApplyEachCheckAlertsSomebody(t *testing.T) {
	got := clitest.Run(t.Context(), run, clitest.Env(), "-apply", "-tag", "mine", "-channel", "7")
	require.Equal(t, cli.ExitOK, got.Code, got.Stderr)
	clitest.InOrder(t, got.Stdout, "Returns API: ", "7", "Print service: ", "0 checks with the tag mine left that alert nobody.")
}

func TestUsage(t *testing.T) { clitest.Usage(t, run) }
