package api_test

import (
	"go/ast"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

var checkSettings = reflect.TypeFor[monitoring.CheckSettings]()

// checkRequests returns the types that create or update a check.
func checkRequests(t *testing.T) (types []reflect.Type) {
	t.Helper()
	for _, typ := range validators() {
		if strings.HasSuffix(typ.Name(), "CheckCreate") || strings.HasSuffix(typ.Name(), "CheckUpdate") {
			types = append(types, typ)
		}
	}
	require.GreaterOrEqual(t, len(types), 7, "the creates and updates of checks were not found")
	return types
}

// Each method of CheckSettings is one of every create and update of a check, too. A String,
// Validate or MarshalJSON would say or write the settings alone.
func TestCheckSettingsLendTheirRequestsNoMethod(t *testing.T) {
	var methods []string
	for _, file := range packageFiles(t) {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && testkit.Receiver(f.Recv.List[0].Type) == checkSettings.Name() {
				methods = append(methods, f.Name.Name)
			}
		}
	}
	require.Equal(t, []string{"Subscribe"}, methods, "each of these methods is promoted")
	for f := range checkSettings.Fields() {
		require.False(t, f.Anonymous, "the methods of %s would be promoted", f.Name)
	}
}

func TestEveryKindOfCheckHasTheSharedSettingsOnce(t *testing.T) {
	for _, typ := range checkRequests(t) {
		embedded := typ.Field(0)
		require.True(t, embedded.Anonymous && embedded.Type == checkSettings, "%s embeds CheckSettings, before its own fields", typ)
		members := kit.WireFields(checkSettings, "json")
		for f := range typ.Fields() {
			_, hides := checkSettings.FieldByName(f.Name)
			require.False(t, hides, "%s.%s hides that of CheckSettings", typ, f.Name)
			require.NotContains(t, members, memberName(f), "%s.%s has a member of CheckSettings", typ, f.Name)
		}
	}
}

func TestTheSharedSettingsAreDescribedInTheOrderOfTheirFields(t *testing.T) {
	var fields []string
	for f := range checkSettings.Fields() {
		if name := memberName(f); name != "" {
			fields = append(fields, name)
		}
	}
	bodies := 0
	for _, o := range schema.Operations() {
		if o.Body == nil || !strings.Contains(o.Name, " /v1/checks/") {
			continue
		}
		bodies++
		var described []string
		for _, m := range o.Body.Members {
			if m.Name != "checkType" { // a field of CheckUpdate only
				described = append(described, m.Name)
			}
		}
		require.Equal(t, fields, described[:min(len(fields), len(described))], o.Name)
	}
	require.Equal(t, len(checkRequests(t)), bodies)
}

func TestAnEmptyNameIsRefusedUnlessAnUpdateOfOnesOwnLeavesItOut(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	for _, row := range []struct {
		what    string
		call    call
		request validator
		want    []string
	}{
		{"a create needs a name", with(c.Checks.CreateTCP),
			monitoring.TCPCheckCreate{Request: monitoring.TCPRequest{Hostname: "h", Port: 1}}, []string{"name: is required"}},
		{"an update of a check that was read cannot take its name", withID(c.Checks.UpdateTCP, "x"),
			unnamed(t, `{"id":"x","checkType":"TCP","name":"Mail","muted":false}`),
			[]string{"name: cannot be unset: the service does not accept null for it; set a value, or leave it as it was read"}},
		{"an update of a check that was read without a name has none", withID(c.Checks.UpdateTCP, "x"),
			unnamed(t, `{"id":"x","checkType":"TCP","muted":false}`), nil},
		{"an update of one's own leaves the name as it is", withID(c.Checks.UpdateTCP, "x"),
			monitoring.TCPCheckUpdate{CheckSettings: monitoring.CheckSettings{Muted: new(false)}}, nil},
	} {
		t.Run(row.what, func(t *testing.T) {
			sent.Sent = nil
			err := row.call(row.request)
			if row.want != nil {
				require.Equal(t, row.want, kit.BrokenRules(t, err))
				require.Empty(t, sent.Sent)
				return
			}
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			require.JSONEq(t, `{"muted":false}`, sent.Sent[0].Body)
		})
	}
}

// unnamed returns the update of a check that was read, without its name.
func unnamed(t *testing.T, read string) monitoring.TCPCheckUpdate {
	t.Helper()
	var check monitoring.TCPCheck
	require.NoError(t, check.UnmarshalJSON([]byte(read)))
	update := check.ToUpdate()
	update.Name = ""
	return update
}

func TestALiteralNamesTheSettingsAndAFieldDoesNot(t *testing.T) {
	create := monitoring.TCPCheckCreate{CheckSettings: monitoring.CheckSettings{Name: "Mail", Tags: []string{"mail"}}}
	create.Muted = new(true)
	require.Equal(t, mailCheck, kit.ToJSON(t, create))
}

// mailCheck is the body of the check in the tests of literals.
const mailCheck = `{"name":"Mail","muted":true,"tags":["mail"],"request":{"port":0}}`
