package world

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// A spec, such as a CheckSpec or a SessionSpec, stands in a seed with a member for each of its
// fields: RunTime is runTime, and CheckID is checkId.

// MemberOf returns the name of the member of a field.
func MemberOf(field string) string {
	if head, isID := strings.CutSuffix(field, "ID"); isID {
		field = head + "Id"
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// membersOf returns the members of a spec that are not zero, but some.
func membersOf(spec any, but ...string) (members []rawjson.Member) {
	v := reflect.ValueOf(spec)
	for i := range v.NumField() {
		name := MemberOf(v.Type().Field(i).Name)
		if !v.Type().Field(i).IsExported() || v.Field(i).IsZero() || slices.Contains(but, name) {
			continue
		}
		members = append(members, rawjson.Member{Name: name, Value: written(v.Field(i).Interface())})
	}
	return members
}

// written writes a value as a seed has it.
func written(value any) []byte {
	switch v := value.(type) {
	case time.Duration:
		return JSON(v.String())
	case time.Time:
		return JSON(moment(v))
	}
	return JSON(value)
}

// OfCheck are the members of a CheckSpec that are of the check itself; the others say how its runs
// go.
var OfCheck = []string{"id", "name", "type", "tags", "locations", "groupId", "deactivated", "muted", "members"}

// SpecObject returns a spec as a seed has it, without what is zero.
func SpecObject(spec any) Object {
	o := make(Object)
	for _, m := range membersOf(spec) {
		o[m.Name] = m.Value
	}
	return o
}
