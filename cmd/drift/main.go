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
  -json         write JSON instead of a table
  -ignore file  leave out the findings that the file lists, one a line:
                gone GET /v1/locations response $[].name
                * stands for any text, # begins a comment

Environment variables, if there is no file:
  MONITORING_BASE_URL       address of the service, required
  MONITORING_API_KEY        API key, required
  MONITORING_ACCOUNT_ID     account, needed with keys of users
  MONITORING_INSECURE_HTTP  1 allows plain http to a host that is not loopback

Exit codes:
  0  the same, or the service only has more than the SDK knows
  1  the service lost or changed something that the SDK uses
  2  could not tell: the description cannot be read, or leaves out what would have to be
     compared
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(errOut, "drift:", err)
		return exitUnknown
	}
	flags := flag.NewFlagSet("drift", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	ignoreFile := flags.String("ignore", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, usage)
		return exitSame
	case err != nil:
		return fail(err)
	case flags.NArg() > 1:
		return fail(fmt.Errorf("want one file, got %d", flags.NArg()))
	}
	rules, err := loadIgnored(*ignoreFile)
	if err != nil {
		return fail(err)
	}
	root, err := load(ctx, flags.Arg(0), in)
	if err != nil {
		return fail(err)
	}
	found := rules.filter(compare(root))
	for _, text := range rules.unused() {
		fmt.Fprintf(errOut, "drift: the ignore rule %q matches nothing any more\n", text)
	}
	write := writeTable
	if *asJSON {
		write = writeJSON
	}
	if err := write(out, found); err != nil {
		return fail(err)
	}
	return exitCode(found)
}

func loadIgnored(file string) (ignored, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rules, err := readIgnored(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return rules, nil
}

// load reads the description from a file, the standard input or the service.
func load(ctx context.Context, file string, in io.Reader) (object, error) {
	switch file {
	case "":
		client, err := monitoring.NewClientFromEnv(monitoring.WithMaxResponseSize(maxDescription))
		if err != nil {
			return nil, err
		}
		var description bytes.Buffer
		if err := client.OpenAPI(ctx, &description); err != nil {
			return nil, err
		}
		return decode(&description)
	case "-":
		return decode(in)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	root, err := decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return root, nil
}
