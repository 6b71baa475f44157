// Sync makes the checks with a tag equal to a file: a list of checks of mixed kinds, as the service
// writes them. What the file does not say of a check stays as it is. Checks are found by their
// names. What the file lacks is deleted only with -prune: at the end, only if nothing else failed,
// and only of the kinds that the file has.
//
//	go run ./examples/sync -demo
//	go run ./examples/sync -file checks.json -dry # exit code 1 if anything would change
//	go run ./examples/sync -file checks.json -prune 3 # deletes no check if it would delete 4
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var (
	path  = flag.String("file", "checks.json", "JSON `file` with the checks")
	tag   = flag.String("tag", monitoringtest.DemoProductionTag, "`tag` of the checks")
	dry   = flag.Bool("dry", false, "only print what differs")
	prune = flag.Int("prune", 0, "delete the checks with the tag that the file lacks, if they are at most this `many`")
	demo  = flag.Bool("demo", false, "use made-up checks, and a file of two")
)

func main() { flag.Parse(); os.Exit(run(context.Background(), os.Stdout, os.Stderr)) }

func run(ctx context.Context, stdout, stderr io.Writer) int {
	client, err := monitoring.NewClientFromEnv()
	file := []byte(`[{"name": "Checkout API", "frequency": 5},
		{"name": "Returns API", "checkType": "API", "tags": ["production"], "request": {"method": "GET", "url": "https://shop.test/returns"}}]`)
	if *demo {
		client, err = monitoringtest.NewDemo().Client()
	} else if err == nil {
		file, err = os.ReadFile(*path)
	}
	differs := false
	if err == nil {
		say := func(name string, what any) { differs = true; fmt.Fprintf(stdout, "%q: %v\n", name, what) }
		err = sync(ctx, client.Checks, file, say)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, err)
		return 2
	case *dry && differs:
		return 1
	}
	return 0
}

// sync makes the checks equal to a file, and says what differs. An error of one check does not stop
// it.
func sync(ctx context.Context, checks *monitoring.ChecksService, file []byte, say func(name string, what any)) (failed error) {
	var wishes []monitoring.Check
	if err := monitoring.UnmarshalStrict(file, &wishes); err != nil {
		return err
	}
	there := make(map[string][]monitoring.Check) // by their names
	for check, err := range checks.All(ctx, monitoring.CheckListOptions{Tags: []string{*tag}}) {
		if err != nil {
			return err
		}
		if slices.Contains(check.Tags, *tag) { // also if a service ignores the tag
			there[check.Name] = append(there[check.Name], check)
		}
	}
	seen, kinds := make(map[string]bool), make(map[monitoring.CheckType]bool) // what the file has
	for i := range wishes {
		wish := &wishes[i]
		isMeant := func(c monitoring.Check) bool { return wish.CheckType == "" || wish.CheckType == c.CheckType }
		isOther := func(c monitoring.Check) bool { return !isMeant(c) }
		found := slices.DeleteFunc(slices.Clone(there[wish.Name]), isOther)
		there[wish.Name] = slices.DeleteFunc(there[wish.Name], isMeant)
		var err error
		switch {
		case seen[wish.Name] || len(found) > 1:
			err = errors.New("there are two of this name")
		case !slices.Contains(wish.Tags, *tag) && (wish.Tags != nil || len(found) == 0):
			err = fmt.Errorf("its tags lack %q", *tag)
		case len(found) == 0:
			say(wish.Name, "is not in the account")
			kinds[wish.CheckType] = true
			if made := wish.Template(); *dry {
				err = made.Validate()
			} else {
				_, err = checks.Create(ctx, made, monitoring.WithCreateRecovery(10*time.Second))
			}
		default:
			kinds[found[0].CheckType] = true
			err = change(ctx, checks, &found[0], wish, say)
		}
		if seen[wish.Name] = true; err != nil {
			failed = errors.Join(failed, fmt.Errorf("%q: %w", wish.Name, err))
		}
	}
	var lacks []monitoring.Check
	for _, name := range slices.Sorted(maps.Keys(there)) {
		for _, check := range there[name] {
			if kinds[check.CheckType] { // a file cannot have those of some kinds
				say(name, "is not in the file")
				lacks = append(lacks, check)
			}
		}
	}
	switch {
	case *prune == 0 || len(lacks) == 0 && len(wishes) > 0:
		return failed
	case failed != nil: // a check that is renamed may have failed under its new name
		return errors.Join(failed, errors.New("nothing was deleted, because of these errors"))
	case len(wishes) == 0:
		return errors.New("nothing was deleted, because the file has no checks")
	case len(lacks) > *prune:
		return fmt.Errorf("nothing was deleted: %d checks are not in the file, and -prune allows %d", len(lacks), *prune)
	case *dry:
		return nil
	}
	for _, check := range lacks {
		failed = errors.Join(failed, checks.Delete(ctx, check.ID))
	}
	return failed
}

// change gives a check what the file has. Only one that differs is read again.
func change(ctx context.Context, checks *monitoring.ChecksService, listed, wish *monitoring.Check, say func(string, any)) error {
	if err := listed.SetFrom(wish); err != nil || len(listed.Diff()) == 0 {
		return err
	}
	_, err := checks.Edit(ctx, listed.ID, func(c *monitoring.Check) error {
		if err := c.SetFrom(wish); err != nil || !*dry {
			return err
		}
		return monitoring.ErrDryRun
	}, monitoring.WithChanges(func(changes []monitoring.Change) { say(wish.Name, changes) }))
	return err
}
