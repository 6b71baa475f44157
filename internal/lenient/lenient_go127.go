//go:build go1.27

package lenient

import (
	v1 "encoding/json"
	"encoding/json/v2"
)

func init() {
	// For its errors json.Unmarshal reads all of the JSON before it decodes it. These errors are
	// of no use here, because a value that does not fit is judged once more.
	options := json.JoinOptions(v1.DefaultOptionsV1(), v1.ReportErrorsWithLegacySemantics(false))
	strict = func(data []byte, out any) error { return json.Unmarshal(data, out, options) }
	readsItself = func(out any) bool { _, ok := out.(json.UnmarshalerFrom); return ok }
}
