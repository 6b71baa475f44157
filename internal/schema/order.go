package schema

import (
	"cmp"
	"strconv"
	"strings"
)

// Compare compares two paths in a body by the order of the description: a value comes before what
// is inside of it, members come as the description has them, and items by their index. Members that
// are not described are equal to each other, and come last.
func (n *Node) Compare(a, b string) int {
	for {
		placeA, inside, restA := n.step(a)
		placeB, _, restB := n.step(b)
		if placeA != placeB || inside == nil {
			return cmp.Compare(placeA, placeB)
		}
		n, a, b = inside, restA, restB
	}
}

// step returns the place of the first step of a path, its description, and the rest of the path.
// The place of no step is before all others.
func (n *Node) step(path string) (place int, inside *Node, rest string) {
	if path == "" {
		return -1, nil, ""
	}
	if index, rest, isItem := strings.Cut(path[1:], "]"); isItem && path[0] == '[' {
		if place, err := strconv.Atoi(index); err == nil {
			return place, n.Items, rest
		}
	}
	path = strings.TrimPrefix(path, ".")
	for i, m := range n.Members {
		if rest, ok := strings.CutPrefix(path, m.Name); ok && (rest == "" || strings.IndexByte(".[", rest[0]) >= 0) {
			return i, m.Node, rest
		}
	}
	return len(n.Members), nil, ""
}
