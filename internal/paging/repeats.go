package paging

// The tuned constants of this package. Below and above say what is worse with a smaller and with a
// larger value; the test that is named shows it.
//
// A page without new items is accepted if the list grows and its items come again. After too many
// of them, the source is taken to ignore the number of the page.
const (
	// moreRereads is how many pages a walk may read again in addition to the pages of the list. Below:
	// a list that changes often is not read to its end (TestAListThatChangesOftenIsReadToItsEnd).
	// Above: replicas that differ cost more requests
	// (TestAtMostThePagesOfTheListAndEightMoreAreReadAgain).
	moreRereads = 8

	// maxStalePages is how many pages without new items are accepted in addition to those that may
	// come again. Below: an honest list that grows between two reads is an error
	// (TestThePromiseOfAWalkHoldsForAllChangesOfSmallLists). Above: a source that always sends the
	// first page is asked more often (TestASourceThatIgnoresThePageNumberIsAnError).
	maxStalePages = 3

	// maxGrownPages is how many more are accepted while the total grows. Below: a list that grows
	// with each read is an error (TestAListThatChangesOftenIsReadToItsEnd). Above: a list that always
	// grows is read for longer (TestASourceThatIgnoresThePageNumberIsAnError).
	maxGrownPages = 100

	// maxIdlePages is how many pages by cursor in a row may have nothing new. Below: a filter that
	// selects few items is an error. Above: a service that makes up cursors is asked more often
	// (TestAListByCursorThatDoesNotEndIsAnError).
	maxIdlePages = 1000

	// maxCursor is the number of bytes that a cursor may have. Below: long cursors of real services,
	// which are encoded states of a search, are errors. Above: an address is sent that no server
	// takes (TestACursorThatIsTooLongIsAnError).
	maxCursor = 8 << 10

	// maxKept is how many bytes of an id or a cursor are kept; of a longer one its digest is. Below:
	// digests of ordinary ids are computed. Above: a walk keeps more of what a hostile service sends
	// (TestAWalkKeepsLittleOfLongIDsAndCursors).
	maxKept = 64
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
