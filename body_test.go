package monitoring

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// TestValidateGivesTheErrorOfTheCall compares the error of each Validate with that of its call.
func TestValidateGivesTheErrorOfTheCall(t *testing.T) {
	client, sent := newTestClient(t, 404, `{}`)
	ctx := context.Background()
	tests := map[string]struct {
		request interface{ Validate() error }
		call    func() error
	}{
		"a create": {TCPCheckCreate{}, func() error { return second(client.Checks.CreateTCP(ctx, TCPCheckCreate{})) }},
		"a browser update": {BrowserCheckUpdate{Frequency: new(0)}, func() error {
			return second(client.Checks.UpdateBrowser(ctx, "x", BrowserCheckUpdate{Frequency: new(0)}))
		}},
		"a generic update": {CheckUpdate{Request: &TCPRequest{}}, func() error { return second(client.Checks.Update(ctx, "x", CheckUpdate{Request: &TCPRequest{}})) }},
		"a group update":   {CheckGroupUpdate{}, func() error { return second(client.CheckGroups.Update(ctx, 1, CheckGroupUpdate{})) }},
		"a trigger":        {TriggerRequest{}, func() error { return second(client.CheckSessions.Trigger(ctx, TriggerRequest{})) }},
		"a trigger of version 1": {triggerRules{TriggerRequest{Target: TriggerTarget{CheckIDs: []string{""}}}, "POST /v1/check-sessions/trigger"}, func() error {
			return second(client.CheckSessions.TriggerV1(ctx, TriggerRequest{Target: TriggerTarget{CheckIDs: []string{""}}}))
		}},
		"a cancel": {CancelRequest{SequenceIDs: []string{}}, func() error { return client.CheckSessions.Cancel(ctx, uuid1, CancelRequest{SequenceIDs: []string{}}) }},
		"a completion": {CompletionOptions{MaxWaitSeconds: 31}, func() error {
			return second(client.CheckSessions.Completion(ctx, uuid1, CompletionOptions{MaxWaitSeconds: 31}))
		}},
		"notifications": {AlertNotificationListOptions{AlertChannelID: -1}, func() error {
			return second(client.AlertNotifications.List(ctx, AlertNotificationListOptions{AlertChannelID: -1}))
		}},
		"windows": {MaintenanceWindowListOptions{ListOptions: ListOptions{Page: -1}}, func() error {
			return second(client.MaintenanceWindows.List(ctx, MaintenanceWindowListOptions{ListOptions: ListOptions{Page: -1}}))
		}},
		"variables": {VariableListOptions{ListOptions{Limit: 101}}, func() error { return second(client.Variables.List(ctx, VariableListOptions{ListOptions{Limit: 101}})) }},
		"groups of errors": {ErrorGroupListOptions{ListOptions{Limit: -1}}, func() error {
			return second(client.ErrorGroups.ListForCheck(ctx, uuid1, ErrorGroupListOptions{ListOptions{Limit: -1}}))
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, errAs[*ValidationError](t, tt.call()), errAs[*ValidationError](t, tt.request.Validate()))
			require.Zero(t, sent.GetTotalCallCount())
		})
	}
	for _, fine := range []interface{ Validate() error }{
		smtpBanner, checkoutGroup, BrowserCheckUpdate{}, CheckUpdate{}, TriggerRequest{AllChecks: true}, CancelRequest{}, CompletionOptions{},
		ListOptions{}, AlertNotificationListOptions{}, MaintenanceWindowListOptions{}, VariableListOptions{}, ErrorGroupListOptions{},
	} {
		require.NoError(t, fine.Validate(), "%T", fine)
	}
	require.EqualError(t, ListOptions{Limit: 101}.Validate(), "monitoring: invalid request, nothing was sent: limit: 101 is outside 1..100")
}

func TestAPathIsUnderAnotherPathOnlyIfItIsInsideIt(t *testing.T) {
	for path, under := range map[string]bool{"a": true, "a.b": true, "a[0]": true, "a[0].b": true, "ab": false, "b": false, "": false, "b.a": false} {
		require.Equal(t, under, isUnder(path, "a"), path)
	}
}

func TestAnUpdateWhoseOriginCannotBeReadIsAnError(t *testing.T) {
	client, sent := newTestClient(t, 404, "{}")
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", made: keep.New([]byte("{"))})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: encode the body: the JSON that ToUpdate started from cannot be decoded; read the object again")
	require.Empty(t, sent.Sent)
}
