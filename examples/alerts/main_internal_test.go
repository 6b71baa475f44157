package main

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheDemoAsATableAndAsCSV(t *testing.T) {
	var table, failed, sheet, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-demo", "-days", "2"}, &table, &stderr), stderr.String())
	require.Zero(t, run(t.Context(), []string{"-demo", "-days", "2", "-failed"}, &failed, &stderr))
	require.Zero(t, run(t.Context(), []string{"-demo", "-days", "2", "-csv"}, &sheet, &stderr))
	require.Contains(t, stderr.String(), "made up")
	require.Regexp(t, `^time +channel +by +status +check +response\n20`, table.String())
	require.Contains(t, table.String(), "SUCCESS")
	require.NotContains(t, failed.String(), "SUCCESS")
	rows, err := csv.NewReader(&sheet).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, strings.Count(table.String(), "\n"))
}

func TestATextOfTheServiceIsNoFormulaAndNoLine(t *testing.T) {
	svc := monitoringtest.New()
	for _, text := range []string{`=HYPERLINK("http://evil.test")`, "+1", "-1", "@x", "\tx", "\r=x", "fine", "a\nb\x1b[2J\u202e"} {
		svc.AddAlertNotification(monitoring.AlertNotification{Status: monitoring.NotificationFailure, NotificationResult: &text, Timestamp: new(monitoring.NewTimestamp(time.Now().Add(-time.Hour)))})
	}
	url, stop := svc.Start()
	defer stop()
	t.Setenv("MONITORING_BASE_URL", url)
	t.Setenv("MONITORING_API_KEY", monitoringtest.APIKey)
	t.Setenv("MONITORING_ACCOUNT_ID", monitoringtest.AccountID)
	var table, sheet, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-csv"}, &sheet, &stderr), stderr.String())
	rows, err := csv.NewReader(&sheet).ReadAll()
	require.NoError(t, err)
	var got []string
	for _, row := range rows[1:] {
		got = append(got, row[5])
	}
	require.Equal(t, []string{`'=HYPERLINK("http://evil.test")`, "'+1", "'-1", "'@x", "' x", "' =x", "fine", "a b [2J "}, got)
	require.Zero(t, run(t.Context(), nil, &table, &stderr))
	require.Equal(t, 9, strings.Count(table.String(), "\n"))
	require.NotContains(t, table.String(), "\x1b")

	svc.Inject(monitoringtest.Fault{Operation: "GET /v1/alert-notifications", Status: 403})
	require.Equal(t, 2, run(t.Context(), nil, &table, &stderr))
	t.Setenv("MONITORING_API_KEY", "")
	require.Equal(t, 2, run(t.Context(), nil, &table, &stderr))
	require.Contains(t, stderr.String(), "set MONITORING_API_KEY")
}
