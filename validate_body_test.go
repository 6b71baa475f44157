package monitoring

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readGroup decodes a group.
func readGroup(t *testing.T, data string) CheckGroup {
	var g CheckGroup
	require.NoError(t, json.Unmarshal([]byte(data), &g))
	return g
}

func TestABodyThatCannotBeEncodedIsNotValid(t *testing.T) {
	err := CheckUpdate{Request: make(chan int)}.Validate()
	require.EqualError(t, err, "monitoring: PUT /v1/checks/{id}: encode the body: json: unsupported type: chan int")
}

func TestANilRequestOfACheckIsNotValidated(t *testing.T) {
	require.NotPanics(t, func() { _ = CheckUpdate{Request: (*TCPRequest)(nil)}.Validate() })
	require.Error(t, CheckUpdate{Request: &TCPRequest{}}.Validate())
}

func TestMaxWaitSecondsIs1To30(t *testing.T) {
	for seconds, want := range map[int]int{-1: 1, 0: 1, 1: 0, 30: 0, 31: 1} {
		v := &violations{}
		CompletionOptions{MaxWaitSeconds: seconds}.validate(v)
		require.Len(t, v.list, want, seconds)
	}
}

func TestAMemberThatCannotBeUnsetCanBeSetByWithBodyMember(t *testing.T) {
	g := readGroup(t, `{"id":1,"name":"n","muted":true}`)
	u := g.ToUpdate()
	u.Muted = nil
	for name, c := range map[string]struct {
		opts []CallOption
		sent bool
	}{
		"alone":           {nil, false},
		"with the member": {[]CallOption{WithBodyMember("muted", false)}, true},
		"with another":    {[]CallOption{WithBodyMember("mutedToo", false)}, false},
		"with two":        {[]CallOption{WithBodyMember("x", 1), WithBodyMember("muted", nil)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			sent := false
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				sent = true
				return respondWith(200, nil, `{"id":1,"name":"n"}`), nil
			}))
			_, err := client.CheckGroups.Update(t.Context(), 1, u, c.opts...)
			require.Equal(t, c.sent, sent)
			if !c.sent {
				require.ErrorContains(t, err, "muted: cannot be unset")
			}
		})
	}
}

func TestNoMemberWithAWithheldSecretIsOverwritten(t *testing.T) {
	const variables, headers, parameters, basic = `"environmentVariables":[{"key":"K","value":null}]`, `"headers":[{"key":"H","value":null}]`, `"queryParameters":[{"key":"Q","value":null}]`, `"basicAuth":{"username":"u","password":null}`
	for name, c := range map[string]struct {
		read   string
		change func(*CheckGroupUpdate, Secret)
		unset  func(*CheckGroupUpdate)
		clear  func(*CheckGroupUpdate)
	}{
		"environmentVariables": {variables, func(u *CheckGroupUpdate, s Secret) {
			u.EnvironmentVariables = []EnvironmentVariable{{Key: "K", Value: s}}
		},
			func(u *CheckGroupUpdate) { u.EnvironmentVariables = nil },
			func(u *CheckGroupUpdate) { u.EnvironmentVariables = []EnvironmentVariable{} }},
		"apiCheckDefaults.headers": {`"apiCheckDefaults":{` + headers + `}`, func(u *CheckGroupUpdate, s Secret) {
			u.APICheckDefaults = &APICheckDefaults{Headers: []KeyValue{{Key: "H", Value: s}}}
		},
			func(u *CheckGroupUpdate) { u.APICheckDefaults = nil },
			func(u *CheckGroupUpdate) { u.APICheckDefaults = &APICheckDefaults{Headers: []KeyValue{}} }},
		"apiCheckDefaults.queryParameters": {`"apiCheckDefaults":{` + parameters + `}`, func(u *CheckGroupUpdate, s Secret) {
			u.APICheckDefaults = &APICheckDefaults{QueryParameters: []KeyValue{{Key: "Q", Value: s}}}
		},
			func(u *CheckGroupUpdate) { u.APICheckDefaults = nil },
			func(u *CheckGroupUpdate) { u.APICheckDefaults = &APICheckDefaults{QueryParameters: []KeyValue{}} }},
		"apiCheckDefaults.basicAuth": {`"apiCheckDefaults":{` + basic + `}`, func(u *CheckGroupUpdate, s Secret) {
			u.APICheckDefaults = &APICheckDefaults{BasicAuth: Value(BasicAuth{Username: "u", Password: s})}
		},
			func(u *CheckGroupUpdate) { u.APICheckDefaults.BasicAuth = Nullable[BasicAuth]{} },
			func(u *CheckGroupUpdate) { u.APICheckDefaults = &APICheckDefaults{BasicAuth: Null[BasicAuth]()} }},
	} {
		t.Run(name, func(t *testing.T) {
			g := readGroup(t, `{"id":1,"name":"n",`+c.read+`}`)
			u := g.ToUpdate()
			require.NoError(t, u.Validate())
			c.change(&u, NewSecret("new"))
			require.NoError(t, u.Validate())
			require.Empty(t, u.Withheld())
			c.change(&u, Secret{})
			require.NoError(t, u.Validate(), "nothing is changed any more")
			require.Equal(t, []string{strings.Split(name, ".")[0]}, u.Withheld())
			c.unset(&u)
			require.ErrorContains(t, u.Validate(), name+": would overwrite")
			c.clear(&u)
			require.NoError(t, u.Validate(), "the whole list or object is removed on purpose")
		})
	}
}
