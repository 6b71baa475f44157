package monitoring

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// What an object was read from is decoded when the response is, and once more by an update that is
// not in an edit: its object may have been changed before ToUpdate.
func TestACallDecodesWhatWasReadAtMostOnce(t *testing.T) {
	const body = `{"id":"c1","checkType":"API","name":"n","request":{"method":"GET","url":"https://a.test","new":1}}`
	decodings := 0
	decode := keeping.Decode
	t.Cleanup(func() { keeping.Decode = decode })
	keeping.Decode = func(data []byte, out any) error {
		if strings.Contains(string(data), "checkType") {
			decodings++
		}
		return decode(data, out)
	}
	change := func(u *APICheckUpdate) error {
		u.Request.Method = "POST"
		return nil
	}
	for name, c := range map[string]struct {
		call func(*Client, APICheckUpdate) error
		want int
	}{
		"an edit reads two responses": {func(c *Client, _ APICheckUpdate) error {
			return second(c.Checks.EditAPI(t.Context(), "c1", change))
		}, 2},
		"an edit that changes nothing reads one": {func(c *Client, _ APICheckUpdate) error {
			return second(c.Checks.EditAPI(t.Context(), "c1", func(*APICheckUpdate) error { return nil }))
		}, 1},
		"a plan of the same object": {func(c *Client, u APICheckUpdate) error {
			return second(c.Checks.ApplyAPI(t.Context(), "c1", u))
		}, 2},
		"an update reads what it was made from, and one response": {func(c *Client, u APICheckUpdate) error {
			return second(c.Checks.UpdateAPI(t.Context(), "c1", u))
		}, 2},
		"the same with secrets": {func(c *Client, u APICheckUpdate) error {
			return second(MarshalWithSecrets(u))
		}, 1},
	} {
		client := testClient(t, testkit.NewRecorder(200, body))
		check, err := getCheckAs[APICheck](t.Context(), client.Checks, "c1", CheckGetOptions{}, nil)
		require.NoError(t, err)
		update := check.ToUpdate()
		require.NoError(t, change(&update))
		decodings = 0
		require.NoError(t, c.call(client, update), name)
		require.Equal(t, c.want, decodings, name)
	}
}

// An edit sends the body that it has compared. So a function that keeps its update changes nothing
// by it, and what the update says later is about its fields then.
func TestAnUpdateThatAFunctionKeepsIsStillItsOwn(t *testing.T) {
	sent := testkit.NewRecorder(200, `{"id":7,"name":"n","concurrency":3}`)
	client := testClient(t, sent)
	var keptOne *CheckGroupUpdate
	require.NoError(t, second(client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error {
		u.Name, keptOne = "new", u
		return nil
	})))
	keptOne.Name = "newer"
	require.Equal(t, []string{`name: "n" -> "newer"`}, []string{keptOne.Diff()[0].String()})
	require.JSONEq(t, `{"name":"new","concurrency":3}`, sent.Sent[1].Body)
}
