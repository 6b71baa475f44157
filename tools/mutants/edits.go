package main

import (
	"cmp"
	"slices"
	"strings"
)

// edit puts text around a part of a source, or replaces it. Edits can be nested.
type edit struct {
	start, end    int
	before, after string
	instead       bool // before takes the place of the part
}

// change is all that is edited so that a running program can choose its mutants.
type change struct {
	ids   []int // the mutants
	file  int   // in the package
	edits []edit
	flow  bool // changes which statements a function can end with
}

// span is the part of a changed source that an edit of a change covers.
type span struct {
	start, end int
	of         *change
}

const (
	closing = iota // what ends here comes before what begins here
	inserting
	opening
	replacing
)

type event struct {
	at, order int
	far       int // where the other end is
	sequence  int
	text      string
	skip      int // the bytes of the source that are left out
	of        int // the index of its span
}

// rewrite makes the edits of changes. The spans say where each of them is in the new text.
func rewrite(source []byte, changes []*change) (string, []span) {
	var events []event
	var spans []span
	for _, c := range changes {
		for _, e := range c.edits {
			n := len(spans)
			spans = append(spans, span{of: c})
			switch {
			case e.instead && e.start == e.end:
				events = append(events, event{at: e.start, order: inserting, sequence: n, text: e.before, of: n})
			case e.instead:
				events = append(events, event{at: e.start, order: replacing, sequence: n, text: e.before, skip: e.end - e.start, of: n})
			default:
				events = append(events, event{at: e.start, order: opening, far: -e.end, sequence: n, text: e.before, of: n},
					event{at: e.end, order: closing, far: -e.start, sequence: -n, text: e.after, of: n})
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Or(a.at-b.at, a.order-b.order, a.far-b.far, a.sequence-b.sequence)
	})
	var out strings.Builder
	done := 0
	for _, e := range events {
		out.Write(source[done:e.at])
		done = e.at + e.skip
		if e.order != closing {
			spans[e.of].start = out.Len()
		}
		out.WriteString(e.text)
		if e.order != opening {
			spans[e.of].end = out.Len()
		}
	}
	out.Write(source[done:])
	return out.String(), spans
}

// blame returns the innermost change at a place of the new text, nil if there is none.
func blame(spans []span, at int) *change {
	var best span
	for _, s := range spans {
		if len(s.of.ids) > 0 && s.start <= at && at < s.end && (best.of == nil || s.end-s.start < best.end-best.start) {
			best = s
		}
	}
	return best.of
}
