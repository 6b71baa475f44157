package monitoring

import (
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// accepted returns a value without what either the description of a body or its type does not have,
// at every depth. A null that a service may refuse goes, too, unless it is a withheld secret.
func accepted(n *schema.Node, t reflect.Type, value []byte) []byte {
	for t = jsontype.Elem(t); meaningOf(t).Wraps != nil; {
		t = jsontype.Elem(meaningOf(t).Wraps)
	}
	switch kind := rawjson.Kind(value); {
	case kind == '{' && t.Kind() == reflect.Struct && !meaningOf(t).Raw:
		var members []rawjson.Member
		for _, f := range jsontype.Fields(t) {
			m, is := n.Member(f.Name), memberLike(value, f.Name)
			if m == nil || is == nil || m.Node.TakesNothing() {
				continue
			}
			if rawjson.IsNull(is) && !m.Node.Secret && m.Node.KindsAt(schema.Service)&schema.Null == 0 {
				continue
			}
			members = append(members, rawjson.Member{Name: f.Name, Value: accepted(m.Node, f.Type, is)})
		}
		return rawjson.Join(members)
	case kind == '[' && t.Kind() == reflect.Slice:
		list := []byte{'['}
		for item := range rawjson.Items(value) {
			if len(list) > 1 {
				list = append(list, ',')
			}
			list = append(list, accepted(n.Items, t.Elem(), item)...)
		}
		return append(list, ']')
	}
	return value
}

// memberLike returns the member of an object that is read as a field: that with the very name, or
// else the last one whose name differs only in case.
func memberLike(object []byte, name string) (value []byte) {
	if exact := rawjson.Get(object, name); exact != nil {
		return exact
	}
	for _, m := range rawjson.Members(object) {
		if strings.EqualFold(m.Name, name) {
			value = m.Value
		}
	}
	return value
}
