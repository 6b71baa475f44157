// Package harness shows how to test code of one's own that uses the SDK: a small deploy
// gate, and in harness_test.go its tests, which run it against the service in memory
// and in virtual time. Copy both and go on from there.
//
//	go test -v ./examples/harness
package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// ErrChecksFailed says that the checks ran and that some of them did not pass. Any
// other error of [DeployGate] says that nothing can be told.
var ErrChecksFailed = errors.New("checks failed")

// DeployGate runs the checks that have all of the tags, and returns nil when every one
// of them passed. This is the code under test: it takes the client as a parameter, and
// that is all it needs for the tests to hand it another one.
func DeployGate(ctx context.Context, client *monitoring.Client, tags []string) error {
	sessions, err := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{tags}}},
		monitoring.WaitOptions{},
	)
	if err != nil {
		return fmt.Errorf("deploy gate: %w", err)
	}
	var failed []string
	for _, s := range sessions {
		if !s.Passed() {
			failed = append(failed, fmt.Sprintf("%s (%s)", s.Name, s.Status))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("deploy gate: %w: %s", ErrChecksFailed, strings.Join(failed, ", "))
	}
	return nil
}
