package main

import (
	"fmt"
	"go/types"
	"strings"
)

// names gives types a name that every file of a package can write, without imports.
type names struct {
	pack    *types.Package
	imports []string // paths
	aliases []string // the types
	known   map[types.Object]string
}

func newNames(p *types.Package) *names { return &names{pack: p, known: make(map[types.Object]string)} }

// of returns the name of a number or a truth value. Types inside functions and of type
// parameters have none.
func (n *names) of(t types.Type) (string, bool) {
	if t == nil {
		return "", false
	}
	switch t := types.Default(types.Unalias(t)).(type) {
	case *types.Basic:
		return t.Name(), t.Info()&(types.IsNumeric|types.IsBoolean|types.IsString) != 0 && t.Info()&types.IsUntyped == 0
	case *types.Named:
		o := t.Obj()
		if _, ok := t.Underlying().(*types.Basic); !ok || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() || t.TypeArgs().Len() > 0 {
			return "", false
		}
		if o.Pkg() != n.pack && !o.Exported() {
			return "", false
		}
		if n.known[o] == "" {
			name := o.Name()
			if o.Pkg() != n.pack {
				n.imports = append(n.imports, o.Pkg().Path())
				name = fmt.Sprintf("mutP%d.%s", len(n.imports), name)
			}
			n.aliases = append(n.aliases, name)
			n.known[o] = fmt.Sprintf("mutT%d", len(n.aliases))
		}
		return n.known[o], true
	}
	return "", false
}

// basic is the type that a type is made of.
func (n *names) basic(t types.Type) string {
	if b, ok := types.Default(t).Underlying().(*types.Basic); ok {
		return b.Name()
	}
	return "int"
}

// declare adds the names to the text of a file.
func (n *names) declare(text string) string {
	var imports, aliases strings.Builder
	for i, path := range n.imports {
		fmt.Fprintf(&imports, "import mutP%d %q\n", i+1, path)
	}
	for i, name := range n.aliases {
		fmt.Fprintf(&aliases, "type mutT%d = %s\n", i+1, name)
	}
	clause, rest, _ := strings.Cut(text, "\n")
	return clause + "\n" + imports.String() + rest + aliases.String()
}
