package keep

import "reflect"

// Copy replaces everything that the value that to points to contains by copies, so that changes
// of a copied value do not change the original. What is kept stays shared.
func (t *Types) Copy(to any) { t.copy(reflect.ValueOf(to).Elem()) }

func (t *Types) copy(v reflect.Value) {
	if inner := t.typeOf(v.Type()).inner; inner != nil {
		t.copy(reflect.ValueOf(inner(v.Addr().Interface())).Elem())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			copied := reflect.New(v.Type().Elem())
			copied.Elem().Set(v.Elem())
			t.copy(copied.Elem())
			v.Set(copied)
		}
	case reflect.Slice:
		if !v.IsNil() {
			copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(copied, v)
			for i := range copied.Len() {
				t.copy(copied.Index(i))
			}
			v.Set(copied)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				t.copy(v.Field(i))
			}
		}
	}
}
