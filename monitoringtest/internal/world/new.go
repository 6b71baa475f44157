package world

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
	w.state = state{
		ids:          make(ids),
		ChecksByID:   make(map[string]*Check),
		Groups:       make(map[int64]*Group),
		queues:       make(map[int64]*timeHeap),
		sessionsByID: make(map[string]*Session),
		resultsByID:  make(map[string]resultRef),
		Assets:       make(Assets),
		rootCauses:   make(map[string]rootCause),
		Services:     make(Set),
		Dashboards:   make(Set),
		Entitlements: defaultEntitlements,
	}
	if w.Demo != nil {
		w.fillDemo()
	}
}
