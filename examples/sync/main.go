// Sync makes the API checks with a tag equal to a file: a list of what creates take. What the file
// does not say of a check stays as it is. Checks are found by their names. What the file lacks is
// deleted only with -prune: at the end, and only if nothing else failed.
//
//	go run ./examples/sync -demo
//	go run ./examples/sync -file checks.json -dry # exit code 1 if anything would change
//	go run ./examples/sync -file checks.json -prune 3 # deletes no check if it would delete 4
package main

import (
	"context"
	"encoding/json"
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
		{"name": "Returns API", "tags": ["production"], "request": {"method": "GET", "url": "https://shop.test/returns"}}]`)
	if *demo {
		client, err = monitoringtest.NewDemo().Client()
	} else if err == nil {
		file, err = os.ReadFile(*path)
	}
	differs := false
	if err == nil {
		c, say := client.Checks, func(name string, what any) { differs = true; fmt.Fprintf(stdout, "%q: %v\n", name, what) }
		// Another kind of checks is another line like this one, with a file of its own.
		err = sync(ctx, c, file, say, monitoring.CheckTypeAPI, monitoring.Check.AsAPI, c.CreateAPI, c.EditAPI)
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

// sync makes the checks of a kind equal to a file, and says what differs. An error of one check
// does not stop it.
func sync[O interface{ ToUpdate() U }, U any, C interface{ Validate() error }, P interface {
	*U
	Set(C)
	Diff() []monitoring.Change
}](ctx context.Context, checks *monitoring.ChecksService, file []byte, say func(name string, what any), kind monitoring.CheckType,
	as func(monitoring.Check) (*O, bool), create func(context.Context, C, ...monitoring.CallOption) (*O, error),
	edit func(context.Context, string, func(P) error, ...monitoring.CallOption) (*O, error)) (failed error) {
	var wishes []C
	var settings []monitoring.CheckSettings
	if err := errors.Join(monitoring.UnmarshalStrict(file, &wishes), json.Unmarshal(file, &settings)); err != nil {
		return err
	}
	there := make(map[string][]monitoring.Check)
	for check, err := range checks.All(ctx, monitoring.CheckListOptions{Tags: []string{*tag}, CheckType: kind}) {
		if err != nil {
			return err
		}
		if slices.Contains(check.Tags, *tag) { // also if a service ignores the tag
			there[check.Name] = append(there[check.Name], check)
		}
	}
	for i, wish := range wishes {
		name, tags := settings[i].Name, settings[i].Tags
		found, isThere := there[name]
		there[name] = nil // it is in the file
		var err error
		switch {
		case !slices.Contains(tags, *tag) && (tags != nil || !isThere):
			err = fmt.Errorf("its tags lack %q", *tag)
		case !isThere:
			say(name, "is not in the account")
			if err = wish.Validate(); err == nil && !*dry {
				_, err = create(ctx, wish, monitoring.WithLookAgain(10*time.Second))
			}
		case len(found) == 1:
			object, _ := as(found[0])
			update := P(new((*object).ToUpdate()))
			if update.Set(wish); len(update.Diff()) > 0 {
				_, err = edit(ctx, found[0].ID, func(u P) error {
					u.Set(wish)
					if *dry {
						return monitoring.ErrDryRun
					}
					return nil
				}, monitoring.WithChanges(func(changes []monitoring.Change) { say(name, changes) }))
			}
		default:
			err = errors.New("there are two of this name")
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%q: %w", name, err))
		}
	}
	var lacks []monitoring.Check
	for _, name := range slices.Sorted(maps.Keys(there)) {
		for _, check := range there[name] {
			say(name, "is not in the file")
			lacks = append(lacks, check)
		}
	}
	switch {
	case *prune == 0 || len(lacks) == 0:
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
