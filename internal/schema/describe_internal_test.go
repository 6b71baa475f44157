package schema

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	operationtable "github.com/monitoring-api/monitoring-go/internal/operations"
)

// documentLines returns the lines of a list in testdata/document.
func documentLines(t *testing.T, name string) []string {
	data, err := os.ReadFile("../../testdata/document/" + name)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

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
		if row.Method() == http.MethodPost || row.Method() == http.MethodPut {
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
	for _, line := range documentLines(t, "enums.txt") {
		name, list, _ := strings.Cut(line, " ")
		values[name] = strings.Fields(list)
	}
	require.ElementsMatch(t, values["Region"], location().LimitsAt(Service).Enum)
	require.ElementsMatch(t, values["RuntimeID"], runtime().LimitsAt(Service).Enum)
	require.ElementsMatch(t, values["CheckType"], checkTypes)
	require.ElementsMatch(t, values["IPFamily"], tcpRequest().Member("ipFamily").Node.LimitsAt(Service).Enum)
	require.ElementsMatch(t, values["EscalationType"], checkAlertSettings().Member("escalationType").Node.Limits.Enum)
	require.ElementsMatch(t, values["IncidentSeverity"], triggerIncident().Member("severity").Node.Limits.Enum)
	require.ElementsMatch(t, values["RetryCondition"], onlyOn().Items.LimitsAt(Service).Enum)
	require.ElementsMatch(t, values["RetryStrategyType"], append([]string{"FALLBACK"}, checkRetryStrategy().Member("type").Node.Limits.Enum...))
	require.Subset(t, values["AssertionComparison"], tcpAssertion().Member("comparison").Node.LimitsAt(Service).Enum)
	require.ElementsMatch(t, values["AssertionComparison"], apiAssertion().Member("comparison").Node.LimitsAt(Service).Enum)
	both := append([]string{"RESPONSE_DATA"}, apiAssertion().Member("source").Node.LimitsAt(Service).Enum...)
	require.ElementsMatch(t, values["AssertionSource"], both)
}

func TestSecretsAreMarkedAsSuch(t *testing.T) {
	var secret []string
	for _, operation := range bodies {
		Lookup(operation).Body.walk("", func(path string, n *Node) {
			if n.Secret && !slices.Contains(secret, path) {
				secret = append(secret, path)
			}
		})
	}
	require.ElementsMatch(t, []string{
		"value", "request.headers[0].value", "request.queryParameters[0].value", "request.basicAuth.username", "request.basicAuth.password",
		"apiCheckDefaults.headers[0].value", "apiCheckDefaults.queryParameters[0].value", "apiCheckDefaults.basicAuth.username", "apiCheckDefaults.basicAuth.password", "environmentVariables[0].value",
	}, secret)
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

// TestTheDescriptionIsSound looks at every node: it has types, its members have different names, and a
// stricter level never widens a limit.
func TestTheDescriptionIsSound(t *testing.T) {
	var sound func(at string, n *Node)
	sound = func(at string, n *Node) {
		client, service := n.LimitsAt(Client), n.LimitsAt(Service)
		require.NotZero(t, n.Kinds, at)
		require.Zero(t, n.KindsAt(Service)&^n.Kinds, "%s takes more types from the service", at)
		require.Equal(t, n.Kinds&Null != 0, n.Nullable(), at)
		require.Equal(t, n.Items != nil, n.Kinds&Array != 0, "%s: an array has items", at)
		for _, r := range [][2]Range{{client.Range, service.Range}, {client.Length, service.Length}, {client.Count, service.Count}} {
			require.True(t, !r[0].HasMin || r[1].HasMin && r[1].Min >= r[0].Min, "%s: %v", at, r)
			require.True(t, !r[0].HasMax || r[1].HasMax && r[1].Max <= r[0].Max, "%s: %v", at, r)
		}
		for _, l := range []Limits{client, service} { // messages speak of empty ones only
			require.True(t, !l.Length.HasMin || l.Length.Min == 1, at)
			require.True(t, !l.Count.HasMin || l.Count.Min == 1, at)
		}
		seen := map[string]bool{}
		for _, m := range n.Members {
			require.False(t, seen[m.Name], "%s has %s twice", at, m.Name)
			seen[m.Name] = true
			sound(at+" "+m.Name, m.Node)
		}
		for _, r := range n.Rules {
			require.NotEmpty(t, r.Text, at)
			for _, name := range r.Members {
				require.True(t, seen[name], "%s: a rule looks at %s", at, name)
			}
		}
		if n.Items != nil {
			sound(at+"[]", n.Items)
		}
	}
	for _, o := range Operations() {
		for _, p := range o.Query {
			require.NotZero(t, p.Node.Kinds&(String|Integer|Boolean), "%s %s", o.Name, p.Name)
		}
		if o.Body != nil {
			require.Equal(t, Object, o.Body.Kinds, o.Name)
			sound(o.Name, o.Body)
		}
	}
}
