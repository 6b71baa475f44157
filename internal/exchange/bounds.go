package exchange

import "time"

// The tuned constants of this package, each with two values that were tried beside it.
const (
	// SkimmedBody is how much of the body of a response without success is kept, in bytes. As much is
	// read behind it, so that the connection can be used again. At 4 KiB ten errors with a page of
	// 10 KiB take ten connections, and at 64 KiB one, even with a page of 100 KiB. At 1 MiB a hundred
	// errors that a caller collects can keep 100 MiB. TestAnErrorPageLeavesItsConnectionUsable shows
	// it.
	SkimmedBody = 64 << 10

	// trustedSize is what the Content-Length of a body may allocate before any of it is received. At
	// 1 MiB a body of 6 MiB takes 8.1 MB and four allocations, not 6.2 MB and two. At 64 MiB a
	// response of five bytes can take 32 MiB. TestReadingABodyTakesLittleMoreMemoryThanItsSize and
	// BenchmarkReadingABody show it.
	trustedSize = 8 << 20

	// leastChunk is the first chunk of a body without a Content-Length; each further one is twice as
	// long. It is that of io.ReadAll. At 64 bytes a body of 1 KiB takes ten allocations, not six. At
	// 4 KiB it takes 5 KB, not 2 KB. BenchmarkReadingABody shows it.
	leastChunk = 512

	// mostChunk is the longest chunk. At 64 KiB a body of 30 MiB takes 498 allocations, not 49. At
	// 8 MiB a body of 20 MiB takes 46.1 MB, not 42.8 MB: the last chunk is half empty.
	// TestReadingABodyTakesLittleMoreMemoryThanItsSize and BenchmarkReadingABody show it.
	mostChunk = 1 << 20

	// largeBody is the size in bytes over which bodies are joined and decoded one at a time. At 64 KiB
	// long pages of lists wait for each other, though they take little. At 16 MiB eight hostile bodies
	// at once took up to 450 MiB on eight processors, not 343. TestLargeBodiesAreTakenOneAtATime shows
	// the turns.
	largeBody = 1 << 20

	// budgetMost is how many retries may be in store. At 50 a hundred reads whose first attempt
	// fails do not all get a second one: TestABudgetHoldsAtMostAHundredRetries. At 200 an outage gets
	// 1,289 attempts for 1,000 calls, not 1,189: TestTheBudgetBoundsTheRetriesOfAnOutage, as all that
	// follows.
	budgetMost = 100.0

	// budgetPerCall is how many retries each call adds. At 0.05 the budget is used up if one call in
	// sixty fails in the end. At 0.2 an outage gets 6,099 attempts for 5,000 calls, not 5,549.
	budgetPerCall = 0.09

	// budgetQuiet is how long no retry may be asked for, before budgetAtRest are in store. At 10 s
	// slow calls in a row have all their retries: 6,000 attempts for 1,000 calls of 20 s. At 10 min a
	// call a minute after an outage has none.
	budgetQuiet = time.Minute

	// budgetAtRest is the least number of retries in store after that. At 2 the call has two of its
	// five retries. At 50 a job of a hundred calls every two minutes sends 58 retries each time, not
	// 19.
	budgetAtRest = 10.0

	// longestReset is the longest time until a reset that is waited for instead of a Retry-After. At a
	// minute the reset of a limit of five minutes is not read. At a day the reset of a daily quota
	// ends calls at once. TestResetsOfALimit shows both.
	longestReset = time.Hour
)
