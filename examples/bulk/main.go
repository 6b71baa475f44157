// Bulk creates many checks and changes many groups, safely. It shows how to handle unknown
// outcomes, a journal that survives a crash, and reading, changing and writing back.
//
//	go run ./examples/bulk create -demo                        # an in-process fake of the service
//	go run ./examples/bulk create -file checks.csv -dry-run    # validates every row, sends nothing
//	go run ./examples/bulk create -file checks.csv             # creates a TCP check for each row
//	go run ./examples/bulk groups -ids 4711,4712 -set muted=true -dry-run
//	go run ./examples/bulk create -h                           # flags, environment, exit codes
//
// The file begins with a header. Its columns are name, hostname and port, which are
// required, and activated, muted, frequency and frequency_offset (as in the API),
// locations, private_locations and tags (with semicolons between them), group_id,
// description, degraded_ms and max_ms. For an empty cell the service uses its default.
//
// Each row is created at most once. The journal has an entry before a row is sent, and one
// with the outcome afterwards. If a crash or a lost response leaves the outcome of a row
// unknown, the row is not sent again. Look whether the check exists, and use -exists or
// -resend. If a line of the journal is damaged, nothing is sent.
//
// The service is the one of MONITORING_BASE_URL and MONITORING_API_KEY.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

const demoUsage = "make the data up: use an in-process fake of the service"

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "all is done"},
	{Code: cli.ExitNo, Means: "all was tried, but some rows or groups failed, or their outcome is unknown"},
	{Code: cli.ExitTrouble, Means: "not all was tried: rows that are not valid, errors that concern every row, a journal " +
		"that is damaged or cannot be written, wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted after the present request; run the same command again for the rest"},
}

func main() { cli.Main(run) }

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "create":
			return runCreate(ctx, args[1:], getenv, stdout, stderr)
		case "groups":
			return runGroups(ctx, args[1:], getenv, stdout, stderr)
		}
	}
	demo := false
	flags := cli.NewFlags("bulk", "Creates or changes many things. Its commands are create, which creates TCP checks from a file, "+
		"and groups, which changes one setting of many check groups. For their flags see bulk create -h, bulk groups -h.",
		exits, "bulk create -file checks.csv", "bulk groups -ids 4711,4712 -set muted=true")
	flags.Demo(&demo, demoUsage+"; a flag of both commands")
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		return flags.Wrong(stderr, fmt.Errorf("there is no command %q: want create or groups", args[0]))
	}
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	return flags.Wrong(stderr, errors.New("name a command: create or groups"))
}
