package monitoring

import (
	"context"
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/turns"
)

// editTurn waits for the turn of an edit of what is named so, such as check group 7. A call that
// cannot be made needs no turn: its read says what is wrong.
func (s *service) editTurn(ctx context.Context, what string, opts []CallOption) (end func(), err error) {
	c := s.owner()
	if c == nil || ctx == nil {
		return func() {}, nil
	}
	settings, err := c.defaults.with(opts)
	if err != nil {
		return func() {}, nil
	}
	return c.turns.Take(ctx, turns.Object{Account: settings.account.Reveal(), Name: strings.ToLower(what)}) // a UUID is one in any case
}

// failed says what was done with what. An edit inside the function of another one of the same
// object has said it already, maybe without the type of a check.
func (p *place) failed(err error) error {
	for _, does := range []string{p.does, "update"} {
		if inner, ok := strings.CutPrefix(err.Error(), "monitoring: "+does+" "); ok {
			if what, _, said := strings.Cut(inner, ": "); said && strings.HasSuffix(" "+p.what, " "+what) {
				return err
			}
		}
	}
	return fmt.Errorf("monitoring: %s %s: %w", p.does, p.what, insideAnother{err})
}

// insideAnother is an error that stands in the text of another one of this package.
type insideAnother struct{ error }

func (e insideAnother) Error() string { return strings.TrimPrefix(e.error.Error(), "monitoring: ") }
func (e insideAnother) Unwrap() error { return e.error }

// forRead returns the options of an edit for its read, and notes whether they have body members,
// which are for its write only.
func forRead(opts []CallOption, sets *bool) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		*sets, c.members, c.changes, c.unchanged = len(c.members) > 0, nil, nil, false
		return nil
	}))
}

// StaleUpdateError means that an object has changed since it was read, so that an update with
// [WithUnchanged] wrote nothing.
type StaleUpdateError struct {
	// Changes are the values that have changed, with those that were read as Before. It
	// is empty if only the time of the last change differs: then a value that is not shown may have
	// changed.
	Changes []Change
}

// Error lists the changes, and says what to do.
func (e *StaleUpdateError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	changes := []string{"only the time of its last change differs, so a secret that is not shown may have changed"}
	if len(e.Changes) > 0 {
		changes = changes[:0]
	}
	for _, c := range e.Changes {
		changes = append(changes, c.String())
	}
	return "monitoring: it has changed since it was read, so nothing was written: " + strings.Join(changes, "; ") +
		": read it again and change that, or use Update without WithUnchanged to write it anyway"
}
