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

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// bodies are the operations with a body, by the name of their sample.
var bodies = map[string]string{
	"patch-v1-error-group":                        "PATCH /v1/error-groups/{id}",
	"post-v1-root-cause-analysis":                 "POST /v1/root-cause-analyses/error-groups/{errorGroupId}",
	"put-v2-check-group":                          "PUT /v2/check-groups/{id}",
	"post-v2-check-groups":                        "POST /v2/check-groups",
	"post-v1-maintenance-windows":                 "POST /v1/maintenance-windows",
	"put-v1-maintenance-window":                   "PUT /v1/maintenance-windows/{id}",
	"post-v1-alert-channels":                      "POST /v1/alert-channels",
	"put-v1-alert-channel":                        "PUT /v1/alert-channels/{id}",
	"put-v1-alert-channel-subscriptions":          "PUT /v1/alert-channels/{id}/subscriptions",
	"post-v1-private-locations":                   "POST /v1/private-locations",
	"put-v1-private-location":                     "PUT /v1/private-locations/{id}",
	"post-v1-snippets":                            "POST /v1/snippets",
	"put-v1-snippet":                              "PUT /v1/snippets/{id}",
	"post-v1-variables":                           "POST /v1/variables",
	"put-v1-variable":                             "PUT /v1/variables/{key}",
	"post-v1-checks-api":                          "POST /v1/checks/api",
	"post-v1-checks-browser":                      "POST /v1/checks/browser",
	"post-v1-checks-tcp":                          "POST /v1/checks/tcp",
	"put-v1-checks-api":                           "PUT /v1/checks/api/{id}",
	"put-v1-checks-tcp":                           "PUT /v1/checks/tcp/{id}",
	"put-v1-checks-browser":                       "PUT /v1/checks/browser/{id}",
	"put-v1-check":                                "PUT /v1/checks/{id}",
	"post-v2-check-sessions-trigger":              "POST /v2/check-sessions/trigger",
	"post-v1-check-sessions-trigger":              "POST /v1/check-sessions/trigger",
	"post-v1-check-session-cancel":                "POST /v1/check-sessions/{checkSessionId}/cancel",
	"post-v1-test-sessions-trigger":               "POST /v1/test-sessions/trigger",
	"patch-v1-test-session-error-group":           "PATCH /v1/test-session-error-groups/{id}",
	"post-v1-root-cause-analysis-of-test-session": "POST /v1/root-cause-analyses/test-session-error-groups/{testSessionErrorGroupId}",
	"post-v1-test-session-cancel":                 "POST /v1/test-sessions/{testSessionId}/cancel",
	"post-v1-checks-icmp":                         "POST /v1/checks/icmp",
	"put-v1-checks-icmp":                          "PUT /v1/checks/icmp/{id}",
	"post-v1-checks-ssl":                          "POST /v1/checks/ssl",
	"put-v1-checks-ssl":                           "PUT /v1/checks/ssl/{id}",
	"post-v1-checks-dns":                          "POST /v1/checks/dns",
	"put-v1-checks-dns":                           "PUT /v1/checks/dns/{id}",
	"post-v1-checks-url":                          "POST /v1/checks/url",
	"put-v1-checks-url":                           "PUT /v1/checks/url/{id}",
	"post-v1-checks-heartbeat":                    "POST /v1/checks/heartbeat",
	"put-v1-checks-heartbeat":                     "PUT /v1/checks/heartbeat/{id}",
	"post-v1-checks-multistep":                    "POST /v1/checks/multistep",
	"put-v1-checks-multistep":                     "PUT /v1/checks/multistep/{id}",
}

var levels = map[Level]string{Client: "client", Service: "service"}

// expectation is a line of testdata/expect.
type expectation struct {
	path                string
	types               []string
	required, needed    bool
	both, service, good []string
}

func readExpectations(t testing.TB, name string) (list []expectation) {
	for _, fields := range testkit.Expectations(t, "testdata", name) {
		e := expectation{path: fields[0], types: strings.Split(fields[1], "|")}
		var into *[]string
		for _, f := range fields[2:] {
			switch f {
			case "required":
				e.required = true
			case "needed":
				e.needed = true
			case "both":
				into = &e.both
			case "service":
				into = &e.service
			case "good":
				into = &e.good
			default:
				require.NotNil(t, into, fields)
				*into = append(*into, f)
			}
		}
		list = append(list, e)
	}
	return list
}

// sample is a body with every member of its description. It can be changed by path.
type sample map[string]any

func readSample(t testing.TB, name string) sample { return testkit.Sample(t, "testdata", name) }

var stepPattern = regexp.MustCompile(`[^.\[\]]+`)

// absent is a member that is not there.
type absent struct{}

// at returns what is at a path, and a function that replaces it.
func (s sample) at(t *testing.T, path string) (value any, set func(any)) {
	value = map[string]any(s)
	for _, step := range stepPattern.FindAllString(path, -1) {
		switch in := value.(type) {
		case map[string]any:
			known := false
			if value, known = in[step]; !known {
				value = absent{}
			}
			set = func(v any) {
				if in[step] = v; v == (absent{}) {
					delete(in, step)
				}
			}
		case []any:
			i, err := strconv.Atoi(step)
			require.NoError(t, err, path)
			value, set = in[i], func(v any) { in[i] = v }
		default:
			require.Fail(t, "nothing is inside", "%v has no %s of %s", value, step, path)
		}
	}
	return value, set
}

// with returns the sample as JSON with another value at a path.
func (s sample) with(t *testing.T, path string, value any) []byte {
	old, set := s.at(t, path)
	set(value)
	defer set(old)
	return s.json(t)
}

func (s sample) json(t testing.TB) []byte {
	body, err := json.Marshal(s)
	require.NoError(t, err)
	return body
}

// value returns a value of an expectation as JSON.
func (e expectation) value(t *testing.T, s sample, word string) json.RawMessage {
	kind, n, _ := strings.Cut(word, ":")
	count, err := strconv.Atoi(n)
	switch {
	case kind == "text" && err == nil:
		return json.RawMessage(`"` + strings.Repeat("x", count) + `"`)
	case kind == "items" && err == nil:
		first, _ := s.at(t, e.path+"[0]")
		list, err := json.Marshal(slices.Repeat([]any{first}, count))
		require.NoError(t, err)
		return list
	}
	require.True(t, json.Valid([]byte(word)), word)
	return json.RawMessage(word)
}

// typed has a value of each JSON type.
var typed = map[string]string{"string": `"x"`, "number": "1", "boolean": "true", "array": "[]", "object": "{}", "null": "null"}

func TestEveryMemberIsCheckedAsTheDocumentSays(t *testing.T) {
	testkit.SkipUnderRace(t)
	for name, operation := range bodies {
		body, s := Lookup(operation).Body, readSample(t, name)
		for _, e := range append(readExpectations(t, name), expectation{types: []string{"object"}}) {
			check := func(path string) func(json.RawMessage) map[Level][]Violation {
				without, frame := s.with(t, path, absent{}), s.with(t, path, "its value")
				return func(value json.RawMessage) map[Level][]Violation {
					data := without
					if value != nil {
						data = bytes.Replace(frame, []byte(`"its value"`), value, 1)
					}
					return map[Level][]Violation{Client: body.Check(data, Client, nil), Service: body.Check(data, Service, nil)}
				}
			}
			if e.path != "" {
				e.judge(t, name, s, check(e.path))
			}
			if e.types[0] == "free" || slices.Contains(e.types, "object") {
				path := strings.TrimPrefix(e.path+".surprise", ".")
				want := map[Level][]Violation{Client: nil, Service: {{path, "is not allowed"}}}
				if e.types[0] == "free" {
					want[Service] = nil
				}
				require.Equal(t, want, check(path)(json.RawMessage(`{"a":[1,{"b":null}]}`)))
			}
		}
	}
}

func (e expectation) judge(t *testing.T, name string, s sample, check func(json.RawMessage) map[Level][]Violation) {
	what := name + " " + e.path
	if !strings.HasSuffix(e.path, "]") {
		for _, found := range check(nil) {
			switch {
			case e.needed:
				requireAbout(t, e.path, found, what)
			case e.required:
				require.Contains(t, found, Violation{e.path, "is required"}, what)
			default:
				require.Empty(t, found, "%s: it may be left out", what)
			}
		}
	}
	for kind, value := range typed {
		for level, found := range check(json.RawMessage(value)) {
			if e.types[0] == "any" {
				require.Empty(t, found, "%s is %s", what, value)
				continue
			}
			taken := slices.Contains(e.types, kind) || kind == "object" && e.types[0] == "free"
			if kind == "string" && strings.HasSuffix(e.path, ".onlyOn") {
				taken = level == Client
			}
			refused := slices.ContainsFunc(found, func(v Violation) bool {
				return v.Path == e.path && (e.types[0] == "none" || strings.HasPrefix(v.Message, "must ") && !strings.Contains(v.Message, "empty") && v.Message != "must be a date" ||
					strings.HasPrefix(v.Message, "is required:") || strings.HasPrefix(v.Message, "FALLBACK is for groups"))
			})
			require.Equal(t, !taken, refused, "%s is a %s: %v", what, kind, found)
		}
	}
	for _, words := range []struct {
		list              []string
		refusedBy, passed []Level
	}{{e.both, []Level{Client, Service}, nil}, {e.service, []Level{Service}, []Level{Client}}, {e.good, nil, []Level{Client, Service}}} {
		for _, word := range words.list {
			found := check(e.value(t, s, word))
			for _, level := range words.refusedBy {
				requireAbout(t, e.path, found[level], what+" is "+word)
			}
			for _, level := range words.passed {
				require.Empty(t, found[level], "%s is %s", what, word)
			}
		}
	}
}

// requireAbout requires a violation at a path, inside it or beside it.
func requireAbout(t *testing.T, path string, found []Violation, what string) {
	parent := path[:max(0, strings.LastIndex(path, "."))]
	require.NotEmpty(t, found, "%.100s", what)
	for _, v := range found {
		require.True(t, strings.HasPrefix(v.Path, parent), "%.100s: %v", what, v)
	}
}

// Each member of a description has an expectation and a value in the sample, and the other way
// round.
func TestSamplesAndExpectationsCoverTheDescription(t *testing.T) {
	for name, operation := range bodies {
		var expected, described []string
		for _, e := range readExpectations(t, name) {
			if e.types[0] != "any" {
				expected = append(expected, e.path)
			}
		}
		s := readSample(t, name)
		Lookup(operation).Body.walk("", func(path string, n *Node) {
			described = append(described, path)
			value, _ := s.at(t, path)
			require.Equal(t, n.TakesNothing(), value == absent{}, "testdata/samples/%s.json, or check-settings.json for all checks, must have %s, if it may be sent", name, path)
		})
		slices.Sort(expected)
		slices.Sort(described)
		require.Equal(t, slices.Compact(described), expected, "the description has the first members, testdata/expect/%s.txt the second ones", name)
	}
	for _, o := range Operations() {
		if o.Body != nil && !slices.Contains(slices.Collect(maps.Values(bodies)), o.Name) {
			t.Errorf("%s has a body: add it to bodies, with a sample and expectations", o.Name)
		}
	}
}

func (n *Node) walk(path string, visit func(string, *Node)) {
	for _, m := range slices.Concat(n.Members, n.Dropped) {
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
	requests, err := filepath.Glob("../../testdata/requests/*.json")
	require.NoError(t, err)
	samples, err := filepath.Glob("testdata/samples/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, requests)
	require.Len(t, samples, len(bodies))
	accepted := func(name string, body []byte) {
		require.Empty(t, Lookup(bodies[name]).Body.Check(body, Client, nil), "%s: %s", name, body)
		require.Empty(t, Lookup(bodies[name]).Body.Check(body, Service, nil), "%s: %s", name, body)
	}
	for name := range bodies {
		accepted(name, readSample(t, name).json(t))
	}
	for _, file := range requests {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		require.NotEmpty(t, bodies[name], "%s is not a body: add a line for its operation to bodies", file)
		accepted(name, data)
	}
}
