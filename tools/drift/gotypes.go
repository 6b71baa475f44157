package main

// goTypes are the members and values of Go types that some object of the service returns. The
// SDK has one Go type for objects that are alike, and such a type has the members and values of
// all of them. So it is normal that a single object lacks some. What the SDK sends has no Go
// types here, so a request that lacks some is a finding.
type goTypes map[goTypePart]bool

// goTypePart is a member, or a value, of a Go type.
type goTypePart struct{ goType, member, value string }

// returned looks for the members and values in all responses that both sides describe.
func returned(known, service description) goTypes {
	g := goTypes{}
	seen := make(map[[2]*shape]bool)
	for name, ours := range known {
		if theirs := service[name]; theirs != nil {
			g.add(ours.response, theirs.response, seen)
		}
	}
	return g
}

// add adds what a shape of the service has of the Go types at the same place of the SDK.
func (g goTypes) add(ours, theirs *shape, seen map[[2]*shape]bool) {
	pair := [2]*shape{ours, theirs}
	if ours == nil || theirs == nil || seen[pair] {
		return
	}
	seen[pair] = true
	for _, v := range theirs.enum {
		g[goTypePart{goType: ours.enumType, value: valueText(v)}] = true
	}
	for name, member := range theirs.members {
		if !member.writeOnly {
			g[goTypePart{goType: ours.declaredBy[name], member: name}] = true
			g.add(ours.members[name], member, seen)
		}
	}
	g.add(ours.items, theirs.items, seen)
}

// value reports whether some enumeration of the service has a value of the Go type of a shape.
func (g goTypes) value(s *shape, v any) bool {
	return s.enumType != "" && g[goTypePart{goType: s.enumType, value: valueText(v)}]
}

// member reports whether some object of the service has a member of the Go type of a shape.
func (g goTypes) member(s *shape, name string) bool {
	declaring := s.declaredBy[name]
	return declaring != "" && g[goTypePart{goType: declaring, member: name}]
}
