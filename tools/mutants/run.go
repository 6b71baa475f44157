package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// verdict is what the tests say of a mutant.
type verdict int

const (
	survived verdict = iota // no test failed
	killed                  // a test failed
	timedOut                // the tests did not end in time, which is noticed, too
	invalid                 // the mutant does not compile: nothing can be learned from it
	leftOut                 // the mutant was not wanted
)

func (v verdict) String() string {
	return [...]string{"survived", "killed", "timed out", "does not compile", "left out"}[v]
}

// suite runs the tests of packages of a module.
type suite struct {
	dir     string        // the module, or a folder in it
	run     string        // the -run of go test, empty for all tests
	also    []string      // packages whose tests run besides those of the mutant's own
	timeout time.Duration // of a run of tests, 0 for what fits them
	cache   string        // GOCACHE if it is not the usual one
}

// result is a mutant and what became of it.
type result struct {
	mutant  mutant
	verdict verdict
	by      string // the test that failed first, if a test failed
}

// packageOf is the pattern of the package of a file, from the folder of the suite.
func packageOf(file string) string { return "./" + filepath.ToSlash(filepath.Dir(file)) }

// errBuild is the error if the program does not compile.
var errBuild = errors.New("does not compile")

// compile makes a program of the tests of a package.
func (s *suite) compile(ctx context.Context, l *listed, path, overlay string) error {
	args := []string{"test", "-c", "-vet=off", "-o", path}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if _, err := s.goCommand(ctx, append(args, l.ImportPath)...); err != nil {
		return errors.Join(errBuild, err)
	}
	return nil
}

// writeOverlay writes files, and an overlay with which the go command reads them instead of the
// files in the tree. The tree is not changed.
func writeOverlay(dir string, files map[string]string) (string, error) {
	replace := make(map[string]string)
	for path, text := range files {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

// choose are the flags that make a program run some of its tests.
func (s *suite) choose(tests []*test, timeout time.Duration) []string {
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
	}
	pattern := "^(" + strings.Join(names, "|") + ")$"
	if _, inside, ok := strings.Cut(s.run, "/"); ok {
		pattern += "/" + inside
	}
	return []string{"-test.run", pattern, "-test.v", "-test.failfast", "-test.paniconexit0", "-test.timeout", timeout.String()}
}

// grace is how long a program may take to say that it ran out of time.
const grace = 10 * time.Second

// start runs a program of tests. It has a folder for temporary files of its own, because a test
// that is ended leaves them behind.
func (b *bench) start(ctx context.Context, one *binary, variable string, args ...string) (*outcome, error) {
	temp, err := os.MkdirTemp(b.temp, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	within := ctx
	if i := slices.Index(args, "-test.timeout"); i >= 0 {
		timeout, err := time.ParseDuration(args[i+1])
		if err != nil {
			return nil, err
		}
		var stop context.CancelFunc
		within, stop = context.WithTimeout(ctx, timeout+grace)
		defer stop()
	}
	cmd := exec.CommandContext(within, one.path, args...)
	cmd.Dir = one.Dir
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	if variable != "" {
		cmd.Env = append(cmd.Env, variable)
	}
	cmd.WaitDelay = grace
	endWithChildren(cmd)
	o := new(outcome)
	cmd.Stdout, cmd.Stderr = o, o
	err = cmd.Run()
	if end := ctx.Err(); end != nil {
		return nil, end
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, err
	}
	o.failed = err != nil
	o.late = o.late || within.Err() != nil
	return o, nil
}

// try tests one mutant: first the quickest of the tests that reach it.
func (b *bench) try(ctx context.Context, id int) (result, error) {
	r := result{mutant: b.mutants[id]}
	switch {
	case b.invalid[id]:
		r.verdict = invalid
		return r, nil
	case b.absent[id]:
		r.verdict, r.by = leftOut, "this Go does not build the file"
		return r, nil
	case !b.fast[id] && b.onlyFast:
		r.verdict = leftOut
		return r, nil
	}
	tests, reached := b.those(id)
	if len(tests) == 0 && reached {
		r.by = "it makes no difference in any test that reaches it"
		return r, nil
	} else if len(tests) == 0 {
		r.by = "no test reaches it"
		return r, nil
	}
	temp, err := os.MkdirTemp(b.temp, "")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	own := make(map[*binary]*binary)
	for _, batch := range batches(tests, b.noticed.of(r.mutant.file)) {
		program, err := b.program(ctx, id, batch[0].in, own, temp)
		if errors.Is(err, errBuild) && ctx.Err() == nil {
			r.verdict = invalid
			return r, nil
		} else if err != nil {
			return r, err
		}
		o, err := b.start(ctx, program, "MUTANT="+strconv.Itoa(id), b.choose(batch, b.limit(batch))...)
		if err != nil {
			return r, err
		}
		if o.late {
			r.verdict, r.by = timedOut, o.test()
			return r, nil
		}
		if o.failed {
			r.verdict, r.by = killed, o.test()
			b.noticed.add(r.mutant.file, program.ImportPath, r.by)
			return r, nil
		}
	}
	return r, nil
}

// those returns the tests that a mutant makes a difference to at its place, and whether any test
// reaches it: one that compares other values than a mutant does need not run.
func (b *bench) those(id int) (tests []*test, reached bool) {
	for _, one := range b.judges[id] {
		for _, t := range one.tests {
			if t.reached[len(b.mutants)+1+id] == 1 || !b.fast[id] && !b.marked[id] {
				tests = append(tests, t)
			}
			reached = reached || t.reached[id] == 1
		}
	}
	return tests, reached
}

// limit is how long tests may take with a mutant.
func (b *bench) limit(tests []*test) time.Duration {
	if b.timeout > 0 {
		return b.timeout
	}
	limit := 5 * time.Second
	for _, t := range tests {
		limit += 5 * t.took
	}
	return limit
}

// program finds the program of a package's tests for a mutant. A mutant that cannot be switched
// on gets programs of its own.
func (b *bench) program(ctx context.Context, id int, one *binary, own map[*binary]*binary, temp string) (*binary, error) {
	if b.fast[id] {
		return one, nil
	}
	if own[one] != nil {
		return own[one], nil
	}
	m := b.mutants[id]
	path, err := filepath.Abs(filepath.Join(b.dir, m.file))
	if err != nil {
		return nil, err
	}
	if now, err := os.ReadFile(path); err != nil {
		return nil, err
	} else if !bytes.Equal(now, m.source) {
		return nil, changed(m)
	}
	overlay, err := writeOverlay(temp, map[string]string{path: string(m.apply())})
	if err != nil {
		return nil, err
	}
	own[one] = &binary{listed: one.listed, path: filepath.Join(temp, fmt.Sprintf("%d.test", len(own)))}
	return own[one], b.compile(ctx, one.listed, own[one].path, overlay)
}

// changed is the error of a file that is not what it was when the mutants were made.
func changed(m mutant) error { return fmt.Errorf("%s was changed meanwhile: start again", m.file) }
