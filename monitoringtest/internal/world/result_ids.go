package world

import "fmt"

// ResultIDs returns the ids of the results a session has so far, in the order in which a read of
// the session lists them.
func (w *World) ResultIDs(session string) (ids []string, err error) {
	now := w.Clock.Now()
	for _, t := range w.TestSessions {
		if sameID(t.ID, session) {
			for _, r := range w.TestView(t, now).Results {
				ids = append(ids, r.ID)
			}
			return ids, nil
		}
	}
	x := w.sessionsByID.of(session)
	if x == nil {
		return nil, fmt.Errorf("there is no session with the id %s", session)
	}
	for _, r := range w.View(x, now).Results {
		ids = append(ids, r.ID)
	}
	return ids, nil
}
