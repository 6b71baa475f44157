package schema

import (
	"cmp"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Clients of the service send members that no edition is described to have, and the service takes
// them. CheckDocumented checks a body as [Node.Check] does at the level Service, but for these:
//
//   - members that are not described, unless the object is [Node.Closed], and those that take no
//     value;
//   - null for a list that may not be null;
//   - an empty text for a value that is [Node.Lax], and a required one that is not there.
//
// It returns the body without them, and what it has left out, in the order of the body, as the
// rules that Check would report. The body is as it was if it breaks another rule.
func (n *Node) CheckDocumented(body []byte) (rest []byte, undocumented, broken []Violation) {
	c := checkers.Get().(*checker)
	var cuts []cut
	c.cuts = &cuts
	broken = c.check(n, body, Service, nil)
	checkers.Put(c)
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.start, b.start) })
	cuts = slices.CompactFunc(cuts, func(a, b cut) bool { return a == b }) // a rule may look again
	for _, one := range cuts {
		undocumented = append(undocumented, one.Violation)
	}
	if len(broken) > 0 {
		return body, undocumented, broken
	}
	return outOf(body, cuts), undocumented, nil
}

// outOf returns a body without what is cut, in its order. Commas that are left over go with it.
func outOf(body []byte, list []cut) []byte {
	if len(list) == 0 {
		return body
	}
	rest := make([]byte, 0, len(body))
	last := byte(0) // the last one that is no space
	for at := 0; at < len(body); {
		for len(list) > 0 && (list[0].end == 0 || list[0].end <= at) {
			list = list[1:]
		}
		switch b := body[at]; {
		case len(list) > 0 && list[0].start == at:
			at = list[0].end
			continue
		case b == '"':
			end := rawjson.EndOfString(body, at)
			rest, at, last = append(rest, body[at:end]...), end, b
			continue
		case b == ',' && (last == '{' || last == ','), b == ' ', b == '\n', b == '\t', b == '\r':
		case b == '}' && last == ',':
			rest[len(rest)-1], last = b, b
		default:
			rest, last = append(rest, b), b
		}
		at++
	}
	return rest
}
