package updates

import "context"

// comparer compares values, until its context ends. Then every comparison is over at once, and what
// was found is worth nothing.
type comparer struct{ ctx context.Context } // nil if nothing ends it

// ended is asked for every value that is compared.
func (c comparer) ended() bool { return c.err() != nil }

func (c comparer) err() error {
	if c.ctx == nil {
		return nil
	}
	return c.ctx.Err()
}
