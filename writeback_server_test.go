package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// writeBackServer has one group or browser check. Reads return it without the withheld values,
// and updates change it.
type writeBackServer struct {
	doc      map[string]any
	withhold bool
	// replace says that an update replaces the whole object. Otherwise it changes only the
	// members that it has.
	replace bool
	node    *schema.Node // of the body of an update

	updates int
	body    string // of the last update
}

func (s *writeBackServer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPut {
		data, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		s.updates, s.body = s.updates+1, string(data)
		s.apply(parse(data).(map[string]any))
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Request: req, Body: io.NopCloser(bytes.NewReader(s.view()))}, nil
}

func (s *writeBackServer) apply(body map[string]any) {
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
func (s *writeBackServer) view() []byte {
	if !s.withhold {
		return text(s.doc)
	}
	shown := copyOf(s.doc).(map[string]any)
	eachSecret(shown, func(holder map[string]any, member string) { holder[member] = nil })
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
	if defaults, ok := doc["apiCheckDefaults"].(map[string]any); ok {
		list(defaults["headers"], "locked")
		list(defaults["queryParameters"], "locked")
		if auth, ok := defaults["basicAuth"].(map[string]any); ok {
			f(auth, "password")
		}
	}
}

func (s *writeBackServer) client(t *testing.T) *Client {
	t.Helper()
	return makeClient(t, testBase, testKey, &http.Client{Transport: s}, WithMaxRetries(0), WithRateLimit(RateLimit{Requests: 1e6, Per: time.Second}))
}

func parse(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// copyOf returns a deep copy of a value that parse returned.
func copyOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = copyOf(member)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = copyOf(v[i])
		}
		return list
	case nil, string, bool, json.Number:
		return v
	}
	panic(fmt.Sprintf("a %T is not JSON", v))
}

// same returns a copy of a value, with equal numbers written in the same way.
func same(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = same(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = same(v[i])
		}
		return out
	case json.Number:
		if strings.Trim(v.String(), "0123456789") == "" { // a whole number
			return v.String() + "/1"
		}
		r, _ := new(big.Rat).SetString(v.String())
		return r.String()
	}
	return v
}

// documents makes random JSON objects from a description.
type documents struct {
	*rand.Rand
	extras, loose, nulls bool
	few                  bool // required members only

	read map[string]any // the document that is edited
}

func newDocuments(seed uint64) *documents {
	r := rand.New(rand.NewPCG(seed, 1))
	return &documents{r, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(6) == 0, nil}
}

func (d *documents) chance(percent int) bool { return d.IntN(100) < percent }

// document returns a random object that a read can return: the members of an update, and
// members that only responses have.
func (d *documents) document(node *schema.Node) map[string]any {
	doc := d.value(node, "").(map[string]any)
	doc["name"], doc["id"] = "Name "+d.word(), json.Number("7")
	if node.Member("concurrency") == nil {
		doc["id"], doc["checkType"] = uuid1, "BROWSER"
	}
	doc["created_at"], doc["projectBindings"] = "2026-07-14", map[string]any{"owner": nil}
	return doc
}

func (d *documents) word() string {
	words := []string{"a", "é", `"q"`, "<b>", "日本", "x\ty", "", "s3cret", "line\nline", "\u2028"}
	return words[d.IntN(len(words))] + fmt.Sprint(d.IntN(1000))
}

func (d *documents) value(n *schema.Node, name string) any {
	kinds := []schema.Kind{}
	for _, k := range []schema.Kind{schema.String, schema.Number, schema.Integer, schema.Boolean, schema.Array, schema.Object, schema.Null} {
		if n.Kinds&k != 0 {
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
			return uuid1
		}
		return d.word()
	case schema.Number, schema.Integer:
		number := fmt.Sprint(int(n.Limits.Range.Min) + d.IntN(5))
		if list := n.Limits.Numbers; list != nil {
			number = fmt.Sprint(int(list[d.IntN(len(list))]))
		}
		if d.loose && d.chance(30) {
			number += []string{".0", ".5", "e0"}[d.IntN(3)]
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
		return d.object(n)
	}
	return nil
}

func (d *documents) object(n *schema.Node) map[string]any {
	object := make(map[string]any)
	for _, m := range n.Members {
		switch {
		case !m.Required && (d.few || d.chance(25)):
		case d.nulls && d.chance(8) && m.Node.Kinds&schema.Null == 0 && !m.Node.Secret && m.Name != "name":
			object[m.Name] = nil // null, although the API document does not allow it
		default:
			object[m.Name] = d.value(m.Node, m.Name)
		}
	}
	if d.extras && d.chance(50) {
		object["future"+fmt.Sprint(d.IntN(9))] = []any{map[string]any{"deep": json.Number("1.50"), "none": nil}, d.word()}[d.IntN(2)]
	}
	return object
}

// expected returns the object that a server must have at the end: without members that no
// update of a group sends and, if updates replace, without nulls that requests cannot have.
func (s *writeBackServer) expected(doc map[string]any) any {
	doc = same(doc).(map[string]any)
	if settings, ok := doc["alertSettings"].(map[string]any); ok && s.node.Member("concurrency") != nil {
		delete(settings, "sslCertificates")
	}
	maps.DeleteFunc(doc, func(name string, value any) bool {
		m := s.node.Member(name)
		return s.replace && value == nil && m != nil && !m.Node.Nullable()
	})
	return doc
}

func groupServer(d *documents) *writeBackServer {
	node := schema.Lookup("PUT /v2/check-groups/{id}").Body
	return &writeBackServer{doc: d.document(node), node: node}
}

func browserServer(d *documents) *writeBackServer {
	node := schema.Lookup("PUT /v1/checks/browser/{id}").Body
	return &writeBackServer{doc: d.document(node), node: node}
}

// readGroup and readBrowser read from the server.
func (s *writeBackServer) readGroup(t *testing.T, c *Client) *CheckGroup {
	t.Helper()
	g, err := c.CheckGroups.Get(t.Context(), 7)
	if err != nil {
		require.NoError(t, err, string(s.view()))
	}
	return g
}

func (s *writeBackServer) readBrowser(t *testing.T, c *Client) *BrowserCheck {
	t.Helper()
	b, err := Do[BrowserCheck](t.Context(), c, "GET", "/v1/checks/browser/x", nil, nil)
	if err != nil {
		require.NoError(t, err, string(s.view()))
	}
	return b
}

func eachSeed(t *testing.T, n uint64, f func(t *testing.T, d *documents)) {
	t.Helper()
	for seed := range rounds(n) {
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { f(t, newDocuments(seed)) }) {
			return
		}
	}
}

// withheldMembers returns the members of a document in which a secret is withheld.
func (s *writeBackServer) withheldMembers() []string {
	if !s.withhold {
		return nil
	}
	var names []string
	for _, name := range []string{"environmentVariables", "apiCheckDefaults"} {
		eachSecret(map[string]any{name: s.doc[name]}, func(map[string]any, string) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		})
	}
	slices.Sort(names)
	return names
}

func TestAnUpdateWithoutEditsChangesNothingOnAnyServer(t *testing.T) {
	t.Parallel()
	eachSeed(t, 600, func(t *testing.T, d *documents) {
		for _, s := range []*writeBackServer{groupServer(d), browserServer(d)} {
			isGroup := s.node.Member("concurrency") != nil
			s.withhold = d.chance(50)
			s.replace = isGroup && len(s.withheldMembers()) == 0 && d.chance(50)
			before := copyOf(s.doc).(map[string]any)
			client := s.client(t)
			var left []string
			if isGroup {
				u := s.readGroup(t, client).ToUpdate()
				require.NoError(t, u.Validate(), "%v", s.doc)
				require.Empty(t, u.Diff())
				_, err := client.CheckGroups.Update(t.Context(), 7, u)
				require.NoError(t, err)
				left = u.Withheld()
			} else {
				u := s.readBrowser(t, client).ToUpdate()
				require.NoError(t, u.Validate(), "%v", s.doc)
				require.Empty(t, u.Diff())
				_, err := client.Checks.UpdateBrowser(t.Context(), uuid1, u)
				require.NoError(t, err)
				left = u.Withheld()
			}
			require.Equal(t, 1, s.updates)
			held := s.withheldMembers()
			slices.Sort(left[:min(len(held), len(left))])
			for _, name := range slices.Sorted(maps.Keys(before)) {
				if strings.HasPrefix(name, "future") {
					held = append(held, name)
				}
			}
			require.Equal(t, held, left, "the secrets, then the unknown members")
			require.Equal(t, s.expected(before), s.expected(s.doc), "sent %s", s.body)
			for name := range parse([]byte(s.body)).(map[string]any) {
				require.NotNil(t, s.node.Member(name), "%s is not a member of an update, but was sent", name)
				require.False(t, strings.HasPrefix(name, "future"))
				_, was := before[name]
				require.True(t, was, "%s was absent, but was sent", name)
			}
		}
	})
}
