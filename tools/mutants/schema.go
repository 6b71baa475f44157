package main

import (
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// helperFile is what the generated file is called.
const helperFile = "mutants_switches.go"

// helperImports is what it imports.
var helperImports = []string{"os", "strconv", "sync/atomic"}

//go:embed helpers.go.txt
var helpers string

// schema is a package in which mutants can be switched on when it runs.
type schema struct {
	files   map[string]string // the new text of files, by their path
	fast    map[int]bool      // the mutants that can be switched on
	marked  map[int]bool      // others: that their function is reached can be seen
	invalid map[int]bool      // others: they do not compile
}

// schema makes the mutants of a package switchable, as many as can be. ids says which of all
// mutants are those of the package.
func (k *pack) schema(mutants []mutant, ids []int) (*schema, error) {
	of := make(map[int][]int) // by file
	for _, id := range ids {
		i := k.index(mutants[id].file)
		of[i] = append(of[i], id)
	}
	n := newNames(k.types)
	var changes []*change
	for i := range k.files {
		if len(of[i]) > 0 {
			changes = append(changes, switches(k, n, i, mutants, of[i])...)
		}
	}
	s := &schema{marked: make(map[int]bool), invalid: make(map[int]bool)}
	s.fast = numbers(changes)
	checked := make(map[int]bool)
	for _, id := range ids {
		if !s.fast[id] {
			checked[id] = true
			changes = append(changes, k.other(s, n, mutants[id], id)...)
		}
	}
	for {
		s.fast = numbers(changes)
		bad, err := k.write(s, n, changes, of, mutants)
		if err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			break
		}
		changes = slices.DeleteFunc(changes, func(c *change) bool {
			return slices.ContainsFunc(c.ids, func(id int) bool { return bad[id] })
		})
	}
	for _, id := range ids {
		if !s.fast[id] && !checked[id] {
			if files, _, _ := k.alone(mutants[id]); files == nil {
				s.invalid[id] = true
			}
		}
	}
	return s, nil
}

// other looks at a mutant that no change of its place makes switchable.
func (k *pack) other(s *schema, n *names, m mutant, id int) []*change {
	if k.joins(m) { // most of what does not compile, found at once
		s.invalid[id] = true
		return nil
	}
	files, info, p := k.alone(m)
	switch {
	case files == nil:
		s.invalid[id] = true
	case k.declared(m):
		return k.constant(m, id, n, files, info, p)
	}
	return nil
}

// joins reports whether a mutant is at the + between texts.
func (k *pack) joins(m mutant) bool {
	if m.with != "-" && m.with != "-=" {
		return false
	}
	if k.texts == nil {
		k.texts = make(map[token.Position]bool)
		for i, file := range k.files {
			at := k.set.File(file.FileStart)
			note := func(e ast.Expr, op token.Pos) {
				if isText(k.info.Types[e].Type) {
					k.texts[token.Position{Filename: k.GoFiles[i], Offset: at.Offset(op)}] = true
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					note(n, n.OpPos)
				case *ast.AssignStmt:
					if n.Tok == token.ADD_ASSIGN {
						note(n.Lhs[0], n.TokPos)
					}
				}
				return true
			})
		}
	}
	return k.texts[token.Position{Filename: k.GoFiles[k.index(m.file)], Offset: m.start}]
}

func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// numbers are the mutants of changes.
func numbers(changes []*change) map[int]bool {
	out := make(map[int]bool)
	for _, c := range changes {
		for _, id := range c.ids {
			out[id] = true
		}
	}
	return out
}

// write makes the new files, and returns the mutants with which they do not compile.
func (k *pack) write(out *schema, n *names, changes []*change, of map[int][]int, mutants []mutant) (map[int]bool, error) {
	out.files = make(map[string]string)
	text := n.declare(strings.NewReplacer("PACKAGE", k.Name, "COUNT", fmt.Sprint(len(mutants)+1)).Replace(helpers))
	out.files[filepath.Join(k.Dir, helperFile)] = text
	helper, err := parser.ParseFile(k.set, helperFile, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	files := append(slices.Clone(k.files), helper)
	spans := make(map[string][]span)
	for i, name := range k.GoFiles {
		own := k.marks(out, mutants, i, of[i])
		for _, c := range changes {
			if c.file == i {
				own = append(own, c)
			}
		}
		if len(own) == 0 {
			continue
		}
		text, where := rewrite(k.sources[i], own)
		files[i], err = parser.ParseFile(k.set, name, text, parser.SkipObjectResolution)
		if list := (scanner.ErrorList{}); errors.As(err, &list) {
			if c := blame(where, list[0].Pos.Offset); c != nil {
				return map[int]bool{c.ids[0]: true}, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("with switches %w", err)
		}
		out.files[filepath.Join(k.Dir, name)], spans[name] = text, where
	}
	bad := make(map[int]bool)
	_, _, problems := k.check(files)
	for _, problem := range problems {
		at := k.set.Position(problem.Pos)
		c := blame(spans[at.Filename], at.Offset)
		if c == nil {
			if !blameAll(bad, spans[at.Filename], files, problem.Pos, k.set) {
				return nil, fmt.Errorf("with switches: %s: %w", at, problem)
			}
			continue
		}
		for _, id := range c.ids {
			bad[id] = true
		}
	}
	return bad, nil
}

// blameAll blames the changes of the declaration that has a problem: first those that change
// which statements it ends with, then all. It reports whether there is one.
func blameAll(bad map[int]bool, spans []span, files []*ast.File, at token.Pos, set *token.FileSet) bool {
	for _, file := range files {
		for _, decl := range file.Decls {
			if at < decl.Pos() || at > decl.End() {
				continue
			}
			from, to := set.Position(decl.Pos()).Offset, set.Position(decl.End()).Offset
			for _, flow := range []bool{true, false} {
				found := false
				for _, s := range spans {
					if s.start >= from && s.end <= to && s.of.flow == flow {
						for _, id := range s.of.ids {
							bad[id], found = true, true
						}
					}
				}
				if found {
					return true
				}
			}
		}
	}
	return false
}

// marks note that a function is reached in which there are mutants that cannot be switched on.
func (k *pack) marks(s *schema, mutants []mutant, index int, ids []int) []*change {
	file := k.set.File(k.files[index].FileStart)
	var out []*change
	for _, decl := range k.files[index].Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		from, to := file.Offset(f.Body.Lbrace)+1, file.Offset(f.End())
		for _, id := range ids {
			if m := mutants[id]; !s.fast[id] && !s.invalid[id] && m.start >= from && m.end <= to {
				s.marked[id] = true
				out = append(out, &change{file: index, edits: []edit{{start: from, end: from, before: fmt.Sprintf("mutPlace(%d); ", id), instead: true}}})
			}
		}
	}
	return out
}
