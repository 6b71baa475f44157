//go:build go1.27

package monitoring

import (
	"encoding/json/v2"
	"reflect"
)

// From Go 1.27 on encoding/json asks one more method.
func init() {
	unmarshalerTypes = append(unmarshalerTypes, reflect.TypeFor[json.UnmarshalerFrom]())
}
