package document

import (
	"reflect"
	"slices"
)

// match finds for each item the one that it was before, -1 if there was none. name tells the items
// apart: it is their key, if they are keyed, or else their content. Of several items with
// one key it is the one with the same content. Of those that are left the first was the first; one
// that is there once more is the last of them.
func match(was, now reflect.Value, keyed bool, name, content func(reflect.Value) string) (partner []int) {
	used := make([]bool, was.Len())
	partner = slices.Repeat([]int{-1}, now.Len())
	places := placesOf(was, name)
	if keyed && len(places) < was.Len() {
		pair(partner, used, placesOf(was, content), now, content)
	}
	pair(partner, used, places, now, name)
	if keyed {
		return partner
	}
	for i, from := range partner {
		if from >= 0 {
			continue
		}
		before, after := -1, len(used)
		if i > 0 {
			before = partner[i-1]
		}
		if i+1 < len(partner) {
			after = partner[i+1]
		}
		switch {
		case len(used) == len(partner) && !used[i]:
			partner[i], used[i] = i, true
		case after-before == 2 && !used[before+1]: // between the same neighbors
			partner[i], used[before+1] = before+1, true
		}
	}
	return partner
}

func placesOf(list reflect.Value, name func(reflect.Value) string) map[string][]int {
	places := make(map[string][]int)
	for i := range list.Len() {
		text := name(list.Index(i))
		places[text] = append(places[text], i)
	}
	return places
}

// pair gives each item without a partner the first with its name that is not used, or else the
// last.
func pair(partner []int, used []bool, places map[string][]int, now reflect.Value, name func(reflect.Value) string) {
	for i := range partner {
		if partner[i] >= 0 {
			continue
		}
		text := name(now.Index(i))
		found := places[text]
		for len(found) > 1 && used[found[0]] {
			found = found[1:]
		}
		if len(found) > 0 {
			partner[i], used[found[0]], places[text] = found[0], true, found
		}
	}
}
