package updates

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

func TestAnObjectDiffersFromACreateOnlyInWhatWasSent(t *testing.T) {
	check, group := schema.Lookup("POST /v1/checks/api").Body, schema.Lookup("POST /v2/check-groups").Body
	for name, c := range map[string]struct {
		node              *schema.Node
		sent, object, has string
	}{
		"what was not sent says nothing":              {check, `{"name":"a"}`, `{"name":"a","muted":true,"request":{"url":"u"}}`, ""},
		"what the object lacks says nothing":          {check, `{"name":"a","muted":true,"request":{"url":"u","method":"GET"}}`, `{"name":"a","request":{"url":"u"}}`, ""},
		"another value":                               {check, `{"name":"a","muted":true}`, `{"name":"a","muted":false}`, "muted"},
		"another value inside":                        {check, `{"request":{"url":"u"}}`, `{"request":{"url":"v"}}`, "request.url"},
		"another type":                                {check, `{"request":{"url":"u"}}`, `{"request":null}`, "request"},
		"a number in another spelling":                {check, `{"frequency":5}`, `{"frequency":5.0}`, ""},
		"null and another value":                      {check, `{"groupId":null}`, `{"groupId":7}`, "groupId"},
		"null and nothing":                            {check, `{"groupId":null}`, `{}`, ""},
		"a set in another order":                      {check, `{"tags":["a","b","a"]}`, `{"tags":["b","a"]}`, ""},
		"a set with one more":                         {check, `{"tags":["a"]}`, `{"tags":["b","a"]}`, "tags"},
		"a list with one more":                        {check, `{"request":{"headers":[]}}`, `{"request":{"headers":[{"key":"K","value":"v"}]}}`, "request.headers"},
		"a list with one less":                        {check, `{"request":{"headers":[{"key":"K","value":"v"}]}}`, `{"request":{"headers":[]}}`, "request.headers[0]"},
		"a list in another order":                     {check, `{"request":{"headers":[{"key":"K"},{"key":"L"}]}}`, `{"request":{"headers":[{"key":"L"},{"key":"K"}]}}`, "request.headers[0].key"},
		"an item with a default that the service has": {check, `{"request":{"headers":[{"key":"K"}]}}`, `{"request":{"headers":[{"key":"K","locked":false,"id":1}]}}`, ""},
		"a withheld secret":                           {group, `{"environmentVariables":[{"key":"K","value":"v","secret":true}]}`, `{"environmentVariables":[{"key":"K","value":null,"secret":true}]}`, ""},
		"a withheld secret that is empty":             {group, `{"environmentVariables":[{"key":"K","value":"v","secret":true}]}`, `{"environmentVariables":[{"key":"K","value":"","secret":true}]}`, ""},
		"another secret that is shown":                {group, `{"environmentVariables":[{"key":"K","value":"v"}]}`, `{"environmentVariables":[{"key":"K","value":"w"}]}`, "environmentVariables[0].value"},
		"a subscription that the service added":       {group, `{"alertChannelSubscriptions":[{"alertChannelId":2,"activated":true}]}`, `{"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true},{"alertChannelId":2,"activated":true}]}`, ""},
		"another subscription":                        {group, `{"alertChannelSubscriptions":[{"alertChannelId":2,"activated":true}]}`, `{"alertChannelSubscriptions":[{"alertChannelId":2,"activated":false}]}`, "alertChannelSubscriptions[0].activated"},
		"a subscription that is not there":            {group, `{"alertChannelSubscriptions":[{"alertChannelId":2,"activated":true}]}`, `{"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true}]}`, "alertChannelSubscriptions[0]"},
		"a member that nothing describes":             {check, `{"new":{"a":1}}`, `{"new":{"a":2}}`, "new.a"},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := Differs(t.Context(), c.node, []byte(c.sent), []byte(c.object))
			require.NoError(t, err)
			require.Equal(t, c.has, at)
		})
	}
}
