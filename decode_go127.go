//go:build go1.27

package monitoring

import (
	"encoding/json/v2"
	"reflect"
)

// Since Go 1.27 encoding/json calls one more method.
func init() {
	unmarshalerTypes = append(unmarshalerTypes, reflect.TypeFor[json.UnmarshalerFrom]())
}
