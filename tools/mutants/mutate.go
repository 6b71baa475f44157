package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// mutant is one small change of a source file.
type mutant struct {
	file         string // as the user named it
	source       []byte // of the file, without the change
	start, end   int    // the bytes of the file that are replaced
	with         string
	line, column int
	rule         string // what kind of change it is
	was          string // the replaced text, on one line
}

// String says where the mutant is and what it changes.
func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s -> %s", m.file, m.line, m.column, m.rule, m.was, oneLine(m.with))
}

// apply returns the source with the change made.
func (m mutant) apply() []byte {
	return slices.Concat(m.source[:m.start], []byte(m.with), m.source[m.end:])
}

func oneLine(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return "nothing"
	}
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	return s
}

// mutantsOf returns the mutants of a source file in the order of the file.
func mutantsOf(name string, source []byte) ([]mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	c := &collector{name: name, source: source, file: set.File(file.FileStart)}
	ast.Inspect(file, c.visit)
	slices.SortStableFunc(c.list, func(a, b mutant) int {
		return cmp.Or(a.start-b.start, a.end-b.end, strings.Compare(a.with, b.with))
	})
	return slices.CompactFunc(c.list, func(a, b mutant) bool {
		return a.start == b.start && a.end == b.end && a.with == b.with
	}), nil
}

// sample returns n of the mutants, the same ones for the same seed; n of 0 returns all.
func sample(list []mutant, n int, seed uint64) []mutant {
	if n <= 0 || n >= len(list) {
		return list
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(list))[:n]
	slices.Sort(chosen)
	out := make([]mutant, 0, n)
	for _, i := range chosen {
		out = append(out, list[i])
	}
	return out
}

type collector struct {
	name   string
	source []byte
	file   *token.File
	list   []mutant
}

// add notes a mutant that replaces the source from one position to another.
func (c *collector) add(rule string, from, to token.Pos, with string) {
	start, end := c.file.Offset(from), c.file.Offset(to)
	at := c.file.Position(from)
	c.list = append(c.list, mutant{
		file: c.name, source: c.source, start: start, end: end, with: with, line: at.Line, column: at.Column,
		rule: rule, was: oneLine(string(c.source[start:end])),
	})
}

func (c *collector) text(n ast.Node) string {
	return string(c.source[c.file.Offset(n.Pos()):c.file.Offset(n.End())])
}

// swaps are the operators and what each of them is replaced by.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR}, token.OR: {token.AND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN}, token.INC: {token.DEC}, token.DEC: {token.INC},
	token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
}

func (c *collector) swap(at token.Pos, op token.Token) {
	for _, other := range swaps[op] {
		c.add("operator", at, at+token.Pos(len(op.String())), other.String())
	}
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		c.swap(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			c.add("negation dropped", n.OpPos, n.X.Pos(), "")
		}
	case *ast.IncDecStmt:
		c.swap(n.TokPos, n.Tok)
		c.drop(n)
	case *ast.AssignStmt:
		c.swap(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			c.drop(n)
		}
	case *ast.ExprStmt:
		if _, ok := n.X.(*ast.CallExpr); ok {
			c.drop(n)
		}
	case *ast.DeferStmt, *ast.GoStmt:
		c.drop(n.(ast.Stmt))
	case *ast.BranchStmt:
		if n.Label == nil {
			c.swap(n.TokPos, n.Tok)
		}
	case *ast.IfStmt: // with an else this swaps the branches
		c.negate(n.Cond)
	case *ast.ForStmt:
		c.negate(n.Cond)
	case *ast.SwitchStmt:
		c.cases(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			c.add("literal", n.Pos(), n.End(), "false")
		case "false":
			c.add("literal", n.Pos(), n.End(), "true")
		}
	case *ast.BasicLit:
		c.number(n)
	case *ast.CallExpr:
		return c.hint(n)
	case *ast.FuncDecl:
		c.returns(n.Type, n.Body)
	case *ast.FuncLit:
		c.returns(n.Type, n.Body)
	case *ast.ImportSpec:
		return false
	}
	return true
}

// drop takes a statement out.
func (c *collector) drop(s ast.Stmt) { c.add("statement dropped", s.Pos(), s.End(), "{}") }

// negate turns a condition round. A comparison has its operators for that.
func (c *collector) negate(cond ast.Expr) {
	if cond == nil {
		return
	}
	switch plain := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if plain.Op == token.EQL || plain.Op == token.NEQ {
			return
		}
	case *ast.UnaryExpr:
		if plain.Op == token.NOT {
			return
		}
	case *ast.Ident:
		if plain.Name == "true" || plain.Name == "false" {
			return
		}
	}
	c.add("condition negated", cond.Pos(), cond.End(), "!("+c.text(cond)+")")
}

// cases negates the conditions of a switch that has no value to compare with.
func (c *collector) cases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, clause := range s.Body.List {
		for _, cond := range clause.(*ast.CaseClause).List {
			c.negate(cond)
		}
	}
}

// number changes a whole number by one and doubles one with a fraction.
func (c *collector) number(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if value, ok := new(big.Int).SetString(n.Value, 0); ok {
			for _, by := range []int64{1, -1} {
				c.add("literal", n.Pos(), n.End(), new(big.Int).Add(value, big.NewInt(by)).String())
			}
		}
	case token.FLOAT:
		c.add("literal", n.Pos(), n.End(), "(2*"+n.Value+")")
	}
}

// hint reports whether to make mutants inside a call. The sizes for make only change how fast a
// program is.
func (c *collector) hint(n *ast.CallExpr) bool {
	name, ok := n.Fun.(*ast.Ident)
	if !ok || name.Name != "make" || len(n.Args) == 0 {
		return true
	}
	if _, isMap := n.Args[0].(*ast.MapType); isMap {
		return false
	}
	if len(n.Args) == 3 {
		ast.Inspect(n.Args[1], c.visit)
		return false
	}
	return true
}

// returns makes a function return no error, and the opposite of a condition.
func (c *collector) returns(kind *ast.FuncType, body *ast.BlockStmt) {
	results := kind.Results.NumFields()
	if results == 0 || body == nil {
		return
	}
	name, _ := kind.Results.List[len(kind.Results.List)-1].Type.(*ast.Ident)
	if name == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != results {
				return true
			}
			last := n.Results[results-1]
			switch {
			case name.Name == "error" && c.text(last) != "nil":
				c.add("error not returned", last.Pos(), last.End(), "nil")
			case name.Name == "bool":
				c.negate(last)
			}
		}
		return true
	})
}
