package updates

import (
	"context"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Differs compares an object with the body of a create, to find out whether that can have made it.
// It returns the path of the first value that was sent and that the object has otherwise; "" if
// there is none. What was not sent says nothing, and neither does what the object lacks or
// withholds. The service may have added subscriptions to those that were sent.
func Differs(ctx context.Context, n *schema.Node, sent, object []byte) (path string, err error) {
	return comparer{ctx.Err}.differs(n, "", sent, object, rawjson.Levels), ctx.Err()
}

// differs is Differs for a value with a path. What is deeper than the given levels is one value.
func (c comparer) differs(n *schema.Node, path string, sent, has []byte, levels int) string {
	kind := rawjson.Kind(sent)
	switch {
	case has == nil, c.sameInside(n, has, sent):
		return ""
	case n != nil && (n.TakesNothing() || n.Secret && rawjson.IsEmpty(has)):
		return ""
	case levels == 0 || kind != rawjson.Kind(has):
	case n != nil && n.Set && !mayGrow(n): // the sets differ
	case kind == '{':
		members := lookIn(has)
		for member, value := range rawjson.Each(sent) {
			name := string(member)
			if at := c.differs(nodeOf(n, name), inside(path, name), value, members.get(name), levels-1); at != "" {
				return at
			}
		}
		return ""
	case kind == '[':
		were, are := itemsOf(sent), itemsOf(has)
		for i, to := range c.madeOf(n, were, are) {
			at := rawjson.Step{Index: i}.After(path)
			if to >= 0 {
				at = c.differs(itemOf(n), at, were[i], are[to], levels-1)
			}
			if at != "" {
				return at
			}
		}
		if len(were) == len(are) || mayGrow(n) {
			return ""
		}
	}
	return path
}

// mayGrow reports whether a list is a set to which the service may add items of its own.
func mayGrow(n *schema.Node) bool {
	return n != nil && n.Set && n.Items.Kinds&schema.Object != 0
}

// madeOf returns, for each item that was sent, the place of the item that it was made to; -1 if
// there is none.
func (c comparer) madeOf(n *schema.Node, sent, has [][]byte) []int {
	places := make([]int, len(sent))
	for i := range places {
		if places[i] = i; i >= len(has) || mayGrow(n) {
			places[i] = -1
		}
	}
	if mayGrow(n) {
		partner, _ := c.match(sent, has)
		for i, from := range partner {
			if from >= 0 {
				places[from] = i
			}
		}
	}
	return places
}
