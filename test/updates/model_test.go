package updates_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// kind is a type of object, or a kind of checks. The methods of its service are called by their
// names.
type kind struct {
	operation, checkType string
	object               reflect.Type
	service              string // of the client
}

var kinds = append([]kind{
	{"PUT /v2/check-groups/{id}", "", reflect.TypeFor[monitoring.CheckGroup](), "CheckGroups"},
	{"PUT /v1/private-locations/{id}", "", reflect.TypeFor[monitoring.PrivateLocation](), "PrivateLocations"},
	{"PUT /v1/snippets/{id}", "", reflect.TypeFor[monitoring.Snippet](), "Snippets"},
	{"PUT /v1/maintenance-windows/{id}", "", reflect.TypeFor[monitoring.MaintenanceWindow](), "MaintenanceWindows"},
	{"PUT /v1/alert-channels/{id}", "", reflect.TypeFor[monitoring.AlertChannel](), "AlertChannels"},
}, kindsWithAnUpdate()...)

// kindsWithAnUpdate are the kinds of checks that have an update of their own.
func kindsWithAnUpdate() (list []kind) {
	for _, o := range operations.All() {
		if o.Name != "PUT /v1/checks/{id}" && strings.HasPrefix(o.Name, "PUT /v1/checks/") {
			types := schema.Lookup(o.Name).Body.Member("checkType").Node.Service.Enum
			list = append(list, kind{o.Name, types[0], reflect.TypeFor[monitoring.Check](), "Checks"})
		}
	}
	return list
}

// name returns the type of the object, and the kind of a check.
func (k kind) name() string { return strings.TrimSpace(k.checkType + " " + k.object.Name()) }

// creates returns the operation that creates such an object, and creation the type of what it
// takes.
func (k kind) creates() string {
	return strings.Replace(strings.TrimSuffix(k.operation, "/{id}"), "PUT", "POST", 1)
}

func (k kind) creation() reflect.Type {
	service, _ := k.on(new(monitoring.Client), "")
	wish := service.MethodByName("Create").Type().In(1)
	if wish.Kind() == reflect.Pointer {
		wish = wish.Elem()
	}
	return wish
}

// wish reads what is created from the body of a create.
func (k kind) wish(t *testing.T, body []byte) reflect.Value {
	t.Helper()
	wish := reflect.New(k.creation())
	if k.checkType != "" {
		body = rawjson.With(body, "checkType", text(k.checkType))
	}
	require.NoError(t, json.Unmarshal(body, wish.Interface()))
	return wish
}

// create creates what a wish points to, and returns a pointer to what has become of it.
func (k kind) create(t *testing.T, c *monitoring.Client, wish reflect.Value, opts ...monitoring.CallOption) (reflect.Value, error) {
	service, _ := k.on(c, "")
	create := service.MethodByName("Create")
	if create.Type().In(1).Kind() != reflect.Pointer {
		wish = wish.Elem()
	}
	out := create.CallSlice([]reflect.Value{reflect.ValueOf(t.Context()), wish, reflect.ValueOf(opts)})
	err, _ := out[1].Interface().(error)
	return out[0], err
}

// again returns a pointer to what creates an object once more.
func (k kind) again(object reflect.Value) reflect.Value {
	if k.isOneType() {
		return object.MethodByName("Template").Call(nil)[0]
	}
	create := reflect.New(k.creation())
	create.Elem().Set(object.MethodByName("ToCreate").Call(nil)[0])
	return create
}

// idOf returns the type of the id of an object.
func idOf(object reflect.Type) reflect.Type {
	f, _ := object.FieldByName("ID")
	return f.Type
}

func kindsOfChecks() []kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return k.checkType == "" })
}

func kindsOfChecksAndGroups() []kind { return append(kindsOfChecks(), kinds[0]) }

// on returns the service of the objects of a client, and the id of the one that is read and
// changed.
func (k kind) on(c *monitoring.Client, id string) (service, of reflect.Value) {
	service, of = reflect.ValueOf(c).Elem().FieldByName(k.service), reflect.ValueOf(id)
	if idOf(k.object).Kind() == reflect.Int64 {
		of = reflect.ValueOf(int64(7))
	}
	return service, of
}

// idText returns the id of the object as JSON.
func (k kind) idText() string {
	if idOf(k.object).Kind() == reflect.Int64 {
		return "7"
	}
	return `"` + kit.UUID1 + `"`
}

// call calls Update or Edit of a kind, without validation.
func (k kind) call(t *testing.T, c *monitoring.Client, name, id string, arg reflect.Value, opts ...monitoring.CallOption) error {
	service, of := k.on(c, id)
	in := []reflect.Value{reflect.ValueOf(t.Context()), of, arg, reflect.ValueOf(append(opts, monitoring.WithoutValidation()))}
	if k.isOneType() && name == "Update" {
		in = slices.Delete(in, 1, 2)
		in[1] = in[1].Addr()
	}
	err, _ := service.MethodByName(name).CallSlice(in)[1].Interface().(error)
	return err
}

func (k kind) edit(t *testing.T, c *monitoring.Client, id string, change func(update) error) error {
	u := reflect.TypeOf(updateOf(reflect.New(k.object).Interface()))
	return k.call(t, c, "Edit", id, reflect.MakeFunc(reflect.FuncOf([]reflect.Type{u}, []reflect.Type{reflect.TypeFor[error]()}, false), func(in []reflect.Value) []reflect.Value {
		err := change(in[0].Interface().(update))
		return []reflect.Value{reflect.ValueOf(&err).Elem()}
	}))
}

// isOneType reports whether the object is created and changed itself.
func (k kind) isOneType() bool {
	_, ok := reflect.PointerTo(k.object).MethodByName("Omitted")
	return ok
}

// read returns a pointer to the object that JSON shows, as a client returns it.
func (k kind) read(t *testing.T, data []byte) any {
	if k.isOneType() {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(200, nil, string(data)), nil
		}))
		service, id := reflect.ValueOf(client.Checks), reflect.ValueOf(kit.UUID1)
		if k.service != "" {
			service = reflect.ValueOf(client).Elem().FieldByName(k.service)
		}
		if idOf(k.object).Kind() == reflect.Int64 {
			number := int64(7)
			_ = json.Unmarshal(rawjson.Find(data, "id"), &number)
			id = reflect.ValueOf(number)
		}
		out := service.MethodByName("Get").Call([]reflect.Value{reflect.ValueOf(t.Context()), id})
		require.Nil(t, out[1].Interface(), string(data))
		return out[0].Interface()
	}
	object := reflect.New(k.object).Interface()
	require.NoError(t, json.Unmarshal(data, object), string(data))
	return object
}

type update interface {
	Diff() []monitoring.Change
	Validate() error
}

// leftOut returns what an update leaves out.
func leftOut(u update) []string {
	if one, ok := u.(monitoring.Object); ok {
		return one.Omitted()
	}
	return u.(interface{ Withheld() []string }).Withheld()
}

// updateOf returns the update of an object, and diffFrom the changes that an update makes to one.
func updateOf(object any) update {
	if _, ok := object.(monitoring.Object); ok {
		return reflect.ValueOf(object).MethodByName("Clone").Call(nil)[0].Interface().(update)
	}
	u := reflect.ValueOf(object).MethodByName("ToUpdate").Call(nil)[0]
	pointer := reflect.New(u.Type())
	pointer.Elem().Set(u)
	return pointer.Interface().(update)
}

func diffFrom(u update, object any) []monitoring.Change {
	return reflect.ValueOf(u).MethodByName("DiffFrom").Call([]reflect.Value{reflect.ValueOf(object)})[0].Interface().([]monitoring.Change)
}

// again writes a value with its secrets, and reads it as another process would.
func again[T any](t *testing.T, v T, write func(any) ([]byte, error)) T {
	data, err := write(v)
	require.NoError(t, err)
	read := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	require.NoError(t, json.Unmarshal(data, read), string(data))
	return read.(T)
}

// plan writes an update with what it was made from.
func plan(u any) ([]byte, error) {
	if one, ok := u.(monitoring.Object); ok {
		return monitoring.MarshalPlan(one)
	}
	return monitoring.MarshalWithSecrets(u)
}

// field returns the field of an update for a member of its body. In a check it may stand in the
// field of the kind, or be that.
func field(u update, member string) reflect.Value {
	v := reflect.ValueOf(u).Elem()
	if f := fieldIn(v, member); f.IsValid() {
		return f
	}
	if check, ok := u.(*monitoring.Check); ok {
		kind := kindIn(check)
		if member == "request" || member == "heartbeat" {
			return kind
		}
		return fieldIn(kind.Elem(), member)
	}
	return reflect.Value{}
}

func fieldIn(v reflect.Value, member string) reflect.Value {
	for _, f := range jsontype.Fields(v.Type()) {
		if f.Name == member {
			return v.FieldByIndex(f.Index)
		}
	}
	return reflect.Value{}
}

// kindIn returns the field of a check that has what only its kind has.
func kindIn(c *monitoring.Check) reflect.Value {
	for f, v := range reflect.ValueOf(c).Elem().Fields() {
		if f.Tag.Get("json") == "-" && v.Kind() == reflect.Pointer && !v.IsNil() {
			return v
		}
	}
	return reflect.Value{}
}

// mix gives an update members of another one, and a document the same members of the other
// document. Of two lists it takes random items of both, in random order.
func mix(d *documents, u, other update, doc, from map[string]any, node *schema.Node) (mixed []string) {
	for _, m := range node.Members {
		value := from[m.Name]
		if value == nil || m.Node.TakesNothing() || m.Name == "checkType" || !d.chance(25) {
			continue
		}
		to, with := field(u, m.Name), field(other, m.Name)
		if !to.IsValid() {
			continue
		}
		mixed = append(mixed, m.Name)
		had, isList := doc[m.Name].([]any)
		items, _ := value.([]any)
		if !isList || to.Len() != len(had) || with.Len() != len(items) {
			to.Set(with)
			doc[m.Name] = value
			continue
		}
		list, all := reflect.MakeSlice(to.Type(), 0, 8), []any{}
		order := d.Perm(len(had) + len(items))
		for _, i := range order[:d.IntN(len(order)+1)] {
			if i < len(had) {
				list, all = reflect.Append(list, to.Index(i)), append(all, had[i])
			} else {
				list, all = reflect.Append(list, with.Index(i-len(had))), append(all, items[i-len(had)])
			}
		}
		to.Set(list)
		doc[m.Name] = all
	}
	return mixed
}

// What a service must have after an update does not depend on the spelling of its JSON.
func onlyEditedMembersChange(t *testing.T, d *documents, k kind, s *service) {
	s.replace = (k.checkType == "" && k.service != "MaintenanceWindows" || k.checkType == "DNS") && d.chance(50)
	first, client := copyOf(s.doc), s.client(t)
	u := updateOf(k.read(t, s.view()))
	require.NoError(t, u.Validate(), "%v", s.doc)
	require.Empty(t, u.Diff())
	require.Empty(t, diffFrom(u, k.read(t, s.view())), "another spelling is no change")

	next, want := d.other(), copyOf(first)
	next.loose, next.nulls, next.extras = false, false, false // what is unknown does not move to another object
	from := next.document(s.node)
	mixed := mix(d, u, updateOf(k.read(t, d.spell(from))), want, from, s.node)
	planned := again(t, u, plan)
	require.ElementsMatch(t, linesOf(u.Diff()), linesOf(planned.Diff()))
	require.NoError(t, k.call(t, client, "Update", kit.UUID1, reflect.ValueOf([]update{u, planned}[d.IntN(2)]).Elem()))
	got := copyOf(s.doc)
	for _, name := range mixed { // what stood there before has left what is unknown of it
		n, of := s.node.Member(name).Node, field(u, name).Type()
		want[name], got[name] = known(n, of, want[name]), known(n, of, got[name])
	}
	require.Equal(t, s.expected(want), s.expected(got), "%q sent %s", mixed, s.body)
	if s.body == "" { // nothing was changed
		require.True(t, k.isOneType())
		return
	}
	for name := range kit.ParseJSON(t, s.body).(map[string]any) {
		_, was := first[name]
		m := s.node.Member(name)
		require.True(t, m != nil && !m.Node.TakesNothing() && (was || slices.Contains(mixed, name)), "%s was sent", name)
	}
}

// known returns a value as a field of a type has it: without members that nothing describes, and
// with one form for null, for nothing and for a zero, if the field cannot tell them apart: an item
// or an object that equals what was read takes its text, whatever that is.
func known(n *schema.Node, t reflect.Type, value any) any {
	if get, isNullable := t.MethodByName("Get"); isNullable {
		t = get.Type.Out(0)
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Free {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(name string, _ any) bool { return n.Member(name) == nil })
		for _, f := range jsontype.Fields(t) {
			m := n.Member(f.Name)
			inside := v[f.Name]
			switch kind := f.Type.Kind(); {
			case m == nil || inside == nil && kind == reflect.Struct: // it is Nullable, or a Secret
			case inside != nil:
				v[f.Name] = known(m.Node, f.Type, inside)
			case kind == reflect.Pointer || kind == reflect.Slice || f.OmitZero || f.OmitEmpty:
				delete(v, f.Name)
			default:
				v[f.Name] = reflect.Zero(f.Type).Interface()
			}
		}
	case []any:
		for i := range v {
			v[i] = known(n.Items, t.Elem(), v[i])
		}
	}
	return value
}

// A secret that the service withholds is still there, or has a new value, or the whole list was
// emptied, or nothing was sent.
func noWithheldSecretIsLost(t *testing.T, d *documents, k kind, s *service) {
	s.withhold = true
	before := copyOf(s.doc)
	u := updateOf(k.read(t, s.view()))
	var left []string // unknown, or with a withheld secret
	for name, value := range before {
		holds := strings.HasPrefix(name, "future")
		eachSecret(map[string]any{name: value}, func(_ map[string]any, secret string) {
			holds = holds || name != "config" || secret == name // else an update is refused until it is set
		})
		if holds {
			left = append(left, name)
		}
	}
	require.ElementsMatch(t, left, leftOut(u))
	source := k.read(t, d.spell(d.other().document(s.node)))
	mix(d, u, updateOf(source), copyOf(before), kit.ParseJSON(t, string(text(source))).(map[string]any), s.node)
	if err := k.call(t, s.client(t), "Update", kit.UUID1, reflect.ValueOf(again(t, u, plan)).Elem()); err != nil {
		kit.ErrAs[*monitoring.ValidationError](t, err)
		require.Zero(t, s.updates)
		return
	}
	eachSecret(s.doc, func(holder map[string]any, member string) { require.NotNil(t, holder[member], s.body) })
	for _, path := range [][]string{{"environmentVariables"}, {"apiCheckDefaults", "headers"}, {"apiCheckDefaults", "queryParameters"}, {"request", "headers"}, {"request", "queryParameters"}, {"config", "headers"}} {
		was, is := itemsAt(before, path), itemsAt(s.doc, path)
		for _, item := range was {
			withheld := item["secret"] == true && len(path) == 1 || item["locked"] == true && len(path) == 2
			kept := slices.ContainsFunc(is, func(one map[string]any) bool { return one["key"] == item["key"] && one["value"] != nil })
			require.True(t, !withheld || kept || len(is) == 0, "%s of %s: %s", item["key"], path, s.body)
		}
	}
}

func itemsAt(doc map[string]any, path []string) (items []map[string]any) {
	for _, name := range path[:len(path)-1] {
		doc, _ = doc[name].(map[string]any)
	}
	list, _ := doc[path[len(path)-1]].([]any)
	for _, item := range list {
		items = append(items, item.(map[string]any))
	}
	return items
}

// What a snapshot does not have stays as it is.
func aSnapshotRestoresWhatItHas(t *testing.T, d *documents, k kind, s *service) {
	s.withhold = d.chance(30)
	write := []func(any) ([]byte, error){monitoring.MarshalWithSecrets, json.Marshal}[d.IntN(2)]
	if k.isOneType() { // a file is set from, by another property
		write = plan
	}
	u := updateOf(again(t, k.read(t, s.view()), write))
	first, left := s.doc, leftOut(u)
	s.doc = d.other().document(s.node)
	later := copyOf(s.doc)
	restore := func() error {
		return k.edit(t, s.client(t), kit.UUID1, func(now update) error {
			reflect.ValueOf(now).Elem().Set(reflect.ValueOf(u).Elem())
			return nil
		})
	}
	err := restore()
	if errors.As(err, new(*monitoring.ValidationError)) { // only what is withheld differs
		require.True(t, len(left) > 0 || strings.Contains(err.Error(), "config."), err)
		return
	}
	require.NoError(t, err)
	written := s.updates
	if err := restore(); err != nil {
		kit.ErrAs[*monitoring.ValidationError](t, err)
	}
	require.Equal(t, written, s.updates, "another spelling is no change")
	for _, c := range diffFrom(u, k.read(t, s.view())) {
		require.True(t, c.Left, "%v of %s", c, s.body)
	}
	for _, m := range s.node.Members {
		value, was := first[m.Name]
		want := value
		switch {
		case slices.Contains(left, m.Name), m.Node.TakesNothing(), !was, value == nil && m.Node.Kinds&(schema.Null|schema.Array) == 0,
			m.Node.Secret && field(u, m.Name).IsZero(): // json.Marshal has hidden it
			want = later[m.Name]
		case value == nil && m.Node.Kinds&schema.Array != 0:
			require.Empty(t, s.doc[m.Name])
			continue
		}
		require.Equal(t, s.expected(map[string]any{m.Name: want}), s.expected(map[string]any{m.Name: s.doc[m.Name]}), "%s: %s", m.Name, s.body)
	}
}

// What an object of a file has is there once it was set, and setting it again changes nothing. What
// the file does not have stays.
func aFileIsSetOnce(t *testing.T, d *documents, k kind, s *service) {
	if !k.isOneType() {
		return
	}
	next := d.other()
	next.loose, next.nulls, next.extras = false, false, false
	first, later := next.document(s.node), copyOf(s.doc)
	hides := d.IntN(2) == 1
	write := []func(any) ([]byte, error){monitoring.MarshalWithSecrets, json.Marshal}[map[bool]int{true: 1}[hides]]
	wish := again(t, k.read(t, d.spell(first)), write)
	set := func() error {
		return k.edit(t, s.client(t), kit.UUID1, func(now update) error {
			err, _ := reflect.ValueOf(now).MethodByName("SetFrom").Call([]reflect.Value{reflect.ValueOf(wish)})[0].Interface().(error)
			return err
		})
	}
	if err := set(); err != nil { // a secret that json.Marshal has hidden, and that nobody knows
		kit.ErrAs[*monitoring.ValidationError](t, err)
		return
	}
	written := s.updates
	require.NoError(t, set())
	require.Equal(t, written, s.updates, "it is set already: %s", s.body)
	hidden := make(map[string]bool)
	for name, value := range first {
		eachSecret(map[string]any{name: value}, func(map[string]any, string) { hidden[name] = true })
	}
	for _, m := range s.node.Members {
		value, was := first[m.Name]
		if m.Node.TakesNothing() || m.Node.Secret || hidden[m.Name] || hides && hasSecret(m.Node) {
			continue // another property; json.Marshal writes no value of a variable
		}
		f := field(updateOf(wish), m.Name)
		if !f.IsValid() {
			continue // such as checkType, which says what is set
		}
		of := f.Type()
		switch {
		case !was || value == nil && !kit.IsNullable(of):
			require.Equal(t, s.expected(map[string]any{m.Name: later[m.Name]}), s.expected(map[string]any{m.Name: s.doc[m.Name]}), "%s was not there", m.Name)
		case value != nil:
			requireSet(t, m.Node, of, m.Name, value, s.doc[m.Name])
		default:
			require.Nil(t, s.doc[m.Name], "%s was null", m.Name)
		}
	}
}

// hasSecret reports whether a value may have a secret in it.
func hasSecret(n *schema.Node) bool {
	if n == nil {
		return false
	}
	inside := func(m schema.Member) bool { return hasSecret(m.Node) }
	return n.Secret || hasSecret(n.Items) || slices.ContainsFunc(n.Members, inside)
}

// requireSet requires that a value of a type has all that another one has which was set.
func requireSet(t *testing.T, n *schema.Node, of reflect.Type, path string, wish, is any) {
	t.Helper()
	if get, isNullable := of.MethodByName("Get"); isNullable {
		of = get.Type.Out(0)
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	members, isObject := wish.(map[string]any)
	if !isObject {
		require.JSONEq(t, string(text(meant(n, of, wish))), string(text(meant(n, of, is))), path)
		return
	}
	present, _ := is.(map[string]any)
	for _, f := range jsontype.Fields(of) {
		m, value := n.Member(f.Name), members[f.Name]
		if m == nil || value == nil || m.Node.TakesNothing() || m.Node.Secret {
			continue
		}
		if plain := string(text(value)); present[f.Name] == nil && (plain == m.Node.Default || plain == m.Node.FilledIn || plain == `[]` || plain == `{}`) {
			continue // it has the default
		}
		if value == false && present[f.Name] == nil && f.Type.Kind() == reflect.Bool {
			continue // a field has one form for both, so the service's null stays
		}
		requireSet(t, m.Node, f.Type, path+"."+f.Name, value, present[f.Name])
	}
}

// meant returns what a value means as a type has it, with equal numbers for all their spellings.
func meant(n *schema.Node, of reflect.Type, value any) (is any) {
	if err := json.Unmarshal(text(value), &is); err != nil {
		panic(err)
	}
	return meaning(n, known(n, of, is))
}

// property is what holds of every document of every kind.
type property func(*testing.T, *documents, kind, *service)

func TestOnlyEditedMembersChange(t *testing.T) {
	eachSeed(t, onlyEditedMembersChange)
}

func TestNoUpdateLosesAWithheldSecret(t *testing.T) {
	eachSeed(t, noWithheldSecretIsLost)
}

func TestASnapshotRestoresWhatItHas(t *testing.T) {
	eachSeed(t, aSnapshotRestoresWhatItHas)
}

func TestAFileIsSetOnce(t *testing.T) {
	eachSeed(t, aFileIsSetOnce)
}

func FuzzUpdates(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, p := range []property{onlyEditedMembersChange, noWithheldSecretIsLost, aSnapshotRestoresWhatItHas, aFileIsSetOnce, anEditSendsWhatItsDifferenceSays, anIgnoredUpdateIsAnError} {
			ofEachKind(t, seed, p)
		}
	})
}

// eachSeed needs few seeds, because FuzzUpdates tries more.
func eachSeed(t *testing.T, p property) {
	for seed := range uint64(testkit.Samples(10)) {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { ofEachKind(t, seed, p) }) {
			return
		}
	}
}

func ofEachKind(t *testing.T, seed uint64, p property) {
	for _, k := range kinds {
		d, node := newDocuments(seed, k), schema.Lookup(k.operation).Body
		p(t, d, k, &service{doc: d.document(node), node: node, spell: d.spell})
	}
}
