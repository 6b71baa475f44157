// Sync makes the checks of a kind equal to a file: a list of what creates take. What the file does
// not say of a check stays as it is. Checks are found by their names, among those of a tag.
//
//	go run ./examples/sync -demo
//	go run ./examples/sync -file checks.json -dry # exit code 1 if anything would change
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
	"text/tabwriter"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var (
	path  = flag.String("file", "", "JSON `file` with the checks")
	kind  = flag.String("kind", "API", "`kind` of the checks")
	tag   = flag.String("tag", monitoringtest.DemoProductionTag, "`tag` of the checks; new ones get it")
	dry   = flag.Bool("dry", false, "only print what would change")
	prune = flag.Bool("prune", false, "delete the checks of the kind and tag that the file lacks")
	demo  = flag.Bool("demo", false, "use made-up checks, and a file of two")
)

// kinds are those that this program knows. Another one is another line.
var kinds = map[string]sync{
	"API": of(monitoring.Check.AsAPI, (*monitoring.ChecksService).CreateAPI, (*monitoring.ChecksService).EditAPI),
}

func main() { flag.Parse(); os.Exit(run(context.Background(), os.Stdout, os.Stderr)) }

func run(ctx context.Context, stdout, stderr io.Writer) int {
	client, err := monitoring.NewClientFromEnv()
	file := []byte(`[{"name": "Checkout API", "frequency": 5}, {"name": "Returns API", "request": {"method": "GET","url": "https://a.test"}}]`)
	if *demo {
		client, err = monitoringtest.NewDemo().Client()
	} else if err == nil {
		file, err = os.ReadFile(*path)
	}
	differs, out := false, tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if kinds[*kind] == nil {
		err = fmt.Errorf("-kind %s: want a kind of this program", *kind)
	} else if err == nil {
		say := func(name, what string) { differs = true; fmt.Fprintf(out, "%q\t%s\n", name, what) }
		err = errors.Join(kinds[*kind](ctx, client.Checks, file, say), out.Flush())
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return map[bool]int{true: 1}[*dry && differs]
}

type sync = func(ctx context.Context, c *monitoring.ChecksService, file []byte, say func(name, what string)) error

// of returns what makes the checks of a kind equal to a file. An error of one does not stop it.
func of[O interface{ ToUpdate() U }, U any, C interface{ Validate() error }, P interface {
	*U
	Set(C)
	Diff() []monitoring.Change
}](as func(monitoring.Check) (*O, bool), create func(*monitoring.ChecksService, context.Context, C, ...monitoring.CallOption) (*O, error),
	edit func(*monitoring.ChecksService, context.Context, string, func(P) error, ...monitoring.CallOption) (*O, error)) sync {
	return func(ctx context.Context, c *monitoring.ChecksService, file []byte, say func(name, what string)) (failed error) {
		wishes, settings, there := []C{}, []monitoring.CheckSettings{}, make(map[string][]monitoring.Check)
		if err := errors.Join(json.Unmarshal(file, &wishes), json.Unmarshal(file, &settings)); err != nil {
			return err
		}
		for check, err := range c.All(ctx, monitoring.CheckListOptions{Tags: []string{*tag}, CheckType: monitoring.CheckType(*kind)}) {
			if err != nil {
				return err
			}
			there[check.Name] = append(there[check.Name], check)
		}
		for i, wish := range wishes {
			name, tags, err := settings[i].Name, settings[i].Tags, error(nil)
			found, isThere := there[name]
			if there[name] = nil; !slices.Contains(tags, *tag) && (tags != nil || !isThere) {
				data, _ := json.Marshal(map[string][]string{"tags": append(tags, *tag)})
				_ = json.Unmarshal(data, &wish) // does not fail
			}
			switch {
			case !isThere:
				say(name, "created")
				if err = wish.Validate(); err == nil && !*dry {
					_, err = create(c, ctx, wish, monitoring.WithLookAgain(10*time.Second))
				}
			case len(found) == 1:
				object, _ := as(found[0])
				update := P(new((*object).ToUpdate()))
				update.Set(wish)
				for _, change := range update.Diff() {
					say(name, change.String())
				}
				if len(update.Diff()) > 0 {
					_, err = edit(c, ctx, found[0].ID, func(u P) error { u.Set(wish); return map[bool]error{true: monitoring.ErrDryRun}[*dry] })
				}
			default:
				err = errors.New("there are two of this name")
			}
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("%q: %w", name, err))
			}
		}
		for _, check := range slices.Concat(slices.Collect(maps.Values(there))...) {
			if say(check.Name, "is not in the file"); *prune && !*dry {
				failed = errors.Join(failed, c.Delete(ctx, check.ID))
			}
		}
		return failed
	}
}
