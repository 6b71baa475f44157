//go:build go1.27

package monitoring

import (
	v1 "encoding/json"
	"encoding/json/v2"
	"reflect"
)

func init() {
	// Since Go 1.27 encoding/json calls one more method.
	unmarshalerTypes = append(unmarshalerTypes, reflect.TypeFor[json.UnmarshalerFrom]())

	// For its errors json.Unmarshal reads all of the JSON before it decodes it. These errors are
	// of no use here, because a response that does not fit is read again by the mender.
	options := json.JoinOptions(v1.DefaultOptionsV1(), v1.ReportErrorsWithLegacySemantics(false))
	unmarshalValid = func(data []byte, out any) error { return json.Unmarshal(data, out, options) }
}
