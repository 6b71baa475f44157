package monitoring

import (
	"errors"

	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// ErrDryRun, returned by the function of an edit, previews the edit: nothing is written, and the
// edit returns the object as it was read, without an error. It may be wrapped. If the write would
// be refused before it is sent, the edit returns that [*ValidationError]. [WithChanges] shows what
// would be written:
//
//	_, err := client.CheckGroups.Edit(ctx, id, func(g *monitoring.CheckGroup) error {
//		g.Concurrency = new(5)
//		return monitoring.ErrDryRun
//	}, monitoring.WithChanges(func(changes []monitoring.Change) { fmt.Println(changes) }))
var ErrDryRun = newErrValue("monitoring: dry run, nothing was written")

// WithChanges calls f with the changes of an edit, just before it writes them; with [ErrDryRun],
// with what it would write. f is not called if there is nothing to write, or if the write is
// refused. The changes include those of [WithBodyField]; they are empty if only the query changes
// something, such as AutoAssignAlerts.
//
// Calls other than Edit return an error if they get this option.
func WithChanges(f func([]Change)) CallOption {
	return callOption(func(s *callSettings) error {
		if f == nil {
			return errors.New("WithChanges needs a function")
		}
		s.changes = func(list []updates.Change) { f(changesOf(list)) }
		return nil
	})
}

// dryRun splits what the function of an edit returned into ErrDryRun and an error.
func dryRun(err error) (dry, failed error) {
	if errors.Is(err, ErrDryRun) {
		return ErrDryRun, nil
	}
	return nil, err
}

// forWrite returns the options of an edit for its write.
func forWrite(opts []CallOption, write *writeOfEdit) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		c.edit = write
		return nil
	}))
}

// quiet is the option of a write that only asks whether it is refused.
var quiet = callOption(func(c *callSettings) error {
	c.changes = nil
	return nil
})
