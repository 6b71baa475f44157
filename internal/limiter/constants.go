package limiter

import "time"

// The constants that were tuned. "Below" and "above" say what is worse with a smaller and with a
// larger value that was tried. Figures are those of TestFigures; rows of it stand in quotes.
const (
	// A window has so many slots. Below (100): 98.0 % of the limit are used, not 98.7 ("an even
	// pace"). Above: memory, which is 5 KB for each limit.
	windowSlots = 500

	// After a time without attempts the bucket fills even while a burst still counts in its
	// window. Below: short gaps between attempts count as a rest. Above: the burst comes back late
	// (TestTheBurstIsThereAgainAfterARest).
	rest = time.Second

	// A longer patience counts as none. Below: callers with 30 s wait in order behind bulk work
	// ("mixed deadlines"). Above: jobs with deadlines of minutes go before those without.
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
	// Of so many of them the time is expected; see probably. Below (a half): nothing is worse in
	// the figures, but half of the responses may be late. Above (0.95): with a tail of 10 % one of
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
	// as long as so many places take, and doubles from 429 to 429. 200 ms are no worse. Above:
	// 30 s at most are too long for one call that meets a used-up minute ("a minute that is used up": 91 s, not 85).
	pauseFirst  = 600 * time.Millisecond
	pausePlaces = 5
	pauseMost   = 20 * time.Second
	// The first attempt after a pause goes alone, for so long.
	probePatience = time.Second

	// A 429 cuts the share by cutPlaces/places since the last but one, within these bounds. 2 and 15
	// are no worse. It does not cut below the part of the window that was used: below (0.5), two
	// processes on a sliding log use 94.7 % of the limit, not 95.1 ("neighbours").
	cutPlaces = 5.4
	cutLeast  = 0.06
	cutMost   = 0.3
	cutFitted = 0.97
	// After so many places without a 429 the cut is undone. Below (10): eight processes refuse each
	// other 5.4 %, and less fairly: 0.90 in Jain's index ("neighbours"). Above (60): everything that
	// is refused for half a second each 5 s leaves 6 % of the limit, not 88 ("everything").
	undoPlaces = 30
	// Longer refusals show by their length how much of the limit there is, but no less than
	// fitsLeast, because a smaller part depends on when callers send. 20 s are no worse for two
	// processes; without it a limit that is halved takes many cuts ("a limit that changes").
	pauseLong = 5 * time.Second
	fitsLeast = 0.1
	// The share never falls below this.
	shareLeast = 0.005
	// The share grows by this in a second. Below (0.0001): Jain's index falls to 0.86. Above (0.001):
	// eight processes refuse each other 6.4 % ("neighbours").
	growAlways = 0.0003
	// After a window and this much more without a 429 it grows fast. Below: fixed windows are
	// refused each time. Above (40 s, and 0.05): a limit that is doubled is used after more than
	// 75 s ("a limit that changes").
	growCalm   = 2 * time.Second
	growCalmly = 0.1

	// One operation is refused alone, or the account is: two operations within this time, for
	// this time, or until one was refused so often while others were not.
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
