package monitoring

import (
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// accepted returns a value without what either the description of a body or its type does not have,
// also in objects inside it: items of lists have nothing else. A null that a service may refuse
// goes, too; a withheld secret needs none.
func accepted(n *schema.Node, p *jsontype.Plan, value []byte) []byte {
	p = p.Behind()
	if rawjson.Kind(value) == '{' && p.IsStruct() {
		var members []rawjson.Member
		for _, f := range p.Members {
			m, is := n.Member(f.Name), rawjson.Get(value, f.Name)
			if m == nil || is == nil || m.Node.TakesNothing() || rawjson.IsNull(is) && m.Node.KindsAt(schema.Service)&schema.Null == 0 {
				continue
			}
			members = append(members, rawjson.Member{Name: f.Name, Value: accepted(m.Node, f.Plan, is)})
		}
		return rawjson.Join(members)
	}
	return value
}
