// Unalerted finds the checks of a tag that alert nobody, and subscribes them to an alert channel.
// It shows a list, the forms of a check, and a dry run: without -apply it prints what would change.
//
//	go run ./examples/unalerted                                      # an in-process fake of the service
//	go run ./examples/unalerted -tag production -channel 263584      # what would change
//	go run ./examples/unalerted -tag production -channel 263584 -apply
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "every check of the tag alerts somebody, or does so now"},
	{Code: cli.ExitNo, Means: "a check alerts nobody: -apply was not given, or its kind cannot be changed here"},
	{Code: cli.ExitTrouble, Means: "an error, wrong flags or settings"},
	{Code: cli.ExitInterrupted, Means: "interrupted; a check may be changed or not, run it again"},
}

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	tag, channel, apply, demo := monitoringtest.DemoProductionTag, int64(263584), false, false
	flags := cli.NewFlags("unalerted", "Finds the checks of a tag that alert nobody, and subscribes them to a channel.", exits,
		"unalerted", "unalerted -tag production -channel 263584 -apply")
	flags.String(&tag, "tag", "`tag` of the checks")
	flags.Int(&channel, "channel", 1, math.MaxInt64, "`id` of the alert channel")
	flags.Bool(&apply, "apply", "change the checks, and do not only print what would change")
	flags.Demo(&demo, "use the in-process fake even when the environment has settings")
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	client, err := connect(getenv, demo || !cli.Configured(getenv), tag, stdout)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	left := 0
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{tag}}) {
		if err == nil && !alerts(check) {
			var changed bool
			if changed, err = subscribe(ctx, client, check, channel, apply, stdout); !changed {
				left++
			}
		}
		if err != nil {
			return failed(ctx, stderr, err)
		}
	}
	fmt.Fprintf(stdout, "%s with the tag %s left that alert nobody.\n", cli.Count(left, "check"), tag)
	return min(left, cli.ExitNo)
}

// alerts reports whether a check has an alert channel.
func alerts(check monitoring.Check) bool {
	return slices.ContainsFunc(check.AlertChannelSubscriptions, func(s monitoring.AlertChannelSubscription) bool { return s.Activated })
}

// subscribe prints how a check changes, and changes it if apply is set. Each edit reads the check
// again, and sends only what has changed.
func subscribe(
	ctx context.Context, client *monitoring.Client, check monitoring.Check, channel int64, apply bool, out io.Writer,
) (changed bool, err error) {
	added := append(check.AlertChannelSubscriptions, monitoring.AlertChannelSubscription{AlertChannelID: channel, Activated: true})
	show := func(changes []monitoring.Change) error {
		for _, c := range changes {
			fmt.Fprintf(out, "%s: %s\n", cli.Clean(check.Name), c)
		}
		if !apply {
			return errDry
		}
		return nil
	}
	switch {
	case check.API != nil:
		_, err = client.Checks.EditAPI(ctx, check.ID,
			func(u *monitoring.APICheckUpdate) error { u.AlertChannelSubscriptions = added; return show(u.Diff()) })
	case check.TCP != nil:
		_, err = client.Checks.EditTCP(ctx, check.ID,
			func(u *monitoring.TCPCheckUpdate) error { u.AlertChannelSubscriptions = added; return show(u.Diff()) })
	case check.Browser != nil:
		_, err = client.Checks.EditBrowser(ctx, check.ID, func(u *monitoring.BrowserCheckUpdate) error {
			u.AlertChannelSubscriptions = added
			return show(u.Diff())
		})
	default:
		fmt.Fprintf(out, "%s: a check of type %s has no update here\n", cli.Clean(check.Name), check.CheckType)
		return false, nil
	}
	return dry(err)
}
