package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Receiver returns the name of the type of a method's receiver, without pointer and type
// parameter.
func Receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return Receiver(e.X)
	case *ast.IndexExpr:
		return Receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// Stated is an operation as the code states it, in op("GET /v1/locations").
type Stated struct {
	Name    string // the operation
	Class   string // Read, Poll, Idempotent or Unsafe
	Service string // the type of the method that makes the call
	Method  string // its name
}

// StatedOperations returns the operations that the package in a folder states, sorted by name. The
// method of an operation is the first exported one that makes its call, itself or by what it calls,
// and has the operation in parentheses in its documentation.
func StatedOperations(dir string) ([]Stated, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	functions := make(map[string]*ast.FuncDecl) // by type and name, as in LocationsService.List
	var inOrder []*ast.FuncDecl
	var ofObjects []string // the operations of blueprints, which stand in declarations
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				functions[nameOf(f)] = f
				inOrder = append(inOrder, f)
				if !strings.HasPrefix(f.Name.Name, "tableOf") { // a table that is no variable, because it needs calls
					continue
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					if strings.HasPrefix(text, "POST /") || strings.HasPrefix(text, "PUT /") {
						ofObjects = append(ofObjects, text)
					}
				}
				return true
			})
		}
	}
	found := make(map[string]Stated)
	for _, name := range ofObjects {
		s := Stated{Name: name, Class: classOf(name)}
		for _, f := range inOrder {
			is := f.Name.Name == "Create" || f.Name.Name == "Update"
			if is && f.Recv != nil && namesOperation(strings.Join(strings.Fields(f.Doc.Text()), " "), name) {
				s.Service, s.Method = Receiver(f.Recv.List[0].Type), f.Name.Name
				break
			}
		}
		found[name] = s
	}
	for _, f := range inOrder {
		for name, class := range statedIn(f, functions, make(map[*ast.FuncDecl]bool)) {
			s := found[name]
			s.Name, s.Class = name, class
			doc := strings.Join(strings.Fields(f.Doc.Text()), " ")
			if s.Method == "" && f.Recv != nil && f.Name.IsExported() && strings.Contains(doc, "("+name+")") {
				s.Service, s.Method = Receiver(f.Recv.List[0].Type), f.Name.Name
			}
			found[name] = s
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Stated) int { return strings.Compare(a.Name, b.Name) }), nil
}

// namesOperation reports whether a documentation has an operation in parentheses, where several may
// be shortened: (POST /v1/checks/api, browser, tcp).
func namesOperation(doc, operation string) bool {
	for _, part := range strings.Split(doc, "(")[1:] {
		inside, _, _ := strings.Cut(part, ")")
		first, _, _ := strings.Cut(strings.ReplaceAll(inside, ";", ","), ",")
		segments := strings.Split(first, "/")
		for one := range strings.SplitSeq(strings.ReplaceAll(inside, ";", ","), ",") {
			one = strings.TrimSpace(one)
			if len(segments) > 3 && one != "" && !strings.ContainsAny(one, " /") {
				one = strings.Replace(first, "/"+segments[3], "/"+one, 1)
			}
			if one == operation || strings.Contains(one+" ", " "+operation+" ") {
				return true
			}
		}
	}
	return false
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return Receiver(f.Recv.List[0].Type) + "." + f.Name.Name
}

// statedIn returns the operations that a function states, itself or in functions that it calls,
// with their classes.
func statedIn(f *ast.FuncDecl, functions map[string]*ast.FuncDecl, seen map[*ast.FuncDecl]bool) map[string]string {
	found := make(map[string]string)
	if f == nil || f.Body == nil || seen[f] {
		return found
	}
	seen[f] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		called, callee := "", call.Fun
		if generic, ok := callee.(*ast.IndexExpr); ok {
			callee = generic.X
		}
		switch fun := callee.(type) {
		case *ast.Ident:
			called = fun.Name
		case *ast.SelectorExpr: // of the receiver
			called = fun.Sel.Name
			if of, ok := fun.X.(*ast.Ident); ok && f.Recv != nil && len(f.Recv.List[0].Names) > 0 && of.Name == f.Recv.List[0].Names[0].Name {
				called = Receiver(f.Recv.List[0].Type) + "." + called
			}
		}
		if operation := statedBy(call); operation != "" {
			switch {
			case called == "holds":
				found[operation] = "Poll"
			case called == "mayRepeat":
				found[operation] = "Idempotent"
			case found[operation] == "":
				found[operation] = classOf(operation)
			}
		} else if next := functions[called]; next != nil {
			for name, class := range statedIn(next, functions, seen) {
				found[name] = class
			}
		}
		return true
	})
	return found
}

// statedBy returns the operation of a call of op, or of a method of what op returned.
func statedBy(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if literal, ok := first(call.Args).(*ast.BasicLit); ok && fun.Name == "op" {
			name, _ := strconv.Unquote(literal.Value)
			return name
		}
	case *ast.SelectorExpr:
		if inner, ok := fun.X.(*ast.CallExpr); ok {
			return statedBy(inner)
		}
	}
	return ""
}

func first(args []ast.Expr) ast.Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func classOf(operation string) string {
	switch method, _, _ := strings.Cut(operation, " "); method {
	case "GET":
		return "Read"
	case "PUT", "DELETE":
		return "Idempotent"
	}
	return "Unsafe"
}
