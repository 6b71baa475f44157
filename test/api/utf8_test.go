package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const (
	broken = "secret\xff"
	noUTF8 = ": must be valid UTF-8"
)

// encoding/json would send U+FFFD in place of each byte that is none.
func TestATextThatIsNotUTF8IsRefusedByItsPath(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	ctx := context.Background()
	withConfig := monitoring.EmailChannel("oncall@shop.test")
	require.NoError(t, withConfig.SetConfig("address", monitoring.NewSecret(broken)))
	api := func(change func(*monitoring.APIRequest)) *monitoring.Check {
		r := &monitoring.APIRequest{Method: "GET", URL: "https://shop.test"}
		change(r)
		return &monitoring.Check{Name: "n", API: r}
	}
	create := func(check *monitoring.Check) error { return kit.Second(c.Checks.Create(ctx, check)) }
	do := func(in any, opts ...monitoring.CallOption) error {
		return kit.Second(monitoring.Do[struct{}](ctx, c, "POST", "/v1/x", nil, in, opts...))
	}
	group := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"n"}`)
	group.Name = "n\xff"
	type own struct {
		Text   string            `json:"text"`
		Quoted string            `json:"quoted,string"`
		Named  map[string]string `json:"named,omitempty"`
		Raw    json.RawMessage   `json:"raw,omitempty"`
	}
	for _, row := range []struct {
		path string
		err  error
	}{
		{"name", create(&monitoring.Check{Name: "n\xff", TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}})},
		{"tags[1]", create(&monitoring.Check{Name: "n", Tags: []string{"ä", broken}, TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}})},
		{"script", create(&monitoring.Check{Name: "n", Browser: &monitoring.CheckScript{Script: monitoring.Value(broken)}})},
		{"request.headers[0].value", create(api(func(r *monitoring.APIRequest) {
			r.Headers = []monitoring.KeyValue{{Key: "k", Value: monitoring.NewSecret(broken)}}
		}))},
		{"request.basicAuth.password", create(api(func(r *monitoring.APIRequest) {
			r.BasicAuth = monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(broken)})
		}))},
		{"environmentVariables[0].value", create(&monitoring.Check{Name: "n", Browser: &monitoring.CheckScript{Script: monitoring.Value("s"), EnvironmentVariables: []monitoring.EnvironmentVariable{{Key: "K", Value: monitoring.NewSecret(broken)}}}})},
		{"value", kit.Second(c.Variables.Create(ctx, &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret(broken)}))},
		{"config.address", kit.Second(c.AlertChannels.Create(ctx, withConfig))},
		{"config.url", kit.Second(c.AlertChannels.Create(ctx, monitoring.WebhookChannel(monitoring.WebhookConfig{Name: "n", URL: monitoring.NewSecret(broken)})))},
		{"target.matchTags[0][0]", kit.Second(c.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{broken}}}}))},
		{"description", kit.Second(c.Checks.Update(ctx, &monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeAPI, Description: monitoring.Value(broken)}, monitoring.WithoutValidation()))},
		{"a.b", do(map[string]any{}, monitoring.WithBodyField("a.b", broken))},
		{"text", do(own{Text: broken})},
		{"quoted", do(own{Quoted: broken})},
		{"named.k", do(own{Named: map[string]string{"k": broken}})},
		{"a", do(map[string]int{"a\xff": 1})},
		{"named.a", do(own{Named: map[string]string{"a\xff": "b"}})},
		{"raw[0]", do(own{Raw: json.RawMessage(`[ "` + broken + `"]`)})},
		{"raw.x", do(json.RawMessage(`{"raw":{"x":"\\` + broken + `"}}`))},
		{"$", do(broken)},
		{"name", kit.Second(c.CheckGroups.Update(ctx, group))},
		{"name", group.Validate()},
		{"x", kit.Second(monitoring.Do[struct{}](ctx, c, http.MethodGet, "/v1/x", url.Values{"x": {"ok", broken}}, nil))},
		{"y", kit.Second(c.Runtimes.List(ctx, monitoring.WithQuery("y", broken)))},
		{"tag", monitoring.CheckListOptions{Tags: []string{broken}}.Validate()},
		{"tag", kit.Second(c.Checks.List(ctx, monitoring.CheckListOptions{Tags: []string{broken}}))},
	} {
		require.Equal(t, []string{row.path + noUTF8}, kit.BrokenRules(t, row.err))
		require.NotContains(t, row.err.Error(), "secret", row.path)
	}
	require.Empty(t, sent.Sent)
}

// What the service itself has in that form can be sent back, and does not keep the rest from being
// changed.
func TestATextThatWasReadAndIsNotUTF8IsNotRefused(t *testing.T) {
	read := `{"id":1,"name":"n` + "\xff" + `","concurrency":3,"tags":["a","b` + "\xfe" + `"]}`
	group := kit.Returned[monitoring.CheckGroup](read)
	group.Tags = append(group.Tags, "c")
	require.NoError(t, group.Validate())
	plan, err := monitoring.MarshalPlan(group)
	require.NoError(t, err)
	require.NoError(t, kit.Planned[monitoring.CheckGroup](string(plan)).Validate())
	group.Name += "\xff"
	require.Equal(t, []string{"name" + noUTF8}, kit.BrokenRules(t, group.Validate()))
	_, err = monitoring.MarshalPlan(group)
	require.EqualError(t, err, "monitoring: marshal plan: name"+noUTF8)
}

// U+FFFD in a text that the caller sets is a character like others.
func TestTheReplacementCharacterIsSent(t *testing.T) {
	c, sent := kit.Recorded(t, 404, `{}`)
	_, err := c.Snippets.Create(context.Background(), &monitoring.Snippet{Name: "n\uFFFD", Script: "\u2028😀"})
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	require.Equal(t, `{"name":"n�","script":"`+"\u2028"+`😀"}`, sent.Sent[0].Body)
}
