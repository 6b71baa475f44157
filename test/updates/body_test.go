package updates_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestABodyMemberIsSetAtItsPath(t *testing.T) {
	const doc = `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true}}`
	tests := map[string]struct {
		opts []monitoring.CallOption
		want string
	}{
		"null for a list":              {[]monitoring.CallOption{monitoring.WithBodyMember("locations", nil)}, `{"name":"n","locations":null,"alertSettings":{"reminders":{"amount":1},"future":true}}`},
		"an unknown member":            {[]monitoring.CallOption{monitoring.WithBodyMember("newThing", map[string]int{"a": 1})}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"newThing":{"a":1}}`},
		"a nested member":              {[]monitoring.CallOption{monitoring.WithBodyMember("alertSettings.reminders.interval", 99)}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1,"interval":99},"future":true}}`},
		"a member in an absent object": {[]monitoring.CallOption{monitoring.WithBodyMember("a.b", 1), monitoring.WithBodyMember("a.c", 2), monitoring.WithBodyMember("a.b", 3)}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"a":{"b":3,"c":2}}`},
		"a secret":                     {[]monitoring.CallOption{monitoring.WithBodyMember("token", monitoring.NewSecret("s3cret"))}, `{"name":"n","locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true},"token":"s3cret"}`},
		"a value the rules refuse":     {[]monitoring.CallOption{monitoring.WithBodyMember("concurrency", -1)}, `{"name":"n","concurrency":-1,"locations":["eu-west-1"],"alertSettings":{"reminders":{"amount":1},"future":true}}`},
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
		return kit.Second(client.CheckGroups.Update(t.Context(), 7, g.ToUpdate(), monitoring.WithBodyMember(name, value)))
	}
	for _, path := range []string{"", ".", "a.", ".a", "a..b", "a\nb"} {
		require.ErrorContains(t, update(path, 1), "want member names separated by dots", "%q", path)
	}
	require.EqualError(t, update("tags.0", 1), "monitoring: PUT /v2/check-groups/{id}: encode the body: body member tags.0: tags is not an object: set it as a whole")
	require.ErrorContains(t, update("x", make(chan int)), "body member x: json: unsupported type")
	require.Equal(t, []string{"x.value: is withheld by the service: set it with NewSecret, or leave the list or object out"}, refused(t, s, update("x", monitoring.EnvironmentVariable{Key: "K"})))
	for _, path := range []string{"environmentVariables", "apiCheckDefaults.url"} {
		value := map[string]any{"environmentVariables": []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "b")}, "apiCheckDefaults.url": "u"}[path]
		require.Contains(t, refused(t, s, update(path, value))[0], "would overwrite what the service withholds")
	}
	require.NoError(t, update("environmentVariables", nil), "null is explicit")
	require.EqualError(t, kit.Second(client.CheckGroups.Get(t.Context(), 7, monitoring.WithBodyMember("a", 1))), "monitoring: GET /v1/check-groups/{id}: WithBodyMember: the request has no body")
	require.ErrorContains(t, kit.Second(monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, []int{1}, monitoring.WithBodyMember("a", 1))), "the body is not a JSON object")
	_, err := monitoring.Do[any](t.Context(), client, "PUT", "/v1/x", nil, json.RawMessage(`{"a":{}}`), monitoring.WithBodyMember("a.b", monitoring.NewSecret("x")))
	require.Equal(t, `{"a":{"b":"x"}}`, sentBy(t, s, err))
}

func TestAnErrorDoesNotQuoteASecretThatABodyMemberHolds(t *testing.T) {
	client, _ := kit.Recorded(t, 400, `{"message":"`+testkit.Canary+` is wrong"}`)
	_, err := client.CheckGroups.Update(t.Context(), 7, monitoring.CheckGroupUpdate{Name: "n"}, monitoring.WithBodyMember("token", monitoring.NewSecret(testkit.Canary)))
	require.ErrorIs(t, err, monitoring.ErrBadRequest)
	require.NotContains(t, err.Error(), testkit.Canary)
}

func TestABodyMemberReplacesAWithheldSecretOnlyIfItContainsIt(t *testing.T) {
	update := monitoring.CheckGroupUpdate{Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "K"}}}
	send := func(opts ...monitoring.CallOption) error {
		client, _ := kit.Recorded(t, 404, "{}")
		return kit.Second(client.CheckGroups.Update(t.Context(), 7, update, opts...))
	}
	for name, refused := range map[string]bool{"environmentVariables": false, "environmentVariable": true, "environmentVariablesToo": true, "other": true} {
		err := send(monitoring.WithBodyMember(name, []string{}))
		require.Equal(t, refused, errors.As(err, new(*monitoring.ValidationError)), "%s: %v", name, err)
		require.Equal(t, !refused, errors.Is(err, monitoring.ErrNotFound), name)
	}
}

func TestABodyMemberCannotRemoveTheFiltersOfATrigger(t *testing.T) {
	filtered := monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}, CheckIDs: []string{kit.UUID1}}}
	var none []string
	all := []monitoring.CallOption{monitoring.WithBodyMember("target.matchTags", none), monitoring.WithBodyMember("target.checkId", []string{})}
	for name, c := range map[string]struct {
		request monitoring.TriggerRequest
		opts    []monitoring.CallOption
		refused string // the path of what is refused
	}{
		"null for the target":                  {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target", nil)}, "target"},
		"an empty target":                      {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target", map[string]any{})}, "target"},
		"a target that is a text":              {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target", "x")}, "target"},
		"a target with an empty text":          {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target", map[string]any{"matchTags": ""})}, "target"},
		"no filter is left":                    {filtered, all, "target"},
		"one filter is left":                   {filtered, all[:1], ""},
		"the other filter is left":             {filtered, all[1:], ""},
		"a group without tags":                 {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target.matchTags", [][]string{{"a"}, {}})}, "target.matchTags[1]"},
		"an item that is null":                 {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target.checkId", []any{nil})}, "target.checkId[0]"},
		"other filters":                        {filtered, []monitoring.CallOption{monitoring.WithBodyMember("target", map[string]any{"newFilter": []string{"x"}})}, ""},
		"another member":                       {filtered, []monitoring.CallOption{monitoring.WithBodyMember("newMember", nil)}, ""},
		"all checks are meant":                 {monitoring.TriggerRequest{AllChecks: true}, []monitoring.CallOption{monitoring.WithBodyMember("target", nil)}, ""},
		"all checks are meant, with a new one": {monitoring.TriggerRequest{AllChecks: true}, []monitoring.CallOption{monitoring.WithBodyMember("newMember", 1)}, ""},
	} {
		for _, lenient := range []bool{false, true} {
			client, sent := kit.Recorded(t, http.StatusCreated, `{"sessions":[{"checkSessionId":"s"}]}`)
			opts := c.opts
			if lenient {
				opts = append(slices.Clip(opts), monitoring.WithoutValidation())
			}
			_, err := client.CheckSessions.Trigger(t.Context(), c.request, opts...)
			_, oldErr := client.CheckSessions.TriggerV1(t.Context(), c.request, opts...)
			if c.refused == "" {
				require.NoError(t, err, name)
				require.NoError(t, oldErr, name)
				continue
			}
			for _, err := range []error{err, oldErr} {
				violations := kit.ErrAs[*monitoring.ValidationError](t, err).Violations
				require.Len(t, violations, 1, name)
				require.Equal(t, c.refused, violations[0].Path, name)
			}
			require.Zero(t, sent.GetTotalCallCount(), "%s: nothing is sent", name)
		}
	}
}

func TestTheNameOfABodyMemberHasAtMost500Bytes(t *testing.T) {
	client, sent := kit.Recorded(t, 404, "{}")
	for length, fine := range map[int]bool{500: true, 501: false} {
		err := kit.Second(client.CheckGroups.Update(t.Context(), 7, monitoring.CheckGroupUpdate{Name: "n"}, monitoring.WithBodyMember(strings.Repeat("x", length), 1)))
		require.Equal(t, fine, errors.Is(err, monitoring.ErrNotFound), "%d: %v", length, err)
	}
	require.Len(t, sent.Sent, 1)
}

func TestABodyMemberIsSetInsideObjectsOnly(t *testing.T) {
	set := func(body string) (string, error) {
		client, sent := kit.Recorded(t, 204, "")
		_, err := monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/x", nil, json.RawMessage(body), monitoring.WithBodyMember("a.b.c", 1))
		if err != nil {
			return "", err
		}
		return sent.Sent[0].Body, nil
	}
	_, err := set(`{"a":{"b":[]}}`)
	require.EqualError(t, err, "monitoring: PUT /v1/x: encode the body: body member a.b.c: b is not an object: set it as a whole")
	made, err := set(`{}`)
	require.NoError(t, err)
	require.Equal(t, `{"a":{"b":{"c":1}}}`, made, "absent objects are made")
}

func TestAMemberThatCannotBeUnsetCanBeSetByWithBodyMember(t *testing.T) {
	g := readGroup(t, `{"id":1,"name":"n","muted":true}`)
	u := g.ToUpdate()
	u.Muted = nil
	for name, c := range map[string]struct {
		opts []monitoring.CallOption
		sent bool
	}{
		"alone":           {nil, false},
		"with the member": {[]monitoring.CallOption{monitoring.WithBodyMember("muted", false)}, true},
		"with another":    {[]monitoring.CallOption{monitoring.WithBodyMember("mutedToo", false)}, false},
		"with two":        {[]monitoring.CallOption{monitoring.WithBodyMember("x", 1), monitoring.WithBodyMember("muted", nil)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, http.StatusOK, `{"id":1,"name":"n"}`)
			_, err := client.CheckGroups.Update(t.Context(), 1, u, c.opts...)
			require.Equal(t, c.sent, len(sent.Sent) == 1)
			if !c.sent {
				require.ErrorContains(t, err, "muted: cannot be unset")
			}
		})
	}
}
