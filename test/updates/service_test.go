package updates_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// service has one group or browser check. Reads return it without the withheld values,
// and updates change it.
type service struct {
	doc      map[string]any
	withhold bool
	// replace says that an update replaces the whole object. Otherwise it changes only the
	// members that it has.
	replace bool
	node    *schema.Node     // of the body of an update
	spell   func(any) []byte // writes a response

	updates int
	body    string // of the last update
}

func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPut {
		data, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		s.updates, s.body = s.updates+1, string(data)
		body, err := object(data)
		if err != nil {
			return nil, err
		}
		s.apply(body)
	}
	return testkit.Respond(200, nil, string(s.view())), nil
}

func (s *service) apply(body map[string]any) {
	if s.replace {
		maps.DeleteFunc(s.doc, func(name string, _ any) bool { return s.node.Member(name) != nil })
	}
	for name, value := range body {
		member := s.node.Member(name)
		if value == nil && !s.replace && member != nil && member.Node.Kinds&schema.Array != 0 {
			continue // a null list is ignored
		}
		s.doc[name] = value
	}
}

// view returns the object as a read returns it.
func (s *service) view() []byte {
	shown := copyOf(s.doc)
	if s.withhold {
		eachSecret(shown, func(holder map[string]any, member string) { holder[member] = nil })
	}
	if s.spell != nil {
		return s.spell(shown)
	}
	return text(shown)
}

// eachSecret calls f for each secret that a service withholds, with the object that holds it.
func eachSecret(doc map[string]any, f func(holder map[string]any, member string)) {
	list := func(v any, flag string) {
		items, _ := v.([]any)
		for _, item := range items {
			if object, ok := item.(map[string]any); ok && object[flag] == true {
				f(object, "value")
			}
		}
	}
	list(doc["environmentVariables"], "secret")
	for _, name := range []string{"apiCheckDefaults", "request"} {
		part, _ := doc[name].(map[string]any)
		list(part["headers"], "locked")
		list(part["queryParameters"], "locked")
		if auth, ok := part["basicAuth"].(map[string]any); ok {
			f(auth, "password")
		}
	}
}

func (s *service) client(t *testing.T) *monitoring.Client {
	t.Helper()
	return kit.NewClient(t, kit.Base, kit.Key, &http.Client{Transport: s}, monitoring.WithMaxRetries(0), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
}

// expected returns the object that a server must have at the end, with equal numbers for all their
// spellings: without members that no update of a group sends and, if updates replace, without nulls
// that requests cannot have.
func (s *service) expected(doc map[string]any) (want map[string]any) {
	if err := json.Unmarshal(text(doc), &want); err != nil {
		panic(err)
	}
	if settings, ok := want["alertSettings"].(map[string]any); ok && s.node.Member("concurrency") != nil {
		delete(settings, "sslCertificates")
	}
	maps.DeleteFunc(want, func(name string, value any) bool {
		m := s.node.Member(name)
		return s.replace && value == nil && m != nil && !m.Node.Nullable()
	})
	return want
}

const withheldGroup = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b"],"description":"x",
	"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true},{"key":"PIN","secret":true}],
	"apiCheckDefaults":{"url":"https://shop.test","headers":[{"key":"X-Key","value":null,"locked":true}],"basicAuth":{"username":"u","password":null}}}`

func groupOf(t *testing.T, text string) (*monitoring.CheckGroup, *service, *monitoring.Client) {
	t.Helper()
	g := readGroup(t, text)
	s := &service{doc: kit.ParseJSON(t, text).(map[string]any), node: schema.Lookup("PUT /v2/check-groups/{id}").Body}
	return &g, s, s.client(t)
}

// sentBy requires that an update was sent, and returns its body.
func sentBy(t *testing.T, s *service, err error) string {
	t.Helper()
	require.NoError(t, err)
	return s.body
}

// refused requires that a request was not sent, and returns the broken rules.
func refused(t *testing.T, s *service, err error) []string {
	t.Helper()
	require.Zero(t, s.updates)
	return kit.BrokenRules(t, err)
}

// readGroup decodes a group.
func readGroup(t *testing.T, data string) monitoring.CheckGroup {
	var g monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(data), &g))
	return g
}

// bodyOf returns the body that an update would send, without a call.
func bodyOf(t *testing.T, update any) string {
	t.Helper()
	data, err := monitoring.MarshalWithSecrets(update)
	require.NoError(t, err)
	if body, _, planned := strings.Cut(string(data), `,"$update":`); planned { // it stands at the end
		return body + "}"
	}
	return string(data)
}
