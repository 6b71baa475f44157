package paging

// The tuned constants of this package, each with two values that were tried beside it.
//
// A page without new items is accepted if the list grows and its items come again. After too many
// of them, the source is taken to ignore the number of the page.
const (
	// moreRereads is how many pages a walk may read again in addition to the pages of the list. At 2
	// a list that loses an item before each page is not read whole, with three pages ahead:
	// TestAListThatChangesOftenIsReadToItsEnd. At 64 replicas of different lengths cost
	// 104 requests for 20 pages, not 48: TestAtMostThePagesOfTheListAndEightMoreAreReadAgain.
	moreRereads = 8

	// maxStalePages is how many pages without new items are accepted in addition to those that may
	// come again. At 1 an honest list of one item that grows by one between two reads is an error:
	// TestThePromiseOfAWalkHoldsForAllChangesOfSmallLists. At 10 a source that always sends the first
	// page is asked twelve times, not five: TestASourceThatIgnoresThePageNumberIsAnError.
	maxStalePages = 3

	// maxGrownPages is how many more are accepted while the total grows. At 10 a list that grows by an
	// item with each of fifty reads is an error: TestAListThatChangesOftenIsReadToItsEnd.
	// At 1,000 one that grows for ever is read 1,006 times, not 106:
	// TestASourceThatIgnoresThePageNumberIsAnError.
	maxGrownPages = 100

	// maxIdlePages is how many pages by cursor in a row may have nothing new, as with a filter that
	// selects few items. At 100 a filter that selects none of 10,100 items is an error; without a
	// bound a service that makes up cursors is asked for ever:
	// TestAListByCursorThatDoesNotEndIsAnError.
	maxIdlePages = 1000

	// maxCursor is how many bytes a cursor may have. At 1,000 the longest cursors of real services,
	// which are encoded states of a search, are errors. At 1,000,000 an address is sent that no server
	// takes: TestACursorThatIsTooLongIsAnError.
	maxCursor = 8 << 10

	// maxKept is how many bytes of an id or a cursor are kept as they are; of a longer one its digest.
	// At 16 the digest of each UUID is computed. At 8,192 a walk over many pages keeps all that a
	// hostile service sends: TestAWalkKeepsLittleOfLongIDsAndCursors.
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
