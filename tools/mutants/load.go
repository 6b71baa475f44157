package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Name, Export      string
	GoFiles, TestGoFiles, XTestGoFiles []string
	DepOnly                            bool
	Error                              *struct{ Err string }
}

// program is what is known of the packages: those that are named, and the compiled form of all
// that they import.
type program struct {
	named   []*listed
	exports map[string]string // the file of compiled declarations, by import path
}

// load asks the go command for packages.
func (s *suite) load(ctx context.Context, patterns []string) (*program, error) {
	args := append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,Dir,Name,Export,GoFiles,TestGoFiles,XTestGoFiles,DepOnly,Error"}, patterns...)
	out, err := s.goCommand(ctx, append(args, helperImports...)...)
	if err != nil {
		return nil, err
	}
	p := &program{exports: make(map[string]string)}
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		one := new(listed)
		if err := list.Decode(one); errors.Is(err, io.EOF) {
			return p, nil
		} else if err != nil {
			return nil, err
		}
		if one.Error != nil && len(one.XTestGoFiles) == 0 {
			return nil, fmt.Errorf("%s: %s", one.ImportPath, strings.TrimSpace(one.Error.Err))
		}
		p.exports[one.ImportPath] = one.Export
		if !one.DepOnly && !slices.Contains(helperImports, one.ImportPath) {
			p.named = append(p.named, one)
		}
	}
}

// goCommand runs the go command in the folder of the suite and returns what it prints.
func (s *suite) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.dir
	cmd.Env = os.Environ()
	if s.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+s.cache)
	}
	endWithChildren(cmd)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run()
	if end := ctx.Err(); end != nil {
		return nil, end
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, problem.Bytes())
	}
	return out.Bytes(), nil
}

// pack is a package with its types.
type pack struct {
	*listed
	imports types.Importer
	set     *token.FileSet
	files   []*ast.File // in the order of GoFiles
	sources [][]byte
	types   *types.Package
	info    *types.Info
	tested  map[string]bool         // see testNames
	texts   map[token.Position]bool // see joins
}

// open reads and checks a package.
func (p *program) open(l *listed) (*pack, error) {
	k := &pack{listed: l, set: token.NewFileSet()}
	k.imports = importer.ForCompiler(k.set, "gc", func(path string) (io.ReadCloser, error) {
		if p.exports[path] == "" {
			return nil, fmt.Errorf("package %s is not compiled", path)
		}
		return os.Open(p.exports[path])
	})
	for _, name := range l.GoFiles {
		source, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(k.set, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		k.files, k.sources = append(k.files, file), append(k.sources, source)
	}
	var problems []types.Error
	k.types, k.info, problems = k.check(k.files)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	return k, nil
}

// check finds the types of other files in place of the ones of a package.
func (k *pack) check(files []*ast.File) (*types.Package, *types.Info, []types.Error) {
	var problems []types.Error
	config := types.Config{Importer: k.imports, Error: func(err error) {
		var problem types.Error
		if errors.As(err, &problem) {
			problems = append(problems, problem)
		}
	}}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Scopes: make(map[ast.Node]*types.Scope)}
	checked, _ := config.Check(k.ImportPath, k.set, files, info)
	return checked, info, problems
}

// index is the place of a file in the package, -1 if this Go does not build it.
func (k *pack) index(file string) int {
	for i, name := range k.GoFiles {
		if name == filepath.Base(file) {
			return i
		}
	}
	return -1
}
