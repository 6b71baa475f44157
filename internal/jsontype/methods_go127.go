//go:build go1.27

package jsontype

import (
	"encoding"
	"encoding/json/v2"
	"reflect"
)

// Since Go 1.27 encoding/json calls more methods.
func init() {
	readers = append(readers, reflect.TypeFor[json.UnmarshalerFrom]())
	writers = append(writers, reflect.TypeFor[json.MarshalerTo](), reflect.TypeFor[encoding.TextAppender]())
}
