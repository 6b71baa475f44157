package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bodies are the operations with a body, by the name of their sample.
var bodies = map[string]string{
	"put-v2-check-group":             "PUT /v2/check-groups/{id}",
	"post-v2-check-groups":           "POST /v2/check-groups",
	"post-v1-maintenance-windows":    "POST /v1/maintenance-windows",
	"put-v1-maintenance-window":      "PUT /v1/maintenance-windows/{id}",
	"post-v1-variables":              "POST /v1/variables",
	"put-v1-variable":                "PUT /v1/variables/{key}",
	"post-v1-checks-api":             "POST /v1/checks/api",
	"post-v1-checks-browser":         "POST /v1/checks/browser",
	"post-v1-checks-tcp":             "POST /v1/checks/tcp",
	"put-v1-checks-api":              "PUT /v1/checks/api/{id}",
	"put-v1-checks-tcp":              "PUT /v1/checks/tcp/{id}",
	"put-v1-checks-browser":          "PUT /v1/checks/browser/{id}",
	"put-v1-check":                   "PUT /v1/checks/{id}",
	"post-v2-check-sessions-trigger": "POST /v2/check-sessions/trigger",
	"post-v1-check-sessions-trigger": "POST /v1/check-sessions/trigger",
	"post-v1-check-session-cancel":   "POST /v1/check-sessions/{checkSessionId}/cancel",
}

var levels = map[Level]string{Client: "client", Service: "service"}

// expectation is a line of testdata/expect.
type expectation struct {
	path                string
	types               []string
	required            bool
	both, service, good []string
}

func readExpectations(t *testing.T, name string) []expectation {
	data, err := os.ReadFile("testdata/expect/" + name + ".txt")
	require.NoError(t, err, "each body has expectations; testdata/expect/README says how they are written")
	var list []expectation
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		e := expectation{path: fields[0], types: strings.Split(fields[1], "|")}
		var into *[]string
		for _, f := range fields[2:] {
			switch f {
			case "required":
				e.required = true
			case "both":
				into = &e.both
			case "service":
				into = &e.service
			case "good":
				into = &e.good
			default:
				require.NotNil(t, into, line)
				*into = append(*into, f)
			}
		}
		list = append(list, e)
	}
	return list
}

// tree is a sample that can be changed by path.
type tree map[string]any

func readSample(t *testing.T, name string) tree {
	data, err := os.ReadFile("testdata/samples/" + name + ".json")
	require.NoError(t, err, "each body has a sample with all of its members")
	var o tree
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	require.NoError(t, d.Decode(&o))
	return o
}

var stepPattern = regexp.MustCompile(`[^.\[\]]+`)

// parent returns the object or list that has the value at a path, and the last step of the
// path.
func (o tree) parent(t *testing.T, path string) (any, string) {
	steps := stepPattern.FindAllString(path, -1)
	var at any = map[string]any(o)
	for _, s := range steps[:len(steps)-1] {
		at = child(t, at, s)
	}
	return at, steps[len(steps)-1]
}

func child(t *testing.T, of any, step string) any {
	switch of := of.(type) {
	case map[string]any:
		require.Contains(t, of, step)
		return of[step]
	case []any:
		i, err := strconv.Atoi(step)
		require.NoError(t, err)
		return of[i]
	}
	require.Fail(t, "nothing is inside", "%v at %s", of, step)
	return nil
}

// with returns the sample as JSON with another value at a path; nil removes the member.
func with(t *testing.T, name, path string, value json.RawMessage) []byte {
	o := readSample(t, name)
	at, last := o.parent(t, path)
	switch at := at.(type) {
	case map[string]any:
		if at[last] = value; value == nil {
			delete(at, last)
		}
	case []any:
		i, err := strconv.Atoi(last)
		require.NoError(t, err)
		at[i] = value
	}
	body, err := json.Marshal(o)
	require.NoError(t, err)
	return body
}

// value returns a value of an expectation as JSON.
func (e expectation) value(t *testing.T, name, word string) json.RawMessage {
	if n, ok := strings.CutPrefix(word, "text:"); ok {
		count, err := strconv.Atoi(n)
		require.NoError(t, err)
		return json.RawMessage(`"` + strings.Repeat("x", count) + `"`)
	}
	if n, ok := strings.CutPrefix(word, "items:"); ok {
		count, err := strconv.Atoi(n)
		require.NoError(t, err)
		at, last := readSample(t, name).parent(t, e.path)
		item, err := json.Marshal(child(t, child(t, at, last), "0"))
		require.NoError(t, err)
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat(string(item)+",", count), ",") + "]")
	}
	require.True(t, json.Valid([]byte(word)), word)
	return json.RawMessage(word)
}

// typed has a value of each JSON type.
var typed = map[string]string{"string": `"x"`, "number": "1", "boolean": "true", "array": "[]", "object": "{}", "null": "null"}

func TestEveryMemberIsCheckedAsTheDocumentSays(t *testing.T) {
	for name, operation := range bodies {
		body := Lookup(operation).Body
		for _, e := range readExpectations(t, name) {
			made := map[string][]byte{} // bodies, which both levels share
			with := func(value json.RawMessage) []byte {
				if made[string(value)] == nil {
					made[string(value)] = with(t, name, e.path, value)
				}
				return made[string(value)]
			}
			for level, levelName := range levels {
				t.Run(strings.Join([]string{name, e.path, levelName}, " "), func(t *testing.T) {
					judge(t, name, e, level, func(value json.RawMessage) []Violation { return body.Check(with(value), level, nil) })
				})
			}
		}
	}
}

func judge(t *testing.T, name string, e expectation, level Level, check func(json.RawMessage) []Violation) {
	if !strings.HasSuffix(e.path, "]") {
		if e.required {
			require.Contains(t, check(nil), Violation{e.path, "is required"})
		} else {
			require.Empty(t, check(nil), "without %s", e.path)
		}
	}
	if e.types[0] == "any" {
		for _, value := range typed {
			require.Empty(t, check(json.RawMessage(value)), value)
		}
		return
	}
	for kind, value := range typed {
		taken := slices.Contains(e.types, kind) || kind == "object" && e.types[0] == "free"
		refused := slices.ContainsFunc(check(json.RawMessage(value)), func(v Violation) bool {
			return v.Path == e.path && (strings.HasPrefix(v.Message, "must ") && !strings.Contains(v.Message, "empty") && v.Message != "must be a date" ||
				strings.HasPrefix(v.Message, "is required:") || strings.HasPrefix(v.Message, "FALLBACK is for groups"))
		})
		if kind == "string" && strings.HasSuffix(e.path, ".onlyOn") {
			taken = level == Client
		}
		require.Equal(t, !taken, refused, "%s: %v", kind, check(json.RawMessage(value)))
	}
	for _, word := range e.both {
		requireAbout(t, e.path, check(e.value(t, name, word)), word)
	}
	for _, word := range e.service {
		if found := check(e.value(t, name, word)); level == Client {
			require.Empty(t, found, word)
		} else {
			requireAbout(t, e.path, found, word)
		}
	}
	for _, word := range e.good {
		require.Empty(t, check(e.value(t, name, word)), word)
	}
}

// requireAbout requires a violation at a path, inside it or beside it.
func requireAbout(t *testing.T, path string, found []Violation, word string) {
	parent := ""
	if i := strings.LastIndex(path, "."); i >= 0 {
		parent = path[:i]
	}
	require.NotEmpty(t, found, "%.100s is taken", word)
	for _, v := range found {
		require.True(t, strings.HasPrefix(v.Path, parent), "%.100s: %v", word, v)
		require.Less(t, len(v.Message), 400)
	}
}

func TestUnknownMembersAreRefusedByTheServiceOnly(t *testing.T) {
	for name, operation := range bodies {
		body := Lookup(operation).Body
		objects := []expectation{{path: "", types: []string{"object"}}}
		for _, e := range readExpectations(t, name) {
			if slices.Contains(e.types, "object") || slices.Contains(e.types, "free") {
				objects = append(objects, e)
			}
		}
		for _, e := range objects {
			path := strings.TrimPrefix(e.path+".surprise", ".")
			changed := with(t, name, path, json.RawMessage(`{"a":[1,{"b":null}]}`))
			require.Empty(t, body.Check(changed, Client, nil), path)
			want := []Violation{{path, "is not allowed"}}
			if e.types[0] == "free" {
				want = nil
			}
			require.Equal(t, want, body.Check(changed, Service, nil))
		}
	}
}

// Each member of a sample has an expectation, each expectation has a member in the sample,
// and the sample has every member of the description.
func TestSamplesAndExpectationsCoverTheDescription(t *testing.T) {
	for name, operation := range bodies {
		var expected, described []string
		for _, e := range readExpectations(t, name) {
			if e.types[0] != "any" {
				expected = append(expected, e.path)
			}
		}
		Lookup(operation).Body.walk("", func(path string, _ *Node) { described = append(described, path) })
		slices.Sort(expected)
		slices.Sort(described)
		require.Equal(t, slices.Compact(described), expected, "the description has the first members, testdata/expect/%s.txt the second ones", name)
		for _, path := range described {
			at, last := readSample(t, name).parent(t, path)
			child(t, at, last) // testdata/samples must have it
		}
	}
	for _, o := range Operations() {
		if o.Body != nil && !slices.Contains(slices.Collect(maps.Values(bodies)), o.Name) {
			t.Errorf("%s has a body: add it to bodies, with a sample and expectations", o.Name)
		}
	}
}

func (n *Node) walk(path string, visit func(string, *Node)) {
	for _, m := range n.Members {
		at := strings.TrimPrefix(path+"."+m.Name, ".")
		visit(at, m.Node)
		m.Node.walk(at, visit)
	}
	if n.Items != nil {
		visit(path+"[0]", n.Items)
		n.Items.walk(path+"[0]", visit)
	}
}

func TestValidBodiesAreAcceptedAtBothLevels(t *testing.T) {
	files, err := filepath.Glob("../../testdata/requests/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	samples, err := filepath.Glob("testdata/samples/*.json")
	require.NoError(t, err)
	for _, file := range append(files, samples...) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		require.NotEmpty(t, bodies[name], "%s is not a body: add a line for its operation to bodies", file)
		for level, levelName := range levels {
			require.Empty(t, Lookup(bodies[name]).Body.Check(data, level, nil), "%s %s", file, levelName)
		}
	}
}
