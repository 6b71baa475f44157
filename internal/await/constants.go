package await

import "time"

// The tuned constants that are not limits of the service. Below and above say what is worse with a
// smaller and with a larger value; the test that is named shows it.
const (
	// A wait gives up if polls have failed for this time. Below: a restart of the service ends it.
	// Above: an outage is told later (TestGiveUpAfterCountsFromTheFirstFailure).
	defaultGiveUpAfter = 5 * time.Minute
	// The time to cancel one or a few things. Below: a slow response is not awaited. Above: a service
	// that does not respond holds up the end of a program (TestCancellingIsBounded).
	defaultCancelGrace = 10 * time.Second
	// Each further cancel adds this time. Below: many things are not all canceled. Above: a service
	// that does not respond holds up the end of a program (TestCancellingIsBounded).
	cancelGraceEach = time.Second / 10
	// Cancels are sent this many at a time. Below: the time ends before the last ones. Above: nothing
	// is gained, because the limit is what takes time (TestCancellingIsBounded).
	cancelsAtOnce = 8

	// A state of this age is read again. Below: more reads. Above: states are older
	// (TestReadsBesideThePolls).
	staleAfter = 30 * time.Second
	// A thing without a state is read after this time. Below: more reads of things that end soon.
	// Above: a short wait ends without a state of any thing (TestReadsBesideThePolls).
	unseenDelay = 5 * time.Second
	// The average time between two reads. Below: ends are seen later, because reads take the places of
	// polls (TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon). Above: states are older
	// (TestStatusesInProgressAreNotOlderThanAMinute).
	readsApart = 200 * time.Millisecond
	// Each thing is read in the last of this many parts of the Timeout. Below: those states are older.
	// Above: the time is too short to read many things
	// (TestAtTheTimeoutEachOfAThousandSessionsHasAStateOfItsLastThird).
	lastPart = 3
	// The time for the reads after the Timeout. Below: a slow service is not heard. Above: a wait ends
	// long after its Timeout (TestATimeoutHoldsWithinASecond).
	lastReadsTime = 800 * time.Millisecond

	// The shortest hold that a poll can ask for; a poll that lasted this long was held.
	leastHold = time.Second
	// The longest pause between requests after responses that come at once. Below: more polls. Above:
	// ends are seen later (TestWhenTheNextRequestAboutAThingIsSent).
	quickPauseMost = 15 * time.Second
	// The longest pause after failures. Below: a service that is down gets more requests than one that
	// works. Above: it is heard later when it is back
	// (TestAServiceThatIsDownGetsNoMoreRequestsThanOneThatWorks).
	failPauseMost = 40 * time.Second
	// Holds stay below a length at which two polls were cut for this time. Below: more polls are cut.
	// Above: polls stay short for longer after the gateway is mended
	// (TestHoldsStayBelowACutAndTryLongerOnesLessAndLessOften).
	cutPatience = 4 * time.Minute

	// After this many failed or quick polls in a row a thing is read. Below: more reads. Above: ends
	// are seen later if all polls fail (TestWhenTheNextRequestAboutAThingIsSent).
	readsStepIn = 2
	// The shortest time between two reads of a thing instead of polls, and from the second failed poll
	// to the next poll. Below: more reads. Above: ends are seen later
	// (TestReadsInsteadOfPollsAreApart).
	readEvery = 5 * time.Second
	// The time to the next poll doubles up to this after each further failure. Below: more polls fail.
	// Above: more reads after polls work again (TestPollsThatFailAreTriedLessAndLessOften).
	readsAtMost = 5 * time.Minute
)
