package paging

// How many pages without new items are accepted, in addition to the pages whose items may
// come again because the list grows. After more of them, the source is taken to ignore the
// number of the page.
const (
	maxStalePages = 3
	maxGrownPages = 100 // while the total grows
)

// repeats counts the pages that bring nothing new. A list that grows has some, because its items
// move to later pages; a source that ignores the number of the page has nothing else.
type repeats struct {
	print  uint64 // of the page before
	grown  int    // by how many items the list grew since the page before
	same   int    // consecutive pages that are like the one before
	stale  int    // consecutive pages without new items
	growth bool   // whether the list grew during these
}

// count counts a page that had a number of items, of which some are fresh.
func (r *repeats) count(print uint64, items, fresh int) {
	like, grown := r.print == print, r.grown
	r.print, r.grown = print, 0
	if items == 0 || fresh > 0 && !like {
		r.same, r.stale, r.growth = 0, 0, false
		return
	}
	switch {
	case !like:
		r.same = 0
	case grown < items: // the growth of the total does not explain it
		r.same++
	}
	r.stale++
	r.growth = r.growth || grown > 0
}

// tooMany reports whether the source ignores the number of the page. pages is how many pages the
// items fill that were yielded so far: all of them may come again if the list grows.
func (r *repeats) tooMany(pages int) bool {
	most := pages + maxStalePages
	if r.growth {
		most += maxGrownPages
	}
	return r.same > maxStalePages || r.stale > most
}
