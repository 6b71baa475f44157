package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// change is a setting of a group and its new value.
type change func(u *monitoring.CheckGroupUpdate)

// parseChange reads a setting and its new value.
func parseChange(text string) (change, error) {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return nil, errors.New("want a setting and its new value, as in muted=true")
	}
	switch name {
	case "muted", "activated":
		on, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("%s must be true or false", name)
		}
		if name == "muted" {
			return func(u *monitoring.CheckGroupUpdate) { u.Muted = &on }, nil
		}
		return func(u *monitoring.CheckGroupUpdate) { u.Activated = &on }, nil
	case "concurrency":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return nil, errors.New("concurrency must be a whole number of at least 1")
		}
		return func(u *monitoring.CheckGroupUpdate) { u.Concurrency = &n }, nil
	}
	return nil, fmt.Errorf("there is no setting %q: want activated, concurrency or muted", name)
}

// groupOptions are the flags of bulk groups.
type groupOptions struct {
	ids          []int64
	change       change
	dryRun, demo bool
}

func defineGroups(o *groupOptions) *cli.Flags {
	flags := cli.NewFlags("bulk groups", "Changes one setting of many check groups and keeps everything else, secrets included. A group "+
		"that has the value already is left alone, so that the same command can be given again after an error or an interrupt.", exits,
		"bulk groups -ids 4711,4712 -set muted=true -dry-run", "bulk groups -ids 4711,4712 -set concurrency=5", "bulk groups -demo")
	flags.Func("ids", "`ids` of the groups, with commas between them; may be repeated", func(text string) error {
		list, err := cli.SplitList(text)
		for _, item := range list {
			id, err := strconv.ParseInt(item, 10, 64)
			if err != nil || id < 1 {
				return fmt.Errorf("%q is not the id of a group: want a whole number of at least 1", item)
			}
			if !slices.Contains(o.ids, id) {
				o.ids = append(o.ids, id)
			}
		}
		return err
	})
	flags.Func("set", "the `setting` and its new value: activated=true, concurrency=5 or muted=false", func(text string) (err error) {
		if o.change != nil {
			return errors.New("only one setting can be changed at a time: give -set once")
		}
		o.change, err = parseChange(text)
		return err
	})
	flags.Bool(&o.dryRun, "dry-run", "show what would change; nothing is changed")
	flags.Demo(&o.demo, demoUsage+"; without -ids and -set its group is muted")
	return flags
}

// runGroups is the command bulk groups.
func runGroups(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	var o groupOptions
	flags := defineGroups(&o)
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	if o.demo && o.ids == nil {
		o.ids = []int64{monitoringtest.DemoGroupID}
	}
	if o.demo && o.change == nil {
		o.change, _ = parseChange("muted=true")
	}
	if o.ids == nil || o.change == nil {
		return flags.Wrong(stderr, errors.New("say which groups to change with -ids, and what with -set; -demo tries the "+
			"program out without a service"))
	}
	client, err := cli.Connect(getenv, o.demo, stderr)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	return changeGroups(ctx, client, o, cli.NewScreen(stdout, getenv), cli.NewScreen(stderr, getenv))
}

// changeGroups changes the groups one by one and prints the result of each.
func changeGroups(ctx context.Context, client *monitoring.Client, o groupOptions, out, stderr *cli.Screen) int {
	progress := cli.NewProgress(stderr)
	defer progress.Stop()
	var table [][]string
	changed, failed := 0, 0
	var stopped error
	for i, id := range o.ids {
		if ctx.Err() != nil {
			break
		}
		progress.Update("group %d of %d: %d changed, %d failed", i+1, len(o.ids), changed, failed)
		name, diff, err := editGroup(ctx, client, id, o.change, o.dryRun)
		if err != nil && ctx.Err() != nil {
			break // not reached; to set it again later does no harm
		}
		status, text := "CHANGED", diff
		switch {
		case err != nil:
			failed++
			status, text = "FAILED", err.Error()
		case diff == "":
			status, text = "UNCHANGED", "it is so already"
		default:
			changed++
			if o.dryRun {
				status = "WOULD CHANGE"
			}
		}
		table = append(table, []string{strconv.FormatInt(id, 10), name, status, text})
		if fatal(err) {
			stopped = fmt.Errorf("stopped at group %d, because every further group would fail in the same way", id)
			break
		}
	}
	progress.Stop()
	if len(table) > 0 {
		out.Table([]cli.Column{{Title: "GROUP", Right: true}, {Title: "NAME", Min: 10}, {Title: "STATUS", Status: true},
			{Title: "CHANGE", Min: 12}}, table)
		fmt.Fprintln(out)
	}
	verb := "changed"
	if o.dryRun {
		verb = "would be changed"
	}
	left := len(o.ids) - len(table)
	fmt.Fprintln(out, cli.Tally(len(o.ids), "group", cli.Part{N: changed, Name: verb},
		cli.Part{N: len(table) - changed - failed, Name: "unchanged"},
		cli.Part{N: failed, Name: "failed"}, cli.Part{N: left, Name: "not tried"}))
	switch {
	case ctx.Err() != nil && left > 0:
		var ids []string
		for _, id := range o.ids[len(table):] {
			ids = append(ids, strconv.FormatInt(id, 10))
		}
		cli.Complain(stderr, "bulk groups", fmt.Errorf("interrupted; not known to be changed: -ids %s", strings.Join(ids, ",")))
		return cli.ExitInterrupted
	case stopped != nil:
		return cli.Complain(stderr, "bulk groups", stopped)
	case failed > 0:
		return cli.ExitNo
	}
	return cli.ExitOK
}

// errDryRun ends an edit before anything is written.
var errDryRun = errors.New("dry run")

// editGroup changes one setting of a group and keeps everything else. The diff is empty if
// the group has the value already. Nothing is written then, nor in a dry run.
func editGroup(ctx context.Context, client *monitoring.Client, id int64, set change, dryRun bool) (name, diff string, err error) {
	name = "-"
	_, err = client.CheckGroups.Edit(ctx, id, func(u *monitoring.CheckGroupUpdate) error {
		set(u)
		name = u.Name
		var lines []string
		for _, c := range u.Diff() {
			lines = append(lines, c.String())
		}
		diff = strings.Join(lines, "; ")
		if dryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return name, diff, err
}
