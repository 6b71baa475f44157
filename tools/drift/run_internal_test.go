package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// drift runs the command.
func drift(t *testing.T, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(in), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func text(t testing.TB, root object) string {
	t.Helper()
	data, err := json.Marshal(root)
	require.NoError(t, err)
	return string(data)
}

// planted returns a description with a renamed member and a new operation.
func planted(t testing.TB) object {
	t.Helper()
	root := service(t)
	rename(at(t, root, locationPath), "name", "title")
	root["paths"].(object)["/v1/badges"] = object{"get": object{}}
	return root
}

func TestTheTableHasEachDifference(t *testing.T) {
	code, out, errOut := drift(t, text(t, planted(t)), "-")
	require.Equal(t, exitNew, code)
	require.Empty(t, errOut)
	require.Equal(t, `   KIND   OPERATION          IN        PATH       DETAIL
   added  GET /v1/badges     -         -          
!  gone   GET /v1/locations  response  $[].name   
   added  GET /v1/locations  response  $[].title  

2 added, 1 gone, 0 changed, 0 unclear; 1 of them (!) can break a program.
3 new differences, 0 known.
`, out)
}

func TestNoDifferenceIsReportedInASentence(t *testing.T) {
	code, out, _ := drift(t, "", file(t, text(t, service(t))))
	require.Equal(t, exitSame, code)
	require.Equal(t, "0 new differences, 0 known.\n", out)
}

func TestTheJSONHasEachDifference(t *testing.T) {
	known := file(t, "gone GET /v1/locations response $[].name\ngone GET /v1/locations")
	code, out, _ := drift(t, text(t, planted(t)), "-json", "-baseline", known, "-")
	require.Equal(t, exitNew, code)
	require.JSONEq(t, `{"exit":1,"known":1,"stale":["gone GET /v1/locations"],"findings":[
		{"kind":"added","operation":"GET /v1/badges","breaks":false},
		{"kind":"added","operation":"GET /v1/locations","in":"response","path":"$[].title","breaks":false}]}`, out)
	_, out, _ = drift(t, text(t, service(t)), "-json", "-")
	require.JSONEq(t, `{"exit":0,"known":0,"findings":[],"stale":[]}`, out)
}

const knownDifferences = `# agreed with the service in May
added GET /v1/badges # not needed yet
  gone  GET /v1/locations  response  $[].name #renamed

added GET /v1/locations response $[].title
`

func TestOnlyNewDifferencesFail(t *testing.T) {
	root, known := planted(t), file(t, knownDifferences)
	code, out, errOut := drift(t, text(t, root), "-baseline", known, "-strict", "-")
	require.Equal(t, exitSame, code)
	require.Equal(t, "0 new differences, 3 known.\n", out)
	require.Empty(t, errOut)

	at(t, root, analysisPath+" status")["enum"] = []any{"COMPLETED", "HALTED"}
	at(t, root, createdPath+" status")["enum"] = []any{"COMPLETED"}
	at(t, root, testCreatedPath+" status")["enum"] = []any{"COMPLETED"}
	code, out, _ = drift(t, text(t, root), "-baseline", known, "-")
	require.Equal(t, exitNew, code)
	require.NotContains(t, out, "locations")
	require.Contains(t, out, `value "PENDING"`)
	require.Contains(t, out, `value "HALTED"`)
	require.Contains(t, out, "4 new differences, 3 known.\n")
}

func TestLinesThatNoLongerOccurFailOnlyIfStrict(t *testing.T) {
	known := file(t, knownDifferences+"changed GET /v1/locations response $[].name # a plan\n")
	code, out, _ := drift(t, text(t, planted(t)), "-baseline", known, "-")
	require.Equal(t, exitSame, code)
	require.Equal(t, "This line of the baseline no longer occurs: changed GET /v1/locations response $[].name\n0 new differences, 3 known.\n", out)
	code, _, _ = drift(t, text(t, planted(t)), "-baseline", known, "-strict", "-")
	require.Equal(t, exitNew, code)
}

func TestTheBaselineIsUpdatedWithItsReasons(t *testing.T) {
	name := file(t, knownDifferences+"# a note\ngone GET /v1/variables # soon\n")
	root := planted(t)
	for _, odd := range []string{"a #1\nb", "red\x1b"} {
		at(t, root, locationPath)[odd] = object{"type": "string"}
	}
	code, out, _ := drift(t, text(t, root), "-baseline", name, "-update-baseline", "-")
	require.Equal(t, exitSame, code)
	require.Equal(t, "0 new differences, 5 known.\n", out)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, `# agreed with the service in May
# a note
added GET /v1/badges # not needed yet
added GET /v1/locations response $[].red?
added GET /v1/locations response $[].title
added GET /v1/locations response $[]["a ?1\nb"]
gone GET /v1/locations response $[].name # renamed
`, string(data))
	code, _, _ = drift(t, text(t, root), "-baseline", name, "-strict", "-")
	require.Equal(t, exitSame, code)

	created := filepath.Join(t.TempDir(), "baseline.txt")
	code, _, errOut := drift(t, text(t, root), "-baseline", created, "-")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "no such file")
	code, _, _ = drift(t, text(t, root), "-baseline", created, "-update-baseline", "-")
	require.Equal(t, exitSame, code)
	code, _, _ = drift(t, text(t, root), "-baseline", created, "-strict", "-")
	require.Equal(t, exitSame, code)
}

func TestAnotherFileIsNotOverwritten(t *testing.T) {
	description := text(t, planted(t))
	name := file(t, description)
	code, _, errOut := drift(t, description, "-baseline", name, "-update-baseline", "-")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "does not begin with added, gone, changed or unclear")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, description, string(data))

	name = file(t, knownDifferences) // nor is the baseline, if the description cannot be read
	code, _, _ = drift(t, "{}", "-baseline", name, "-update-baseline", "-")
	require.Equal(t, exitFailed, code)
	data, err = os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, knownDifferences, string(data))
}

func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want string
	}{
		"HTML":              {"<html>", "is not a JSON object"},
		"half of it":        {text(t, service(t))[:1000], "unexpected end of JSON input"},
		"no description":    {`{"message":"Not Found"}`, "has no paths"},
		"a list":            {`[]`, "is not a JSON object"},
		"nothing":           {"", "is not a JSON object"},
		"paths are no list": {`{"paths":[]}`, "has no paths"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := drift(t, c.in, "-")
			require.Equal(t, exitFailed, code)
			require.Empty(t, out)
			require.Contains(t, errOut, "drift: read -: ")
			require.Contains(t, errOut, c.want)
		})
	}
}

func TestOddDescriptionsDoNotStopIt(t *testing.T) {
	for name, in := range map[string]string{
		"paths of odd types":     `{"paths":{"/v1/locations":7,"/v1/variables":{"get":"x","put":[]},"":null}}`,
		"odd parts of operation": `{"paths":{"/v1/locations":{"get":{"parameters":[7,{"in":"query"},{"$ref":7}],"requestBody":7,"responses":{"200":[],"2XX":{"content":{"application/json":{"schema":{"type":7,"properties":7,"items":7,"enum":7,"required":7,"anyOf":7,"allOf":[7]}}}}}}}}}`,
		"odd references":         `{"paths":{"/v1/locations":{"$ref":"#/paths/~1v1~1locations"},"/v1/variables":{"get":{"$ref":"https://elsewhere.test/x"}}}}`,
		"odd servers":            `{"servers":[{"url":"%zz"}],"paths":{"/v1/locations":{"get":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := drift(t, in, "-")
			require.Equal(t, exitNew, code, errOut)
			require.Contains(t, out, "gone")
		})
	}
}

// large returns a description of 5 MB with ten times the operations, broken references,
// schemas that contain themselves and raw control characters inside strings.
func large(t testing.TB) string {
	t.Helper()
	root := planted(t)
	paths, components := root["paths"].(object), at(t, root, "components schemas")
	for i := range 10 * len(paths) {
		components[fmt.Sprint("Thing", i)] = object{
			"type": "object", "description": strings.Repeat("RAW\x01 text\n\"\\ ", 1500),
			"properties": object{"self": object{"$ref": fmt.Sprint("#/components/schemas/Thing", i)}, "lost": object{"$ref": "#/components/schemas/Lost"}},
			"example":    object{"pattern": "(["}, "discriminator": 7,
		}
		thing := object{"application/json; charset=utf-8": object{"schema": object{"$ref": fmt.Sprint("#/components/schemas/Thing", i)}}}
		paths[fmt.Sprintf("/v3/things/%d/{id}", i)] = object{"post": object{
			"parameters":  []any{object{"$ref": "#/components/parameters/Lost"}},
			"requestBody": object{"content": thing}, "responses": object{"200": object{"description": "", "content": thing}},
		}}
	}
	at(t, root, locationPath)["title"].(object)["description"] = "RAW\x01"
	data := strings.NewReplacer(`RAW\u0001`, "tab\tbell\x07", `\n`, "\n").Replace(text(t, root))
	require.Greater(t, len(data), 5_000_000)
	require.False(t, json.Valid([]byte(data)))
	return data
}

func TestALargeDescriptionWithMistakesDoesNotStopIt(t *testing.T) {
	code, out, errOut := drift(t, large(t), "-")
	require.Equal(t, exitNew, code)
	require.Empty(t, errOut)
	var kept []string
	for _, line := range strings.Split(out, "\n") {
		if !strings.Contains(line, "POST /v3/things/") {
			kept = append(kept, strings.Join(strings.Fields(line), " "))
		}
	}
	require.Contains(t, kept, "! gone GET /v1/locations response $[].name")
	require.Contains(t, kept, "added GET /v1/locations response $[].title")
	require.Regexp(t, `^\d+ added, 1 gone, 0 changed, 0 unclear; 1 of them`, kept[len(kept)-3])
}

func TestSchemasThatShareEachOtherAreReadOnce(t *testing.T) {
	root := service(t)
	components := at(t, root, "components schemas")
	for i := range 60 { // as a tree these are 2^60
		next := object{"$ref": fmt.Sprint("#/components/schemas/Shared", i+1)}
		components[fmt.Sprint("Shared", i)] = object{"properties": object{"left": object{"anyOf": []any{next, next}}, "right": object{"allOf": []any{next, next}}}}
	}
	components["Shared60"] = object{"type": "string"}
	at(t, root, locationPath)["shared"] = object{"$ref": "#/components/schemas/Shared0"}
	at(t, root, locationPath)["name"] = object{"oneOf": []any{object{"type": "string"}, object{"$ref": "#/components/schemas/Shared0"}}}
	require.Equal(t, []string{
		"! changed GET /v1/locations response $[].name type: the SDK has string, the service object or string",
		"added GET /v1/locations response $[].name.left", "added GET /v1/locations response $[].name.right",
		"added GET /v1/locations response $[].shared",
	}, lines(compare(root)))
}

// FuzzDescription compares malformed descriptions. What a baseline has is found in it again.
func FuzzDescription(f *testing.F) {
	f.Add(`{"paths":{"/v1/locations":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"anyOf":[{"$ref":"#/x"},{"type":["object","null"]}]}}}}}}}},"x":{"allOf":[{"$ref":"#/x"}]}}`)
	f.Add(`{"paths":{"/v1/variables":{"parameters":[{"in":"query","name":"a[","schema":{"enum":[{},[],null]}}],"get":{"requestBody":{"$ref":"#/paths"}}}}}`)
	f.Add("{\"paths\":{\"\x01\":{}}}")
	f.Fuzz(func(t *testing.T, in string) {
		root, err := decode(strings.NewReader(in))
		if err != nil {
			return
		}
		found := compare(root)
		require.Equal(t, found, compare(root))
		name := filepath.Join(t.TempDir(), "baseline.txt")
		require.NoError(t, (&baseline{}).update(name, found))
		known, err := loadBaseline(name, false)
		require.NoError(t, err)
		r := known.report(found)
		require.Empty(t, r.Findings)
		require.Empty(t, r.Stale)
	})
}

func BenchmarkCompareLarge(b *testing.B) {
	in := large(b)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if run(b.Context(), []string{"-"}, strings.NewReader(in), io.Discard, io.Discard) != exitNew {
			b.Fatal("the planted difference was not found")
		}
	}
}

func TestCleanChangesOnlyControlCharactersInStrings(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"{\n\t\"a\": 1\n}":             "{\n\t\"a\": 1\n}",
		"\"a\tb\nc\"":                  `"a\u0009b\u000ac"`,
		`"a\"b` + "\x00" + `"`:         `"a\"b\u0000"`,
		`"a\\"` + "\n" + `"b` + "\r\"": `"a\\"` + "\n" + `"b\u000d"`,
		"\xef\xbb\xbf{}":               "{}",
		`"cut \`:                       `"cut \`,
	} {
		require.Equal(t, want, string(clean([]byte(in))))
	}
}

func TestTheDescriptionIsReadFromTheService(t *testing.T) {
	description := text(t, planted(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/prefix/openapi.json" || r.Header.Get("Authorization") != "Bearer good-key" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, description)
	}))
	defer server.Close()
	t.Setenv("MONITORING_BASE_URL", server.URL+"/prefix")
	t.Setenv("MONITORING_API_KEY", "good-key")
	code, out, errOut := drift(t, "")
	require.Equal(t, exitNew, code, errOut)
	require.Contains(t, out, "$[].title")

	t.Setenv("MONITORING_API_KEY", "wrong-key")
	code, out, errOut = drift(t, "")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "401 Unauthorized")
	require.NotContains(t, errOut, "wrong-key")

	t.Setenv("MONITORING_API_KEY", "")
	code, _, errOut = drift(t, "")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "set MONITORING_API_KEY in the environment")
}

func TestTheArgumentsAreExplained(t *testing.T) {
	code, out, _ := drift(t, "", "-h")
	require.Equal(t, exitSame, code)
	for _, word := range []string{"-json", "-baseline", "-update-baseline", "-strict", "MONITORING_BASE_URL", "MONITORING_API_KEY", "MONITORING_ACCOUNT_ID", "MONITORING_INSECURE_HTTP", "Exit codes"} {
		require.Contains(t, out, word)
	}
	for _, args := range [][]string{{"-verbose"}, {"a", "b"}, {"no such file"}, {"-baseline", "no such file"}, {"-update-baseline", "-"}} {
		code, _, errOut := drift(t, "", args...)
		require.Equal(t, exitFailed, code, args)
		require.NotEmpty(t, errOut)
	}
}
