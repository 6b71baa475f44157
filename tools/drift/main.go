// Command drift lists the differences between the SDK and a service. It compares the OpenAPI
// description of the service with what the SDK knows: operations, members, types, null and
// enumerations.
//
//	drift [flags] [file]
//
// Run it with -h for its flags, environment variables and exit codes.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const usage = `Usage: drift [flags] [file]

Compares the OpenAPI description of a service with what the SDK knows of it. Without a
file the description is read from the service (GET /openapi.json); - is the standard input.

Flags:
  -baseline file    the differences that are known, which are not printed
  -update-baseline  write all differences into that file, and keep the reasons in it
  -strict           fail, too, if a line of the baseline no longer occurs
  -json             write JSON instead of a table

Environment variables, if there is no file:
  MONITORING_BASE_URL       address of the service, required
  MONITORING_API_KEY        API key, required
  MONITORING_ACCOUNT_ID     account, needed with keys of users
  MONITORING_INSECURE_HTTP  1 allows plain http to a host that is not loopback

Exit codes:
  0  nothing new
  1  new differences, or lines that no longer occur with -strict
  2  it could not be done: the description or the baseline cannot be read
`

// The exit codes.
const (
	exitSame   = 0
	exitNew    = 1
	exitFailed = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(errOut, "drift:", err)
		return exitFailed
	}
	flags := flag.NewFlagSet("drift", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	file := flags.String("baseline", "", "")
	update := flags.Bool("update-baseline", false, "")
	strict := flags.Bool("strict", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, usage)
		return exitSame
	case err != nil:
		return fail(err)
	case flags.NArg() > 1:
		return fail(fmt.Errorf("want one file, got %d", flags.NArg()))
	case *update && *file == "":
		return fail(errors.New("-update-baseline needs -baseline: the file to write"))
	}
	known, err := loadBaseline(*file, *update)
	if err != nil {
		return fail(err)
	}
	root, err := load(ctx, flags.Arg(0), in)
	if err != nil {
		return fail(fmt.Errorf("read %s: %w", cmp.Or(flags.Arg(0), "the description of the service"), err))
	}
	found := compare(root)
	if *update {
		if err := known.update(*file, found); err != nil {
			return fail(err)
		}
	}
	r := known.report(found)
	if len(r.Findings) > 0 || *strict && len(r.Stale) > 0 {
		r.Exit = exitNew
	}
	write := r.table
	if *asJSON {
		write = r.json
	}
	if err := write(out); err != nil {
		return fail(err)
	}
	return r.Exit
}

// load reads the description from a file, the standard input or the service.
func load(ctx context.Context, file string, in io.Reader) (object, error) {
	switch file {
	case "":
		client, err := monitoring.NewClientFromEnv()
		if err != nil {
			return nil, err
		}
		description := new(bytes.Buffer)
		if err := client.OpenAPI(ctx, description); err != nil {
			return nil, err
		}
		in = description
	case "-":
	default:
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return decode(in)
}
