package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// mixGroup marks checks that were read with the settings of their groups, whose updates and creates
// would make those their own. out points to a check or a list of them; all else has no such
// settings.
func mixGroup(out any) {
	if check, ok := out.(keep.Keeper); ok {
		keep.Mix(check)
		return
	}
	list := reflect.ValueOf(out).Elem()
	if list.Kind() != reflect.Slice {
		return
	}
	for i := range list.Len() {
		if check, ok := list.Index(i).Addr().Interface().(keep.Keeper); ok {
			keep.Mix(check)
		}
	}
}

// areMixed reports whether a create or an update was marked by mix.
func areMixed(body any) bool {
	field := mixedIn(body)
	return field.IsValid() && field.Bool()
}

// mix marks what body points to as made from a check with the settings of its group.
func mix(body any) {
	if field := mixedIn(body); field.IsValid() {
		*(*bool)(field.Addr().UnsafePointer()) = true // it is not exported
	}
}

// mixedIn returns the field mixed of the [CheckSettings] in a body; the zero Value if it has none.
func mixedIn(body any) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(body))
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName("mixed")
}
