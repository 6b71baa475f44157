package schema

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

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
