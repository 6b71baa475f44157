package redislimit

import "time"

// The constants that were tuned. Each has its figures with the two values that were tried beside it. Figures are those of
// TestFigures, of virtual time; rows of it stand in quotes. "Used" is said of the limit. What only the script needs stands atop script.lua.
const (
	// The processes of WithProcesses, if it is not used. With the four of "a stall of 15 s" 97 % are used during it. At 2
	// the service refuses 42; at 16 28 % are used.
	defaultProcesses = 4
	// For a command, until the local share is used. During "a stall of 15 s" nothing is sent for 0.3 s at most, and 96.6 %
	// are used with "slow replies of Redis". At 100 ms 94.3 %; at 1 s nothing is sent for 1.2 s.
	defaultTimeout = 250 * time.Millisecond
	// So many times that time ends a command. At 1 93.3 % are used with "slow replies of Redis", not 96.6. At 16 no more, but
	// Close waits for 4 s longer: TestCloseDoesNotWaitLongForAStalledRedis.
	waitsFor = 4

	// How often a process with waiting attempts asks Redis. At 0.5 s no second command is left for attempts that come: "calls
	// now and then" take 133 ms, not 101. At 2 s 50 % are used of "a tiny limit", not 83.
	askEvery = time.Second
	// How far ahead Redis gives out places: more than the time from command to command, so that each process learns of its
	// places in time. At 625 ms 55 % are used of "a tiny limit", not 83. At 5 s "one caller beside busy processes" has 79
	// calls a minute, not 108.
	lead = 1250 * time.Millisecond
	// How long a process that sends no commands has its turns: it may be cut off and use its local share. At 3 s 95.8 % are
	// used beside "a process cut off for 10 s", not 97.2. At 60 s 73 % are used after "a dead process", not 91.
	ghost = 15 * time.Second
	// So many replies in time end the local share. At 1 "slow replies of Redis" change the mode 36 times a minute, not 33. At 5
	// 93.0 % are used in the window after "a stall of 15 s and one process is busy", not 95.7.
	goodReplies = 2

	// A process keeps its places for so long after its last call. At 250 ms of "calls often" one takes 0.36 s, not
	// 0.16. At 4 s the longest of the "bursts" takes 3.0 s, not 2.0.
	recently = time.Second
	// A process with waiters also asks for as many places as it used in this time. At 0 "one caller beside busy processes" has 44
	// calls a minute, not 108. At 10 s the longest of the "bursts" takes 4.8 s, not 2.0.
	lately = 2500 * time.Millisecond
	// So many uses are remembered for that. At 32 "calls very often with a large limit" take 0.40 s, not 0.16; at 2,048 0.24 s.
	uses = 256
	// The places that a process has in advance, if there are any. At 0 of "calls now and then" one takes 0.5 s, not 0.2. At 16 the
	// paced caller beside "bursts" has 363 calls a minute, not 369.
	extra = 4

	commandsSlack  = 10 * time.Millisecond
	drift          = 0.5
	passedMost     = 10
	mostOperations = 256
	ampleTimes     = 2
	responsesFade  = 16
	graceLongest   = 750 * time.Millisecond
	graceShortest  = 100 * time.Millisecond
	gracePart      = 40
	slackLeast     = 75
	slackLongest   = 250 * time.Millisecond
	slackMost      = 10
	longest        = 100 * 365 * 24 * time.Hour
	pauseFirst     = time.Second
	pauseMost      = 30 * time.Second
	cut            = 0.2
	shareLeast     = 0.05
	parts          = 256
)
