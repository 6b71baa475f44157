package updates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// A baseline as a service returns it: some rules are there, one is empty, some are absent, and one
// is known to newer services alone.
const baseline = `{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"ignore","since":1},` +
	`"sctPresent":{},"quantumSafe":{"severity":"fail"}}`

func requestWith(baseline string) json.RawMessage {
	return json.RawMessage(`{"sslConfig":{"hostname":"shop.test","port":443.0,"alertDaysBeforeExpiry":14,"securityBaseline":` + baseline + `}}`)
}

// aCheckWithRules returns a service that has a check with a baseline.
func aCheckWithRules(t *testing.T) (svc *monitoringtest.Service, c *monitoring.Client, id string) {
	svc = monitoringtest.New()
	c, err := svc.Client()
	require.NoError(t, err)
	id = svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeSSL, Members: map[string]any{"request": requestWith(baseline)}})
	return svc, c, id
}

// sentBaseline returns the baseline of the last request.
func sentBaseline(t *testing.T, svc *monitoringtest.Service) string {
	requests := svc.Requests()
	last := requests[len(requests)-1]
	require.Less(t, last.Status, 300, last)
	value := last.Body
	for _, member := range []string{"request", "sslConfig", "securityBaseline"} {
		value = rawjson.Get(value, member)
	}
	return string(value)
}

func TestARuleOfAnSSLCheckIsReadEditedCopiedAndRestored(t *testing.T) {
	svc, c, id := aCheckWithRules(t)
	ctx := t.Context()
	read, err := c.Checks.Get(ctx, id)
	require.NoError(t, err)
	rules := read.SSL.SSLConfig.SecurityBaseline
	require.Equal(t, monitoring.TLSVersion("TLS1.3"), rules.MinTLSVersion.Value)
	require.Equal(t, monitoring.SSLSeverityIgnore, rules.KnownBadCA.Severity)
	require.Empty(t, rules.SCTPresent.Severity)
	require.Nil(t, rules.WeakCipherSuite)
	snapshot := read.Clone()

	want := []string{`request.sslConfig.securityBaseline.knownBadCA.severity: "ignore" -> "fail"`,
		"request.sslConfig.securityBaseline.knownBadCA.since: removed [redacted]",
		"request.sslConfig.securityBaseline.quantumSafe: removed [redacted]"}
	_, err = c.Checks.Edit(ctx, id, func(u *monitoring.Check) error {
		u.SSL.SSLConfig.SecurityBaseline.KnownBadCA.Severity = monitoring.SSLSeverityFail
		require.Equal(t, want, linesOf(u.Diff()), "what the service refuses is lost, and told")
		return nil
	}, monitoring.WithChanges(func(changes []monitoring.Change) { require.Equal(t, want, linesOf(changes)) }))
	require.NoError(t, err)
	require.Equal(t, `{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"fail"},"sctPresent":{}}`,
		sentBaseline(t, svc), "all that was read, but for what the service refuses, and no default")

	_, err = c.Checks.Create(ctx, read.Template())
	require.NoError(t, err)
	require.JSONEq(t, `{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"ignore"},"sctPresent":{}}`, sentBaseline(t, svc))

	_, err = c.Checks.Edit(ctx, id, func(u *monitoring.Check) error { *u = *snapshot; return nil })
	require.NoError(t, err)
	require.Equal(t, `{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"ignore"},"sctPresent":{}}`, sentBaseline(t, svc))
	require.Empty(t, svc.Unexpected())
}

func TestARuleThatAnSSLCheckLacksIsSentIfItIsSet(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*monitoring.SSLConfig)
		want string // "" sends nothing
	}{
		"absent, and set to what a create has": {func(c *monitoring.SSLConfig) {
			c.SecurityBaseline.WeakCipherSuite = &monitoring.SSLRule{Severity: monitoring.SSLSeverityFail}
		}, `{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"weakCipherSuite":{"severity":"fail"},"knownBadCA":{"severity":"ignore"},"sctPresent":{}}`},
		"empty, and set to what a create has": {func(c *monitoring.SSLConfig) { c.SecurityBaseline.SCTPresent.Severity = monitoring.SSLSeverityIgnore },
			`{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"ignore"},"sctPresent":{"severity":"ignore"}}`},
		"another member of the configuration": {func(c *monitoring.SSLConfig) { c.Port = new(8443) },
			`{"enabled":true,"minTLSVersion":{"severity":"degrade","value":"TLS1.3"},"knownBadCA":{"severity":"ignore"},"sctPresent":{}}`},
		"nothing": {func(*monitoring.SSLConfig) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			svc, c, id := aCheckWithRules(t)
			_, err := c.Checks.Edit(t.Context(), id, func(u *monitoring.Check) error { test.edit(&u.SSL.SSLConfig); return nil })
			require.NoError(t, err)
			require.JSONEq(t, orNull(test.want), orNull(sentBaseline(t, svc)))
			require.Empty(t, svc.Unexpected())
		})
	}
}

// orNull returns JSON, null for none.
func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// The service takes no null for the times of an SSL check, but may return it.
func TestANullTimeOfAnSSLCheckIsNone(t *testing.T) {
	const ssl = `{"id":"` + kit.UUID1 + `","checkType":"SSL","name":"n","request":{"sslConfig":{"hostname":"h"}}`
	wish := read[monitoring.Check](t, `{"checkType":"SSL","maxResponseTime":null}`)
	for doc, want := range map[string]string{
		ssl + `}`:                         "",
		ssl + `,"maxResponseTime":null}`:  "",
		ssl + `,"maxResponseTime":10000}`: "maxResponseTime: must not be null",
	} {
		check := kit.Returned[monitoring.Check](doc)
		require.NoError(t, check.SetFrom(&wish))
		if err := check.Validate(); want != "" {
			require.ErrorContains(t, err, want, doc)
			continue
		} else {
			require.NoError(t, err, doc)
		}
		require.Empty(t, check.Diff(), doc)
	}
}

func TestAnIntentIsWrittenBackWithoutWhatTheServiceRefuses(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"DNS","name":"n","request":{"query":"h","recordType":"A"},"intent":{"goal":"g","constraints":[{"type":"MUST_PRESERVE"}]}}`)
	check.Name = "m"
	require.JSONEq(t, `{"name":"m","request":{"query":"h","recordType":"A"},"intent":{"goal":"g"}}`, sentFor(t, check))

	const doc = `{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","intent":{"goal":"g","constraints":[{"type":"MUST_PRESERVE"}]},"request":{"method":"GET","url":"u"}}`
	client := kit.Client(t, testkit.InTurn(testkit.Status(200, doc), testkit.Status(200, strings.Replace(doc, `"goal":"g"`, `"goal":"h"`, 1))))
	_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error {
		c.Intent = monitoring.Value(monitoring.CheckIntent{Goal: "h"})
		return nil
	})
	require.NoError(t, err, "the service keeps what it knows of its own")
}
