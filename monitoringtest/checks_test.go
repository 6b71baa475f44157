package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAListOfChecksIsFiltered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := clientOf(t, svc)
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g", RunParallel: monitoring.Value(true), UseGlobalAlertSettings: monitoring.Value(false), Tags: []string{"of the group"}})
		svc.AddCheck(monitoringtest.Check{Name: "Log in", Type: monitoring.CheckTypeBrowser, Tags: []string{"a", "b"}, Outcome: monitoring.SessionFailed, GroupID: group,
			Members: map[string]any{"dependencies": []any{map[string]any{"path": "login.js", "content": "x"}}}})
		svc.AddCheck(monitoringtest.Check{Name: "login page", Tags: []string{"b"}, Outcome: monitoring.SessionDegraded, Members: map[string]any{"request": map[string]any{"method": "GET", "url": "https://SHOP.test/login"}}})
		svc.AddCheck(monitoringtest.Check{Name: "Mail", Type: monitoring.CheckTypeTCP, Tags: []string{"c"}})
		svc.AddCheck(monitoringtest.Check{Name: "never ran", Type: monitoring.CheckTypeHeartbeat})
		_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		for name, c := range map[string]struct {
			options monitoring.CheckListOptions
			want    []string
		}{
			"everything":             {monitoring.CheckListOptions{}, []string{"Log in", "login page", "Mail", "never ran"}},
			"any of the tags":        {monitoring.CheckListOptions{Tags: []string{"a", "c"}}, []string{"Log in", "Mail"}},
			"a tag of the group":     {monitoring.CheckListOptions{Tags: []string{"of the group"}}, []string{"Log in"}},
			"a type":                 {monitoring.CheckListOptions{CheckType: monitoring.CheckTypeHeartbeat}, []string{"never ran"}},
			"a part of the name":     {monitoring.CheckListOptions{Search: "LOG"}, []string{"Log in", "login page"}},
			"checks that pass":       {monitoring.CheckListOptions{Status: monitoring.CheckPassing}, []string{"Mail"}},
			"checks that fail":       {monitoring.CheckListOptions{Status: monitoring.CheckFailing}, []string{"Log in"}},
			"checks that are slow":   {monitoring.CheckListOptions{Status: monitoring.CheckDegraded}, []string{"login page"}},
			"API checks by URL":      {monitoring.CheckListOptions{APICheckURLFilterPattern: "shop.test"}, []string{"login page"}},
			"two filters at a time":  {monitoring.CheckListOptions{Tags: []string{"b"}, Search: "page"}, []string{"login page"}},
			"the second page of two": {monitoring.CheckListOptions{ListOptions: monitoring.ListOptions{Limit: 2, Page: 2}}, []string{"Mail", "never ran"}},
		} {
			page, err := client.Checks.List(t.Context(), c.options)
			require.NoError(t, err)
			var names []string
			for _, check := range page.Items {
				names = append(names, check.Name)
			}
			require.Equal(t, c.want, names, name)
		}
		for _, apply := range []bool{false, true} {
			page, err := client.Checks.List(t.Context(), monitoring.CheckListOptions{Search: "Log in", ApplyGroupSettings: apply})
			require.NoError(t, err)
			require.Equal(t, apply, *page.Items[0].RunParallel)
			require.Equal(t, apply, !*page.Items[0].UseGlobalAlertSettings)
			check, err := client.Checks.GetWithOptions(t.Context(), page.Items[0].ID, monitoring.CheckGetOptions{ApplyGroupSettings: apply, IncludeDependencies: apply})
			require.NoError(t, err)
			require.Equal(t, apply, *check.RunParallel)
			require.Len(t, check.Browser.Dependencies, map[bool]int{true: 1}[apply], "they are shown if they are asked for")
		}
	})
}
