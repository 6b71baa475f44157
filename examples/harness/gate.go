// Package harness shows how to test your own code that uses the SDK. It is a small deploy
// gate. Its tests in harness_internal_test.go run it against the in-process fake of the service, in
// virtual time. Copy both and change them.
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
	// ErrUnfinished says that no check is known to have failed, but that not all outcomes are
	// known: the timeout has passed, the context has ended, or a call failed.
	ErrUnfinished = errors.New("checks not finished")
)

// Verdict has the names of the checks by outcome. It is also filled in if [DeployGate] fails:
// after a timeout, some outcomes are known.
type Verdict struct {
	// Good are the checks that passed or are degraded.
	Good []string
	// Failed are the checks that failed, with the reasons.
	Failed []string
	// Unfinished are the checks that were canceled, or whose outcome is not known.
	Unfinished []string
}

// DeployGate runs the checks that have all of the tags and waits for them, at most for
// the timeout. Its error is nil if every one of them passed; otherwise it matches
// [ErrChecksFailed], [ErrUnfinished], or an error of the call that started the checks.
//
// This is the code under test. It takes the client as a parameter, so that tests can give it
// a client of the fake.
func DeployGate(ctx context.Context, client *monitoring.Client, tags []string, timeout time.Duration) (Verdict, error) {
	sessions, err := client.CheckSessions.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{tags}}},
		// A deadline of the context would end the waiting at once. After the Timeout, Wait reads
		// the unfinished sessions once more, so that the verdict has their latest status.
		monitoring.WaitOptions{Timeout: timeout},
	)
	v := judge(sessions)
	switch {
	case len(v.Failed) > 0: // whatever the other checks do
		return v, fmt.Errorf("deploy gate: %w: %s", ErrChecksFailed, strings.Join(v.Failed, ", "))
	case len(v.Unfinished) > 0:
		return v, errors.Join(fmt.Errorf("deploy gate: %w: %s", ErrUnfinished, strings.Join(v.Unfinished, ", ")), err)
	case err != nil: // nothing was started, or that is not known
		return v, fmt.Errorf("deploy gate: %w", err)
	}
	return v, nil
}

// judge sorts the sessions by their verdict, with why it is not good.
func judge(sessions []*monitoring.CheckSession) (v Verdict) {
	for _, s := range sessions {
		switch text := fmt.Sprintf("%s (%s)", s.Name, strings.Join(s.Messages(), ", ")); s.Verdict() {
		case monitoring.VerdictPassed, monitoring.VerdictDegraded:
			v.Good = append(v.Good, s.Name)
		case monitoring.VerdictFailed:
			v.Failed = append(v.Failed, text)
		default: // cancelled, or not known
			v.Unfinished = append(v.Unfinished, text)
		}
	}
	return v
}
