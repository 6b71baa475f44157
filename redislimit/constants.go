package redislimit

import "time"

const (
	defaultProcesses = 4
	defaultTimeout   = 250 * time.Millisecond
	waitsFor         = 4
	askEvery         = time.Second
	probeEvery       = time.Second
	commandsSlack    = 10 * time.Millisecond
	lead             = 1250 * time.Millisecond
	ghost            = 15 * time.Second
	recently         = time.Second
	lately           = 2500 * time.Millisecond
	extraLeast       = 4
	extraRecent      = 2
	extraWanted      = 2
	goodReplies      = 2
	drift            = 0.5
	passedMost       = 10
	mostOperations   = 256
	responsesFresh   = 20 * time.Second
	ample2           = 2
	responsesSlow    = 16
	needMore         = 8
	needLeast        = 5 * time.Millisecond
	unanswered       = 3
	uses             = 256
	graceLongest     = 750 * time.Millisecond
	graceShortest    = 100 * time.Millisecond
	gracePart        = 40
	slackLeast       = 75
	slackLongest     = 250 * time.Millisecond
	slackMost        = 10
	longest          = 100 * 365 * 24 * time.Hour
	pauseFirst       = time.Second
	pauseMost        = 30 * time.Second
	cut              = 0.2
	shareLeast       = 0.05
	parts            = 256
)
