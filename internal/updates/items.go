package updates

import (
	"bytes"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

func itemsOf(array []byte) [][]byte {
	var list [][]byte
	for item := range rawjson.Items(array) {
		list = append(list, rawjson.Compact(item))
	}
	return list
}

// listOf returns the array that has these items.
func listOf(items [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

func nodeOf(n *schema.Node, member string) *schema.Node {
	if n == nil {
		return nil
	}
	if m := n.Member(member); m != nil {
		return m.Node
	}
	return nil
}

func itemOf(n *schema.Node) *schema.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// match finds for each item the one that it was before, -1 if there was none, and says which ones
// are gone. Of several items with one identity the first was the first. An item without a name of
// its own was the one at its place, if neither is found elsewhere.
func match(was, is [][]byte) (partner []int, gone []bool) {
	places := make(map[string][]int)
	gone = make([]bool, len(was))
	for i, item := range was {
		_, id := identity(item)
		places[id], gone[i] = append(places[id], i), true
	}
	for _, item := range is {
		_, id := identity(item)
		from := -1
		if found := places[id]; len(found) > 0 {
			from, places[id] = found[0], found[1:]
			gone[from] = false
		}
		partner = append(partner, from)
	}
	for i := range min(len(was), len(is)) {
		named, _ := identity(was[i])
		namedNow, _ := identity(is[i])
		if partner[i] < 0 && gone[i] && !named && !namedNow {
			partner[i], gone[i] = i, false
		}
	}
	return partner, gone
}

// identity returns what tells an item from the others of its list: its name, or else its content.
func identity(item []byte) (named bool, id string) {
	for _, name := range []string{"key", "id", "alertChannelId"} {
		if value := rawjson.Get(item, name); value != nil && !rawjson.IsNull(value) {
			return true, name + ":" + string(rawjson.Canonical(value))
		}
	}
	return false, string(rawjson.Canonical(item))
}

// isNothing reports whether a value is absent, null, false or empty.
func isNothing(value []byte) bool { return rawjson.IsEmpty(value) || rawjson.Kind(value) == 'f' }
