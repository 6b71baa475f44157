package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// comparison finds members of the sent JSON that the decoded value does not have.
type comparison struct {
	nullIsZero bool // a null may have become the zero value
	problems   []string
}

// mayBeMissing are members whose zero value means the same as their absence.
var mayBeMissing = map[string]bool{
	"apiCheckResult.response.truncated": true,
}

// spellings are the other member names of latencies.
var spellings = map[string]string{
	"avg_ms": "avgMs", "best_ms": "bestMs", "worst_ms": "worstMs", "avg": "avgMs", "min": "bestMs", "max": "worstMs",
}

func (c *comparison) add(path, format string, args ...any) {
	c.problems = append(c.problems, strings.TrimPrefix(path, ".")+": "+fmt.Sprintf(format, args...))
}

// compare compares member by member. Members that were not sent are ignored, because the
// result may have them as null or zero. A null may be absent from the result.
func (c *comparison) compare(path string, sent, got any) {
	switch want := sent.(type) {
	case nil:
		if got != nil && !(c.nullIsZero && isZeroJSON(got)) {
			c.add(path, "sent null, got %v", got)
		}
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			c.add(path, "sent an object, got %v", got)
			return
		}
		for name, value := range want {
			if strings.HasPrefix(name, "future") { // of a later version of the service
				continue
			}
			member := path + "." + name
			back, ok := members[name]
			if !ok && strings.HasSuffix(path, "finalHopLatency") {
				back, ok = members[spellings[name]]
			}
			if !ok && value != nil {
				if !mayBeMissing[strings.TrimPrefix(member, ".")] {
					c.add(member, "was dropped (sent %v)", value)
				}
				continue
			}
			c.compare(member, value, back)
		}
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			c.add(path, "sent %d items, got %v", len(want), got)
			return
		}
		for i := range want {
			c.compare(fmt.Sprintf("%s[%d]", path, i), want[i], items[i])
		}
	case json.Number:
		a, _ := new(big.Rat).SetString(want.String())
		number, _ := got.(json.Number)
		if b, ok := new(big.Rat).SetString(number.String()); !ok || a.Cmp(b) != 0 {
			c.add(path, "sent %v, got %v", want, got)
		}
	default:
		if sent != got {
			c.add(path, "sent %#v, got %#v", sent, got)
		}
	}
}

func isZeroJSON(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		for m := range maps.Values(v) {
			if !isZeroJSON(m) {
				return false
			}
		}
		return true
	}
	return false
}

func TestTheComparisonFindsADroppedMember(t *testing.T) {
	c := &comparison{}
	c.compare("", kit.ParseJSON(t, `{"a":[{"b":1,"c":null,"d":2}],"e":9007199254740991}`), kit.ParseJSON(t, `{"a":[{"b":1.0,"x":1}],"e":9007199254740992}`))
	require.ElementsMatch(t, []string{"a[0].d: was dropped (sent 2)", "e: sent 9007199254740991, got 9007199254740992"}, c.problems)
}
