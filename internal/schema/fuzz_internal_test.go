package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var notJSON = []Violation{{"body", "is not valid JSON"}}

// anything takes every JSON value and looks inside of it.
var anything = func() *Node {
	n := &Node{Kinds: String | Number | Boolean | Array | Object | Null, Free: true}
	n.Items, n.Members = n, []Member{{"a", n, false}}
	return n
}()

// nested has so many objects or arrays inside each other.
func nested(open string, depth int) string {
	if open == "[" {
		return strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	return strings.Repeat(open, depth) + "1" + strings.Repeat("}", depth)
}

// FuzzCheck compares the scanner with encoding/json: they find the same bytes valid and the
// same members. No bytes make it panic, and the service refuses all that the client refuses.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"../../testdata/requests/*.json", "testdata/samples/*.json"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			body, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(body)
		}
	}
	for _, body := range []string{
		``, `nul`, `01`, `"\x"`, `[1,]`, `{"a"}`, `{"a":1,}`, `{"a":[1,{"a":"x"}],"x":[2 {"c":"y"}]}`, `{"b":[nul]}`, `{} {}`, "{\"a\"\x00:1}", `{"frequencyOffset":x}`, `{"frequency":1,"request":[}`,
		`{"name":"a","name":1}`, `{"na\u006de":""}`, `{"Name":1,"":2}`, `{"request":{"port":1e999}}`, `{"checkType":"TCP","name":"a","request":{},"frequency":0,"frequency.x":1,"frequency[0]":1}`,
		nested(`[`, 10000), nested(`[`, 10001), nested(`{"a":`, 10000), nested(`{"a":`, 10001), `{"x":` + nested(`{"a":`, 9999) + `}`, `{"x":` + nested(`{"a":`, 10000) + `}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, skip := range []func(string) bool{nil, func(string) bool { return true }} { // one looks inside, the other does not
			found := anything.Check(body, Client, skip)
			require.Equal(t, json.Valid(body), len(found) == 0 || found[0] != notJSON[0])
		}
		for _, o := range Operations() {
			if o.Body == nil || len(body) > 10_000 {
				continue
			}
			client, service := o.Body.Check(body, Client, nil), o.Body.Check(body, Service, nil)
			if !json.Valid(body) {
				require.Equal(t, notJSON, client)
				require.Equal(t, notJSON, service)
				continue
			}
			require.NotEqual(t, notJSON, client)
			if len(client) > 0 {
				require.NotEmpty(t, service, "the client refuses what the service takes: %v", client)
			}
			sameMembers(t, o.Body, body, service)
		}
	})
}

// sameMembers compares the members that the check found missing or unknown with a decoded map.
func sameMembers(t *testing.T, n *Node, body []byte, found []Violation) {
	var o map[string]json.RawMessage
	if len(found) > maxViolations || json.Unmarshal(body, &o) != nil || o == nil {
		return
	}
	for name := range o {
		path := pathName(textOf(name))
		known := n.Member(name) != nil
		refused := slices.Contains(found, Violation{path, "is not allowed"})
		// The path of an unknown member may look like that of a known one, or of something
		// inside it: a long name is cut, and names may contain dots and brackets.
		outer := path
		if i := strings.IndexAny(path, ".["); i >= 0 {
			outer = path[:i]
		}
		if n.Member(path) == nil && (outer == path || n.Member(outer) == nil) {
			require.Equal(t, !known, refused, "%q in %v", name, found)
		}
	}
	for _, m := range n.Members {
		if _, there := o[m.Name]; m.Required && !there {
			require.Contains(t, found, Violation{m.Name, "is required"})
		}
	}
}
