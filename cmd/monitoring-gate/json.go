package main

import (
	"bytes"
	"encoding/json"
)

// json is the report as JSON. The verdicts of sessions and results are theirs: only the verdict at
// the top counts a degraded check as -fail-on-degraded says.
func (r *report) json() []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // it escapes < > &, so the JSON may stand in a page
	encoder.SetIndent("", " ")
	encoder.Encode(r) // it does not fail for these types
	return b.Bytes()
}
