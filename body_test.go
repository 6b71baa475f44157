package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

func TestABodyMemberIsSetAtItsPath(t *testing.T) {
	const doc = `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true}}`
	tests := map[string]struct {
		opts []CallOption
		want string
	}{
		"null for a list":              {[]CallOption{WithBodyMember("locations", nil)}, `{"name":"n","locations":null,"alertSettings":{"reminders":{"amount":1},"future":true}}`},
		"an unknown member":            {[]CallOption{WithBodyMember("newThing", map[string]int{"a": 1})}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"newThing":{"a":1}}`},
		"a nested member":              {[]CallOption{WithBodyMember("alertSettings.reminders.interval", 99)}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1,"interval":99},"future":true}}`},
		"a member in an absent object": {[]CallOption{WithBodyMember("a.b", 1), WithBodyMember("a.c", 2), WithBodyMember("a.b", 3)}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"a":{"b":3,"c":2}}`},
		"a secret":                     {[]CallOption{WithBodyMember("token", NewSecret("s3cret"))}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"token":"s3cret"}`},
		"a value the rules refuse":     {[]CallOption{WithBodyMember("concurrency", -1)}, `{"name":"n","concurrency":-1,"locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g, s, client := groupOf(t, doc)
			_, err := client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), tt.opts...)
			require.JSONEq(t, tt.want, sentBy(t, s, err))
		})
	}
}

func TestABodyMemberThatCannotBeSetIsAnError(t *testing.T) {
	g, s, client := groupOf(t, withheldGroup)
	update := func(name string, value any) error {
		return second(client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), WithBodyMember(name, value)))
	}
	for _, path := range []string{"", ".", "a.", ".a", "a..b", "a\nb"} {
		require.ErrorContains(t, update(path, 1), "want member names separated by dots", "%q", path)
	}
	require.EqualError(t, update("tags.0", 1), "monitoring: PUT /v2/check-groups/{id}: encode the body: body member tags.0: tags is not an object: set it as a whole")
	require.ErrorContains(t, update("x", make(chan int)), "body member x: json: unsupported type")
	require.Equal(t, []string{"x.value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, refused(t, s, update("x", EnvironmentVariable{Key: "K"})))
	for _, path := range []string{"environmentVariables", "apiCheckDefaults.url"} {
		value := map[string]any{"environmentVariables": []EnvironmentVariable{NewEnvironmentVariable("A", "b")}, "apiCheckDefaults.url": "u"}[path]
		require.Contains(t, refused(t, s, update(path, value))[0], "would overwrite what the service withholds")
	}
	require.NoError(t, update("environmentVariables", nil), "null is explicit")
	require.EqualError(t, second(client.CheckGroups.Get(t.Context(), 7, WithBodyMember("a", 1))), "monitoring: GET /v1/check-groups/{id}: WithBodyMember: the request has no body")
	require.ErrorContains(t, second(Do[any](t.Context(), client, "PUT", "/v1/x", nil, []int{1}, WithBodyMember("a", 1))), "the body is not a JSON object")
	_, err := Do[any](t.Context(), client, "PUT", "/v1/x", nil, json.RawMessage(`{"a":{}}`), WithBodyMember("a.b", NewSecret("x")))
	require.Equal(t, `{"a":{"b":"x"}}`, sentBy(t, s, err))
}

func TestAnErrorDoesNotQuoteASecretThatABodyMemberHolds(t *testing.T) {
	client, _ := newTestClient(t, 400, `{"message":"`+canary+` is wrong"}`)
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n"}, WithBodyMember("token", NewSecret(canary)))
	require.ErrorIs(t, err, ErrBadRequest)
	require.NotContains(t, err.Error(), canary)
}

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

func TestABodyMemberReplacesAWithheldSecretOnlyIfItContainsIt(t *testing.T) {
	update := CheckGroupUpdate{Name: "n", EnvironmentVariables: []EnvironmentVariable{{Key: "K"}}}
	send := func(opts ...CallOption) error {
		client, _ := newTestClient(t, 404, "{}")
		return second(client.CheckGroups.Update(t.Context(), 7, update, opts...))
	}
	for name, refused := range map[string]bool{"environmentVariables": false, "environmentVariable": true, "environmentVariablesToo": true, "other": true} {
		err := send(WithBodyMember(name, []string{}))
		require.Equal(t, refused, errors.As(err, new(*ValidationError)), "%s: %v", name, err)
		require.Equal(t, !refused, errors.Is(err, ErrNotFound), name)
	}
}

func TestABodyMemberCannotRemoveTheFiltersOfATrigger(t *testing.T) {
	filtered := TriggerRequest{Target: TriggerTarget{MatchTags: [][]string{{"production"}}, CheckIDs: []string{uuid1}}}
	var none []string
	all := []CallOption{WithBodyMember("target.matchTags", none), WithBodyMember("target.checkId", []string{})}
	for name, c := range map[string]struct {
		request TriggerRequest
		opts    []CallOption
		refused string // the path of what is refused
	}{
		"null for the target":                  {filtered, []CallOption{WithBodyMember("target", nil)}, "target"},
		"an empty target":                      {filtered, []CallOption{WithBodyMember("target", map[string]any{})}, "target"},
		"a target that is a text":              {filtered, []CallOption{WithBodyMember("target", "x")}, "target"},
		"a target with an empty text":          {filtered, []CallOption{WithBodyMember("target", map[string]any{"matchTags": ""})}, "target"},
		"no filter is left":                    {filtered, all, "target"},
		"one filter is left":                   {filtered, all[:1], ""},
		"the other filter is left":             {filtered, all[1:], ""},
		"a group without tags":                 {filtered, []CallOption{WithBodyMember("target.matchTags", [][]string{{"a"}, {}})}, "target.matchTags[1]"},
		"an item that is null":                 {filtered, []CallOption{WithBodyMember("target.checkId", []any{nil})}, "target.checkId[0]"},
		"other filters":                        {filtered, []CallOption{WithBodyMember("target", map[string]any{"newFilter": []string{"x"}})}, ""},
		"another member":                       {filtered, []CallOption{WithBodyMember("newMember", nil)}, ""},
		"all checks are meant":                 {TriggerRequest{AllChecks: true}, []CallOption{WithBodyMember("target", nil)}, ""},
		"all checks are meant, with a new one": {TriggerRequest{AllChecks: true}, []CallOption{WithBodyMember("newMember", 1)}, ""},
	} {
		for _, lenient := range []bool{false, true} {
			client, sent := newTestClient(t, http.StatusCreated, `{"sessions":[{"checkSessionId":"s"}]}`)
			opts := c.opts
			if lenient {
				opts = append(slices.Clip(opts), WithoutValidation())
			}
			_, err := client.CheckSessions.Trigger(t.Context(), c.request, opts...)
			_, oldErr := client.CheckSessions.TriggerV1(t.Context(), c.request, opts...)
			if c.refused == "" {
				require.NoError(t, err, name)
				require.NoError(t, oldErr, name)
				continue
			}
			for _, err := range []error{err, oldErr} {
				violations := violationsOf(err)
				require.Len(t, violations, 1, name)
				require.Equal(t, c.refused, violations[0].Path, name)
			}
			require.Zero(t, sent.GetTotalCallCount(), "%s: nothing is sent", name)
		}
	}
}

func TestAPathIsUnderAnotherPathOnlyIfItIsInsideIt(t *testing.T) {
	for path, under := range map[string]bool{"a": true, "a.b": true, "a[0]": true, "a[0].b": true, "ab": false, "b": false, "": false, "b.a": false} {
		require.Equal(t, under, isUnder(path, "a"), path)
	}
}

func TestTheNameOfABodyMemberHasAtMost500Bytes(t *testing.T) {
	client, sent := newTestClient(t, 404, "{}")
	for length, fine := range map[int]bool{500: true, 501: false} {
		err := second(client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n"}, WithBodyMember(strings.Repeat("x", length), 1)))
		require.Equal(t, fine, errors.Is(err, ErrNotFound), "%d: %v", length, err)
	}
	require.Len(t, sent.Sent, 1)
	_, err := setMember([]byte(`{"a":{"b":[]}}`), []string{"a", "b", "c"}, []byte("1"))
	require.EqualError(t, err, "b is not an object: set it as a whole")
	made, err := setMember([]byte(`{}`), []string{"a", "b", "c"}, []byte("1"))
	require.NoError(t, err)
	require.Equal(t, `{"a":{"b":{"c":1}}}`, string(made))
}

func TestAnUpdateWhoseOriginCannotBeReadIsAnError(t *testing.T) {
	client, sent := newTestClient(t, 404, "{}")
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", made: keep.New([]byte("{"))})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: encode the body: the JSON that ToUpdate started from cannot be decoded; read the object again")
	require.Empty(t, sent.Sent)
}
