package updates

import (
	"bytes"
	"slices"

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
func (c comparer) match(was, is [][]byte) (partner []int, gone []bool) {
	partner, gone = slices.Repeat([]int{-1}, len(is)), slices.Repeat([]bool{true}, len(was))
	idsWas, idsIs := c.contents(was), c.contents(is)
	pair(partner, gone, idsWas, idsIs)
	namedWas, namedIs := make([]bool, len(was)), make([]bool, len(is))
	for i, item := range was {
		if gone[i] {
			idsWas[i], namedWas[i] = idOf(item, idsWas[i])
		}
	}
	for i, item := range is {
		if partner[i] < 0 {
			idsIs[i], namedIs[i] = idOf(item, idsIs[i])
		}
	}
	pair(partner, gone, idsWas, idsIs)
	for i := range min(len(was), len(is)) {
		if partner[i] < 0 && gone[i] && !namedWas[i] && !namedIs[i] {
			partner[i], gone[i] = i, false
		}
	}
	return partner, gone
}

// pair gives each item without a partner the first one with its id that is gone.
func pair(partner []int, gone []bool, was, is []string) {
	places := make(map[string][]int)
	for i, id := range was {
		if gone[i] {
			places[id] = append(places[id], i)
		}
	}
	for i, id := range is {
		if found := places[id]; partner[i] < 0 && len(found) > 0 {
			partner[i], places[id], gone[found[0]] = found[0], found[1:], false
		}
	}
}

func (c comparer) contents(items [][]byte) []string {
	list := make([]string, len(items))
	for i, item := range items {
		if c.ended() {
			break
		}
		list[i] = string(rawjson.Canonical(item))
	}
	return list
}

// idOf returns what tells an item from the others of its list: its name, or else its content.
func idOf(item []byte, content string) (id string, named bool) {
	for _, name := range []string{"key", "id", "alertChannelId"} {
		if value := rawjson.Get(item, name); value != nil && !rawjson.IsNull(value) {
			return name + ":" + string(rawjson.Canonical(value)), true
		}
	}
	return content, false
}

// isNothing reports whether a value is absent, null, false or empty.
func isNothing(value []byte) bool { return rawjson.IsEmpty(value) || rawjson.Kind(value) == 'f' }
