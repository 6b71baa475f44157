package kit

import (
	"encoding/json"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// Files returns the files of the module that fit a pattern, given from its root.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(Path(pattern))
	require.NoError(t, err)
	folder := path.Dir(pattern)
	for i := range found {
		found[i] = path.Join(folder, filepath.Base(found[i]))
	}
	return found
}

// ResponseFiles returns the successful responses of an operation in testdata.
func ResponseFiles(t testing.TB, operation string) []string {
	t.Helper()
	return Files(t, "testdata/responses/"+operation+".*.json")
}

// SuccessFor returns the body of a successful response to a call.
func SuccessFor(t testing.TB, o Operation) string {
	t.Helper()
	if o.Response != "" || o.Status == http.StatusNoContent {
		return o.Response
	}
	file := "testdata/responses/" + o.File + ".all-members.json"
	require.Contains(t, ResponseFiles(t, o.File), file, "testdata has no response of %s", o.Name)
	return File(t, file)
}

// Respond calls the operation with the given prefix of files. Its response has the given body.
func Respond(t testing.TB, file string, status int, body string) (any, error) {
	t.Helper()
	i := slices.IndexFunc(Operations, func(o Operation) bool { return o.File == file })
	require.NotEqual(t, -1, i, "no operation has the file %s: add its row to Operations in test/internal/kit", file)
	o := Operations[i]
	o.IDs = idsOf(o, body)
	method, _, _ := strings.Cut(o.Name, " ")
	mock := httpmock.NewMockTransport()
	mock.RegisterResponder(method, Base+o.Path(o.IDs...), httpmock.NewStringResponder(status, body))
	client := NewClient(t, Base, Key, &http.Client{Transport: testkit.AtMost(t, 1, testkit.NoRetry, mock)}, monitoring.WithMaxRetries(0))
	return o.Do(t.Context(), client)
}

// idsOf returns the ids of a row, the last one replaced by the id of the object in a body: the
// body of another object would be an error.
func idsOf(o Operation, body string) []string {
	ids := slices.Clone(o.IDs)
	own := string(rawjson.Find([]byte(body), o.OwnID))
	if number, exact := lenient.Whole(own); own != "" && o.Numbered() && exact && isNumber(number) {
		ids[len(ids)-1] = number
	} else if text := strings.Trim(own, `"`); len(ids) > 0 && !o.Numbered() && len(text) == len(own)-2 {
		ids[len(ids)-1] = text
	}
	return ids
}

// Decode calls an operation whose response is a file of testdata, such as
// get-v1-check-group.fallback, and returns the result.
func Decode[T any](t testing.TB, name string) T {
	t.Helper()
	operation, _, _ := strings.Cut(name, ".")
	value, err := Respond(t, operation, http.StatusOK, File(t, "testdata/responses/"+name+".json"))
	require.NoError(t, err)
	require.IsType(t, *new(T), value)
	return value.(T)
}

// ParseJSON returns JSON as Go values, with numbers as json.Number.
func ParseJSON(t testing.TB, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

// ToJSON returns the JSON of a value as it is sent, secrets included.
func ToJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := monitoring.MarshalWithSecrets(v)
	require.NoError(t, err)
	return string(data)
}
