package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
)

func (v verdict) String() string {
	return [...]string{"survived", "killed", "timed out", "does not compile"}[v]
}

// suite runs the tests of packages of a module.
type suite struct {
	dir     string        // the module, or a folder in it
	run     string        // the -run of go test, empty for all tests
	also    []string      // packages whose tests run besides those of the mutant's own
	timeout time.Duration // of the tests of a package
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

// try tests one mutant. The tree stays as it is: the go command is told to read the changed
// file in place of the one there.
func (s *suite) try(ctx context.Context, m mutant) (result, error) {
	r := result{mutant: m}
	path, err := filepath.Abs(filepath.Join(s.dir, m.file))
	if err != nil {
		return r, err
	}
	if now, err := os.ReadFile(path); err != nil {
		return r, err
	} else if !bytes.Equal(now, m.source) {
		return r, fmt.Errorf("%s was changed meanwhile: start again", m.file)
	}
	temp, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	changed, overlay := filepath.Join(temp, filepath.Base(path)), filepath.Join(temp, "overlay.json")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return r, err
	}
	if err := errors.Join(os.WriteFile(changed, m.apply(), 0o600), os.WriteFile(overlay, data, 0o600)); err != nil {
		return r, err
	}
	r.verdict, r.by, err = s.test(ctx, append([]string{packageOf(m.file)}, s.also...), "-overlay", overlay)
	return r, err
}

// baseline runs the tests without a mutant and returns how long they took. Tests that fail
// already can say nothing about mutants.
func (s *suite) baseline(ctx context.Context, packages []string) (time.Duration, error) {
	began := time.Now()
	v, by, err := s.test(ctx, packages)
	switch {
	case err != nil:
		return 0, err
	case v == survived:
		return time.Since(began), nil
	case by != "":
		return 0, fmt.Errorf("the tests must pass before there is a mutant, and %s fails", by)
	}
	return 0, fmt.Errorf("the tests must pass before there is a mutant: %s", v)
}

// test runs the tests of packages.
func (s *suite) test(ctx context.Context, packages []string, flags ...string) (verdict, string, error) {
	args := append([]string{"test", "-json", "-failfast", "-count=1", "-vet=off", "-timeout", s.timeout.String()}, flags...)
	if s.run != "" {
		args = append(args, "-run", s.run)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
	cmd.Dir = s.dir
	cmd.Env = os.Environ()
	if s.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+s.cache)
	}
	cmd.WaitDelay = 10 * time.Second
	endWithChildren(cmd)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run()
	if end := ctx.Err(); end != nil {
		return 0, "", end
	}
	v, by, ran := judge(&out)
	switch {
	case err == nil && !ran:
		return 0, "", fmt.Errorf("no test ran in %s", strings.Join(packages, " "))
	case err == nil:
		return survived, "", nil
	case v != survived:
		return v, by, nil
	}
	return 0, "", fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out.String(), problem.String())
}

// judge reads the report of go test -json: the verdict, the first test that failed, and
// whether any test ran. Without a failure the verdict is survived.
func judge(report io.Reader) (v verdict, by string, ran bool) {
	lines := bufio.NewReader(report)
	for {
		line, err := lines.ReadBytes('\n')
		var event struct{ Action, Test, Output, FailedBuild string }
		if json.Unmarshal(line, &event) == nil {
			switch {
			case event.Action == "build-fail" || event.FailedBuild != "":
				v = invalid
			case event.Action == "run":
				ran = true
			case strings.HasPrefix(event.Output, "panic: test timed out after") && v != invalid:
				v = timedOut
			case event.Action == "fail":
				if v == survived {
					v = killed
				}
				if by == "" {
					by = event.Test
				}
			}
		}
		if err != nil {
			return v, by, ran
		}
	}
}
