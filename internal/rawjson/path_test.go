package rawjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

func TestPathsAreWrittenStepByStep(t *testing.T) {
	empty := rawjson.Step{Index: -1}
	for want, path := range map[string]rawjson.Path{
		"": nil, "a": {{Name: "a"}}, "a.b[0].c d": {{Name: "a"}, {Name: "b"}, {Index: 0}, {Name: "c d"}}, "[3].a": {{Index: 3}, {Name: "a"}}, "[1][2]": {{Index: 1}, {Index: 2}}, "a.": {{Name: "a"}, empty},
	} {
		require.Equal(t, want, path.String())
	}
	for name, want := range map[string]string{"aB_9": "$.aB_9", "a b": `$["a b"]`, "a.b": `$["a.b"]`, "é": `$["é"]`, "a\n\"": `$["a\n\""]`, "": `$[""]`} {
		require.Equal(t, want, string(rawjson.Step{Name: name, Index: -1}.AppendQuotedTo([]byte("$"))))
	}
	require.Equal(t, "$[7]", string(rawjson.Step{Index: 7}.AppendQuotedTo([]byte("$"))))
	require.Equal(t, "a.b", rawjson.Step{Name: "b"}.After("a"))
	require.Equal(t, "b", rawjson.Step{Name: "b"}.After(""))
	for path, under := range map[string]bool{"a": true, "a.b": true, "a[0].b": true, "ab": false, "b": false, "": false, "b.a": false} {
		require.Equal(t, under, rawjson.IsUnder(path, "a"), path)
	}
}
