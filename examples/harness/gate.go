// Package harness shows how to test code of your own that uses the SDK: a small deploy
// gate, and in harness_test.go its tests, which run it against the in-process fake of
// the service and in virtual time. Copy both and go on from there.
//
//	go test -v ./examples/harness
package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

var (
	// ErrChecksFailed says that at least one check did not pass, whatever the others do.
	ErrChecksFailed = errors.New("checks failed")
	// ErrUnfinished says that no check is known to have failed, but that it is not known of
	// all how they end: the timeout has passed, the context has ended, or a call failed.
	ErrUnfinished = errors.New("checks not finished")
)

// Verdict is how far the checks have come, by their names. It is filled in when
// [DeployGate] fails, too: a gate that times out still knows a part.
type Verdict struct {
	// Passed are the checks that ended well.
	Passed []string
	// Failed are those that did not, with their status.
	Failed []string
	// Unfinished are those of which the end is not known, with the status last seen.
	Unfinished []string
}

// DeployGate runs the checks that have all of the tags and waits for them, at most for
// the timeout. Its error is nil when every one of them passed; otherwise it matches
// [ErrChecksFailed], [ErrUnfinished], or an error of the call that started the checks.
//
// This is the code under test. It takes the client as a parameter, and that is all it
// needs for the tests to hand it another one.
func DeployGate(ctx context.Context, client *monitoring.Client, tags []string, timeout time.Duration) (Verdict, error) {
	sessions, err := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{tags}}},
		// A deadline of the context would end the waiting at once. The Timeout reads what still
		// runs once more, so that the verdict tells how far it is.
		monitoring.WaitOptions{Timeout: timeout},
	)
	v := judge(sessions)
	switch {
	case len(v.Failed) > 0: // what is not known of the others cannot make that good
		return v, fmt.Errorf("deploy gate: %w: %s", ErrChecksFailed, strings.Join(v.Failed, ", "))
	case len(v.Unfinished) > 0:
		return v, fmt.Errorf("deploy gate: %w: %s: %w", ErrUnfinished, strings.Join(v.Unfinished, ", "), err)
	case err != nil: // nothing was started, or nobody knows
		return v, fmt.Errorf("deploy gate: %w", err)
	}
	return v, nil
}

// judge sorts the sessions by how they ended. Those that were not awaited to their end
// are there as last seen: a location that failed in one of them is a failure for certain.
func judge(sessions []*monitoring.CheckSession) (v Verdict) {
	for _, s := range sessions {
		switch text := fmt.Sprintf("%s (%s)", s.Name, s.Status); {
		case s.Passed():
			v.Passed = append(v.Passed, s.Name)
		case s.Done():
			v.Failed = append(v.Failed, text)
		case len(s.FailingResults()) > 0:
			v.Failed = append(v.Failed, text+", failed in "+s.FailingResults()[0].RunLocation)
		case len(s.FinalResults()) > 0:
			v.Unfinished = append(v.Unfinished, fmt.Sprintf("%s, %d of %d locations", text, len(s.FinalResults()), len(s.RunLocations)))
		default:
			v.Unfinished = append(v.Unfinished, text)
		}
	}
	return v
}
