package objects_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestACheckWithTheSettingsOfItsGroupIsNeitherWrittenBackNorCopied(t *testing.T) {
	const refused = "check: was read with the settings of its group, and an update would make them its own: use Edit"
	with := monitoring.CheckListOptions{ApplyGroupSettings: true}
	query := url.Values{"applyGroupSettings": {"true"}}
	one := func(t *testing.T, list func(func(monitoring.Check, error) bool)) *monitoring.Check {
		found, err := monitoring.Collect(list)
		require.NoError(t, err)
		return &found[0]
	}
	for _, kind := range schema.CheckTypes() {
		svc := monitoringtest.New()
		group := svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Locations: []monitoring.Region{"us-east-1"}, Tags: []string{"group"}})
		id := svc.AddCheck(monitoringtest.Check{Name: "Check", Type: monitoring.CheckType(kind), GroupID: group, Tags: []string{"own"}})
		client, ctx := kit.Fake(t, svc), t.Context()
		page, err := client.Checks.List(ctx, with)
		require.NoError(t, err)
		got, err := client.Checks.GetWithOptions(ctx, id, monitoring.CheckGetOptions{ApplyGroupSettings: true})
		require.NoError(t, err)
		queried, err := client.Checks.Get(ctx, id, monitoring.WithQuery("applyGroupSettings", "true"))
		require.NoError(t, err)
		done, err := monitoring.Do[monitoring.Check](ctx, client, http.MethodGet, "/v1/checks/"+id, query, nil)
		require.NoError(t, err)
		doneList, err := monitoring.Do[[]monitoring.Check](ctx, client, http.MethodGet, "/v1/checks", query, nil)
		require.NoError(t, err)
		for how, check := range map[string]*monitoring.Check{
			"a page of checks": &page.Items[0], "all checks": one(t, client.Checks.All(ctx, with)), "a read": got, "a read with a query": queried,
			"all checks of a group":    one(t, client.CheckGroups.AllChecks(ctx, group, monitoring.ListOptions{})),
			"a call of one's own":      done,
			"a list of one's own":      &(*doneList)[0],
			"all of a list of its own": one(t, monitoring.All[monitoring.Check](ctx, client, "/v1/checks", query)),
		} {
			svc.ResetRequests()
			stored, err := monitoring.MarshalPlan(check)
			require.NoError(t, err)
			set := &monitoring.Check{ID: id, CheckType: check.CheckType}
			require.NoError(t, set.SetFrom(check))
			for what, written := range map[string]*monitoring.Check{
				"as it is": check, "a copy": check.Clone(), "a template": check.Template(), "one of one's own that was set": set,
				"a plan": kit.Planned[monitoring.Check](string(stored)),
			} {
				call, want := client.Checks.Update, refused
				if what == "a template" {
					call = client.Checks.Create
					if !creatable(kind) {
						want = "Create has no operation for"
					}
				}
				steps := map[string]error{"the call": kit.Second(call(ctx, written))}
				if written != set { // its Validate is that of a create
					steps["Validate"] = written.Validate()
				}
				for step, err := range steps {
					require.ErrorAs(t, err, new(*monitoring.ValidationError))
					require.ErrorContains(t, err, want, "%s: %s of %s: %s", kind, what, how, step)
				}
			}
			require.Empty(t, svc.Requests())
			for by, replace := range map[string]func(*monitoring.Check) error{
				"replaced": func(c *monitoring.Check) error { *c = *check; return nil }, "set": func(c *monitoring.Check) error { return c.SetFrom(check) },
			} {
				_, err = client.Checks.Edit(ctx, id, replace)
				require.ErrorContains(t, err, refused, "%s: %s by %s in an edit", kind, by, how)
			}
		}

		edited, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error { c.Muted = new(true); return nil })
		require.NoError(t, err, "an edit reads the check as it is")
		require.Equal(t, []string{"own"}, edited.Tags)
		plain, err := client.Checks.Get(ctx, id)
		require.NoError(t, err)
		plain.Name = "Other"
		require.NoError(t, plain.Validate(), "a check that was read without them is written back")
		_, err = client.Checks.Edit(ctx, id, func(c *monitoring.Check) error { c.Muted = new(false); return nil }, monitoring.WithQuery("applyGroupSettings", "true"))
		require.ErrorContains(t, err, refused, "an edit that reads it with them, too, is refused")
	}
}

// creatable reports whether checks of a kind can be created.
func creatable(kind string) bool {
	switch monitoring.CheckType(kind) {
	case monitoring.CheckTypeAgentic, monitoring.CheckTypeGRPC, monitoring.CheckTypePlaywright, monitoring.CheckTypeTraceroute:
		return false
	}
	return true
}
