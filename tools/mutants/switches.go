package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// place is where a mutant is, and of which kind it is.
type place struct {
	start, end int
	rule       string
}

// switcher finds the changes that make the mutants of a file switchable. What it finds no
// change for is left over.
type switcher struct {
	pack    *pack
	names   *names
	index   int // of the file in the package
	file    *token.File
	source  []byte
	mutants []mutant // all, of all files
	at      map[place][]int
	none    int // the number of no mutant
	fixed   map[ast.Expr]bool
	changes []*change
}

// switches returns the changes for the mutants of a file, which ids names by their numbers.
func switches(k *pack, n *names, index int, mutants []mutant, ids []int) []*change {
	file := k.files[index]
	s := &switcher{
		pack: k, names: n, index: index, file: k.set.File(file.FileStart), source: k.sources[index],
		mutants: mutants, at: make(map[place][]int), none: len(mutants), fixed: fixed(file),
	}
	for _, id := range ids {
		m := mutants[id]
		p := place{m.start, m.end, m.rule}
		s.at[p] = append(s.at[p], id)
	}
	ast.Inspect(file, s.visit)
	return s.changes
}

func (s *switcher) offset(p token.Pos) int { return s.file.Offset(p) }

// take returns the mutants of a kind that replace the source from one position to another.
func (s *switcher) take(rule string, from, to token.Pos) []int {
	p := place{s.offset(from), s.offset(to), rule}
	ids := s.at[p]
	delete(s.at, p)
	return ids
}

func (s *switcher) add(ids []int, edits ...edit) *change {
	c := &change{ids: ids, file: s.index, edits: edits}
	s.changes = append(s.changes, c)
	return c
}

// around is text around a node, instead is text in the place of a part of the source.
func (s *switcher) around(n ast.Node, before, after string) edit {
	return edit{start: s.offset(n.Pos()), end: s.offset(n.End()), before: before, after: after}
}

func (s *switcher) instead(from, to token.Pos, text string) edit {
	return edit{start: s.offset(from), end: s.offset(to), before: text, instead: true}
}

func (s *switcher) visit(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		if s.fixed[e] {
			return false
		}
		if tv := s.pack.info.Types[e]; tv.Value != nil {
			s.constant(e, tv.Type)
			return false
		}
		for _, id := range s.take("condition negated", e.Pos(), e.End()) {
			s.add([]int{id}, s.around(e, "((", fmt.Sprintf(") != mutOn(%d))", id)))
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST && n.Tok != token.IMPORT
	case *ast.BlockStmt:
		s.statements(n.List)
	case *ast.CaseClause:
		s.statements(n.Body)
	case *ast.CommClause:
		s.statements(n.Body)
	case *ast.BinaryExpr:
		s.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			for _, id := range s.take("negation dropped", n.OpPos, n.X.Pos()) {
				s.add([]int{id}, s.instead(n.OpPos, n.X.Pos(), ""), s.around(n, "((", fmt.Sprintf(") == mutOn(%d))", id)))
			}
		}
	case *ast.IncDecStmt:
		s.step(n)
	case *ast.AssignStmt:
		s.assign(n)
	case *ast.ReturnStmt:
		s.failure(n)
	}
	return true
}

// statements makes it possible to drop the statements of a list, or to leave a loop instead of
// going on.
func (s *switcher) statements(list []ast.Stmt) {
	for _, n := range list {
		for _, id := range s.take("statement dropped", n.Pos(), n.End()) {
			c := s.add([]int{id}, s.around(n, fmt.Sprintf("if !mutOn(%d) { ", id), " }"))
			c.flow = true
		}
		if branch, ok := n.(*ast.BranchStmt); ok && branch.Label == nil {
			for _, id := range s.take("operator", branch.Pos(), branch.End()) {
				c := s.add([]int{id}, s.around(n, fmt.Sprintf("if mutOn(%d) { %s }; ", id, s.mutants[id].with), ""))
				c.flow = true
			}
		}
	}
}

// operators are the swaps that a function makes. The others have their own forms.
var operators = map[token.Token]string{
	token.LSS: "mutLSS", token.LEQ: "mutLEQ", token.GTR: "mutGTR", token.GEQ: "mutGEQ",
	token.ADD: "mutADD", token.SUB: "mutSUB", token.MUL: "mutMUL", token.QUO: "mutQUO", token.REM: "mutREM",
	token.AND: "mutAND", token.OR: "mutOR", token.SHL: "mutSHL", token.SHR: "mutSHR",
}

func (s *switcher) binary(n *ast.BinaryExpr) {
	width := token.Pos(len(n.Op.String()))
	ids := s.take("operator", n.OpPos, n.OpPos+width)
	if len(ids) == 0 || !s.pack.info.Types[n].IsValue() || s.text(n) && n.Op == token.ADD { // a | b can be types
		return
	}
	on := fmt.Sprintf(") != mutOn(%d)", ids[0])
	switch n.Op {
	case token.EQL, token.NEQ:
		s.add(ids, s.around(n, "((", on+")"))
	case token.LAND, token.LOR: // a || b is !(!a && !b)
		s.add(ids, s.around(n, "((", on+")"), s.around(n.X, "(", on), s.around(n.Y, "(", on))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		bound, turned := s.none, s.none
		for _, id := range ids {
			if s.mutants[id].with == swaps[n.Op][0].String() {
				bound = id
			} else {
				turned = id
			}
		}
		s.call(n, ids, fmt.Sprintf("%s(%d, %d, ", operators[n.Op], bound, turned), width)
	default:
		with := ""
		if n.Op == token.SHL || n.Op == token.SHR { // the left side may be a constant
			name, ok := s.names.of(s.pack.info.Types[n].Type)
			if !ok {
				return
			}
			with = "[" + name + "]"
		}
		s.call(n, ids, fmt.Sprintf("%s%s(%d, ", operators[n.Op], with, ids[0]), width)
	}
}

// text reports whether an expression is a text: + has no opposite for it.
func (s *switcher) text(e ast.Expr) bool { return isText(s.pack.info.Types[e].Type) }

// call makes a call of an operator.
func (s *switcher) call(n *ast.BinaryExpr, ids []int, before string, width token.Pos) {
	s.add(ids, s.around(n, before, ")"), s.instead(n.OpPos, n.OpPos+width, ","))
}

// step counts the other way.
func (s *switcher) step(n *ast.IncDecStmt) {
	for _, id := range s.take("operator", n.TokPos, n.TokPos+2) {
		if name, ok := s.names.of(s.pack.info.Types[n.X].Type); ok {
			s.add([]int{id}, s.instead(n.TokPos, n.TokPos+2, fmt.Sprintf(" %s= mutUp[%s](%d)", n.Tok.String()[:1], name, id)))
		}
	}
}

// assigned are the operators of assignments.
var assigned = map[token.Token]token.Token{
	token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// assign turns an assignment with an operator round.
func (s *switcher) assign(n *ast.AssignStmt) {
	width := token.Pos(len(n.Tok.String()))
	for _, id := range s.take("operator", n.TokPos, n.TokPos+width) {
		name, named := s.names.of(s.pack.info.Types[n.Lhs[0]].Type)
		switch value := n.Rhs[0]; {
		case !named || s.text(n.Lhs[0]):
		case n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN:
			s.add([]int{id}, s.around(value, fmt.Sprintf("mutNeg[%s](%d, ", name, id), ")"))
		case plain(n.Lhs[0]):
			target := string(s.source[s.offset(n.Lhs[0].Pos()):s.offset(n.Lhs[0].End())])
			s.add([]int{id}, s.instead(n.TokPos, n.TokPos+width, "="),
				s.around(value, fmt.Sprintf("%s[%s](%d, %s, ", operators[assigned[n.Tok]], name, id, target), ")"))
		}
	}
}

// plain reports whether an expression can be repeated: it calls nothing and has no mutant.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return plain(e.X)
	}
	return false
}

// failure makes a return statement return no error. A call is then not made, either.
func (s *switcher) failure(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	for _, id := range s.take("error not returned", last.Pos(), last.End()) {
		calls := false
		ast.Inspect(last, func(n ast.Node) bool {
			_, call := n.(*ast.CallExpr)
			calls = calls || call
			return true
		})
		if calls {
			s.add([]int{id}, s.around(last, fmt.Sprintf("mutErrOf(%d, func() error { return ", id), " })"))
		} else {
			s.add([]int{id}, s.around(last, fmt.Sprintf("mutErr(%d, ", id), ")"))
		}
	}
}

// constant makes the mutants inside a constant expression switchable: the value is another one.
func (s *switcher) constant(e ast.Expr, kind types.Type) {
	start, end := s.offset(e.Pos()), s.offset(e.End())
	for p, ids := range s.at {
		if p.start < start || p.end > end {
			continue
		}
		name, ok := s.names.of(kind)
		for _, id := range ids {
			m := s.mutants[id]
			other := string(s.source[start:m.start]) + m.with + string(s.source[m.end:end])
			if _, err := types.Eval(s.pack.set, s.pack.types, e.Pos(), s.names.basic(kind)+"("+other+")"); !ok || err != nil {
				continue
			}
			s.add([]int{id}, s.around(e, "mutVal["+name+"](", fmt.Sprintf(", %d, %s)", id, other)))
		}
		if ok {
			delete(s.at, p)
		}
	}
}
