// Command mutants measures how well tests check the code. It makes small changes to Go files, one
// at a time, and runs the tests of the package with each of them. A change that no test
// notices is printed: either a test is missing, or the code is not needed.
//
// From the root of the repository:
//
//	go -C tools/mutants run . -dir ../.. scrub.go secret.go
//	go -C tools/mutants run . -dir ../.. -sample 40 -run 'Limit|Throttled' -min 0.9 ratelimit.go
//
// All mutants are compiled into one program, and an environment variable switches one of them
// on. First each test runs once alone, to measure how long it takes and which mutants it
// reaches. Then the tests that reach a mutant run, the quickest first, until one fails. A mutant that no test reaches survives at once, and so does one that
// never makes a difference: a < b is the same as a <= b if a is never b. The few
// mutants that cannot be switched on, such as those of a constant that the tests use by its
// name, are compiled one by one; -fast leaves them out. A test that fails with all mutants
// compiled in, but none switched on, is not used, and its name is printed.
//
// Survivors take most of the time, because all tests that reach them must run. With -longest
// slow tests are left out. Then try the survivors again without it, line by line (scrub.go:122 names the mutants of that line).
//
// The tree is never changed. The exit code is 0 if the share of mutants that a test noticed is
// at least -min, 1 if it is less, and 2 after an error. Mutants that do not compile
// do not count.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	exitGood = 0
	exitFew  = 1 // fewer mutants were killed than -min wants
	exitBad  = 2 // nothing was found out
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	os.Exit(code)
}

// settings are the flags and the files.
type settings struct {
	suite
	files   []string
	jobs    int
	sample  int
	seed    uint64
	min     float64
	memory  uint64 // GiB
	list    bool
	fast    bool
	longest time.Duration
	verbose bool
}

func parse(args []string, out io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() {
		fmt.Fprintln(out, "usage: mutants [flags] file.go ...   (files as seen from -dir, file.go:12 for one line; tests run in the package of each file)")
		flags.PrintDefaults()
	}
	also := ""
	flags.StringVar(&s.dir, "dir", ".", "the module, or a `folder` in it")
	flags.StringVar(&s.suite.run, "run", "", "run only tests that match, as with go test")
	flags.BoolVar(&s.fast, "fast", false, "leave out the mutants that must be compiled one by one")
	flags.DurationVar(&s.longest, "longest", 0, "leave out tests that alone take longer than this; 0 leaves out none")
	flags.StringVar(&also, "also", "", "also run the tests of these `packages`, separated by commas")
	flags.DurationVar(&s.timeout, "timeout", 0, "for each run of tests; 0 is five seconds plus five times the time without a mutant")
	flags.IntVar(&s.jobs, "j", runtime.NumCPU(), "how many mutants are tested at the same time")
	flags.IntVar(&s.sample, "sample", 0, "test this many of the mutants; 0 tests all")
	flags.Uint64Var(&s.seed, "seed", 1, "the seed that chooses the mutants of a sample")
	flags.Float64Var(&s.min, "min", 0, "the minimum `share` of mutants that tests must notice, 0 to 1")
	flags.Uint64Var(&s.memory, "memory", 8, "how many `GiB` a process may use (Linux only); 0 means no limit")
	flags.StringVar(&s.cache, "cache", "", "the `folder` of compiled packages, a few MB for each mutant; the one of the go command if empty")
	flags.BoolVar(&s.list, "list", false, "only print the mutants")
	flags.BoolVar(&s.verbose, "v", false, "print every mutant and the test that noticed it")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	s.files = flags.Args()
	if also != "" {
		s.also = strings.Split(also, ",")
	}
	switch {
	case len(s.files) == 0:
		return nil, errors.New("no files given: name the Go files to change")
	case s.jobs < 1 || s.sample < 0 || s.timeout < 0 || s.longest < 0:
		return nil, errors.New("-j must be at least 1; -sample, -timeout and -longest at least 0")
	case strings.Contains(s.suite.run, "/") && strings.Contains(s.suite.run, "|"):
		return nil, errors.New("-run cannot have both / and |")
	case !(s.min >= 0 && s.min <= 1):
		return nil, errors.New("-min must be from 0 to 1")
	}
	return s, nil
}

func run(ctx context.Context, args []string, out io.Writer) (int, error) {
	s, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return exitGood, err
	} else if err != nil {
		return exitBad, err
	}
	mutants, err := s.mutants()
	if err != nil {
		return exitBad, err
	}
	all := len(mutants)
	mutants = sample(mutants, s.sample, s.seed)
	if s.list {
		for _, m := range mutants {
			fmt.Fprintln(out, m)
		}
		return exitGood, nil
	}
	if s.memory > 0 {
		if err := limitMemory(s.memory << 30); err != nil {
			return exitBad, err
		}
	}
	temp, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return exitBad, err
	}
	defer os.RemoveAll(temp)
	began := time.Now()
	b, err := s.prepare(ctx, mutants, temp, out)
	if err != nil {
		return exitBad, err
	}
	fmt.Fprintf(out, "%d of %d mutants, %s; preparing took %s\n", len(mutants), all, b, time.Since(began).Round(time.Second/10))
	results, err := b.tryAll(ctx, s, out)
	if err != nil {
		return exitBad, err
	}
	return summary(results, s.min, out)
}

// mutants returns the mutants of the files.
func (s *settings) mutants() ([]mutant, error) {
	var list []mutant
	seen := make(map[string]bool)
	for _, named := range s.files {
		file, line, _ := strings.Cut(named, ":")
		if strings.HasSuffix(file, "_test.go") {
			return nil, fmt.Errorf("%s is a test: name the file that it tests", file)
		}
		source, err := os.ReadFile(filepath.Join(s.dir, file))
		if err != nil {
			return nil, err
		}
		more, err := mutantsOf(file, source)
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			if there := m.String(); (line == "" || line == strconv.Itoa(m.line)) && !seen[there] {
				seen[there] = true
				list = append(list, m)
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no mutant can be made in these files")
	}
	return list, nil
}

// tryAll tests the mutants, several at a time, and prints those that live as it finds them.
// The results are in the order of the mutants.
func (b *bench) tryAll(ctx context.Context, s *settings, out io.Writer) ([]result, error) {
	results := make([]result, len(b.mutants))
	var printing sync.Mutex
	return results, parallel(ctx, s.jobs, len(b.mutants), func(ctx context.Context, id int) error {
		r, err := b.try(ctx, id)
		if err != nil {
			return err
		}
		results[id] = r
		printing.Lock()
		defer printing.Unlock()
		if s.verbose || r.verdict == survived {
			fmt.Fprintln(out, strings.TrimSpace(fmt.Sprintf("%s  [%s] %s", r.mutant, r.verdict, r.by)))
		}
		return nil
	})
}

// summary prints the counts and decides the exit code.
func summary(results []result, least float64, out io.Writer) (int, error) {
	count := make(map[verdict]int)
	for _, r := range results {
		count[r.verdict]++
	}
	dead := count[killed] + count[timedOut]
	valid := dead + count[survived]
	if valid == 0 {
		return exitBad, errors.New("no mutant compiles")
	}
	share := float64(dead) / float64(valid)
	left := ""
	if count[leftOut] > 0 {
		left = fmt.Sprintf(", %d left out", count[leftOut])
	}
	fmt.Fprintf(out, "%d killed (%d of them by running out of time), %d survived, %d do not compile%s: %.1f %% of %d noticed\n",
		dead, count[timedOut], count[survived], count[invalid], left, 100*share, valid)
	if share < least {
		fmt.Fprintf(out, "that is less than the %.1f %% that -min wants\n", 100*least)
		return exitFew, nil
	}
	return exitGood, nil
}
