package exchange

import "time"

// The tuned constants of this package. Below and above say what is worse with a smaller and with a
// larger value; the test or benchmark that is named shows it.
const (
	// SkimmedBody is how many bytes of the body of a response without success are kept. As many are
	// read after them, so that the connection can be used again. Below: pages of errors cost their
	// connections (TestAnErrorPageLeavesItsConnectionUsable). Above: errors that are collected keep
	// more memory.
	SkimmedBody = 64 << 10

	// trustedSize is how much memory the Content-Length of a body may allocate before any of it is
	// received. Below: a large body is copied as it grows (BenchmarkReadingABody,
	// TestReadingABodyTakesLittleMoreMemoryThanItsSize). Above: a few bytes can take more memory.
	trustedSize = 8 << 20

	// leastChunk is the size in bytes of the first chunk of a body without a Content-Length, as in
	// io.ReadAll; each further chunk is twice as long. Below: more allocations for a short body.
	// Above: more memory for it (BenchmarkReadingABody).
	leastChunk = 512

	// mostChunk is the size in bytes of the longest chunk. Below: more allocations for a long body.
	// Above: more memory is unused behind its end (BenchmarkReadingABody,
	// TestReadingABodyTakesLittleMoreMemoryThanItsSize).
	mostChunk = 1 << 20

	// largeBody is the size in bytes over which bodies are joined and decoded one at a time. Below:
	// long pages of lists wait for each other. Above: hostile bodies that come together take more
	// memory (TestLargeBodiesAreTakenOneAtATime).
	largeBody = 1 << 20

	// budgetMost is how many retries may be in store. Below: reads that begin together and fail once
	// are not all retried (TestABudgetHoldsAtMostAHundredRetries). Above: an outage gets more
	// attempts (TestTheBudgetBoundsTheRetriesOfAnOutage, as all that follows).
	budgetMost = 100.0

	// budgetPerCall is how many retries each call adds. Below: few calls that fail in the end use the
	// budget up. Above: an outage gets more attempts.
	budgetPerCall = 0.09

	// budgetQuiet is how long no retry may be asked for before budgetAtRest are in store. Below: slow
	// calls in a row have all their retries in an outage. Above: a call long after an outage has none.
	budgetQuiet = time.Minute

	// budgetAtRest is the least number of retries in store after that. Below: a call does not have all
	// its retries. Above: a job that runs now and then sends more retries in an outage.
	budgetAtRest = 10.0

	// longestReset is the longest time until a reset that is waited for instead of a Retry-After.
	// Below: the reset of a longer limit is not read. Above: the reset of a daily quota ends calls at
	// once (TestResetsOfALimit).
	longestReset = time.Hour
)
