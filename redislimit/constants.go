package redislimit

import "time"

// The constants that were tuned. Each has its figures with the two values that were tried beside
// it. Figures are those of TestFigures, of virtual time; rows of it stand in quotes. "Used" is said
// of the limit. What only the script needs stands atop script.lua.
const (
	// The processes of WithProcesses, if it is not used. With the four of "a stall of 15 s" 97 % are
	// used during it. At 2 the service refuses 42; at 16 28 % are used.
	defaultProcesses = 4
	// For a command, until the local share is used. During "a stall of 15 s" nothing is sent for 0.3 s
	// at most, and 96.6 % are used with "slow replies of Redis". At 100 ms 94.3 %; at 1 s nothing is
	// sent for 1.2 s.
	defaultTimeout = 250 * time.Millisecond
	// So many times that time ends a command. At 1 93.3 % are used with "slow replies of Redis", not
	// 96.6. At 16 no more, but Close waits for 4 s longer: TestCloseDoesNotWaitLongForAStalledRedis.
	waitsFor = 4

	// How often a process with waiting attempts asks Redis. At 1 s the service refuses one in every
	// second or fifth run of TestAProcessOnASlowWayToRedisStaysInTheLimitOfAll. At 250 ms "calls
	// often" take 112 ms, not 103, as no second command is left.
	askEvery = 500 * time.Millisecond
	// How far ahead Redis gives out places: more than the time from command to command, so that each
	// process learns of its places in time. At 400 ms 74 % are used of "a tiny limit", not 83. At 5 s
	// "one caller beside busy processes" has 65 calls a minute, not 108.
	lead = 1250 * time.Millisecond
	// How long a process that sends no commands has its turns: it may be cut off and use its local
	// share. At 3 s 95.8 % are used beside "a process cut off for 10 s", not 97.2. At 60 s 73 % are
	// used after "a dead process", not 91.
	ghost = 15 * time.Second
	// So many replies in time end the local share. At 1 "slow replies of Redis" change the mode 66
	// times a minute, not 60. At 5 95.4 % are used in the window after "a stall of 15 s and one
	// process is busy", not 96.8.
	goodReplies = 2

	// A process keeps its places for so long after its last call. At 250 ms of "calls often" one takes
	// 143 ms, not
	// 103. At 4 s no less, and others lack the places meanwhile.
	recently = time.Second
	// A process with waiters also asks for as many places as it used in this time. At 0 "one caller
	// beside busy processes" has 31 calls a minute, not 108. At 10 s the longest of the "bursts" takes
	// up to 2.8 s, not 2.0.
	lately = 2500 * time.Millisecond
	// So many uses are remembered for that. At 32 "calls very often with a large limit" take 428 ms,
	// not 225; at 2,048 308 ms.
	uses = 256
	// The places that a process has in advance, if there are any. At 0 of "calls often" one takes 125
	// ms, not 103. At 16 the paced caller beside "bursts" has 354 calls a minute, not 357.
	extra = 4

	// So many ordinary attempts are served before a waiting long poll. In "polls" 9 % are polls. At 3
	// 25 %, at 30 3 %.
	passedMost = 10
	// A waiter with less than this times the time of a response comes after the others. At 1 559 are
	// answered in "deadlines and a jump of the latency", not 564. At 4 565, but fewer are served in
	// the order of arrival.
	ampleTimes = 2
	// By this part a shorter response shortens what is expected. At 2 528 are answered in "deadlines
	// and a tail of slow responses", not 579. At 64 584, but after a jump it takes four times as many
	// responses until callers are not given up.
	responsesFade = 16

	// How long after its time a place may be used: a part of the window of the limit, within two
	// bounds. It is more than commands take, because only by so much is Redis's clock known. At 100 ms
	// nothing is used "far from Redis", not 97.2 %; at 2 s 95.9 %.
	graceLongest = 750 * time.Millisecond
	// At 20 ms nothing is used of "a tiny limit", not 83 %; at 300 ms 71 %.
	graceShortest = 100 * time.Millisecond
	// At 10 91 % are used with "a small limit and a faster service", not 95. At 100 97 %, but replies
	// of Redis that are 0.1 s late cost places.
	gracePart = 40
	// The window is longer by this part of the limit's, because requests take different times to
	// arrive: with a limit per minute they may differ by 0.8 s without a 429. At 300 98.4 % are used
	// with "a faster service", not 97.6, but they may differ by 0.2 s only; at 25 95.1 %.
	slackLeast = 75
	// For short windows it is this. At 50 ms one was refused when a service with 100 requests in 10 s
	// became faster by 0.5 s. At 1 s 89 % are used with "a small limit and a faster service", not 95.
	slackLongest = 250 * time.Millisecond
	// And at most this part of the window. At 40 one was refused of "a tiny limit" when its service
	// became faster by 0.15 s. At 3 74 % are used, not 83.
	slackMost = 10

	// The pause after a 429 without a time of the service, for the first time; it doubles. When
	// "everything is refused for 5 s" 14 are refused, and one is answered 2.4 s later. At 250 ms 18
	// and 4.0 s; at 4 s 13 and 7.2 s.
	pauseFirst = time.Second
	// And at most. "Everything is refused for ten minutes" refuses 57. At 10 s 107. At 120 s 79 % are
	// used beside "another user of the limit", not 89.
	pauseMost = 30 * time.Second
	// A 429 cuts the share by this. At 0.05 "everything is refused for ten minutes" refuses 143, not
	// 57. At 0.5 41 % are used in the two minutes after "everything is refused for 5 s", not 78.
	cut = 0.2
	// But to no less than this. At 0.01 30 % are used in the two minutes after "everything is refused
	// for ten minutes", not 34. At 0.2 100 are refused, not 57.
	shareLeast = 0.05

	// In so many parts a window is counted. At 64 96.1 % are used of "busy", not 97.2. At 1,024 97.4
	// %, but a window takes four times the memory in Redis, and is read by each command.
	parts = 256
)

// Facts.
const (
	commandsSlack  = 10 * time.Millisecond      // timers may be late, and two commands in any second are promised
	drift          = 0.5                        // two clocks drift apart by so many milliseconds per second, as NTP may slew one
	mostOperations = 256                        // bounds memory
	longest        = 100 * 365 * 24 * time.Hour // keeps sums of times from overflowing
)
