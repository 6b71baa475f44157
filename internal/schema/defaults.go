package schema

import (
	"bytes"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Filled returns a value as the service has it: with what it fills in for members that the objects
// inside lack. What is nil stays nil. It is for values that break no rule.
func (n *Node) Filled(value []byte) []byte {
	switch rawjson.Kind(value) {
	case '{':
		members, has := rawjson.Members(value), make(map[string][]byte)
		for i, m := range members {
			has[m.Name] = m.Value
			if known := n.Member(m.Name); known != nil {
				members[i].Value = known.Node.Filled(m.Value)
			}
		}
		for _, m := range n.Members {
			if has[m.Name] == nil && !n.Sparse && m.Node.fills(has) {
				has[m.Name] = m.Node.Filled(m.Node.atAbsence())
				members = append(members, rawjson.Member{Name: m.Name, Value: has[m.Name]})
			}
		}
		return rawjson.Join(members)
	case '[':
		if n.Items == nil {
			return value
		}
		var items [][]byte
		for item := range rawjson.Items(value) {
			items = append(items, n.Items.Filled(item))
		}
		return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	}
	return value
}

// atAbsence is what the service has for the member if it is absent; nil if that is not known.
func (n *Node) atAbsence() []byte {
	if n.Default != "" {
		return []byte(n.Default)
	}
	if n.FilledIn != "" {
		return []byte(n.FilledIn)
	}
	return nil
}

// fills reports whether the service fills in the member in an object that has some others.
func (n *Node) fills(has map[string][]byte) bool {
	return n.atAbsence() != nil && (n.Unless.Member == "" || rawjson.Text(has[n.Unless.Member]) != n.Unless.Text)
}
