package await

import "time"

// The constants that are not limits of the service. Each has its figures with the two values that
// were tried beside it, and the test that shows it. Where nothing else is said, they are of virtual
// time, a limit of 600 requests in 60 s, and 100 ms latency.
const (
	// At 1 min a restart of the service ends a wait, at 30 min its outage is told that late:
	// TestGiveUpAfterCountsFromTheFirstFailure.
	defaultGiveUpAfter = 5 * time.Minute
	// The time to cancel a thing or a few. At 1 s a slow response is not awaited, at 1 min a service
	// that does not respond holds up the end of a program: TestCancellingIsBounded, which shows the
	// next two, too.
	defaultCancelGrace = 10 * time.Second
	// What a cancel takes of the limit. Of 1,000 things 223 are cancelled at 10 ms; at 1 s all, as
	// here, but a service that does not respond takes 17 minutes.
	cancelGraceEach = time.Second / 10
	// 100 cancels with 500 ms latency take 6.5 s. At 2 the grace ends before the last 20, at 32 they
	// take 4.6 s: the limit is what takes time.
	cancelsAtOnce = 8

	// The age at which a state is read again, so that no state is older than a minute. For 100 things
	// in 12 minutes: 2,188 reads. At 10 s 3,315, at 2 min 594: TestReadsBesideThePolls.
	staleAfter = 30 * time.Second
	// From the beginning of the wait to the read of a thing without a state. Of 100 things of 1 to 20
	// s, 75 are read. At 1 s 84, at 1 min a context of 40 s ends without a state of any:
	// TestReadsBesideThePolls.
	unseenDelay = 5 * time.Second
	// On average between two reads beside polls, or instead of polls. The worst hundredth of ends of
	// 300 things that take all of the limit is seen after 5 to 9 s, and states of 100 things are 30 s
	// old at most. At 50 ms the first is 19 s, at 1 s the second is 104 s:
	// TestWaitsAtScaleKeepTheLimitAndSeeEndsSoon, TestStatusesInProgressAreNotOlderThanAMinute.
	readsApart = 200 * time.Millisecond
	// The last of so many parts of the Timeout, in which each thing is read. 1,000 things and 6
	// minutes: states are at most 119 s old. At 2 179 s; at 10 771 things have none:
	// TestAtTheTimeoutEachOfAThousandSessionsHasAStateOfItsLastThird.
	lastPart = 3
	// For the reads after the Timeout, which holds within a second. At 200 ms a service with 300 ms
	// latency is not heard, at 5 s a Timeout of 3 s takes 8 s: TestATimeoutHoldsWithinASecond.
	lastReadsTime = 800 * time.Millisecond

	// The shortest poll that can be asked for; one that lasted so long was held.
	leastHold = time.Second
	// Between requests after responses that come at once. If all do, 20 things get 930 polls in 12
	// minutes and the worst end is seen after 15 s. At 5 s 2,570 and 5 s, at 1 min 330 and 60 s:
	// TestWhenTheNextRequestAboutAThingIsSent.
	quickPauseMost = 15 * time.Second
	// After failures. A service that is down gets 1,062 requests of 100 waits in 5 minutes, and one
	// that works 1,276. At 10 s 2,981; at 160 s a service that is back is heard a minute later:
	// TestAServiceThatIsDownGetsNoMoreRequestsThanOneThatWorks.
	failPauseMost = 40 * time.Second
	// For how long holds stay below a length at which two polls were cut. Behind a gateway that cuts
	// at 20 s, 20 things have 120 polls cut in 22 minutes. At 1 min 290; at 20 min 44, but polls stay
	// short for so long when the gateway is mended:
	// TestHoldsStayBelowACutAndTryLongerOnesLessAndLessOften.
	cutPatience = 4 * time.Minute

	// The failed polls in a row after which a thing is read instead, and the quick ones after which it
	// is read, too. Behind the gateway of cutPatience 20 reads in 12 minutes. At 1 100, at 6 as here,
	// but six polls of a thing fail in vain if there are none:
	// TestWhenTheNextRequestAboutAThingIsSent.
	readsStepIn = 2
	// The least time between two reads of a thing instead of polls, and from the second failed poll to
	// the next. Without polls the ends of 20 things are seen after 5 s at most, with 2,605 reads in 12
	// minutes. At 1 s 3.3 s and 3,426, at 30 s 27 s and 466: TestReadsInsteadOfPollsAreApart.
	readEvery = 5 * time.Second
	// The same, doubled up to this after each further failure. Without polls 20 things send 214 of
	// them in 22 minutes. At 1 min 489; at 30 min 184, but there are 10,060 reads instead of 7,160 if
	// polls are back after half an hour: TestPollsThatFailAreTriedLessAndLessOften.
	readsAtMost = 5 * time.Minute
)
