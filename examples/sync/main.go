// Sync makes the API checks of an account equal to a file: it creates those that are not there,
// changes those that differ, and leaves the others alone. It shows creates that happen at most
// once, and edits that send only what differs. A check is found by its name, among the checks of a
// tag.
//
//	go run ./examples/sync -demo                      # an in-process fake of the service
//	go run ./examples/sync -file checks.json -dry     # what would change
//	go run ./examples/sync -file checks.json
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var exits = []cli.Exit{
	{Code: cli.ExitOK, Means: "the checks are as in the file"},
	{Code: cli.ExitNo, Means: "with -dry: a check is missing or differs"},
	{Code: cli.ExitTrouble, Means: "an error, wrong flags or settings; run it again"},
	{Code: cli.ExitInterrupted, Means: "interrupted; run it again"},
}

// wanted is a check of the file. Of its request only the members that are there are compared.
type wanted struct {
	Name      string          `json:"name"`
	Frequency int             `json:"frequency"` // minutes
	Request   json.RawMessage `json:"request"`
}

const demoFile = `[
	{"name": "Checkout API", "frequency": 5, "request": {"method": "GET", "url": "https://shop.test/checkout"}},
	{"name": "Returns API", "frequency": 10, "request": {"method": "GET", "url": "https://shop.test/returns"}}
]`

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, getenv cli.Getenv, stdout, stderr io.Writer) int {
	file, tag, dry, demo := "", monitoringtest.DemoProductionTag, false, false
	flags := cli.NewFlags("sync", "Makes the API checks of an account equal to a file.", exits, "sync", "sync -file checks.json -dry")
	flags.String(&file, "file", "JSON `file` with the checks; without it those of the demo")
	flags.String(&tag, "tag", "`tag` of the checks; new ones get it")
	flags.Bool(&dry, "dry", "change nothing, and print what would change")
	flags.Demo(&demo, "make the data up: use an in-process fake of the service")
	if code, ok := flags.Parse(args, getenv, stdout, stderr); !ok {
		return code
	}
	list, err := read(file)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	client, err := cli.Connect(getenv, demo, stdout)
	if err != nil {
		return flags.Wrong(stderr, err)
	}
	s := syncer{client, tag, dry, stdout, 0}
	switch err := s.sync(ctx, list); {
	case ctx.Err() != nil:
		cli.Complain(stderr, "sync", err)
		return cli.ExitInterrupted
	case err != nil:
		return cli.Complain(stderr, "sync", err)
	case dry && s.differ > 0:
		return cli.ExitNo
	}
	return cli.ExitOK
}

func read(file string) (list []wanted, err error) {
	data := []byte(demoFile)
	if file != "" {
		if data, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

type syncer struct {
	client *monitoring.Client
	tag    string
	dry    bool
	out    io.Writer
	differ int
}

func (s *syncer) sync(ctx context.Context, list []wanted) error {
	there := make(map[string]string) // ids by name
	options := monitoring.CheckListOptions{Tags: []string{s.tag}, CheckType: monitoring.CheckTypeAPI}
	for check, err := range s.client.Checks.All(ctx, options) {
		if err != nil {
			return err
		}
		if there[check.Name] != "" && slices.ContainsFunc(list, func(w wanted) bool { return w.Name == check.Name }) {
			return fmt.Errorf("there are two checks %q: %s and %s", check.Name, there[check.Name], check.ID)
		}
		there[check.Name] = check.ID
	}
	for _, w := range list {
		id, err := there[w.Name], error(nil)
		if id == "" {
			err = s.create(ctx, w)
		} else {
			err = s.change(ctx, id, w)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// create creates a check at most once. If its response was lost, the check may be there or not: the
// program ends, and its next run finds the check or creates it.
func (s *syncer) create(ctx context.Context, w wanted) error {
	check := monitoring.APICheckCreate{CheckSettings: monitoring.CheckSettings{Name: w.Name, Tags: []string{s.tag}}, Frequency: &w.Frequency}
	if err := json.Unmarshal(w.Request, &check.Request); err != nil {
		return err
	}
	s.differ++
	if s.dry {
		return s.say(w, "would be created", check.Validate())
	}
	_, err := s.client.Checks.CreateAPI(ctx, check)
	if errors.Is(err, monitoring.ErrOutcomeUnknown) || errors.Is(err, monitoring.ErrCarriedOut) {
		return fmt.Errorf("it may have been created; run the program again: %w", err)
	}
	return s.say(w, "created", err)
}

var errDry = errors.New("dry run")

// change sends what differs from the file, and nothing if nothing does.
func (s *syncer) change(ctx context.Context, id string, w wanted) error {
	did := "nothing to do"
	_, err := s.client.Checks.EditAPI(ctx, id, func(u *monitoring.APICheckUpdate) error {
		u.Frequency = &w.Frequency
		if u.Request == nil {
			u.Request = new(monitoring.APIRequest)
		}
		if err := json.Unmarshal(w.Request, u.Request); err != nil {
			return err
		}
		changes := u.Diff()
		for _, change := range changes {
			fmt.Fprintf(s.out, "%s: %s\n", cli.Clean(w.Name), change)
		}
		if len(changes) > 0 {
			s.differ++
			did = "changed"
		}
		if s.dry {
			return errDry
		}
		return nil
	})
	if errors.Is(err, errDry) {
		return nil
	}
	return s.say(w, did, err)
}

func (s *syncer) say(w wanted, what string, err error) error {
	if err == nil {
		fmt.Fprintf(s.out, "%s: %s\n", cli.Clean(w.Name), what)
	}
	return err
}
