package await

import "time"

// The constants that are not limits of the service.
const (
	defaultGiveUpAfter = 5 * time.Minute
	defaultCancelGrace = 10 * time.Second
	cancelGraceEach    = time.Second / 10
	cancelsAtOnce      = 8

	staleAfter    = 30 * time.Second // the age at which a state is read again
	unseenDelay   = 5 * time.Second  // before a thing without a state is read
	lastPart      = 3                // the last of so many parts of the Timeout, in which each thing is read
	lastReadsTime = 800 * time.Millisecond

	heldLeast      = time.Second      // a poll that lasted so long was held open
	quickPauseMost = 15 * time.Second // after responses that come at once
	failPauseMost  = 40 * time.Second // after failures
	leastHold      = time.Second      // of a poll
	cutPatience    = 4 * time.Minute  // for which holds stay below a length at which two polls were cut

	readsStepIn = 2                      // failed polls in a row after which the thing is read instead
	readsAtMost = 5 * time.Minute        // doubled up to this after each further failure
	readEvery   = 5 * time.Second        // the least time between two of these reads of a thing
	readsApart  = 200 * time.Millisecond // and, on average, of all things
)
