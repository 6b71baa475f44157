package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Object is a JSON object by its members.
type Object map[string]json.RawMessage

// Get decodes a member. It returns false if the member is absent, null or of another type.
func (o Object) Get(name string, out any) bool {
	raw := o[name]
	return !rawjson.IsNull(raw) && json.Unmarshal(raw, out) == nil
}

// Has reports whether a member is there and not null.
func (o Object) Has(name string) bool { return o[name] != nil && !rawjson.IsNull(o[name]) }

// Text returns a member that is a text; empty without one.
func (o Object) Text(name string) (v string) { o.Get(name, &v); return }

// Is reports whether a member is true.
func (o Object) Is(name string) (v bool) { o.Get(name, &v); return }

// List returns a member that is a list of texts.
func (o Object) List(name string) (v []string) { o.Get(name, &v); return }

// Set sets a member.
func (o Object) Set(name string, v any) { o[name] = JSON(v) }

// With returns a copy of the object with the members of changes put on top. A list that
// is null in changes is ignored.
func (o Object) With(changes Object) Object {
	merged := maps.Clone(o)
	for name, raw := range changes {
		if rawjson.IsNull(raw) && slices.Contains(nullableLists, name) {
			continue
		}
		merged[name] = raw
	}
	return merged
}

// nullableLists are the members of checks and groups that are lists and may be null.
var nullableLists = []string{"locations", "privateLocations", "environmentVariables", "dependencies"}

// join returns an object with the members of all objects.
func join(objects ...Object) Object {
	joined := make(Object)
	for _, o := range objects {
		maps.Copy(joined, o)
	}
	return joined
}

// Raw is JSON that is written in the code.
func Raw(s string) json.RawMessage { return json.RawMessage(s) }

// JSON writes a value as JSON, secrets included. It panics for a value that cannot
// be marshaled.
func JSON(v any) json.RawMessage {
	data, err := monitoring.MarshalWithSecrets(v)
	if err != nil {
		panic(fmt.Sprintf("monitoringtest: cannot write %T as JSON: %s", v, err))
	}
	return data
}

// MustUnmarshal reads JSON that is known to fit the type.
func MustUnmarshal(data []byte, into any) {
	if err := json.Unmarshal(data, into); err != nil {
		panic(fmt.Sprintf("monitoringtest: %T: %s", into, err))
	}
}

// plain returns the members as what their JSON decodes to: maps, lists and scalars.
func plain(members map[string]any) (m map[string]any) {
	if members == nil {
		return nil
	}
	MustUnmarshal(JSON(members), &m)
	return m
}

// merge puts members on top of an object, objects member by member.
func merge(onto Fields, members map[string]any) Fields {
	merged := maps.Clone(onto)
	for name, v := range members {
		inner, isObject := v.(map[string]any)
		if old, wasObject := merged[name].(map[string]any); isObject && wasObject {
			v = merge(old, inner)
		}
		merged[name] = v
	}
	return merged
}

// Fields is a JSON object that is being made.
type Fields = map[string]any

// orNil returns nil for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Set is a set of texts.
type Set map[string]bool

func itoa(n int) string { return strconv.Itoa(n) }

// object returns an object with the members of pairs of a name and a value that is not zero.
func object(pairs ...any) json.RawMessage {
	var members []rawjson.Member
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		if reflect.ValueOf(value).IsZero() {
			continue
		}
		members = append(members, rawjson.Member{Name: pairs[i].(string), Value: written(value)})
	}
	return rawjson.Join(members)
}

// stored adds to an object what the account has made itself.
func stored(o, made json.RawMessage) json.RawMessage {
	return rawjson.Join(append(rawjson.Members(o), rawjson.Member{Name: "stored", Value: made}))
}

// moment writes a moment without loss.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func moments(list []time.Time) (written []string) {
	for _, t := range list {
		written = append(written, moment(t))
	}
	return written
}

// must returns an id that is added without a mistake.
func must[T any](id T, err error) T {
	if err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return id
}
