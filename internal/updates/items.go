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
// are gone. Of several items with one identity it is the one with the same content, and of the rest
// the first was the first. An item without a name of its own was the one at its place, if neither
// is found elsewhere.
func match(was, is [][]byte) (partner []int, gone []bool) {
	partner, gone = make([]int, len(is)), make([]bool, len(was))
	for i := range partner {
		partner[i] = -1
	}
	for i := range gone {
		gone[i] = true
	}
	content := func(item []byte) (named bool, id string) { return false, string(rawjson.Canonical(item)) }
	for _, idOf := range []func([]byte) (bool, string){content, identity} {
		places := make(map[string][]int)
		for i, item := range was {
			if gone[i] {
				_, id := idOf(item)
				places[id] = append(places[id], i)
			}
		}
		for i, item := range is {
			if partner[i] >= 0 {
				continue
			}
			_, id := idOf(item)
			if found := places[id]; len(found) > 0 {
				partner[i], places[id], gone[found[0]] = found[0], found[1:], false
			}
		}
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
