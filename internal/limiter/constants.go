package limiter

import "time"

// The constants that were tuned. "Below" and "above" say what is worse with a smaller and with a
// larger value; figures are those of TestFigures, which has the names of its cases.
const (
	// A window has so many slots. Below: with 100, the pace is 97 % of the limit. Above: memory,
	// 5 KB for each limit.
	windowSlots = 500

	// After a time without attempts the bucket fills even while a burst still counts in its
	// window. Below: short gaps between attempts count as a rest, and a gap follows. Above: the
	// burst comes back late (TestTheBurstIsThereAgainAfterARest).
	rest = time.Second

	// A longer patience counts as none. Below: callers with 30 s wait in order behind bulk work.
	// Above: they would go before it, though their places come in time anyway.
	urgentWithin = 30 * time.Second
	// The latest moment to start leaves at least this part of the patience for the response.
	// Below (1/4): 16 callers in a loop, 2 s: one of 30 calls fails. Above (1/32): after a jump of
	// the latency half a minute passes until the limiter knows it ("a jump of the latency").
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

	// How many responses of an operation count, and for how long. Below: a few slow ones change
	// the order. Above: a jump of the latency is known late ("a jump of the latency").
	responsesKept  = 32
	responsesFresh = 20 * time.Second
	// Of so many of them the time is expected; see probably. Below: half of the places go to those
	// who are answered too late. Above: a tail of 10 % makes all hopeless ("mixed deadlines").
	responsesMost = 0.75
	// An attempt that had no response counts as so many times its time. Below (2): after a jump
	// of the latency 200 of 300 are answered in the first minute, not 260. Above: nothing.
	unanswered = 4

	// The slack of the window is the spread of response times, at least 1/75 of the window, and
	// at most 1/5 or half a second. Below: requests that overtake one another are refused. Above:
	// less of the limit is used ("an even pace", "small limits").
	slackLeast   = 75
	slackMost    = 5
	slackLongest = 500 * time.Millisecond
	slackKnown   = 5 // responses; with fewer it is the most

	// The pause after a 429 without a time of the service, for the first time. It lasts at least
	// as long as so many places take, and doubles from 429 to 429. Below: eight processes refuse
	// each other 8 %. Above: less of the limit is used ("neighbours").
	pauseFirst  = 600 * time.Millisecond
	pausePlaces = 5
	pauseMost   = 20 * time.Second
	// The first attempt after a pause goes alone, for so long.
	probePatience = time.Second

	// A 429 cuts the share by cutPlaces/places since the last but one, within these bounds, and
	// not below the part of the window that was used. Below: eight processes refuse each other
	// over 6 %. Above, or without the part that was used: 93 % of the limit ("neighbours").
	cutPlaces = 5.4
	cutLeast  = 0.06
	cutMost   = 0.3
	cutFitted = 0.97
	// After so many places without a 429 the cut is undone. Below (20): unfair, the index of Jain
	// falls to 0.80 ("neighbours"). Above (100): refusals that have nothing to do with the pace
	// leave 14 % of the limit, not 94 % ("refused for half a second").
	undoPlaces = 30
	// Longer refusals show by their length how much of the limit there is. Below: chance. Above:
	// two processes on fixed windows refuse each other for longer.
	pauseLong = 5 * time.Second
	// But no less than this part, because a smaller one depends on when callers send.
	fitsLeast = 0.1
	// The share never falls below this.
	shareLeast = 0.005
	// The share grows by this in a second. Below: unfair. Above (0.0006): over 6 % refused.
	growAlways = 0.0003
	// After a window and this much more without a 429 it grows fast. Below: fixed windows are
	// refused each time. Above: a limit that grows is used late ("a limit that changes").
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
