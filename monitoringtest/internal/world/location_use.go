package world

import (
	"fmt"
	"slices"
)

// NamesLocation reports whether a check or a group names a private location.
func (w *World) NamesLocation(slug string) bool {
	names := func(o Object) bool { return slices.Contains(o.List("privateLocations"), slug) }
	for _, g := range w.Groups {
		if names(g.Members) {
			return true
		}
	}
	return slices.ContainsFunc(w.Checks, func(c *Check) bool { return names(c.Members) })
}

// KnowsLocation reports whether runs can be in a location: in a region, and in a private location
// by its SlugName. One that a request has named need not exist.
func (w *World) KnowsLocation(name string) bool {
	return regions[name] || w.named[name] || w.location(name) != nil
}

// vetLocations refuses locations of a check or a session that a test has mistyped.
func (w *World) vetLocations(what string, names []string) error {
	for _, name := range names {
		if !w.KnowsLocation(name) {
			return fmt.Errorf("%s runs in %q, which is neither a region nor the SlugName of a private location: "+
				"correct it, or use AddPrivateLocation", what, name)
		}
	}
	return nil
}

// name notes the private locations that the body of a check or a group names.
func (w *World) name(sent Object) {
	for _, name := range sent.List("privateLocations") {
		switch {
		case w.Retention.Age == 0:
			w.named[name] = true
		case len(name) <= longestName:
			if len(w.named) >= mostNamed {
				clear(w.named)
			}
			w.named[name] = true
		}
	}
}
