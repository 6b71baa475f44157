package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math/big"
	"path/filepath"
	"slices"
)

// fixed are the expressions of a file that must be constant: lengths and indexes of arrays. What
// declares a constant must be, too, and is left out by those who ask.
func fixed(file *ast.File) map[ast.Expr]bool {
	out := make(map[ast.Expr]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType:
			out[n.Len] = true
		case *ast.CompositeLit:
			if _, ok := n.Type.(*ast.ArrayType); ok {
				for _, value := range n.Elts {
					if pair, ok := value.(*ast.KeyValueExpr); ok {
						out[pair.Key] = true
					}
				}
			}
		}
		return true
	})
	return out
}

// alone checks a package with one mutant. It returns the files, nil if they do not compile.
func (k *pack) alone(m mutant) ([]*ast.File, *types.Info, *types.Package) {
	i := k.index(m.file)
	changed, err := parser.ParseFile(k.set, k.GoFiles[i], m.apply(), parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, nil
	}
	files := slices.Clone(k.files)
	files[i] = changed
	p, info, problems := k.check(files)
	if len(problems) > 0 {
		return nil, nil, nil
	}
	return files, info, p
}

// declared reports whether a mutant is in the declaration of a constant.
func (k *pack) declared(m mutant) bool {
	i := k.index(m.file)
	file := k.set.File(k.files[i].FileStart)
	found := false
	ast.Inspect(k.files[i], func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
			found = found || file.Offset(d.Pos()) <= m.start && m.end <= file.Offset(d.End())
		}
		return !found
	})
	return found
}

// valued is an expression with a constant value.
type valued struct {
	ast.Expr
	kind  types.Type
	value constant.Value
	fixed bool
}

// constants returns the outermost constant expressions of a file that declare no constant.
func constants(file *ast.File, info *types.Info) []valued {
	var out []valued
	must := fixed(file)
	ast.Inspect(file, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		tv := info.Types[e]
		if tv.Value != nil {
			out = append(out, valued{e, tv.Type, tv.Value, must[e]})
		}
		return tv.Value == nil
	})
	return out
}

// constant makes the mutant of a declared constant switchable: each use of the constant selects
// one of the two values. It returns nil if that is not possible, and if tests use the constant,
// because they would not see the other value.
func (k *pack) constant(m mutant, id int, n *names, files []*ast.File, info *types.Info, other *types.Package) []*change {
	for _, name := range k.types.Scope().Names() {
		was, ok := k.types.Scope().Lookup(name).(*types.Const)
		if !ok || same(was.Val(), other.Scope().Lookup(name).(*types.Const).Val()) {
			continue
		}
		if was.Exported() || k.testNames()[name] {
			return nil
		}
	}
	var out []*change
	for i := range files {
		before, after := constants(k.files[i], k.info), constants(files[i], info)
		if len(before) != len(after) {
			return nil
		}
		file := k.set.File(k.files[i].FileStart)
		for j, b := range before {
			if same(b.value, after[j].value) {
				continue
			}
			name, ok := n.of(b.kind)
			text, said := written(after[j].value)
			if b.fixed || !ok || !said {
				return nil
			}
			out = append(out, &change{ids: []int{id}, file: i, edits: []edit{{
				start: file.Offset(b.Pos()), end: file.Offset(b.End()),
				before: "mutVal[" + name + "](", after: fmt.Sprintf(", %d, %s)", id, text),
			}}})
		}
	}
	return out
}

func same(a, b constant.Value) bool {
	return a.Kind() == b.Kind() && constant.Compare(a, token.EQL, b)
}

// written is a constant as an expression.
func written(v constant.Value) (string, bool) {
	switch v.Kind() {
	case constant.Bool, constant.Int, constant.String:
		return v.ExactString(), true
	case constant.Float:
		if r, ok := new(big.Rat).SetString(v.ExactString()); ok {
			return fmt.Sprintf("(%s.0/%s.0)", r.Num(), r.Denom()), true
		}
	}
	return "", false
}

// testNames are the names that the tests inside the package use.
func (k *pack) testNames() map[string]bool {
	if k.tested != nil {
		return k.tested
	}
	k.tested = make(map[string]bool)
	for _, name := range k.TestGoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(k.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler says so
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				k.tested[id.Name] = true
			}
			return true
		})
	}
	return k.tested
}
