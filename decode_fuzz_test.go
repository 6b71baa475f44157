package monitoring

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzUnmarshal decodes any JSON into types of this package: what encoding/json reads is read in
// the same way, and errors name paths that exist.
func FuzzUnmarshal(f *testing.F) {
	files, _ := filepath.Glob("testdata/responses/*.all-members.json")
	for _, file := range files {
		f.Add([]byte(readFile(f, file)))
	}
	for _, text := range []string{
		`{"int":2.75,"raw":{"a":5.0}}`, `[{"int":"x"}]`, `{"inner":{"inner":{"tags":"x"}},"named":{"a b":true}}`, `{"errors":"boom","quoted":"x"}`,
		`{"int":1.0,"int":"x"}`, `{"when":"x","strategy":{"onlyOn":1}}`, `{"traceId":1,"apiCheckResult":{"response":[1],"errors":{"a":1}}}`, `"\ud800"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzUnmarshal[CheckGroup](t, data)
		fuzzUnmarshal[[]MaintenanceWindow](t, data)
		fuzzUnmarshal[CheckResult](t, data)
		fuzzUnmarshal[struct {
			N map[string]*[]uint8
			R []CheckSession
			I any
		}](t, data)
	})
}

func fuzzUnmarshal[T any](t *testing.T, data []byte) {
	var plain, lenient T
	err := json.Unmarshal(data, &plain)
	failed := unmarshal(data, &lenient)
	if !json.Valid(data) {
		require.Error(t, failed)
		return
	}
	if err == nil {
		require.NoError(t, failed)
		require.Equal(t, plain, lenient)
		return
	}
	if failed != nil {
		d, ok := failed.(*DecodeError)
		require.True(t, ok, "%T", failed)
		require.True(t, json.Valid(d.Partial))
		if d.Path != "" && utf8Valid(data) {
			at(t, parseJSON(t, string(data)), d.Path)
		}
		require.NotContains(t, d.Error(), "json:")
	}
}

func utf8Valid(data []byte) bool { return bytes.Equal(data, bytes.ToValidUTF8(data, nil)) }

// at returns the value at a path in the form that errors have, such as $.a["b c"][3].
func at(t *testing.T, document any, path string) any {
	for path = strings.TrimPrefix(path, "$"); path != ""; {
		switch {
		case path[0] == '.':
			end := strings.IndexAny(path[1:], ".[")
			if end < 0 {
				end = len(path) - 1
			}
			document, path = memberOf(t, document, path[1:1+end]), path[1+end:]
		case strings.HasPrefix(path, `["`):
			quoted, err := strconv.QuotedPrefix(path[1:])
			require.NoError(t, err)
			name, err := strconv.Unquote(quoted)
			require.NoError(t, err)
			document, path = memberOf(t, document, name), path[1+len(quoted)+1:]
		default:
			number, rest, ok := strings.Cut(path[1:], "]")
			require.True(t, ok, path)
			index, err := strconv.Atoi(number)
			require.NoError(t, err)
			list, ok := document.([]any)
			require.True(t, ok && index < len(list), path)
			document, path = list[index], rest
		}
	}
	return document
}

func memberOf(t *testing.T, document any, name string) any {
	object, ok := document.(map[string]any)
	require.True(t, ok, name)
	value, ok := object[name]
	require.True(t, ok, name)
	return value
}
