package schema

import (
	"bytes"
	"encoding/json"
	"maps"
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

// FuzzCheck compares what is valid with encoding/json. No bytes make it panic, and the service
// refuses all that the client refuses.
func FuzzCheck(f *testing.F) {
	requests, err := filepath.Glob("../../testdata/requests/*.json")
	require.NoError(f, err)
	for _, file := range requests {
		body, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(body)
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		f.Add(readSample(f, name).json(f))
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
		}
	})
}

// groupBody is a group update of 2 KB.
func groupBody(tb testing.TB) []byte {
	data, err := os.ReadFile("testdata/samples/put-v2-check-group.json")
	require.NoError(tb, err)
	var small bytes.Buffer
	require.NoError(tb, json.Compact(&small, data))
	one := []byte(`{"key":"BASE","value":"https://api.shop.test","locked":false,"secret":false}`)
	return bytes.Replace(small.Bytes(), one, bytes.Join([][]byte{one, one, one, one, one, one, one}, []byte(",")), 1)
}

func TestACheckOfAGoodBodyAllocatesNothing(t *testing.T) {
	for operation, body := range map[string][]byte{
		"PUT /v2/check-groups/{id}": groupBody(t),
		"POST /v1/checks/tcp":       []byte(tcp(`"description":"a\n\u00e4\ud83d\ude00","ta\u0067s":["\\"],"check\u0054ype":"T\u0043P"`)),
	} {
		n := Lookup(operation).Body
		for level, name := range levels {
			c := new(checker) // not from the pool, which the race detector empties at random
			require.Empty(t, c.check(n, body, level, nil))
			require.Zero(t, testing.AllocsPerRun(100, func() { c.check(n, body, level, nil) }), name)
		}
	}
}

func BenchmarkCheckGroup(b *testing.B) {
	body, n := groupBody(b), Lookup("PUT /v2/check-groups/{id}").Body
	for _, level := range []Level{Client, Service} {
		b.Run(levels[level], func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if found := n.Check(body, level, nil); found != nil {
					b.Fatal(found)
				}
			}
		})
	}
}
