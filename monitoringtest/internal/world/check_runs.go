package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Runs returns how the runs of a check go. Of the check itself it has the id, the name and the
// type. Outcomes are those of its next sessions.
func (w *World) Runs(checkID string) (CheckSpec, error) {
	c := w.Check(checkID)
	if c == nil {
		return CheckSpec{}, fmt.Errorf("there is no check with the id %s", checkID)
	}
	w.Settle(w.Clock.Now()) // which may use up outcomes
	return c.remaining(), nil
}

// remaining returns how the runs of a check go that start from now on.
func (c *Check) remaining() CheckSpec {
	p := c.plan
	used := min(c.runs, len(p.Outcomes))
	return CheckSpec{
		ID: c.ID, Name: c.Name, Type: c.Type,
		Every: p.Every, RunTime: p.RunTime, Outcome: p.Outcome, Outcomes: append([]monitoring.CheckSessionStatus(nil), p.Outcomes[used:]...),
		Progress: p.Progress,
		FailIn:   slices.Clone(p.FailIn), Attempts: p.Attempts, ResponseTime: p.ResponseTime, Error: p.Error, HasErrors: p.HasErrors,
		Result: plain(p.Result), VisibleAfter: p.VisibleAfter,
	}
}

// SetRuns sets how the sessions of a check go that start from now on. It refuses to change the
// check itself.
func (w *World) SetRuns(checkID string, runs CheckSpec) error {
	c := w.Check(checkID)
	if c == nil {
		return fmt.Errorf("there is no check with the id %s", checkID)
	}
	if runs.ID != c.ID || runs.Name != c.Name || runs.Type != c.Type || len(runs.Tags) > 0 || len(runs.Locations) > 0 || runs.GroupID != 0 ||
		runs.Deactivated || runs.Muted || len(runs.Members) > 0 {
		return fmt.Errorf("the settings of runs of check %q: they change the check itself, which only an update of a client does", c.Name)
	}
	locations := w.Holds(c).Locations
	if slices.Equal(runs.FailIn, c.plan.FailIn) {
		locations = nil // an update may have changed them since
	}
	if err := VetPlan(&runs, locations); err != nil {
		return fmt.Errorf("check %q: %w", c.Name, err)
	}
	now := w.Clock.Now()
	w.Settle(now) // what starts before goes as it was set before
	next := c.next
	if runs.Every != c.plan.Every {
		next = now.Add(runs.Every)
	}
	runs.Outcomes, runs.FailIn, runs.Result = slices.Clone(runs.Outcomes), slices.Clone(runs.FailIn), plain(runs.Result)
	c.plan, c.runs = runs, 0
	w.await(c, next)
	return nil
}

// SetOutcome changes the status that further sessions of a check end with.
func (w *World) SetOutcome(checkID string, outcome monitoring.CheckSessionStatus) error {
	runs, err := w.Runs(checkID)
	if mistake := vetOutcome(outcome); mistake != nil {
		return mistake
	}
	if err != nil {
		return err
	}
	runs.Outcome, runs.Outcomes = outcome, nil
	return w.SetRuns(checkID, runs)
}

// VetPlan finds mistakes in how the runs of a check go that runs in some locations; in any without.
func VetPlan(c *CheckSpec, locations []string) error {
	for _, o := range append(slices.Clone(c.Outcomes), c.Outcome) {
		if err := vetOutcome(o); err != nil {
			return err
		}
	}
	if err := vetSchedule(c); err != nil {
		return err
	}
	return vetRuns(locations, c.FailIn, c.Attempts, c.RunTime, c.ResponseTime, c.VisibleAfter)
}

// Schedule makes the scheduler start a check each time that some time has passed; 0 ends that.
func (w *World) Schedule(checkID string, every time.Duration) error {
	runs, err := w.Runs(checkID)
	if err != nil {
		return err
	}
	runs.Every = every
	return w.SetRuns(checkID, runs)
}
