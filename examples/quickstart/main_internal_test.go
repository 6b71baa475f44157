package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// settings sets the environment of the program.
func settings(t *testing.T, url, key string) {
	t.Helper()
	for name, value := range map[string]string{"MONITORING_BASE_URL": url, "MONITORING_API_KEY": key, "MONITORING_ACCOUNT_ID": "", "MONITORING_INSECURE_HTTP": ""} {
		t.Setenv(name, value)
	}
}

func TestWithoutAServiceTheDataIsMadeUpAndTheFirstAndLastLineSayIt(t *testing.T) {
	settings(t, "", "")
	var stdout, stderr bytes.Buffer
	synctest.Test(t, func(t *testing.T) { require.Zero(t, run(t.Context(), nil, &stdout, &stderr), stderr.String()) })
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	require.Len(t, lines, 7)
	require.Contains(t, lines[0], "this data is made up")
	require.Contains(t, lines[6], "this data is made up")
	require.Regexp(t, `^passed +\d\.\ds  "Checkout API"$`, lines[1])
	require.Contains(t, stderr.String(), "5 of 5 checks have ended\n")
}

func TestSettingsThatAreNotCompleteAreNoDemo(t *testing.T) {
	for set, missing := range map[string]string{
		"MONITORING_BASE_URL": "set MONITORING_API_KEY", "MONITORING_API_KEY": "set MONITORING_BASE_URL",
		"MONITORING_ACCOUNT_ID": "set MONITORING_BASE_URL and MONITORING_API_KEY",
	} {
		settings(t, "", "")
		t.Setenv(set, "https://monitoring.test")
		var stdout, stderr bytes.Buffer
		require.Equal(t, 2, run(t.Context(), nil, &stdout, &stderr))
		require.Empty(t, stdout.String())
		require.Contains(t, stderr.String(), missing)
	}
}

func TestTheExitCode(t *testing.T) {
	for tag, want := range map[string]int{"well": 0, "broken": 1, "stopped": 2, "nothing": 2} {
		svc := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
		svc.AddCheck(monitoringtest.Check{Name: "Login\x1b[2J", Tags: []string{"well", "broken"}})
		svc.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"broken"}, Outcome: "FAILED", Error: "Expected 500\nto equal 200"})
		svc.AddCheck(monitoringtest.Check{Name: "Suite", Tags: []string{"stopped"}, Type: "PLAYWRIGHT", Outcome: "CANCELLED"})
		url, stop := svc.Start()
		defer stop()
		settings(t, url, monitoringtest.APIKey)
		var stdout, stderr bytes.Buffer
		require.Equal(t, want, run(t.Context(), []string{"-tag", tag}, &stdout, &stderr), stderr.String())
		require.Equal(t, tag == "broken", strings.Contains(stdout.String(), `"Shop" in "eu-central-1": ["Expected 500\nto equal 200"]`), stdout.String())
		require.NotContains(t, stdout.String()+stderr.String(), "\x1b")
		require.NotContains(t, stdout.String(), "made up")
	}
	require.Equal(t, 2, run(t.Context(), []string{"-what"}, new(bytes.Buffer), new(bytes.Buffer)))
	require.Zero(t, run(t.Context(), []string{"-h"}, new(bytes.Buffer), new(bytes.Buffer)))
}
