package api_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// membersOfKinds are the members that a check has beside its own fields: those of its kind.
func membersOfKinds() map[string]bool {
	members := map[string]bool{"request": true, "heartbeat": true}
	for _, kind := range []reflect.Type{reflect.TypeFor[monitoring.CheckScript](), reflect.TypeFor[monitoring.PlaywrightSuite]()} {
		for name := range kit.WireFields(kind, "json") {
			members[name] = true
		}
	}
	return members
}

func TestAMemberOfACheckIsOneOfAllKindsOrOfItsKind(t *testing.T) {
	fields := kit.WireFields(reflect.TypeFor[monitoring.Check](), "json")
	require.Greater(t, len(fields), 30)
	for name := range membersOfKinds() {
		require.NotContains(t, fields, name, "Check and the field of a kind both have it")
	}
}

func TestTheBodiesOfChecksHaveTheFieldsOfACheckInOneOrder(t *testing.T) {
	fields, ofKinds := kit.WireFields(reflect.TypeFor[monitoring.Check](), "json"), membersOfKinds()
	var shared []string
	for _, o := range schema.Operations() {
		if o.Body == nil || !strings.Contains(o.Name, " /v1/checks/") {
			continue
		}
		var described []string
		for _, m := range o.Body.Members {
			_, isField := fields[m.Name]
			require.True(t, isField || ofKinds[m.Name], "%s: a check has no field for %s", o.Name, m.Name)
			if m.Name != "checkType" { // the update of any kind alone has it
				described = append(described, m.Name)
			}
		}
		const settings = 20 // that all kinds have, before their own
		if shared == nil {
			shared = described[:settings]
		}
		require.Equal(t, shared, described[:settings], o.Name)
	}
	require.NotNil(t, shared)
}

func TestAnEmptyNameIsRefusedUnlessAnUpdateOfOnesOwnLeavesItOut(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	for _, row := range []struct {
		what    string
		call    call
		request validator
		want    []string
	}{
		{"a create needs a name", with(c.Checks.Create),
			&monitoring.Check{TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}}, []string{"name: is required"}},
		{"an update of a check that was read cannot take its name", with(c.Checks.Update),
			unnamed(t, `{"id":"x","checkType":"TCP","name":"Mail","muted":true}`),
			[]string{"name: cannot be unset, because the service does not accept null: set a value, or leave the field as it was read"}},
		{"an update of a check that was read without a name has none", with(c.Checks.Update),
			unnamed(t, `{"id":"x","checkType":"TCP","muted":true}`), nil},
		{"an update of one's own leaves the name as it is", with(c.Checks.Update),
			&monitoring.Check{ID: "x", CheckType: monitoring.CheckTypeTCP, Muted: new(false)}, nil},
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

// unnamed returns a check that was read and is no longer muted, without its name.
func unnamed(t *testing.T, read string) *monitoring.Check {
	t.Helper()
	client, _ := kit.Recorded(t, 200, read)
	check, err := client.Checks.Get(t.Context(), "x")
	require.NoError(t, err)
	check.Name, check.Muted = "", new(false)
	return check
}
