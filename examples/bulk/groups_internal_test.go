package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const opUpdateGroup = "PUT /v2/check-groups/{id}"

// secretGroup is a group with secrets that the service withholds.
const secretGroup = `{"id":7,"name":"日本の店","activated":true,"muted":false,"concurrency":3,"tags":["a"],"locations":["eu-central-1"],
	"apiCheckDefaults":{"url":"https://shop.test","headers":[],"queryParameters":[],"assertions":[],"basicAuth":{"username":"u","password":"p4ss"}},
	"environmentVariables":[{"key":"TOKEN","value":"s3cret","locked":false,"secret":true}]}`

// changeAll runs the command in a bubble.
func changeAll(ctx context.Context, t *testing.T, svc *monitoringtest.Service, dryRun bool, columns int, setting string, ids ...int64) (code int, stdout, stderr string) {
	t.Helper()
	client, err := svc.Client()
	require.NoError(t, err)
	c, err := parseChange(setting)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	code = changeGroups(ctx, client, groupOptions{ids: ids, change: c, dryRun: dryRun}, &cli.Screen{Writer: &out, Width: columns}, &cli.Screen{Writer: &errs})
	return code, out.String(), errs.String()
}

func group(t *testing.T, svc *monitoringtest.Service, id int64) (members map[string]any) {
	t.Helper()
	data, ok := svc.Group(id)
	require.True(t, ok)
	require.NoError(t, json.Unmarshal(data, &members))
	delete(members, "updated_at")
	return members
}

func TestOneSettingOfManyGroupsIsChangedAndNothingElse(t *testing.T) {
	for setting, want := range map[string]any{"muted=true": true, "activated=false": false, "concurrency=9": 9.0} {
		t.Run(setting, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddGroupJSON(secretGroup)
				other := svc.AddGroup(monitoring.CheckGroup{Name: "Other", Activated: true})
				before := group(t, svc, 7)
				name, _, _ := bytes.Cut([]byte(setting), []byte("="))

				code, stdout, stderr := changeAll(t.Context(), t, svc, false, 0, setting, 7, other)

				require.Zero(t, code, stderr)
				require.Contains(t, stdout, "2 groups: 2 changed.")
				after := group(t, svc, 7)
				require.Equal(t, want, after[string(name)])
				before[string(name)] = want
				require.Equal(t, before, after, "the withheld secrets are kept, too")
				require.NotContains(t, stdout, "s3cret")

				_, stdout, _ = changeAll(t.Context(), t, svc, false, 0, setting, 7, other)
				require.Contains(t, stdout, "2 groups: 0 changed, 2 unchanged.")
				require.Equal(t, 2, svc.Executed(opUpdateGroup), "a group that has the value already is not written")
			})
		})
	}
}

func TestADryRunOfGroupsShowsWhatWouldChange(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddGroupJSON(secretGroup)
			calm := svc.AddGroup(monitoring.CheckGroup{ID: 8, Name: "Calm", Activated: true, Muted: new(true)})
			code, stdout, stderr := changeAll(t.Context(), t, svc, true, columns, "muted=true", 7, calm, 9)
			require.Equal(t, cli.ExitNo, code, stderr)
			clitest.Golden(t, fmt.Sprintf("groups%d.txt", columns), stdout, columns)
			require.Zero(t, svc.Executed(opUpdateGroup))
		})
	}
}

func TestAGroupThatFailsDoesNotStopTheOthersButAWrongKeyDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddGroupJSON(secretGroup)
		code, stdout, _ := changeAll(t.Context(), t, svc, false, 0, "muted=true", 6, 7)
		require.Equal(t, cli.ExitNo, code)
		clitest.InOrder(t, stdout, "FAILED", "404", "CHANGED  muted: false -> true", "2 groups: 1 changed, 1 failed.")

		svc.Inject(monitoringtest.Fault{Status: 401})
		code, stdout, stderr := changeAll(t.Context(), t, svc, false, 0, "muted=false", 7, 8, 9)
		require.Equal(t, cli.ExitTrouble, code)
		require.Contains(t, stdout, "3 groups: 0 changed, 1 failed, 2 not tried.")
		require.Contains(t, stderr, "stopped at group 7")
	})
}

func TestAnInterruptSaysWhichGroupsAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(time.Second))
		svc.AddGroupJSON(secretGroup)
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(2500*time.Millisecond, interrupt) // two requests for the first group
		code, stdout, stderr := changeAll(ctx, t, svc, false, 0, "muted=true", 7, 8, 9)
		require.Equal(t, cli.ExitInterrupted, code)
		require.Contains(t, stdout, "3 groups: 1 changed, 2 not tried.")
		require.Equal(t, "bulk groups: interrupted; not known to be changed: -ids 8,9\n", stderr)
	})
}

func TestTheDemoOfGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := clitest.Run(t.Context(), run, clitest.Env(), "groups", "-demo")
		require.Zero(t, got.Code, got.Stderr)
		require.Contains(t, got.Stderr, cli.DemoNotice)
		require.Contains(t, got.Stdout, "4711  Checkout  CHANGED  muted: false -> true")
	})
}
