//go:build go1.27

package reveal

import (
	"encoding"
	"encoding/json/v2"
	"reflect"
)

// Since Go 1.27 encoding/json calls two more methods.
func init() {
	marshalerTypes = append(marshalerTypes, reflect.TypeFor[json.MarshalerTo](), reflect.TypeFor[encoding.TextAppender]())
	textMarshalerTypes = append(textMarshalerTypes, reflect.TypeFor[encoding.TextAppender]())
}
