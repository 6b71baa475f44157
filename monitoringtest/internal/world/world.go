// Package world is the account of the fake as data: its checks, groups, sessions, alerts, variables
// and all else, and what happens to them. It knows no HTTP: routes calls it for requests, and the
// face for tests. A method that can be used wrongly returns an error, with which the face panics.
//
// The types of the records stand in files of their own, and what happens to a record in others, so
// that a rule is found by the name of its file, and each file is understood with those below it.
//
// The JSON of a record is what counts: it is shown, changed and compared as the service's clients
// see it. Beside it stand only values that are needed often, such as the name of a check.
package world

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// Config is what the options of a service say about its account. It does not change.
type Config struct {
	Account      string
	Clock        fakeclock.Clock
	RunTime      time.Duration // of sessions whose check says nothing else
	CancelDelay  time.Duration
	VisibleAfter time.Duration // of sessions whose check says nothing else
	GroupResets  bool          // an update of a group resets what it leaves out
	WithholdMore bool          // than the values of secret variables
	EmptySecrets bool          // withheld secret variables are empty, not null
	Retention    Retention
	Demo         *Demo // the data that the account begins with; nil: none
}

// Retention says what is forgotten. The zero value keeps everything.
type Retention struct {
	Age  time.Duration // 0: forever
	Most int           // 0: all
}

// World is an account. Whoever uses it, or what others keep beside it, holds its lock: never while
// waiting, nor while code of a test runs.
type World struct {
	sync.Mutex
	Config
	Beside func() int // how many bytes others keep beside the account; nil for none
	state
}

// state is what operations and tests change, and what Reset throws away.
type state struct {
	ids      ids
	schedule schedule // of the demo

	scheduled []*Check // those that the scheduler starts
	starting  bool     // it starts them now

	Checks     []*Check
	checksByID byID[*Check]
	CheckLimit int // 0: none
	Groups     map[int64]*Group
	queues     map[int64]*timeHeap // by group: when a run ends and makes room

	Sessions     []*Session
	sessionsByID byID[*Session]
	resultsByID  byID[resultRef]
	unsettled    sessionHeap
	TestSessions []*TestSession
	DecideTest   func(*TestRun) // of a test; nil for none
	stayed       int            // sessions when the oldest were forgotten for the last time
	lastRun      int64

	stores      map[*Kind]*Store // of what is only stored
	held        int              // how many bytes of records there are, or more; see Overfull
	Alerts      AlertList
	addedAlerts Set // the ids of notifications that a test has added
	away        Set // private locations, by their slugName, whose agents are stopped
	named       Set // private locations that requests have named

	Entitlements json.RawMessage
	quotas       checkQuotas // of entitlements that were set; nil for those at first
}
