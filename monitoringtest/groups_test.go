package monitoringtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestGroupsAreSelectedByTagsAndNames(t *testing.T) {
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	for name, tags := range map[string][]string{"Checkout": {"production", "shop"}, "Login": {"production"}, "Import": {"staging"}} {
		svc.AddGroup(monitoring.CheckGroup{Name: name, Tags: tags})
	}
	for name, c := range map[string]struct {
		options monitoring.CheckGroupListOptions
		want    []string
	}{
		"all of them":                {monitoring.CheckGroupListOptions{}, []string{"Checkout", "Import", "Login"}},
		"those with any of the tags": {monitoring.CheckGroupListOptions{Tags: []string{"shop", "staging"}}, []string{"Checkout", "Import"}},
		"those with a name":          {monitoring.CheckGroupListOptions{Names: []string{"Login", "Check"}}, []string{"Login"}},
		"those with both":            {monitoring.CheckGroupListOptions{Tags: []string{"production"}, Names: []string{"Login", "Import"}}, []string{"Login"}},
		"none":                       {monitoring.CheckGroupListOptions{Tags: []string{"prod"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Limit = 1
			list, err := monitoring.Collect(client.CheckGroups.All(t.Context(), c.options))
			require.NoError(t, err)
			var names []string
			for _, g := range list {
				names = append(names, g.Name)
			}
			require.ElementsMatch(t, c.want, names)
		})
	}
}
