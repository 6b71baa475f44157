// Pause mutes the checks with a tag, and puts all back exactly afterward, even after a kill.
//
//	go run ./examples/pause -demo
//	go run ./examples/pause -tag staging -file muted.json
//	go run ./examples/pause -restore -file muted.json
//
// The file says which checks were not muted. It is there, whole, before the first check is changed:
// run the same command again after a crash. It is gone when all is put back.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt) // until the program ends
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pause", flag.ContinueOnError)
	flags.SetOutput(stderr)
	tag := flags.String("tag", monitoringtest.DemoStagingTag, "`tag` of the checks")
	file := flags.String("file", "muted.json", "`file` that says what to put back")
	restore := flags.Bool("restore", false, "put back what the file says")
	demo := flags.Bool("demo", false, "mute and put back made-up checks, with a file muted-demo.json")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	client, err := monitoring.NewClientFromEnv()
	if *demo {
		fmt.Fprintln(stdout, "This is a demo: its data is made up.")
		*file = "muted-demo.json" // that of the real checks stays
		client, err = monitoringtest.NewDemo().Client()
	}
	if err == nil && (!*restore || *demo) {
		if err = remember(ctx, client, *tag, *file); err == nil {
			err = set(ctx, client, *file, true, stdout)
		}
	}
	if err == nil && (*restore || *demo) {
		if err = set(ctx, client, *file, false, stdout); err == nil { // else what is to be put back stays there
			err = os.Remove(*file)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return 0
}

type snapshot struct {
	Tag  string
	Loud map[string]string // the names of its checks that were not muted, by their ids
}

// remember writes down which checks are not muted, unless the file says it already.
func remember(ctx context.Context, client *monitoring.Client, tag, file string) error {
	s, err := read(file)
	switch {
	case err == nil && s.Tag != tag:
		return fmt.Errorf("%s is of the tag %q: put that back first, or give another file", file, s.Tag)
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	s = snapshot{tag, make(map[string]string)}
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{tag}}) {
		if err != nil {
			return err
		}
		if !monitoring.ValueOr(check.Muted, false) {
			s.Loud[check.ID] = check.Name
		}
	}
	return write(file, s)
}

// set mutes the checks of the file, or ends that.
func set(ctx context.Context, client *monitoring.Client, file string, muted bool, out io.Writer) error {
	s, failed := read(file)
	for id, name := range s.Loud {
		_, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error { c.Muted = &muted; return nil })
		fmt.Fprintf(out, "muted: %t, error: %v, check: %q\n", muted, err, name)
		failed = errors.Join(failed, err)
	}
	return failed
}

func read(file string) (s snapshot, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err == nil && s.Tag == "" { // a restore removes the file
		err = fmt.Errorf("%s was not written by this program", file)
	}
	return s, err
}

// write writes a file that is whole or not there, also if the program is killed.
func write(file string, s snapshot) error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	if err := errors.Join(json.NewEncoder(f).Encode(s), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
