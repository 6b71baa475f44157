package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// test is a test of a package that judges.
type test struct {
	name    string
	in      *binary
	took    time.Duration // alone and without a mutant
	reached []byte        // by mutant: 1 if the test comes by, and then 1 if there is a difference
}

// binary is the tests of a package as a program.
type binary struct {
	*listed
	path  string
	tests []*test
}

// bench is all that it takes to test mutants.
type bench struct {
	*suite
	mutants  []mutant
	fast     map[int]bool // these can be switched on
	marked   map[int]bool // of others, those whose function the tests note
	invalid  map[int]bool
	absent   map[int]bool // their file is not built here
	binaries []*binary
	judges   [][]*binary // by mutant
	temp     string
	overlay  string
	onlyFast bool
	noticed  noticed
}

// prepare compiles the tests with all mutants in them, and runs each test alone to see how long
// it takes and which mutants it reaches.
func (s *settings) prepare(ctx context.Context, mutants []mutant, temp string, out io.Writer) (*bench, error) {
	b := &bench{
		suite: &s.suite, mutants: mutants, temp: temp, onlyFast: s.fast, judges: make([][]*binary, len(mutants)),
		fast: make(map[int]bool), marked: make(map[int]bool), invalid: make(map[int]bool), absent: make(map[int]bool),
	}
	files, err := b.switchable(ctx)
	if err != nil {
		return nil, err
	}
	if b.overlay, err = writeOverlay(temp, files); err != nil {
		return nil, err
	}
	for i, one := range b.binaries {
		one.path = filepath.Join(temp, fmt.Sprintf("%d.test", i))
		if err := s.compile(ctx, one.listed, one.path, b.overlay); err != nil {
			return nil, err
		}
	}
	if err := b.record(ctx, s.jobs, out); err != nil {
		return nil, err
	}
	if s.longest > 0 {
		for _, one := range b.binaries {
			one.tests = slices.DeleteFunc(one.tests, func(t *test) bool { return t.took > s.longest })
		}
	}
	return b, nil
}

// switchable rewrites the packages of the mutants.
func (b *bench) switchable(ctx context.Context) (map[string]string, error) {
	patterns := slices.Clone(b.also)
	for _, m := range b.mutants {
		if p := packageOf(m.file); !slices.Contains(patterns, p) {
			patterns = append(patterns, p)
		}
	}
	program, err := b.load(ctx, patterns)
	if err != nil {
		return nil, err
	}
	var judging []string
	if len(b.also) > 0 {
		also, err := b.goCommand(ctx, append([]string{"list"}, b.also...)...)
		if err != nil {
			return nil, err
		}
		judging = strings.Fields(string(also))
	}
	files := make(map[string]string)
	for _, l := range program.named {
		var one *binary
		if len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 {
			one = &binary{listed: l}
			b.binaries = append(b.binaries, one)
		}
		var ids []int
		for id, m := range b.mutants {
			dir, err := filepath.Abs(filepath.Join(b.dir, filepath.Dir(m.file)))
			if err != nil {
				return nil, err
			}
			own := dir == l.Dir
			if own {
				ids = append(ids, id)
			}
			if one != nil && (own || slices.Contains(judging, l.ImportPath)) {
				b.judges[id] = append(b.judges[id], one)
			}
		}
		if err := b.rewrite(program, l, ids, files); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// rewrite makes the mutants of a package switchable and adds its new files.
func (b *bench) rewrite(p *program, l *listed, ids []int, files map[string]string) error {
	if len(ids) == 0 {
		return nil
	}
	k, err := p.open(l)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if i := k.index(b.mutants[id].file); i < 0 {
			b.absent[id] = true
		} else if !slices.Equal(k.sources[i], b.mutants[id].source) {
			return changed(b.mutants[id])
		}
	}
	ids = slices.DeleteFunc(ids, func(id int) bool { return b.absent[id] })
	schema, err := k.schema(b.mutants, ids)
	if err != nil {
		return err
	}
	for path, text := range schema.files {
		files[path] = text
	}
	for _, id := range ids {
		b.fast[id], b.marked[id], b.invalid[id] = schema.fast[id], schema.marked[id], schema.invalid[id]
	}
	return nil
}

// record lists the tests and runs each of them alone.
func (b *bench) record(ctx context.Context, jobs int, out io.Writer) error {
	var all []*test
	top, _, _ := strings.Cut(b.run, "/")
	for _, one := range b.binaries {
		list, err := b.start(ctx, one, "", "-test.list", cmp.Or(top, "."))
		if err != nil {
			return err
		}
		for _, name := range strings.Fields(list.tail()) {
			if strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz") {
				one.tests = append(one.tests, &test{name: name, in: one})
			}
		}
		all = append(all, one.tests...)
	}
	if len(all) == 0 {
		return errors.New("no test ran")
	}
	var failed []*test
	var guard sync.Mutex
	err := parallel(ctx, jobs, len(all), func(ctx context.Context, i int) error {
		t := all[i]
		path := filepath.Join(b.temp, "reached"+strconv.Itoa(i))
		if err := os.WriteFile(path, make([]byte, 2*(len(b.mutants)+1)), 0o600); err != nil {
			return err
		}
		defer os.Remove(path)
		began := time.Now()
		o, err := b.start(ctx, t.in, "MUTANTS_REACHED="+path, b.choose([]*test{t}, max(b.timeout, 10*time.Minute))...)
		if err != nil {
			return err
		}
		t.took = time.Since(began)
		if o.failed {
			guard.Lock()
			defer guard.Unlock()
			failed = append(failed, t)
		}
		t.reached, err = os.ReadFile(path)
		return err
	})
	if err != nil {
		return err
	}
	return b.without(ctx, failed, out)
}

// without takes tests away that fail with the switches. Tests that fail without them, too, are
// an error.
func (b *bench) without(ctx context.Context, failed []*test, out io.Writer) error {
	for _, t := range failed {
		plain := &binary{listed: t.in.listed, path: t.in.path + ".plain"}
		if _, err := os.Stat(plain.path); err != nil {
			if err := b.compile(ctx, plain.listed, plain.path, ""); err != nil {
				return err
			}
		}
		o, err := b.start(ctx, plain, "", b.choose([]*test{t}, max(b.timeout, 10*time.Minute))...)
		if err != nil {
			return err
		}
		if o.failed {
			return fmt.Errorf("the tests must pass before there is a mutant, and %s fails:\n%s", t.name, o.tail())
		}
		fmt.Fprintf(out, "%s fails because of the switches alone: it does not judge\n", t.name)
		t.in.tests = slices.DeleteFunc(t.in.tests, func(other *test) bool { return other == t })
	}
	return nil
}

// String says what there is.
func (b *bench) String() string {
	tests, took, single := 0, time.Duration(0), 0
	for _, one := range b.binaries {
		tests += len(one.tests)
		for _, t := range one.tests {
			took += t.took
		}
	}
	for i := range b.mutants {
		if !b.fast[i] && !b.invalid[i] && !b.absent[i] {
			single++
		}
	}
	return fmt.Sprintf("of them %d are compiled one by one; %d tests, alone they take %s",
		single, tests, took.Round(time.Second/10))
}

// parallel calls a function for 0 to n-1, several at a time, until one fails.
func parallel(ctx context.Context, jobs, n int, do func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}
