// Command importsize measures how much larger a program becomes with the SDK. It compares a
// stripped program that makes one call with the SDK to one that makes the same call with
// net/http and encoding/json. A second figure is for a program that uses most of the SDK.
//
//	go run ./importsize (in bench/)
//
// It fails if the first figure is over its bound.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// most is the bound of what one call adds to a program. It is there so that a change which makes
// every program larger is seen in the change, and not a year later: another package of the standard
// library, or a table that always stays. On Go 1.26, 0.3.0 took 1,212 KiB. 0.4.0 takes 1,232: a
// call knows the clock of the service, the operations of test sessions are rows of the table that
// each client has, and what a client returns is marked.
const most = 1240 << 10

const plain = `package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func main() {
	resp, err := http.Get("https://monitoring.test/v1/locations")
	if err != nil {
		panic(err)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(err)
	}
	var list []struct{ Region, Name string }
	if err := json.Unmarshal(data, &list); err != nil {
		panic(err)
	}
	fmt.Println(list)
}
`

const oneCall = `package main

import (
	"context"
	"fmt"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func main() {
	client, err := monitoring.NewClient("https://monitoring.test", "key")
	if err != nil {
		panic(err)
	}
	fmt.Println(client.Locations.List(context.Background()))
}
`

const manyCalls = `package main

import (
	"context"
	"fmt"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func main() {
	client, err := monitoring.NewClient("https://monitoring.test", "key")
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	_, err = client.CheckGroups.Edit(ctx, 4711, func(g *monitoring.CheckGroup) error {
		g.Activated = new(true)
		return nil
	})
	fmt.Println(err)
	session, err := client.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{Target: monitoring.TriggerTarget{CheckIDs: []string{"id"}}})
	fmt.Println(session, err)
	fmt.Println(client.CheckSessions.WaitAll(ctx, []string{"id"}, monitoring.WaitOptions{}))
	for alert, err := range client.AlertNotifications.All(ctx, monitoring.AlertNotificationListOptions{}) {
		fmt.Println(alert, err)
	}
}
`

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "importsize:", err)
		os.Exit(1)
	}
}

func run() error {
	floor, err := size(plain)
	if err != nil {
		return err
	}
	one, err := size(oneCall)
	if err != nil {
		return err
	}
	many, err := size(manyCalls)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s/%s: %d KiB with net/http and encoding/json; with the SDK %d KiB more for one call, %d KiB more for "+
		"write-back, waits and lists\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, floor>>10, (one-floor)>>10, (many-floor)>>10)
	if one-floor > most {
		return fmt.Errorf("a program with one call grows by more than %d KiB: see which packages `go list -deps` has that it "+
			"lacked before", most>>10)
	}
	return nil
}

// size builds a program in this module, and returns the size of the stripped file.
func size(source string) (int64, error) {
	dir, err := os.MkdirTemp(".", "program")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600); err != nil {
		return 0, err
	}
	program := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./"+dir)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", build, err)
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
