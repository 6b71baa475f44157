package updates_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
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
		maps.DeleteFunc(s.doc, func(name string, _ any) bool {
			return s.node.Member(name) != nil && name != "checkType" && name != "subscriptions"
		})
	}
	for name, value := range body {
		member := s.node.Member(name)
		if made, ok := value.(map[string]any); ok && name == "heartbeat" { // the service makes the rest
			made["pingUrl"] = "https://ping.test/" + fmt.Sprint(made["pingToken"])
		}
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
	if heartbeat, ok := doc["heartbeat"].(map[string]any); ok {
		f(heartbeat, "pingToken")
	}
	for _, name := range []string{"apiCheckDefaults", "request", "config"} {
		part, _ := doc[name].(map[string]any)
		list(part["headers"], "locked")
		list(part["queryParameters"], "locked")
		if auth, ok := part["basicAuth"].(map[string]any); ok {
			f(auth, "password")
		}
	}
	if config, ok := doc["config"].(map[string]any); ok && config["apiKey"] != nil {
		f(doc, "config") // as a whole
	} else if ok && config["url"] != nil {
		f(config, "url")
	}
}

func (s *service) client(t *testing.T) *monitoring.Client {
	t.Helper()
	return kit.NewClient(t, kit.Base, kit.Key, &http.Client{Transport: s}, monitoring.WithMaxRetries(0), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
}

// expected returns the object that a server must have at the end, with equal numbers for all their
// spellings: without members that no update of a group or a heartbeat sends and, if updates
// replace, without nulls that requests cannot have.
func (s *service) expected(doc map[string]any) (want map[string]any) {
	if err := json.Unmarshal(text(doc), &want); err != nil {
		panic(err)
	}
	if settings, ok := want["alertSettings"].(map[string]any); ok && s.node.Member("concurrency") != nil {
		delete(settings, "sslCertificates")
	}
	if heartbeat, ok := want["heartbeat"].(map[string]any); ok {
		delete(heartbeat, "pingUrl")
	}
	for name, value := range want {
		if m := s.node.Member(name); m != nil {
			want[name] = meaning(m.Node, value)
		}
	}
	maps.DeleteFunc(want, func(name string, value any) bool {
		m := s.node.Member(name)
		return s.replace && value == nil && m != nil && !m.Node.Nullable()
	})
	return want
}

// meaning returns a value with one form for all that means the same: without defaults inside of it,
// and with sets in one order.
func meaning(n *schema.Node, value any) any {
	switch v := value.(type) {
	case map[string]any:
		if isSubscriber(n) {
			delete(v, "id") // which the service makes
		}
		for name, inside := range v {
			m := n.Member(name)
			if m == nil {
				continue
			}
			v[name] = meaning(m.Node, inside)
			list, isList := v[name].([]any)
			object, isObject := v[name].(map[string]any)
			written := string(text(v[name]))
			if written == m.Node.Default || written == m.Node.FilledIn || isList && len(list) == 0 || isObject && len(object) == 0 ||
				v[name] == nil && m.Node.Nullable() && !m.Node.Secret {
				delete(v, name)
			}
		}
	case string:
		switch {
		case n == nil:
		case n.Set: // that of an older service, with one item
			return []any{value}
		case n.Limits.Format == schema.Date:
			return isoTime(v).UTC().Format(time.DateOnly)
		case n.Service.Format == schema.Date:
			return isoTime(v).UTC().Format(time.RFC3339Nano)
		}
	case []any:
		for i := range v {
			v[i] = meaning(n.Items, v[i])
		}
		compare := func(a, b any) int { return bytes.Compare(text(a), text(b)) }
		if n.Set || isSubscriber(n.Items) {
			slices.SortFunc(v, compare)
		}
		if n.Set {
			return slices.CompactFunc(v, func(a, b any) bool { return compare(a, b) == 0 })
		}
	}
	return value
}

// isSubscriber describes a subscription of a channel. A list of them has no order.
func isSubscriber(n *schema.Node) bool { return n != nil && n.Name == "channelSubscriber" }

// isoTime reads a day, or a time.
func isoTime(text string) (t monitoring.Timestamp) {
	if err := t.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return t
}

const withheldGroup = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b"],"description":"x",
	"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true},{"key":"PIN","secret":true}],
	"apiCheckDefaults":{"url":"https://shop.test","headers":[{"key":"X-Key","value":null,"locked":true}],"basicAuth":{"username":"u","password":null}}}`

func groupOf(t *testing.T, text string) (*monitoring.CheckGroup, *service, *monitoring.Client) {
	t.Helper()
	g := readGroup(t, text)
	s := &service{doc: kit.ParseJSON(t, text).(map[string]any), node: schema.Lookup("PUT /v2/check-groups/{id}").Body}
	return g, s, s.client(t)
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

// readGroup returns a group as a client returns it.
func readGroup(t *testing.T, data string) *monitoring.CheckGroup {
	t.Helper()
	return kit.Returned[monitoring.CheckGroup](data)
}

// bodyOf returns the body that an update would send, without a call.
func bodyOf(t *testing.T, group *monitoring.CheckGroup) string {
	t.Helper()
	client, sent := kit.Recorded(t, 200, fmt.Sprintf(`{"id":%d}`, group.ID))
	_, _ = client.CheckGroups.Update(t.Context(), group, monitoring.WithBodyField("last", true)) // so that it is sent also if nothing has changed
	require.Len(t, sent.Sent, 1)
	return strings.Replace(sent.Sent[0].Body, `,"last":true`, "", 1)
}

// sentFor returns the body that an update of a check sends; it is empty if it sends nothing.
func sentFor(t *testing.T, check *monitoring.Check) string {
	t.Helper()
	client, sent := kit.Recorded(t, 400, `{}`)
	err := kit.Second(client.Checks.Update(t.Context(), check))
	if len(sent.Sent) == 0 {
		require.NoError(t, err)
		return ""
	}
	return sent.Sent[0].Body
}

func TestMain(m *testing.M) { testkit.Main(m) }

func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// object parses a JSON object. Its numbers keep their spelling.
func object(data []byte) (parsed map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&parsed)
	return parsed, err
}

// copyOf returns a deep copy of an object.
func copyOf(doc map[string]any) map[string]any {
	copied, err := object(text(doc))
	if err != nil {
		panic(err)
	}
	return copied
}

// documents makes random JSON objects from a description.
type documents struct {
	*rand.Rand
	extras, loose, nulls bool
	few                  bool // required members only
	kind
}

func newDocuments(seed uint64, k kind) *documents {
	r := rand.New(rand.NewPCG(seed, 1))
	return &documents{r, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(6) == 0, k}
}

// other makes other documents of the same type.
func (d *documents) other() *documents { return newDocuments(d.Uint64(), d.kind) }

func (d *documents) chance(percent int) bool { return d.IntN(100) < percent }

// document returns a random object that a read can return: the members of an update, and
// members that only responses have.
func (d *documents) document(node *schema.Node) map[string]any {
	doc := d.value(node, "").(map[string]any)
	if doc["id"] = json.Number("7"); d.service != "AlertChannels" {
		doc["name"] = "Name " + d.word()
	}
	if idOf(d.kind.object).Kind() == reflect.String {
		doc["id"] = kit.UUID1
	}
	if d.checkType != "" {
		doc["checkType"] = d.checkType
		if request, ok := doc["request"].(map[string]any); ok && d.checkType == "TCP" { // other names of hostname and data
			delete(request, "url")
			delete(request, "body")
		}
	}
	doc["created_at"] = "2026-07-14"
	if _, has := kit.WireFields(d.kind.object, "json")["projectBindings"]; has {
		doc["projectBindings"] = map[string]any{"owner": nil}
	}
	return doc
}

func (d *documents) word() string {
	words := []string{"a", "é", `"q"`, "<b>", "日本", "x\ty", "", "s3cret", "line\nline", "\u2028"}
	return words[d.IntN(len(words))] + fmt.Sprint(d.IntN(1000))
}

func (d *documents) value(n *schema.Node, name string) any {
	kinds := []schema.Kind{}
	for _, k := range []schema.Kind{schema.String, schema.Number, schema.Integer, schema.Boolean, schema.Array, schema.Object, schema.Null} {
		if n.Kinds&k != 0 && (k != schema.Null || !n.Secret) { // a value that is null is withheld
			kinds = append(kinds, k)
		}
	}
	switch kinds[d.IntN(len(kinds))] {
	case schema.String:
		if name == "target" && d.loose && d.chance(50) {
			return []any{json.Number("200"), json.Number("1.25"), true}[d.IntN(3)]
		}
		switch l := n.Limits; {
		case l.Enum != nil:
			return l.Enum[d.IntN(len(l.Enum))]
		case l.Format == schema.UUID:
			return kit.UUID1
		case l.Format == schema.Date || n.Service.Format == schema.Date:
			return d.moment()
		}
		return d.word()
	case schema.Number, schema.Integer:
		least := int(n.Limits.Range.Min)
		if name == "period" { // 0 of it is none
			least = 1
		}
		number := fmt.Sprint(least + d.IntN(5))
		if list := n.Limits.Numbers; list != nil {
			number = fmt.Sprint(int(list[d.IntN(len(list))]))
		}
		if d.loose && d.chance(30) {
			number += []string{".0", "e0"}[d.IntN(2)]
		}
		return json.Number(number)
	case schema.Boolean:
		return d.chance(50)
	case schema.Array:
		list := make([]any, 0)
		for range d.IntN(4) {
			list = append(list, d.value(n.Items, ""))
		}
		return list
	case schema.Object:
		if name == "config" {
			return d.config()
		}
		return d.object(n)
	}
	return nil
}

// moment returns a day, or a time in one of the forms of services.
func (d *documents) moment() string {
	day := fmt.Sprintf("2026-08-%02d", 1+d.IntN(3))
	return day + []string{"", "T08:00:00.000Z", "T08:00:00Z", "T10:00:00+02:00", "T23:30:00.5Z"}[d.IntN(5)]
}

// config returns what a channel needs, whatever its type is.
func (d *documents) config() map[string]any {
	config := map[string]any{"name": d.word()}
	for _, name := range []string{"url", "apiKey", "number"} {
		if d.chance(50) {
			config[name] = d.word()
		}
	}
	if d.chance(50) {
		config["headers"] = []any{map[string]any{"key": d.word(), "value": d.word(), "locked": true}, map[string]any{"key": "k", "value": ""}}
	}
	if d.chance(30) {
		config["webhookSecret"] = d.word()
	}
	if d.extras {
		config["future"] = []any{map[string]any{"deep": json.Number("1.50"), "none": nil}, d.word()}[d.IntN(2)]
	}
	return config
}

func (d *documents) object(n *schema.Node) map[string]any {
	object := make(map[string]any)
	for _, m := range n.Members {
		switch {
		case m.Node.TakesNothing():
			if m.Name == "privateLocations" {
				object[m.Name] = []any{d.word()}
			} else if m.Name == "pingUrl" {
				object[m.Name] = "https://ping.test/" + d.word()
			}
		case !m.Required && m.Name != "pingToken" && (d.few || d.chance(25)):
		case d.nulls && d.chance(8) && m.Node.Kinds&schema.Null == 0 && !m.Node.Secret && m.Name != "name":
			object[m.Name] = nil // null, although the API document does not allow it
		default:
			object[m.Name] = d.value(m.Node, m.Name)
		}
	}
	if d.extras && !n.Closed && !isSubscriber(n) && d.chance(50) { // what a closed object does not have is not written back
		object["future"+fmt.Sprint(d.IntN(9))] = []any{map[string]any{"deep": json.Number("1.50"), "none": nil}, d.word()}[d.IntN(2)]
	}
	if isSubscriber(n) { // of a check, or of a group
		object["activated"] = d.chance(50)
		object["checkId"], object["groupId"] = []any{nil, kit.UUID1}[d.IntN(2)], nil
		if object["checkId"] == nil {
			object["groupId"] = json.Number(fmt.Sprint(1 + d.IntN(5)))
		}
	}
	return object
}

// spell writes a value in one of its spellings.
func (d *documents) spell(v any) []byte {
	space := func() string { return strings.Repeat([]string{" ", "\n", "\t"}[d.IntN(3)], max(0, d.IntN(8)-6)) }
	join := func(open, end string, parts []string) []byte {
		return []byte(space() + open + strings.Join(parts, ",") + space() + end)
	}
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		names := slices.Sorted(maps.Keys(v))
		for _, i := range d.Perm(len(names)) {
			parts = append(parts, space()+string(d.spellText(names[i]))+space()+":"+space()+string(d.spell(v[names[i]])))
		}
		return join("{", "}", parts)
	case []any:
		var parts []string
		for _, value := range v {
			parts = append(parts, string(d.spell(value))+space())
		}
		return join("[", "]", parts)
	case string:
		return d.spellText(v)
	case json.Number:
		if strings.Trim(v.String(), "0123456789") == "" && v[0] != '0' && d.chance(30) {
			return []byte(v.String() + []string{".0", "e0", ".00E+0", "0e-1"}[d.IntN(4)])
		}
	}
	return text(v)
}

func (d *documents) spellText(v string) []byte {
	out := []byte{'"'}
	for _, r := range v {
		switch {
		case r < 0x10000 && d.chance(5), r < ' ', r == '"', r == '\\':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, string(r)...)
		}
	}
	return append(out, '"')
}
