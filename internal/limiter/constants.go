package limiter

import "time"

// The constants that were tuned. Below and above say what is worse with a smaller and with a larger
// value. In quotes is the row of TestFigures that shows it; bench/limits.txt has the figures.
const (
	// The number of slots of a window. Below: less of the limit is used ("an even pace"). Above:
	// memory.
	windowSlots = 500

	// A deadline that is further away counts as none. If this is shorter, callers with longer ones are
	// not answered ("mixed deadlines"); if it is longer, jobs with deadlines of minutes go before
	// those without one.
	urgentWithin = 30 * time.Second
	// An earlier moment by a random time of up to this much orders waiters. Below: loads of one
	// rhythm always win or lose. Above: the order is more by chance ("mixed deadlines").
	dither = 500 * time.Millisecond

	// Polls alone may come by this factor faster than the even pace. Below: ends are seen later.
	// Above: callers that begin later get less ("waits").
	pollsEager = 1.25
	// Polls leave others this part of the even pace. Below: others that come now and then wait for
	// seconds ("waits": few reads at random). Above: ends are seen later ("waits").
	pollsLeave = 0.25
	// And this factor of the pace that others had in about the last ten seconds. Below: others wait
	// for seconds if they come at random. Above: ends are seen later ("waits": five reads a second).
	pollsLeaveRecent = 1.6
	recently         = 10 * time.Second
	// And at every moment one of this many places of those left of a burst, in the window. If there
	// are fewer parts, ends are seen later ("waits"); if there are more, so that fewer places are
	// left, ordinary calls wait up to a second when the window is nearly full ("classes", "waits").
	pollsLeaveOfBurst = 8

	// The responses of an operation that count, and for how long. If fewer count, less is answered
	// beside slow ones ("a tail"); if more, a jump is noticed later ("a jump of the latency"). If they
	// count for longer, an operation that was slow is not tried again while others want each place
	// ("an operation that is slow"); if for less, callers begin too late that it has become slow.
	responsesKept  = 32
	responsesFresh = 20 * time.Second
	// The time of this part of them is expected. Below: callers begin too late. Above: a few slow
	// responses make others hopeless ("a tail", "mixed deadlines").
	responsesMost = 0.75
	// An attempt without a response counts as this many times its time, and as this time at least:
	// who has waited in line has only a moment left, which shows little. Below: a jump is noticed
	// later. Above: callers that could be answered become hopeless ("a jump of the latency").
	unanswered      = 4
	unansweredLeast = time.Second

	// The slack of the window is the spread of response times, but at least and at most this part
	// of the window, and no longer than this. Below: more is refused ("short windows"). Above: less
	// of the limit is used ("small limits").
	slackLeast   = 75
	slackMost    = 4
	slackLongest = 500 * time.Millisecond
	slackKnown   = 5 // responses; with fewer it is the most

	// The first pause after a 429 without Retry-After, with the whole limit. It is at least a place
	// long, doubled with half of the limit, and doubles from 429 to 429. Below: small shares are
	// refused more often ("small neighbors"). Above: 429s cost more ("refused at random").
	pauseFirst = 550 * time.Millisecond
	// The longest pause without Retry-After. Above: calls wait longer ("a minute that is used up").
	pauseMost = 20 * time.Second
	// No pause is shorter than this part of the first one, whatever the service asks for. If it is
	// smaller, processes are refused more at a token bucket, over 6 % of eight ("neighbors"); if it
	// is larger, processes with a small share are refused more at a sliding log ("small neighbors").
	pauseLeast = 0.55
	// The first attempt after a pause goes alone for this time. Below: more is refused ("a minute that
	// is used up"). Above: others wait for a slow response.
	probePatience = time.Second
	// And both, the first pause and the time of that attempt, are at most one of this many parts of
	// the window. Below: short windows stay empty ("short windows"). Above: more of them is refused.
	partsOfWindow = 10

	// A 429 cuts the share by this. Below: processes refuse each other more ("neighbors"). Above:
	// outages leave less ("everything").
	cut = 0.06
	// The share grows by this with each response. Below: 429s at random leave less of the limit
	// ("refused at random"). Above: processes refuse each other more ("small neighbors").
	growForResponse = 0.00055
	// After this many responses without a 429 the cut is undone. Below: two processes refuse each
	// other more ("small neighbors"). Above: short outages leave less of the limit ("everything").
	undoAfter = 30
	// The share grows by this in a second after a window without a 429. Below: a limit that is
	// raised is used later ("a limit that changes"). Above: a pause that was too short is met again.
	growInCalm = 0.1
	// Longer refusals show by their length how much of the limit there is. Below: less of the limit
	// is used. Above: processes refuse each other more ("neighbors").
	pauseLong = 5 * time.Second
	// But they leave at least this share, and this part of what was used of the window. Below: two
	// processes use less of the limit. Above: they are refused more ("neighbors").
	longLeast  = 0.1
	longOfUsed = 0.99
	// The share never falls below this: three places a minute of the standard limit.
	shareLeast = 0.005

	// The account is refused if two operations are within the first time. That holds for the second
	// time. Below: processes refuse each other more. Above: a refused route holds up the others for
	// longer ("neighbors").
	blameTogether = 2 * time.Second
	blameAccount  = 5 * time.Minute
	// An operation has a limit of its own if so much of what others had answered, one of this many
	// parts, was of operations that are refused less often by this factor. With fewer parts several
	// routes with limits that nobody told slow down all others ("unknown routes"); with more, a few
	// operations that had luck make a neighbor look like a limit of routes. With a smaller factor
	// processes that share an account take it for routes, and refuse each other more ("neighbors:
	// operations"); with a larger one routes are found later.
	blameSpared = 3
	blameTimes  = 4
	// Or if one of these alone would have been refused this many times, at the rate of that operation.
	// If it is larger, many such routes slow down all others for longer ("many unknown routes"); if it
	// is smaller, luck looks like proof, and processes of many operations refuse each other more
	// ("neighbors: operations").
	blameProof = 5
	// What counts is about as old as this. If it is shorter, a route that is rarely refused is
	// forgotten in between; if it is longer, an account that others begin to use is noticed later.
	blameMemory = 10 * time.Minute

	// These bound memory. The ones that were not used for the longest time are forgotten.
	mostRoutes     = 1000
	mostOperations = 256
)

const (
	windowRing    = windowSlots*(slackMost+1)/slackMost + 4 // slots of the longest window
	tokenError    = 1e-6                                    // may be missing of a token by rounding
	longestWindow = time.Duration(1<<63-1) / 4              // keeps sums of times from overflowing
)
