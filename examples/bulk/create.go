package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// demoRows is the file of a demo.
const demoRows = `name,hostname,port,tags,frequency
Mail server,mail.shop.test,25,production;mail,5
Queue,queue.shop.test,5672,production,1
Cache (倉庫),cache.shop.test,6379,staging,10
`

// createOptions are the flags of bulk create.
type createOptions struct {
	file, journal  string
	exists, resend []string
	dryRun, demo   bool
}

func defineCreate(o *createOptions) *cli.Flags {
	flags := cli.NewFlags("bulk create", "Creates a TCP check for each row of a CSV file, each at most once. All rows are validated "+
		"before the first one is sent. Its columns are name, hostname and port, which are required, and activated, muted, frequency, "+
		"frequency_offset, locations, private_locations, tags, group_id, description, degraded_ms and max_ms. Lists have semicolons "+
		"between their items. The journal records which rows were created, so the same command can be run again for the others.", exits,
		"bulk create -file checks.csv -dry-run", "bulk create -file checks.csv",
		`bulk create -file checks.csv -resend "Mail server"`, "bulk create -demo")
	flags.String(&o.file, "file", "CSV `file` with the rows")
	flags.String(&o.journal, "journal", "`file` of the journal (default the CSV file's name with .journal; a temporary one with -demo)")
	flags.Func("exists", "you have checked that the row with this `name`, whose outcome was unknown, was created; may be "+
		"repeated", func(name string) error {
		o.exists = append(o.exists, name)
		return nil
	})
	flags.Func("resend", "send the row with this `name` again: you have checked that it was not created; may be repeated",
		func(name string) error {
			o.resend = append(o.resend, name)
			return nil
		})
	flags.Bool(&o.dryRun, "dry-run", "validate the rows and show what would be done; nothing is sent or written")
	flags.Demo(&o.demo, demoUsage+"; without -file the rows are made up, too")
	return flags
}

// runCreate is the command bulk create.
func runCreate(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	var o createOptions
	flags := defineCreate(&o)
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	if o.file == "" && !o.demo {
		return flags.Wrong(stderr, errors.New("say which rows to create with -file; -demo tries the program out without a service"))
	}
	rows, err := loadRows(o.file, stderr)
	if err != nil {
		return cli.Complain(stderr, "bulk create", err)
	}
	if o.journal == "" && o.file != "" && !o.demo {
		o.journal = o.file + ".journal"
	}
	out := cli.NewScreen(stdout, getenv)
	if o.dryRun {
		return dryRun(o, rows, out, stderr)
	}
	client, err := cli.Connect(getenv, o.demo, stderr)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	if o.journal == "" {
		dir, err := os.MkdirTemp("", "bulk")
		if err != nil {
			return cli.Complain(stderr, "bulk create", err)
		}
		defer os.RemoveAll(dir) // the journal is useless after the in-process fake is gone
		o.journal = filepath.Join(dir, "journal")
	}
	j, err := openJournal(o.journal, serviceName(getenv, o.demo))
	if err != nil {
		return cli.Complain(stderr, "bulk create", err)
	}
	defer j.close()
	if err := j.settle(o.exists, o.resend); err != nil {
		return cli.Complain(stderr, "bulk create", err)
	}
	c := &creator{client: client, journal: j, rows: rows}
	return c.report(c.run(ctx, cli.NewScreen(stderr, getenv)), out, stderr)
}

// loadRows reads the file. It prints all problems with the rows.
func loadRows(path string, stderr io.Writer) ([]row, error) {
	var in io.Reader = strings.NewReader(demoRows)
	if path != "" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	rows, problems, err := readRows(in)
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		fmt.Fprintln(stderr, cli.Clean(p.String()))
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s in the file; nothing was sent", cli.Count(len(problems), "problem"))
	}
	return rows, nil
}

// serviceName identifies the service and the account in a journal. It does not contain the
// id of the account, which should not be in files.
func serviceName(getenv cli.Getenv, demo bool) string {
	if demo {
		return "demo"
	}
	name := strings.TrimRight(getenv(cli.EnvBaseURL), "/")
	if account := getenv(cli.EnvAccount); account != "" {
		sum := sha256.Sum256([]byte(strings.ToLower(account)))
		name += " account " + hex.EncodeToString(sum[:4])
	}
	return name
}

// dryRun shows what would be done.
func dryRun(o createOptions, rows []row, out *cli.Screen, stderr io.Writer) int {
	var h history
	if o.journal != "" {
		var err error
		if h, err = readHistory(o.journal); err != nil {
			return cli.Complain(stderr, "bulk create", err)
		}
	}
	var table [][]string
	sent := 0
	for _, r := range rows {
		what := "would be created"
		switch e := h.last[r.check.Name]; {
		case e.created():
			what = "was created before"
		case e.open():
			what = "unknown: would not be sent"
		default:
			sent++
		}
		table = append(table, []string{strconv.Itoa(r.number), r.check.Name, r.check.Request.Hostname, strconv.Itoa(r.check.Request.Port), what})
	}
	out.Table([]cli.Column{{Title: "ROW", Right: true}, {Title: "NAME", Min: 10}, {Title: "HOSTNAME", Min: 10},
		{Title: "PORT", Right: true}, {Title: "WHAT", Min: 10}}, table)
	fmt.Fprintf(out, "\n%s: %d would be created. Nothing was sent.\n", cli.Count(len(rows), "valid row"), sent)
	return cli.ExitOK
}

// settle records the outcomes that the user has found for rows with unknown outcomes. It
// checks all names before it writes anything.
func (j *journal) settle(exists, resend []string) error {
	var entries []entry
	for i, name := range append(append([]string(nil), exists...), resend...) {
		e := j.last[name]
		if !e.open() {
			return fmt.Errorf("there is no row %q with an unknown outcome in the journal; nothing was sent", name)
		}
		e.Event, e.Error = eventExists, ""
		if i >= len(exists) {
			e.Event = eventResend
		}
		entries = append(entries, e)
	}
	for _, e := range entries {
		if err := j.append(e); err != nil {
			return err
		}
	}
	return nil
}

// report prints the outcomes, and what the user has to do about unknown ones.
func (c *creator) report(err error, out *cli.Screen, stderr io.Writer) int {
	for _, r := range c.changed {
		fmt.Fprintf(out, "Row %d, %s: its values have changed since the check was created, which was left as it is.\n", r.number,
			cli.Clean(r.check.Name))
	}
	if len(c.failed) > 0 {
		var table [][]string
		for _, e := range c.failed {
			table = append(table, []string{strconv.Itoa(e.Row), e.Name, "FAILED", e.Error})
		}
		fmt.Fprintln(out, "These were surely not created; the same command tries them again:")
		out.Table(problemColumns, table)
		fmt.Fprintln(out)
	}
	if open := c.journal.openRows(); len(open) > 0 {
		var table [][]string
		for _, e := range open {
			why := e.Error
			if why == "" {
				why = "the run that sent it ended before it was known"
			}
			table = append(table, []string{strconv.Itoa(e.Row), e.Name, "UNKNOWN", e.Time.Format("2006-01-02 15:04:05Z") + ": " + why})
		}
		fmt.Fprintln(out, "It is not known whether these were created, and they are not sent again. Look for their names at the service,")
		fmt.Fprintln(out, "then run the same command again with -exists NAME or -resend NAME for each:")
		out.Table(problemColumns, table)
		fmt.Fprintln(out)
	}
	unknown := len(c.journal.openRows())
	fmt.Fprintln(out, c.counts(unknown))
	switch {
	case c.interrupted:
		cli.Complain(stderr, "bulk create", fmt.Errorf("interrupted: %s not tried; run the same command again for them",
			cli.Count(c.untried(), "row")))
		return cli.ExitInterrupted
	case err != nil:
		return cli.Complain(stderr, "bulk create", err)
	case len(c.failed) > 0 || unknown > 0:
		return cli.ExitNo
	}
	return cli.ExitOK
}

var problemColumns = []cli.Column{{Title: "ROW", Right: true}, {Title: "NAME", Min: 10}, {Title: "STATUS", Status: true},
	{Title: "WHY", Min: 15}}

// counts returns the last line of the output.
func (c *creator) counts(unknown int) string {
	return cli.Tally(len(c.rows), "row", cli.Part{N: c.created, Name: "created"}, cli.Part{N: c.before, Name: "created before"},
		cli.Part{N: len(c.failed), Name: "failed"}, cli.Part{N: unknown, Name: "unknown"}, cli.Part{N: c.untried(), Name: "not tried"})
}

// fatal reports whether every further row would fail with the same error.
func fatal(err error) bool {
	return errors.Is(err, monitoring.ErrUnauthorized) || errors.Is(err, monitoring.ErrForbidden) ||
		errors.Is(err, monitoring.ErrPaymentRequired)
}
