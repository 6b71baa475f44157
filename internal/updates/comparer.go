package updates

// comparer compares values, until end returns an error. Then every comparison is over at once, and
// what was found is worth nothing.
type comparer struct{ end func() error } // nil if nothing ends it

// ended is asked for every value that is compared.
func (c comparer) ended() bool { return c.err() != nil }

func (c comparer) err() error {
	if c.end == nil {
		return nil
	}
	return c.end()
}
