package world

import ()

// New makes an account with its locations and entitlements, and with the data of the demo if the
// config says so.
func New(c Config) *World {
	w := &World{Config: c}
	w.Reset()
	return w
}

// Reset makes the account as it was after New. Waits for sessions end.
func (w *World) Reset() {
	for _, x := range w.Sessions {
		close(x.changed)
	}
	for _, t := range w.TestSessions {
		close(t.changed)
	}
	w.Clock.Start()
	w.state = state{
		ids:          make(ids),
		checksByID:   make(byID[*Check]),
		Groups:       make(map[int64]*Group),
		queues:       make(map[int64]*timeHeap),
		sessionsByID: make(byID[*Session]),
		resultsByID:  make(byID[resultRef]),
		stores:       make(map[*Kind]*Store),
		away:         make(Set),
		named:        make(Set),
		addedAlerts:  make(Set),
		Entitlements: defaultEntitlements,
	}
	if w.Demo != nil {
		w.fillDemo()
	}
}
