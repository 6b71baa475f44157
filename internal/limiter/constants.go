package limiter

import "time"

// The constants that were tuned. "Below" and "above" say what is worse with a smaller and with a
// larger value that was tried. Figures are those of TestFigures; rows of it stand in quotes.
const (
	// A window has so many slots. Below (100): 98.0 % of the limit are used, not 98.7 ("an even
	// pace"). Above: memory, which is 5 KB for each limit.
	windowSlots = 500

	// After a time without attempts the bucket fills even while a burst still counts in its window.
	// Below (0): any 5 s differ from the average by up to 4.4 %, not 2.6 ("an even pace"). Above (1 min):
	// the burst comes back a minute late (TestTheBurstIsThereAgainAfterARest).
	rest = time.Second

	// A longer patience counts as none. Below (5 s): of callers with 10 and 20 s 3 % are answered, not
	// 58 ("mixed deadlines"). Above: jobs with deadlines of minutes go before those without.
	urgentWithin = 30 * time.Second
	// The latest moment to start leaves at least this part of the patience for the response. Below
	// (a quarter) a loop of 16 callers with 2 s has none to spare. Above (1/32): after a jump of the
	// latency 259 are answered in the first minute, not 268 ("a jump of the latency").
	patienceLeft = 8
	// An earlier moment by a random time of up to this much orders waiters. Otherwise loads of one
	// rhythm would always win or always lose. Below (0.2 s): 45 to 86 % of each group are answered.
	// Above (1 s): no better, but the order is more by chance ("mixed deadlines").
	dither = 500 * time.Millisecond

	// Polls alone may come by this factor faster than the even pace, and leave others this part of
	// it, or their recent pace and a tenth more. Below (1): of 500 sessions of 5 to 60 s one in
	// twenty ends 28 s before it is seen, not 18. Above (1.6 and 1/8): 8 callers that begin half a
	// minute later get one place a second.
	pollsEager     = 1.25
	pollsLeave     = 0.25
	pollsLeaveMore = 1.1
	pollsLeaveFew  = 8 // and of what they leave of a burst this part at every moment
	recently       = 10 * time.Second

	// How many responses of an operation count, and for how long. Below (8): 98.7 % of what is
	// possible is answered beside a tail of slow ones, not 99.3 ("a tail"). Above (128): 261 are
	// answered in the first minute of a jump, not 268 ("a jump of the latency").
	responsesKept  = 32
	responsesFresh = 20 * time.Second
	// Of so many of them the time is expected; see probably. Below (a half): with responses after up to
	// 1 s callers are answered 94.8 % of the limit, not 97.8 ("a tail"). Above (0.95): with a tail of 10 % one of
	// three calls with 1 s is answered, not two of three ("mixed deadlines").
	responsesMost = 0.75
	// An attempt that had no response counts as so many times its time. Below (2): 253 are
	// answered in the first minute of a jump, not 268. Above (16): callers with 30 s become
	// hopeless, because others gave up after 2 ("a jump of the latency").
	unanswered = 4

	// The slack of the window is the spread of response times, at least 1/75 of the window, and at
	// most 1/5 or half a second. Below (1/300): none is refused with a spread of up to 300 ms, but
	// more are when a jump of the latency ends. Above: less of the limit is used ("an even pace",
	// "small limits").
	slackLeast   = 75
	slackMost    = 5
	slackLongest = 500 * time.Millisecond
	slackKnown   = 5 // responses; with fewer it is the most

	// The pause after a 429 without a time of the service, for the first time. It lasts at least
	// as long as so many places take, and doubles from 429 to 429. If a minute of 60,000 requests is
	// used up, 20 calls are refused 26 times and all answered after 66 s. Below (20 ms): refused 61
	// times. Above (2 s): answered after 79 s. And 30 s at most: one call that meets a used-up minute
	// takes 91 s, not 85 ("a minute that is used up").
	pauseFirst  = 600 * time.Millisecond
	pausePlaces = 5
	pauseMost   = 20 * time.Second
	// The first attempt after a pause goes alone, for so long. Below (0.1 s, less than the latency): 20
	// calls that meet a used-up minute take 102 s, not 88. Above (10 s): others wait so long for a
	// probe whose response is slow (TestTheFirstAttemptAfterAPauseGoesAlone).
	probePatience = time.Second

	// A 429 cuts the share by this. Below (0.03): eight processes refuse each other 7.4 %, not 5.4
	// ("neighbours"). Above (0.15): everything that is refused for half a second each 5 s leaves
	// 82 % of the limit, not 89 ("everything").
	cut = 0.06
	// After so many places without a 429 the cut is undone. Below (10): processes without a Retry-After
	// refuse each other 3.4 % on average, not 2.4 ("neighbours"). Above (100): everything that is refused
	// for half a second each 5 s leaves 8 % of the limit, not 89 ("everything").
	undoPlaces = 30
	// Longer refusals show by their length how much of the limit there is. Below (1 s): two processes on
	// a sliding log use 93.8 % of the limit, not 95.3. Above (20 s, 5 min): processes refuse each other
	// 2.7 and 4.7 % on average, not 2.2 ("neighbours").
	pauseLong = 5 * time.Second
	// But no less than this, because a smaller part depends on when callers send. Below (0.01): 2.6 % are
	// refused on average, not 2.4. Above (0.4): two processes use 88 % of the limit ("neighbours").
	fitsLeast = 0.1
	// And no less than this part of what was used of the window. Below (0): two processes on a sliding
	// log use 94.1 % of the limit, not 95.3 ("neighbours"). Above 1 the share would not be cut.
	fitsFitted = 0.97
	// The share never falls below this: three places a minute of the standard limit.
	shareLeast = 0.005
	// The share grows by this in a second. Below (0.0001): two processes on a sliding log use 94.3 % of the
	// limit, not 95.3. Above (0.001): eight refuse each other 5.4 %, not 4.5 ("neighbours").
	growAlways = 0.0003
	// And after a window without a 429 by this. Below (0.05): a limit that is doubled is used after
	// more than 75 s ("a limit that changes"). Above: a pause that was too short is met again.
	growCalmly = 0.1

	// One operation is refused alone, or the account is: two operations within this time, for
	// this time, or until one was refused so often while others were not. Two processes with two
	// operations each refuse each other 1.6 %. Below (0.1 s, 10 s, or 1): 3.0, 2.4, or 2.3 %. Above
	// (30 s, 1 h, or 30): no better, but a route that is refused alone holds up the others for longer
	// (TestWhetherARouteOrTheAccountIsBlamed).
	blameTogether = 2 * time.Second
	blameAccount  = 5 * time.Minute
	blameAlone    = 3

	// These bound memory. The ones that were not used for the longest time are forgotten. Above:
	// a new route costs time for each that is known.
	mostRoutes     = 1000
	mostOperations = 256
)

// floors says that each kind gets at least one of so many places while it waits; 0 for none.
// Below: the kinds before it wait. Above: it starves ("classes").
var floors = [kinds]int{patient: 5, polling: 10, inBackground: 20}

const (
	windowRing    = windowSlots*(slackMost+1)/slackMost + 4 // slots of the longest window
	tokenError    = 1e-6                                    // may be missing of a token by rounding
	longestWindow = time.Duration(1<<63-1) / 4              // keeps sums of times from overflowing
)
