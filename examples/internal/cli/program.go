// Package cli has what the example programs share: flags and help, settings, tables that fit
// the terminal, a line of progress. It uses only the standard library and the SDK.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// The exit codes of all examples. The first three are those of grep, diff and test.
const (
	ExitOK          = 0   // everything is done, and the result is good
	ExitNo          = 1   // the result is known, and it is bad
	ExitTrouble     = 2   // the result is not known, or the program was used wrongly
	ExitInterrupted = 130 // the program was interrupted, for example with Ctrl-C
)

// Run runs a program and returns its exit code.
type Run func(ctx context.Context, args []string, getenv Getenv, stdout, stderr io.Writer) int

// Main runs a program and ends the process. The first interrupt ends the context; a
// second one ends the process at once.
func Main(run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// Exit is an exit code and what it means, for the help.
type Exit struct {
	Code  int
	Means string
}

// Flags are the flags of a program, which takes no other arguments, and its help.
type Flags struct {
	set      *flag.FlagSet
	name     string
	about    string
	examples []string
	exits    []Exit
}

// NewFlags starts the flags of a program. The exits explain its exit codes; the
// examples are command lines.
func NewFlags(name, about string, exits []Exit, examples ...string) *Flags {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // Parse prints errors itself, in one line
	return &Flags{set, name, about, examples, exits}
}

// Bool adds a flag that is on or off.
func (f *Flags) Bool(p *bool, name, usage string) { f.set.BoolVar(p, name, *p, usage) }

// String adds a flag with a text.
func (f *Flags) String(p *string, name, usage string) {
	f.set.StringVar(p, name, *p, withDefault(usage, *p))
}

// Value adds a flag of any type.
func (f *Flags) Value(v interface {
	Set(string) error
	String() string
}, name, usage string) {
	f.set.Var(v, name, usage)
}

// Func adds a flag that calls set with each of its values.
func (f *Flags) Func(name, usage string, set func(string) error) { f.set.Func(name, usage, set) }

// Demo adds the flag -demo.
func (f *Flags) Demo(p *bool, usage string) { f.set.BoolVar(p, "demo", false, usage) }

func withDefault(usage, value string) string {
	if value == "" {
		return usage
	}
	return usage + " (default " + value + ")"
}

// Given reports whether a flag was on the command line.
func (f *Flags) Given(name string) (given bool) {
	f.set.Visit(func(one *flag.Flag) { given = given || one.Name == name })
	return given
}

// Parse parses the arguments. If ok is false, the program must end with the code: Parse has
// printed the help to stdout, or to stderr what is wrong with the arguments.
func (f *Flags) Parse(args []string, getenv Getenv, stdout, stderr io.Writer) (code int, ok bool) {
	err := f.set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.help(NewScreen(stdout, getenv))
		return ExitOK, false
	case err != nil:
		return f.Wrong(stderr, err), false
	case f.set.NArg() > 0:
		return f.Wrong(stderr, fmt.Errorf("unexpected argument %q", f.set.Arg(0))), false
	}
	return ExitOK, true
}

// Wrong prints how the program was used wrongly, and returns the exit code for it.
func (f *Flags) Wrong(stderr io.Writer, err error) int {
	Complain(stderr, f.name, err)
	fmt.Fprintf(stderr, "%s -h shows how to use it.\n", f.name)
	return ExitTrouble
}

// Complain prints an error, each line with the name of the program. It returns the exit
// code for it.
func Complain(stderr io.Writer, name string, err error) int {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(stderr, "%s: %s\n", name, Clean(line))
	}
	return ExitTrouble
}

var environment = [][2]string{
	{EnvBaseURL, "base address of the service"},
	{EnvAPIKey, "API key"},
	{EnvAccount, "account, which keys of users need"},
	{EnvInsecureHTTP, "1 allows plain http to another machine; the key travels in clear"},
	{"NO_COLOR", "any text turns the colors off"},
	{"COLUMNS", "width of the terminal, instead of what it says itself"},
}

// help prints the usage, the flags, the environment, the exit codes and examples.
func (f *Flags) help(s *Screen) {
	fmt.Fprintf(s, "Usage: %s [flags]\n\n", f.name)
	s.Paragraph(0, f.about)
	fmt.Fprintln(s, "\nExamples:")
	for _, example := range f.examples {
		fmt.Fprintln(s, "  "+example)
	}
	fmt.Fprintln(s, "\nFlags:")
	f.set.VisitAll(func(one *flag.Flag) {
		value, usage := flag.UnquoteUsage(one)
		fmt.Fprintln(s, strings.TrimRight("  -"+one.Name+" "+value, " "))
		s.Paragraph(8, usage)
	})
	fmt.Fprintln(s, "\nEnvironment:")
	for _, variable := range environment {
		fmt.Fprintln(s, "  "+variable[0])
		s.Paragraph(8, variable[1])
	}
	fmt.Fprintln(s, "\nExit codes:")
	exits := slices.SortedFunc(slices.Values(f.exits), func(a, b Exit) int { return a.Code - b.Code })
	for _, exit := range exits {
		s.hanging(fmt.Sprintf("  %-4d  ", exit.Code), exit.Means)
	}
}
