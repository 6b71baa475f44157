package schema

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	operationtable "github.com/monitoring-api/monitoring-go/internal/operations"
)

func TestOperationsThatTakeSomethingAreDescribed(t *testing.T) {
	described := make(map[string]bool)
	for _, o := range Operations() {
		require.Same(t, o, Lookup(o.Name), "%s is in operations.go twice", o.Name)
		require.True(t, o.Body != nil || o.Query != nil, "%s takes neither a body nor parameters: remove it from operations.go", o.Name)
		_, known := operationtable.Find(o.Name)
		require.True(t, known, "%s is in operations.go, but not in internal/operations", o.Name)
		described[o.Name] = true
	}
	for _, row := range operationtable.All() {
		o := Lookup(row.Name)
		noBody := row.Name == "POST /v1/private-locations/{id}/keys"
		if !noBody && (row.Method() == http.MethodPost || row.Method() == http.MethodPut) {
			require.NotNil(t, o.Body, "%s: describe its body in internal/schema/operations.go", row.Name)
		}
		for name, pages := range map[string]operationtable.Pages{"page": operationtable.Numbered, "nextId": operationtable.ByCursor} {
			has := slices.ContainsFunc(o.Query, func(p Parameter) bool { return p.Name == name })
			require.Equal(t, row.Pages == pages, has, "%s: internal/operations says how its pages are read, and internal/schema/operations.go describes their parameters", row.Name)
		}
		require.Equal(t, described[row.Name], o.Body != nil || o.Query != nil, row.Name)
	}
	require.Equal(t, &Operation{Name: "GET /v1/nothing"}, Lookup("GET /v1/nothing"))
}

func TestEnumerationsAreThoseOfTheDocument(t *testing.T) {
	values := map[string][]string{}
	document, err := os.ReadFile("../../testdata/document/enums.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(document)) {
		name, list, _ := strings.Cut(line, " ")
		values[name] = strings.Fields(list)
	}
	union := func(lists ...[]string) []string {
		all := slices.Concat(lists...)
		slices.Sort(all)
		return slices.Compact(all)
	}
	member := func(n *Node, name string) []string { return n.Member(name).Node.LimitsAt(Service).Enum }
	for name, enum := range map[string][]string{
		"Region":              location().LimitsAt(Service).Enum,
		"RuntimeID":           runtime().LimitsAt(Service).Enum,
		"CheckType":           checkTypes,
		"IPFamily":            member(tcpRequest(), "ipFamily"),
		"HeartbeatUnit":       heartbeat().Member("graceUnit").Node.LimitsAt(Client).Enum,
		"EscalationType":      member(checkAlertSettings(), "escalationType"),
		"IncidentSeverity":    member(triggerIncident(), "severity"),
		"RetryCondition":      onlyOn().Items.LimitsAt(Service).Enum,
		"RetryStrategyType":   append([]string{"FALLBACK"}, member(checkRetryStrategy(), "type")...),
		"AssertionComparison": member(apiAssertion(), "comparison"),
		"AssertionSource": union(member(apiAssertion(), "source"), member(tcpAssertion(), "source"), member(icmpRequest().Member("assertions").Node.Items, "source"),
			member(sslRequest(true).Member("assertions").Node.Items, "source"), member(dnsRequest().Member("assertions").Node.Items, "source")),
		"DNSRecordType":            member(dnsRequest(), "recordType"),
		"DNSProtocol":              member(dnsRequest(), "protocol"),
		"SSLSeverity":              member(securityBaseline(true).Member("knownBadCA").Node, "severity"),
		"TLSVersion":               member(securityBaseline(true).Member("minTLSVersion").Node, "value"),
		"SSLClientCertificateMode": member(sslConfig(true), "clientCertificateMode"),
	} {
		require.NotEmpty(t, enum, name)
		require.ElementsMatch(t, values[name], enum, "%s: testdata/document/enums.txt and this package have other values", name)
	}
	require.Subset(t, values["AssertionComparison"], member(tcpAssertion(), "comparison"))
}

func TestSecretsAreMarkedAsSuch(t *testing.T) {
	secret := map[string]bool{}
	for _, operation := range bodies {
		Lookup(operation).Body.walk("", func(path string, n *Node) { secret[path] = secret[path] || n.Secret })
	}
	maps.DeleteFunc(secret, func(_ string, is bool) bool { return !is })
	require.ElementsMatch(t, []string{
		"value", "request.headers[0].value", "request.queryParameters[0].value", "request.basicAuth.username", "request.basicAuth.password",
		"apiCheckDefaults.headers[0].value", "apiCheckDefaults.queryParameters[0].value", "apiCheckDefaults.basicAuth.username", "apiCheckDefaults.basicAuth.password", "environmentVariables[0].value",
		"config", "proxyUrl", "heartbeat.pingToken", "heartbeat.pingUrl",
	}, slices.Collect(maps.Keys(secret)))
}

func TestEachLimitOfTheServiceReplacesItsOwn(t *testing.T) {
	wide := Limits{Enum: []string{"a", "b"}, Numbers: []float64{1, 2}, Range: atMost(2), Length: atMost(2), Count: atMost(2), Format: Tag}
	narrow := Limits{Enum: []string{"a"}, Numbers: []float64{1}, Range: atMost(1), Length: atMost(1), Count: atMost(1), Format: UUID}
	n := &Node{Kinds: String, Limits: wide}
	require.Equal(t, wide, n.LimitsAt(Service))
	n.Service.Limits = narrow
	require.Equal(t, wide, n.LimitsAt(Client))
	require.Equal(t, narrow, n.LimitsAt(Service))
}

// TestTheDescriptionIsSound looks at every node: its members have different names, its rules look
// at them, and a stricter level never widens a limit.
func TestTheDescriptionIsSound(t *testing.T) {
	sound := func(at string, n *Node) {
		client, service := n.LimitsAt(Client), n.LimitsAt(Service)
		require.Zero(t, n.KindsAt(Service)&^n.Kinds, "%s takes more types from the service", at)
		require.Equal(t, n.Items != nil, n.Kinds&Array != 0, "%s: an array has items", at)
		for _, r := range [][2]Range{{client.Range, service.Range}, {client.Length, service.Length}, {client.Count, service.Count}} {
			require.True(t, !r[0].HasMin || r[1].HasMin && r[1].Min >= r[0].Min, "%s: %v", at, r)
			require.True(t, !r[0].HasMax || r[1].HasMax && r[1].Max <= r[0].Max, "%s: %v", at, r)
		}
		require.Contains(t, []float64{0, 1}, service.Length.Min, "%s: messages speak of empty texts only", at)
		require.Contains(t, []float64{0, 1}, service.Count.Min, "%s: messages speak of empty lists only", at)
		seen := map[string]bool{}
		for _, m := range n.Members {
			require.False(t, seen[m.Name], "%s has %s twice", at, m.Name)
			seen[m.Name] = true
		}
		for _, r := range n.Rules {
			require.NotEmpty(t, r.Text, at)
			for _, name := range r.Members {
				require.True(t, seen[name], "%s: a rule looks at %s", at, name)
			}
		}
	}
	for _, o := range Operations() {
		for _, p := range o.Query {
			require.NotZero(t, p.Node.Kinds&(String|Integer|Boolean), "%s %s", o.Name, p.Name)
		}
		if o.Body != nil {
			require.Equal(t, Object, o.Body.Kinds&^Null, o.Name)
			require.True(t, o.BodyOptional || !o.Body.Nullable(), "%s: it is null, but must be there", o.Name)
			sound(o.Name, o.Body)
			o.Body.walk("", func(path string, n *Node) { sound(o.Name+" "+path, n) })
		}
	}
}
